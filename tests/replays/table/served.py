"""The renderer's files under a policy as strict as the service's, with pages that tests write: no server is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Route

from replays.table import FOLDER, STYLES
from tests.browser import Browser
from tests.replays.table.moments import game_of

Opened = Callable[..., Browser]
"""Opens a page with the renderer."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
ASKS = Path(__file__).with_name("asks.js")
TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html", "json": "application/json"}
PAGE = """<!doctype html><html lang="{lang}"{theme}><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/page.css">{links}
</head><body><main><h1 hidden>{title}</h1><h2 hidden>Table</h2><div id="table"></div></main>
<script type="module" src="/page.js"></script></body></html>
"""
SCRIPT = """import * as foldtable from '/table/table.js'
import * as asks from '/asks.js'
Object.assign(window, { foldtable, asks })
window.root = document.querySelector('#table')
foldtable.wearPalette(document, %s)
window.ready = true
"""
STYLE = (
    "body{margin:0;background:#fff}[hidden]{display:none}@media (prefers-color-scheme:dark){body{background:#0d1311}}"
)


class Served:
    """What a browser is answered at an address that nobody has, beside the renderer's own files."""

    address = "http://table.localhost"

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {"page.css": STYLE.encode(), "asks.js": ASKS.read_bytes()}

    def page(self, slug: str, lang: str = "en", theme: str = "") -> str:
        """The address of an empty page that has the renderer and the colours of one game."""
        self.files["page.js"] = (SCRIPT % json.dumps(game_of(slug))).encode()
        links = "".join(f'<link rel="stylesheet" href="/table/{name}">' for name in STYLES)
        attribute = f' data-theme="{theme}"' if theme else ""
        self.files["page.html"] = PAGE.format(lang=lang, theme=attribute, title=slug, links=links).encode()
        return f"{self.address}/page.html"

    def answer(self, route: Route) -> None:
        name = urlsplit(route.request.url).path.lstrip("/")
        body, file = self.files.get(name), FOLDER / name.removeprefix("table/")
        if body is None and name.startswith("table/") and file.is_file():
            body = file.read_bytes()
        kind = TYPES.get(name.rpartition(".")[2], "text/plain")
        headers = {"Content-Security-Policy": POLICY, "Content-Type": f"{kind}; charset=utf-8"}
        route.fulfill(status=404 if body is None else 200, headers=headers, body=body or b"")


def called(function: str, *arguments: Any) -> str:
    """A call in the page, of a function of the renderer or of an expression that is one."""
    return f"({function})({', '.join(json.dumps(one) for one in arguments)})"

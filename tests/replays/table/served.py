"""The renderer's files served on loopback under a policy as strict as the service's, with pages that tests write."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from replays.table import FOLDER, STYLES, palette_css
from tests.laws.rooms import CATALOGUE

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
TYPES = {"js": "text/javascript", "css": "text/css", "html": "text/html", "json": "application/json"}
PAGE = """<!doctype html><html lang="{lang}"{theme}><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/page.css">{links}
</head><body><main><h1 hidden>{title}</h1><h2 hidden>Table</h2><div id="table"></div></main>
<script type="module" src="/page.js"></script></body></html>
"""
SCRIPT = """import * as foldtable from '/table/table.js'
window.foldtable = foldtable
window.root = document.querySelector('#table')
window.ready = true
"""
STYLE = (
    "body{margin:0;background:#fff}[hidden]{display:none}@media (prefers-color-scheme:dark){body{background:#0d1311}}"
)


class Served:
    """An address, and what is answered there beside the renderer's own files."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.files: dict[str, bytes] = {"page.js": SCRIPT.encode(), "page.css": STYLE.encode()}

    def page(self, slug: str, lang: str = "en", theme: str = "") -> str:
        """The address of an empty page that has the renderer and the colours of one game."""
        self.files["palette.css"] = palette_css(slug, CATALOGUE.rooms[slug].game.palette).encode()
        names = [*(f"table/{name}" for name in STYLES), "palette.css"]
        links = "".join(f'<link rel="stylesheet" href="/{name}">' for name in names)
        attribute = f' data-theme="{theme}"' if theme else ""
        self.files["page.html"] = PAGE.format(lang=lang, theme=attribute, title=slug, links=links).encode()
        return f"{self.address}/page.html"


@contextmanager
def served() -> Iterator[Served]:
    """A server for as long as it is wanted."""

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            name = self.path.lstrip("/").partition("?")[0]
            body = offered.files.get(name)
            if body is None and name.startswith("table/") and (FOLDER / name[6:]).is_file():
                body = (FOLDER / name[6:]).read_bytes()
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", f"{TYPES.get(name.rpartition('.')[2], 'text/plain')}; charset=utf-8")
            self.send_header("Content-Security-Policy", POLICY)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: Any) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.daemon_threads = True
    offered = Served(server.server_address[1])
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield offered
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def called(function: str, *arguments: Any) -> str:
    """A call in the page, of a function of the renderer or of an expression that is one."""
    return f"({function})({', '.join(json.dumps(one) for one in arguments)})"

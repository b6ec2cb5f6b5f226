"""How soon a table is there in a browser that has never seen it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median

from benchmarks.crowd import Figures, Table
from benchmarks.http import Client, serving
from benchmarks.places import NotAtHand
from domain.catalogue import Catalogue
from tests.browser import CHROMIUM, WHY, Browser, browser, launched

TIMES = 5
BEFORE = 12
"""Moves that were made before anybody looks."""

WATCH = """new MutationObserver((_, watching) => {
    if (document.querySelector('#table [data-piece]')) {
        watching.disconnect()
        requestAnimationFrame(() => setTimeout(() => { window.drawn = performance.now() }))
    }
}).observe(document, { childList: true, subtree: true })"""
"""Notes when the first pieces were on the screen."""

FIRST = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def run(times: int = TIMES, slugs: Sequence[str] = ()) -> Figures:
    """Milliseconds until the first paint and until pieces are drawn.

    Raises:  NotAtHand where there is no chromium.
    """
    if CHROMIUM is None:
        raise NotAtHand(WHY)
    figures: Figures = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(1, str(Path(folder) / "data")) as (port, _),
        launched() as chromium,
        browser(chromium) as eyes,
    ):
        with closing(Client(port, "")) as stranger:
            token = stranger.ask("POST", "/api/players", {"name": "Bench"})["token"]
        worker = (Path(folder) / "data" / "worker-token").read_text(encoding="ascii").strip()
        eyes.page.add_init_script(WATCH)
        for slug in slugs or sorted(Catalogue().rooms):
            with closing(Client(port, worker)) as bots, closing(Client(port, token)) as person:
                table, name = Table(bots, person, slug), slug.replace("-", "_")
                url = f"http://127.0.0.1:{port}/matches/{table.sit()}?lang=en"
                for _ in range(BEFORE):
                    table.move()
                figures |= _painted(eyes, url, name, times)
    return figures


def _painted(eyes: Browser, url: str, name: str, times: int) -> Figures:
    """How soon the page and the table are there, with nothing kept of them."""
    seen: list[tuple[float, float]] = []
    for _ in range(times):
        eyes.send("Network.clearBrowserCache")
        eyes.open(url)
        eyes.waits_for(f"!!window.drawn && !!{FIRST}")
        seen.append((eyes.value(FIRST), eyes.value("window.drawn")))
    return {
        f"{name}_first_paint": {"value": round(median(first for first, _ in seen)), "unit": "ms"},
        f"{name}_first_table": {"value": round(median(drawn for _, drawn in seen)), "unit": "ms"},
    }

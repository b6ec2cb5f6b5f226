"""How soon a table is there in a browser that has never seen it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from benchmarks import Figures
from benchmarks.eyes import staged
from domain.catalogue import Catalogue
from tests.browser import Browser

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
    figures: Figures = {}
    with staged(WATCH) as stage:
        for slug in slugs or sorted(Catalogue().rooms):
            with stage.table(slug) as (table, _):
                url = stage.address(table.sit())
                for _ in range(BEFORE):
                    table.move()
                figures |= _painted(stage.eyes, url, slug.replace("-", "_"), times)
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

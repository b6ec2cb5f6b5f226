"""Measures how soon a browser with an empty cache shows a table."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from benchmarks import Figures
from benchmarks.eyes import staged
from domain.catalogue import Catalogue
from tests.browser import Browser

TIMES = 5
BEFORE = 12
"""The moves before the page is opened."""

WATCH = """new MutationObserver((_, watching) => {
    if (document.querySelector('#table [data-piece]')) {
        watching.disconnect()
        requestAnimationFrame(() => setTimeout(() => { window.drawn = performance.now() }))
    }
}).observe(document, { childList: true, subtree: true })"""
"""A script that notes when the first pieces were drawn."""

FIRST = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def run(times: int = TIMES, slugs: Sequence[str] = ()) -> Figures:
    """Return the milliseconds until the first paint and until the first pieces, for a table of each game.

    Raises:  NotAtHand if there is no chromium.
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
    """Return the medians of the first paint and of the first pieces, with an empty cache each time."""
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

"""How soon a table is there in a browser that has never seen it, and how smoothly pieces travel on a slow one."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from threading import Event

from benchmarks.crowd import Figures, Table
from benchmarks.http import Client, serving
from benchmarks.places import NotAtHand
from domain.catalogue import Catalogue
from tests.browser import CHROMIUM, WHY, Browser, browser, launched

TIMES = 5
SLOWED = 4
"""So many times slower is the processor while pieces travel."""

BEFORE = 12
"""Moves that were made before anybody looks."""

LATE = 20
"""Milliseconds of a frame that comes too late, where sixty a second are wanted."""

MOVES = 12
PACE = 1.2
"""Seconds between two moves that are watched."""

WATCH = """new MutationObserver((_, watching) => {
    if (document.querySelector('#table [data-piece]')) {
        watching.disconnect()
        requestAnimationFrame(() => setTimeout(() => { window.drawn = performance.now() }))
    }
}).observe(document, { childList: true, subtree: true })"""
"""Notes when the first pieces were on the screen."""

FIRST = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"

FRAMES = """(() => {
    window.took = []
    let last = 0, was = false
    const frame = now => {
        const ofTable = one => one.playState === 'running' && one.effect?.target?.closest?.('#table')
        const is = document.getAnimations().some(ofTable)
        if (is && was) window.took.push(now - last)
        last = now
        was = is
        requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
})()"""
"""Notes how long frames took while something moved."""


def run(times: int = TIMES, moves: int = MOVES, slugs: Sequence[str] = ()) -> Figures:
    """Milliseconds until the first paint and until pieces are drawn; frames while pieces travel, much slowed.

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
                figures |= _travelled(eyes, table, name, moves)
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


def _travelled(eyes: Browser, table: Table, name: str, moves: int) -> Figures:
    """How long frames take while others move on the page that is open."""
    eyes.send("Emulation.setCPUThrottlingRate", rate=SLOWED)
    eyes.value(f"{FRAMES};0")
    for _ in range(moves):
        table.move()
        Event().wait(PACE)
    frames = sorted(eyes.value("window.took"))
    eyes.send("Emulation.setCPUThrottlingRate", rate=1)
    if not frames:
        return {}
    late = sum(one > LATE for one in frames) / len(frames)
    return {
        f"{name}_frames": {"value": len(frames), "unit": "frames"},
        f"{name}_frame_p50": {"value": round(median(frames), 1), "unit": "ms"},
        f"{name}_frame_p95": {"value": round(frames[len(frames) * 95 // 100], 1), "unit": "ms"},
        f"{name}_frames_late": {"value": round(100 * late, 1), "unit": "%"},
    }

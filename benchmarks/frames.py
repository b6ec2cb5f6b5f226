"""How smoothly pieces travel on a slow processor: frames that were shown, and what the page's own thread worked on.

Frames are the browser's own count, taken from its trace: what could be shown sixty times a second is counted as not
ready where it was not. Where nothing draws but the processor, as in a browser without a window, frames are also late
that the page had nothing to do with; so all is measured a second time without slowing, which tells how many these are.
The thread's work is its own processor time, so that a busy machine tells the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from threading import Event

from benchmarks import Figures
from benchmarks.browser_trace import WAYS, Trace, frames_of, tasks_of, traced, ways_of
from benchmarks.crowd import Table
from benchmarks.eyes import staged
from domain.catalogue import Catalogue
from tests.browser import Browser

SLOWED = 4
"""So many times slower is the page's thread."""

BEFORE = 12
MOVES = 6
"""Moves that were made before anybody looks, and that are watched."""

PACE = 1.2
LATE = 20
"""Seconds between two moves, and milliseconds of a frame that comes too late where sixty a second are wanted."""

TASK = 16
"""Milliseconds of a task of the page's thread that takes more than a frame."""

READY = "!!document.querySelector('#table [data-piece]')"


def run(moves: int = MOVES, slugs: Sequence[str] = (), rates: Sequence[int] = (SLOWED, 1)) -> Figures:
    """Frames while pieces travel at a table of each game, and what a move takes of the page's thread.

    Raises:  NotAtHand where there is no chromium.
    """
    figures: Figures = {}
    with staged(WAYS) as stage:
        eyes = stage.eyes
        eyes.looks(1280, 900)
        for slug in slugs or sorted(Catalogue().rooms):
            with stage.table(slug) as (table, _):
                match = table.sit()
                for _ in range(BEFORE):
                    table.move()
                eyes.open(stage.address(match))
                eyes.waits_for(READY)
                for rate in rates:
                    name = f"{slug.replace('-', '_')}_x{rate}"
                    figures |= _travelled(_played(eyes, table, moves, rate), name)
    return figures


def _played(eyes: Browser, table: Table, moves: int, rate: int) -> Trace:
    """What the browser did while others moved."""
    eyes.send("Emulation.setCPUThrottlingRate", rate=rate)
    with traced(eyes) as trace:
        for _ in range(moves):
            table.move()
            Event().wait(PACE)
    eyes.send("Emulation.setCPUThrottlingRate", rate=1)
    return trace


def _travelled(trace: Trace, name: str) -> Figures:
    ways = ways_of(trace)
    gaps, shown, missed = frames_of(trace, ways)
    tasks = tasks_of(trace, ways)
    if not gaps or not tasks:
        return {}
    work: Counter[str] = Counter()
    for task in tasks:
        work.update(task)
    longest = sorted(one["all"] for one in tasks)
    late = sum(one > LATE for one in gaps) / len(gaps)
    figures: Figures = {
        f"{name}_frame_p50": {"value": round(median(gaps), 1), "unit": "ms"},
        f"{name}_frames_late": {"value": round(100 * late, 1), "unit": "%"},
        f"{name}_frame_longest": {"value": round(max(gaps)), "unit": "ms"},
        f"{name}_frames_not_ready": {"value": round(100 * missed / (shown + missed), 1), "unit": "%"},
        f"{name}_task_longest": {"value": round(longest[-1], 1), "unit": "ms"},
        f"{name}_tasks_long": {"value": round(sum(one > TASK for one in longest) / len(ways), 2), "unit": "tasks/way"},
    }
    for kind in ("script", "style", "layout", "paint"):
        figures[f"{name}_{kind}"] = {"value": round(work[kind] / len(ways), 1), "unit": "ms/way"}
    return figures

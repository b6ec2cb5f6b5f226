"""Measures how smoothly pieces travel on a slow processor: the shown frames, and the work of the page's thread.

The browser counts the frames, in its trace. A frame that could have been shown (there are sixty a second) but was not
ready is counted as not ready. A browser without a window draws with the processor, so some frames are late for which
the page is not the cause. A second measurement, without slowing, shows how many these are. The work of the thread is
its processor time, so it is the same on a busy machine.
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
"""The factor by which the page's thread is slowed."""

BEFORE = 12
MOVES = 6
"""The moves before the page is opened, and those that are measured."""

PACE = 1.2
LATE = 20
"""Seconds between two moves; milliseconds between two frames from which on the second one counts as late."""

TASK = 16
"""Milliseconds from which on a task of the page's thread counts as long: one frame."""

READY = "!!document.querySelector('#table [data-piece]')"


def run(moves: int = MOVES, slugs: Sequence[str] = (), rates: Sequence[int] = (SLOWED, 1)) -> Figures:
    """Measure for a table of each game the frames while pieces travel, and the work of the page's thread.

    Raises:  NotAtHand if there is no chromium.
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
    """Return the browser's trace of so many moves of bots. `rate`: the factor by which the page's thread is slowed."""
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

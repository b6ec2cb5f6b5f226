"""Records a trace of a browser, and reads from it the shown frames and the work of the page's main thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from tests.browser import Browser

Way = tuple[float, float]
"""A time in which pieces travelled: its beginning and end, in milliseconds of the browser's clock."""

Trace = list[dict[str, Any]]

CATEGORIES = (
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "blink.user_timing",
)
KINDS = {
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    "PrePaint": "paint",
    "Paint": "paint",
    "Layerize": "paint",
    "Commit": "commit",
    "ParseHTML": "parse",
    "MinorGC": "gc",
    "MajorGC": "gc",
}
"""The kind of each task of the main thread; all other time of a task counts as script."""

BEGUN, ENDED = "foldtable-way-begun", "foldtable-way-ended"
WAYS = f"""(() => {{
    const animate = Element.prototype.animate
    Element.prototype.animate = function (...how) {{
        const one = animate.apply(this, how)
        if (this.closest('#table') && !this.matches('.ghosts')) {{
            one.ready.then(() => {{
                const whole = one.effect.getComputedTiming().endTime
                performance.mark('{BEGUN}', {{ startTime: one.startTime ?? performance.now() }})
                const end = () => {{
                    const there = (one.startTime ?? Infinity) + whole / one.playbackRate
                    performance.mark('{ENDED}', {{ startTime: Math.min(performance.now(), there) }})
                }}
                one.finished.then(end, end)
            }}, () => {{}})
        }}
        return one
    }}
}})()"""
"""A script that marks in the trace when pieces begin to travel at the table, and when they arrive. Work before the
first piece moves, and after the last one has arrived, is left out, because it disturbs no movement."""


@contextmanager
def traced(eyes: Browser) -> Iterator[Trace]:
    """Trace the browser. The list that is yielded contains the trace after the block has ended."""
    trace: Trace = []
    is_over = False

    def gather(told: dict[str, Any]) -> None:
        trace.extend(told["value"])

    def end(_: object) -> None:
        nonlocal is_over
        is_over = True

    eyes.cdp.on("Tracing.dataCollected", gather)
    eyes.cdp.on("Tracing.tracingComplete", end)
    eyes.send("Tracing.start", transferMode="ReportEvents", traceConfig={"includedCategories": CATEGORIES})
    yield trace
    eyes.send("Tracing.end")
    while not is_over:
        eyes.value("0")
    eyes.cdp.remove_listener("Tracing.dataCollected", gather)
    eyes.cdp.remove_listener("Tracing.tracingComplete", end)


def ways_of(trace: Trace) -> list[Way]:
    """Return the times in which pieces travelled, in order. Times that overlap are joined."""
    marks = sorted((one["ts"] / 1000, one["name"] == ENDED) for one in trace if one["name"] in {BEGUN, ENDED})
    ways: list[Way] = []
    moving, since = 0, 0.0
    for at, is_end in marks:
        if not moving:
            since = at
        moving += -1 if is_end else 1
        if not moving:
            ways.append((since, at))
    return ways


def frames_of(trace: Trace, ways: Iterable[Way]) -> tuple[list[float], int, int]:
    """Return the milliseconds between shown frames, their number, and that of frames that were not ready."""
    begun: dict[str, dict[str, Any]] = {}
    ended: list[tuple[float, float, str]] = []
    for one in sorted((one for one in trace if one["name"] == "PipelineReporter"), key=lambda one: one["ts"]):
        if one["ph"] == "b":
            begun[one["id2"]["local"]] = one
        elif one["id2"]["local"] in begun:
            was = begun.pop(one["id2"]["local"])
            ended.append((one["ts"] / 1000, was["ts"] / 1000, was["args"]["frame_reporter"]["state"]))
    gaps: list[float] = []
    shown = dropped = 0
    for since, until in ways:
        times = sorted({at for at, _, state in ended if since <= at <= until and state.startswith("STATE_PRESENTED")})
        gaps.extend(later - sooner for sooner, later in pairwise(times))
        shown += len(times)
        dropped += len({was for _, was, state in ended if since <= was <= until and state == "STATE_DROPPED"})
    return gaps, shown, dropped


def tasks_of(trace: Trace, ways: Iterable[Way]) -> list[Counter[str]]:
    """Return the main thread's tasks in these times: each one's processor time in milliseconds, by kind and `all`."""
    main = _main(trace)
    own = [one for one in trace if (one["pid"], one["tid"]) == main and one.get("ph") == "X"]
    tasks: list[Counter[str]] = []
    ways = list(ways)
    for task in own:
        begun, ended = task["ts"] / 1000, (task["ts"] + task["dur"]) / 1000
        if task["name"] != "RunTask" or not any(since <= ended and begun <= until for since, until in ways):
            continue
        took: Counter[str] = Counter()
        for one in own:
            if one["name"] in KINDS and task["ts"] <= one["ts"] < task["ts"] + task["dur"]:
                took[KINDS[one["name"]]] += one.get("tdur", 0) / 1000
        took["all"] = task.get("tdur", 0) / 1000
        took["script"] = took["all"] - sum(value for kind, value in took.items() if kind != "all")
        tasks.append(took)
    return tasks


def _main(trace: Trace) -> tuple[int, int]:
    seen = Counter((one["pid"], one["tid"]) for one in trace if one["name"] == "UpdateLayoutTree")
    return seen.most_common(1)[0][0] if seen else (0, 0)

"""Lists the files of foldtable that one request enters, in order, and counts how often its calls change the file.

Each kind of request is traced in a process of its own (`benchmarks.traced`), on a service that runs as an operator's
does: a web process of greenlets with real connections, RQ's worker on a real Redis, a listener for mail.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise

import msgspec

from benchmarks import Figures
from service.run.up import TREE

KINDS = {
    "move": "a move over REST",
    "table": "the page of a table",
    "bot": "a bot's turn, from the sweep that finds it to the last move of it",
    "mail": "a move by a mailed reply",
}

TIMES = 9
"""How often each kind is traced. A trace may include other work of the process, so the median counts."""


class Trace(msgspec.Struct, frozen=True):
    """One request: the file of each call, in the order of the calls, without calls inside of the same file."""

    calls: tuple[str, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """The files, each once, in the order in which they were entered."""
        return tuple(dict.fromkeys(self.calls))

    @property
    def changes(self) -> int:
        """How often a call was in another file than the call before it."""
        return sum(before != after for before, after in pairwise(self.calls))


def traced(kind: str, times: int = TIMES) -> Trace:
    """Trace requests of that kind, and return the trace with the median number of changes."""
    command = [sys.executable, "-m", "benchmarks.traced", kind, str(times)]
    said = subprocess.run(command, cwd=TREE, stdout=subprocess.PIPE, check=True).stdout
    traces = sorted(msgspec.json.decode(said, type=list[Trace]), key=lambda trace: trace.changes)
    return traces[len(traces) // 2]


def run(kinds: Iterable[str] = tuple(KINDS), times: int = TIMES) -> Figures:
    """Trace requests of these kinds. Return for each the number of files, and of changes from one file to another."""
    figures: Figures = {}
    for kind in kinds:
        trace = traced(kind, times)
        figures[f"trace_{kind}_files"] = {"value": len(trace.files), "unit": "files"}
        figures[f"trace_{kind}_changes"] = {"value": trace.changes, "unit": "changes of file"}
    return figures


def lines() -> Iterator[str]:
    """Trace requests of all kinds. Yield a heading for each, then its files in the order in which it entered them."""
    for kind, name in KINDS.items():
        trace = traced(kind)
        yield f"{name}: {len(trace.files)} files, {trace.changes} changes of file"
        yield from (f"{number:>4}  {file}" for number, file in enumerate(trace.files, 1))

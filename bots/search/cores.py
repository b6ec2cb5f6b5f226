"""Processes among which the worlds of a thought are divided, so that it uses several cores.

They are started once, and get all that they need with each part. With a budget in worlds a thought is the same on any
number of cores.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache, partial
from importlib import import_module
from io import BytesIO
from math import inf
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from time import perf_counter
from typing import Any

import msgspec

from bots.choose import AnyGame
from bots.search.race import Race, Rows
from domain.catalogue import Catalogue

PATIENCE = 5.0
"""Seconds after the end of a thought's time for which another process is waited for; then it counts as hanging."""

_games: dict[str, AnyGame] = {}
"""The games that this process plays for another one."""


@lru_cache(maxsize=1 << 15, typed=True)
def _same(cls: type, *parts: Any, **named: Any) -> Any:
    """Return the value of these parts, the same object each time.

    The rules keep what they have found out about a card, and find that again at once for the same object. For an equal
    one they would compare all of it, which takes as long as the search itself.
    """
    return cls(*parts, **named)


class _Reader(pickle.Unpickler):
    """Reads what another process sent; equal values are one object."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name)
        return partial(_same, found) if isinstance(found, type) and issubclass(found, msgspec.Struct) else found


@lru_cache(maxsize=1)
def _race(root: bytes) -> Race:
    slug, seen, seat, seed = _Reader(BytesIO(root)).load()
    return Race(_games[slug], seen, seat, seed)


def _rows(root: bytes, moves: Sequence[Any], numbers: range, least: int, end: float) -> Rows:
    return _race(root).rows(moves, numbers, least, end)


class Cores:
    """This process and others that play worlds for it. If one of them was killed or hangs, this one plays alone."""

    def __init__(self, count: int, packages: Sequence[str] = ("domain.games",)) -> None:
        """`count`: of processes, this one among them. `packages`: where the games are."""
        self.count = count
        self._pool: ProcessPoolExecutor | None = None
        self._before = active_children()
        if count > 1:
            self._pool = ProcessPoolExecutor(count - 1, get_context("spawn"), _begin, (tuple(packages),))
            # they start now, and not when the first thought waits for them
            self._pool.submit(int)

    def rows(self, race: Race, moves: Sequence[Any], numbers: range, least: int, end: float) -> Rows:
        """See `Race.rows`. The rows are in the order of the worlds."""
        sent = []
        own, pool = numbers, self._pool
        if pool is not None:
            own, *others = (numbers[at :: self.count] for at in range(self.count))
            try:
                sent = [(part, pool.submit(_rows, race.root, moves, part, least, end)) for part in others]
            except BrokenProcessPool:
                own = numbers
                self._go_on_alone()
        found = race.rows(moves, own, least, end)
        for part, future in sent:
            try:
                found += future.result(None if end == inf else PATIENCE + max(0.0, end - perf_counter()))
            except (BrokenProcessPool, TimeoutError):
                self._go_on_alone()
                found += race.rows(moves, part, least, end)
        # sums are the same only in the same order
        return sorted(found, key=lambda row: row[0])

    def _go_on_alone(self) -> None:
        """Kill the other processes: at its end this one would wait for one that hangs."""
        self._pool = None
        kill_all_but(self._before)

    def close(self) -> None:
        """End the other processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def kill_all_but(others: Sequence[BaseProcess]) -> None:
    """Kill the processes that this one has started by `multiprocessing`, except those."""
    for process in active_children():
        if process not in others:
            process.kill()


def end_with_parent() -> None:
    """Have this process end when the one that started it has ended, however that ended."""
    parent = parent_process()
    assert parent is not None, "another process has started this one"

    def leave() -> None:
        parent.join()
        os._exit(0)

    Thread(target=leave, daemon=True).start()


def _begin(packages: tuple[str, ...]) -> None:
    """Prepare a process that plays for another one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    _games.update({slug: room.game for slug, room in Catalogue(map(import_module, packages)).rooms.items()})

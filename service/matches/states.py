"""Folded matches, kept by viewer and brought up to date from the store instead of being folded again; and positions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Any, Generic, TypeVar

import msgspec
from cachetools import LRUCache

from domain import matches
from domain.catalogue import Catalogue
from domain.game import Refusal
from domain.matches import Match
from domain.play import Told
from domain.secrecy import redact
from events.chain import Head
from events.store import Recorder
from replays.log import TRUTH, Log, Viewer
from service.store import Entry

STATES = 2048
"""The number of folded states that are kept; one takes at most 64 KiB."""

LOGS = 512
LOCKS = 256

TAIL = 64
"""The most events in a position's tail: in a match of few seats each is asked again within that number."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A cache that drops the entry that was used longest ago when it is full. Any thread may use it."""

    def __init__(self, size: int, weigh: Callable[[V], float] | None = None) -> None:
        """Keep entries of at most this size in all. `weigh` returns the size of a value; without it each counts 1."""
        self._values: LRUCache[K, V] = LRUCache(size, weigh)
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        """Return the value of the key, or None if it is not kept."""
        with self._lock:
            return self._values.get(key)

    def drop(self, key: K) -> None:
        """Remove the key, if it is kept."""
        with self._lock:
            self._values.pop(key, None)

    def put(self, key: K, value: V) -> None:
        """Keep the value. Raises ValueError if it alone is larger than the cache."""
        with self._lock:
            self._values[key] = value


class Position(msgspec.Struct, frozen=True):
    """A match as the service knows it, all of it at one version of the match's log."""

    log: Log
    entry: Entry
    """Who sits where; it may be later than the version if that is stale."""
    truth: Match[Any]
    """The fold of the log, without sealed answers."""
    head: Head
    """The end of the log."""
    tail: tuple[Told, ...] = ()
    """The latest events, none or some, so that they need not be read back."""

    def check_running(self) -> None:
        """Raise Refusal if the match is over."""
        if self.truth.is_over:
            raise Refusal("", f"match-{self.truth.status}")

    def after(self, entries: Iterable[Told]) -> Match[Any]:
        """Return the match after these further events."""
        return matches.fold(self.log.game, self.truth, [entry.event for entry in entries])


class States:
    """What each viewer knows of each match, from the match's log alone."""

    def __init__(self, recorder: Recorder, catalogue: Catalogue, *, states: int = STATES, logs: int = LOGS) -> None:
        self._recorder = recorder
        self._catalogue = catalogue
        self._states: Recent[tuple[str, Viewer], Match[Any]] = Recent(states)
        self._logs: Recent[str, Log] = Recent(logs)
        self._positions: Recent[str, Position] = Recent(logs)
        # a fixed number of locks: one for each match could not be forgotten easily, and sharing one only means waiting
        self._locks = tuple(Lock() for _ in range(LOCKS))

    def log(self, match_id: str) -> Log:
        """Return the match's log with its rules. Raises UnknownMatch, OtherRules, Unreadable."""
        log = self._logs.get(match_id)
        if log is None:
            log = Log(self._recorder, match_id, self._catalogue)
            self._logs.put(match_id, log)
        return log

    def folded(self, log: Log, viewer: Viewer) -> Match[Any]:
        """Return what the viewer knows now, without sealed answers."""
        key = (log.id, viewer)
        before = self._states.get(key)
        state = log.fold(viewer, before)
        if before is not None and state.version == before.version:
            return before
        self._states.put(key, state)
        return state

    def known(self, log: Log, viewer: Viewer) -> Match[Any]:
        """Return what the viewer knows now, with the sealed answers that they know."""
        return log.on_top(self.folded(log, viewer), viewer)

    def at_hand(self, match_id: str) -> Position | None:
        """Return the position that was kept last, which may be stale; None if none is. Only of running matches."""
        return self._positions.get(match_id)

    def keep(self, position: Position, *, at_hand: bool = True) -> None:
        """Keep a position that was reached by events just stored; without `at_hand` only its truth."""
        log, truth = position.log, position.truth
        before = self._states.get((log.id, TRUTH))
        if before is None or truth.version > before.version:
            self._states.put((log.id, TRUTH), truth)
        if at_hand and truth.status is matches.PLAYING:
            self._positions.put(log.id, position)
        else:
            self._positions.drop(log.id)

    def seen(self, position: Position, seat: int) -> Match[Any]:
        """Return what the seat knew at the position, from the tail if possible, else read from the store."""
        log, tail = position.log, position.tail
        before = self._states.get((log.id, seat))
        if before is None or (missing := position.truth.version - before.version) > len(tail) or missing < 0:
            return self.folded(log, seat)
        return self.tell(log, seat, before, tail[-missing:]) if missing else before

    def tell(self, log: Log, seat: int, before: Match[Any], entries: tuple[Told, ...]) -> Match[Any]:
        """Return what the seat knows after these events, which were just stored and so need not be read back."""
        after = matches.fold(log.game, before, [redact(entry.event, seat) for entry in entries])
        known = self._states.get((log.id, seat))
        if known is None or after.version > known.version:
            self._states.put((log.id, seat), after)
        return after

    def deciding(self, match_id: str) -> Lock:
        """Return the lock that is held while a thread decides in the match; another would find its version stale."""
        return self._locks[hash(match_id) % LOCKS]

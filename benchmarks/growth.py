"""Measures whether a store becomes slower when it grows, and how many bytes an event needs.

A machine is faster at some moments than at others. So the grown store is measured in turns with a copy of the small
store that it was. The figure is the median of the ratios; for reading it is the ratio of the best rounds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from itertools import islice
from operator import truediv
from statistics import median
from time import perf_counter

import msgspec

from benchmarks import Figures
from benchmarks.drafts import AT, CODEC, DRAFTS, MOVES, SECRET
from benchmarks.places import STORES, Place
from benchmarks.store import DUE
from events import chain
from events.chain import Stored
from events.store import Command, Decision, Recorder, Write

SMALL = 10_000
"""The number of events of the small store, with which larger ones are compared."""

EVENTS = MOVES * len(DRAFTS[0])
"""The number of events of a match."""

WRITERS = 8
PLAYED = 24
"""The number of matches that are played at the same time for one measurement."""

READ = 200
"""The number of streams, or pieces of a partition, that are read for one measurement."""

TURNS = 3
"""How often each store is read in a round. The best time counts, so that other work is not measured."""

PIECE = 64
"""The number of events that a follower reads at once."""

ROUNDS = 15


class Rates(msgspec.Struct, frozen=True):
    """How fast a store is: numbers a second."""

    appended: float
    """Moves of 4 events, sealed before the measurement, appended by 8 writers; each waits for its commits."""
    rows: float
    """Events of whole streams, chosen at random, in the form in which the store returns them."""
    read: float
    """The same events, decoded into typed events, as a fold needs them."""
    followed: float
    """Events of partitions, from positions that are chosen at random."""


def match_of(number: int) -> str:
    """Return the id of a match. Like the ids of a service, they are in no order."""
    return f"m_{sha256(b'%d' % number).hexdigest()[:16]}"


def _played(match: str) -> list[tuple[Stored, ...]]:
    """Return the sealed events of each move of the match."""
    head, moves = chain.Head(), []
    for drafts in DRAFTS:
        moves.append(chain.seal(head, match, drafts, AT, SECRET))
        head = chain.head_of(moves[-1])
    return moves


def fill(recorder: Recorder, numbers: range) -> None:
    """Store these matches, each in one append. Their hashes are those of another match; nothing here checks them."""
    pattern = tuple(event for move in _played("m_pattern") for event in move)

    def store(match: str) -> None:
        events = tuple([msgspec.structs.replace(event, stream=match) for event in pattern])
        command = Command(f"{match}:0:5f0c2a7e9b1d", "0123456789abcdef0123456789abcdef")
        recorder.append(match, (Write(match, 0, events),), command=command, decisions=())

    with ThreadPoolExecutor(WRITERS) as pool:
        todo = iter(numbers)
        # a queue of all of them would be longer than the store
        while some := list(islice(todo, 1000)):
            for _ in pool.map(store, map(match_of, some)):
                pass


def _append(recorder: Recorder, matches: Sequence[list[tuple[Stored, ...]]]) -> None:
    for move in range(MOVES):
        for moves in matches:
            events = moves[move]
            match, last = events[0].stream, events[-1].version
            command = Command(f"{match}:{move}:5f0c2a7e9b1d", "0123456789abcdef0123456789abcdef")
            decisions = (Decision(match, move % 4, last, DUE, "player:1"),)
            write = Write(match, events[0].version - 1, events)
            recorder.append(match, (write,), command=command, decisions=decisions)


def appended(recorder: Recorder, numbers: range) -> float:
    """Append the moves of new matches, and return the moves a second."""
    matches = [_played(match_of(number)) for number in numbers]
    with ThreadPoolExecutor(WRITERS) as pool:
        start = perf_counter()
        for done in [pool.submit(_append, recorder, matches[i::WRITERS]) for i in range(WRITERS)]:
            done.result()
        return len(matches) * MOVES / (perf_counter() - start)


class Side:
    """A store that is measured, and the number of events in it."""

    def __init__(self, recorder: Recorder, stored: int) -> None:
        self.recorder = recorder
        self.stored = stored

    def rows(self, luck: random.Random, pieces: int) -> float:
        """Return the events a second: see `Rates.rows`."""
        return self._each(luck, pieces, lambda match: len(self.recorder.briefs(match)))

    def read(self, luck: random.Random, pieces: int) -> float:
        """Return the events a second: see `Rates.read`."""
        return self._each(luck, pieces, lambda match: len(CODEC.decode_briefs(self.recorder.briefs(match))))

    def _each(self, luck: random.Random, pieces: int, events_of: Callable[[str], int]) -> float:
        ids = [match_of(luck.randrange(self.stored // EVENTS)) for _ in range(pieces)]
        start = perf_counter()
        events = sum(map(events_of, ids))
        spent = perf_counter() - start
        assert events == EVENTS * len(ids)
        return events / spent

    def followed(self, luck: random.Random, pieces: int) -> float:
        """Return the events a second: see `Rates.followed`."""
        partitions = self.recorder.partitions
        # partitions differ in size: very likely each has at least half of its share
        most = max(1, self.stored // partitions // 2)
        where = [(luck.randrange(partitions), luck.randrange(most)) for _ in range(pieces)]
        start = perf_counter()
        events = sum(len(self.recorder.read_all(partition, after, PIECE)) for partition, after in where)
        return events / (perf_counter() - start)


class Growing:
    """A store that grows, and a small store, of which copies are measured."""

    def __init__(self, place: Place, small: Place, least: int) -> None:
        """Fill both with `least` events, or a few more, because matches are complete."""
        self.place, self.small = place, small
        self.least = -(-least // EVENTS) * EVENTS
        for one in (place, small):
            with _open(one):
                pass
        self._empty = place.size()
        self._fresh = 10**9
        self._played = 0
        self.stored = 0
        self.grow(self.least)
        with _open(small) as recorder:
            fill(recorder, range(self.least // EVENTS))
        small.settle()

    def grow(self, events: int) -> None:
        """Fill the store up to so many events, without counting those that a measurement has appended."""
        have, wanted = self.stored // EVENTS, -(-events // EVENTS)
        with _open(self.place) as recorder:
            fill(recorder, range(have, wanted))
        self.stored = wanted * EVENTS
        self.place.settle()

    def bytes_an_event(self) -> float:
        """Return the bytes of an event, with its indexes and its share of a match's command."""
        return (self.place.size() - self._empty) / (self.stored + self._played)

    def alone(self, rounds: int, played: int, pieces: int) -> Iterator[Rates]:
        """Yield the rates of the small store, one for each round."""
        for _ in range(rounds):
            with self.small.copied() as copy, _open(copy) as fresh:
                (rates,) = self._round([Side(fresh, self.least)], played, pieces)
                yield rates

    def beside(self, rounds: int, played: int, pieces: int) -> Iterator[tuple[Rates, Rates]]:
        """Yield the rates of the grown and of the small store, for each round. They take turns in being first."""
        for number in range(rounds):
            with self.small.copied() as copy, _open(self.place) as grown, _open(copy) as fresh:
                sides = [Side(grown, self.stored), Side(fresh, self.least)]
                rates = self._round(sides if number % 2 else sides[::-1], played, pieces)
                self._played += (played + WRITERS) * EVENTS
                yield (rates[0], rates[1]) if number % 2 else (rates[1], rates[0])

    def _round(self, sides: list[Side], played: int, pieces: int) -> list[Rates]:
        for side in sides:
            # opens its connections, and prepares its statements
            appended(side.recorder, self._new(WRITERS))
        wrote = [appended(side.recorder, self._new(played)) for side in sides]
        lucks = [random.Random(self._fresh + turn) for turn in range(TURNS)]
        bare = [[side.rows(luck, pieces) for side in sides] for luck in lucks]
        lucks = [random.Random(self._fresh + TURNS + turn) for turn in range(TURNS)]
        told = [[side.read(luck, pieces) for side in sides] for luck in lucks]
        led = [[side.followed(luck, pieces) for side in sides] for luck in lucks]
        return [Rates(*best) for best in zip(wrote, map(max, *bare), map(max, *told), map(max, *led), strict=True)]

    def _new(self, count: int) -> range:
        """Return numbers of matches that are in no store."""
        self._fresh += count
        return range(self._fresh - count, self._fresh)


@contextmanager
def _open(place: Place) -> Iterator[Recorder]:
    recorder = place.opened()
    try:
        yield recorder
    finally:
        recorder.close()


def milestones(least: int, most: int) -> list[int]:
    """Return the numbers of events at which a store is measured: `least`, each time ten times as many, and `most`."""
    found = [least]
    while found[-1] * 10 < most:
        found.append(found[-1] * 10)
    return [*found, most] if most > least else found


def grown(
    store: str, events: int, *, least: int = SMALL, rounds: int = ROUNDS, played: int = PLAYED, pieces: int = READ
) -> Iterator[Figures]:
    """Yield the figures of a store at each milestone. Raises NotAtHand if there is no such store."""
    with STORES[store]() as make:
        growing = Growing(make("grown"), make("small"), least)
        size = growing.bytes_an_event()
        yield _figures(
            f"{store}, {least:,} events", [(one, None) for one in growing.alone(rounds, played, pieces)], size
        )
        for wanted in milestones(least, events)[1:]:
            growing.grow(wanted)
            size = growing.bytes_an_event()
            yield _figures(f"{store}, {wanted:,} events", list(growing.beside(rounds, played, pieces)), size)


def _figures(what: str, found: Sequence[tuple[Rates, Rates | None]], size: float) -> Figures:
    figures: Figures = {f"{what}: size": {"value": round(size), "unit": "bytes/event"}}
    for name, unit in (("appended", "moves/s"), ("rows", "events/s"), ("read", "events/s"), ("followed", "events/s")):
        here = [getattr(one, name) for one, _ in found]
        small = [getattr(other, name) for _, other in found if other]
        # writing waits for the disk, which is as fast for both in a round; of reading the best round counts
        is_waiting = name == "appended"
        figures[f"{what}: {name}"] = {"value": round(median(here) if is_waiting else max(here)), "unit": unit}
        if small:
            ratio = median(map(truediv, here, small)) if is_waiting else max(here) / max(small)
            figures[f"{what}: {name}, ratio"] = {"value": round(ratio, 2), "unit": "of the small one's"}
    return figures

"""The follower of one process: it holds some of the partitions, and handles the events of each in their order.

An effect happens once: it is written in one transaction with the position after its event, and the transaction demands
that the stored position is still the one before. So no position is skipped; and if two processes believe that they hold
a partition, one of them is refused.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from threading import Event
from time import monotonic
from typing import Protocol

import msgspec
import structlog

from events.chain import Stored
from events.store import Statement, StoreError, match_of
from service import clock
from service.followers.claims import BEAT, Claims, share
from service.store import EffectFailed, Effects, Overtaken, SetAside, effects
from service.telemetry import OutageLog, metrics

SLICE = 1.0
"""Seconds after which the effects so far are committed, so that a sign of life is given between slow effects."""

LONGEST = 500
"""The most characters of an error that are kept."""

Positions = Iterable[tuple[int, Stored]]
"""Events with their positions, in order."""


class Handler(Protocol):
    """A handler of events, for which a follower reads the log."""

    name: str
    """The follower's name, in letters: positions are stored, and processes share the partitions, under this name."""

    def effect(self, event: Stored) -> Iterable[Statement]:
        """Return the statements that are written for the event, in one transaction with the position after it.

        It is called again for an event whose transaction failed. So anything that it does outside of the transaction
        must be safe to do twice. The statements write in the partition of the event's match and nowhere else.

        Raises:  StoreError: the event is tried again. After any other error the match's log is set aside.
        """
        ...


class Effect(msgspec.Struct, frozen=True):
    """The statements to be written for one event."""

    position: int
    event: Stored
    statements: tuple[Statement, ...]


class Taking:
    """A run of a partition's events, which a handler takes for a SLICE at most."""

    def __init__(self, handler: Handler, partition: int) -> None:
        self.effects: list[Effect] = []
        self.aside: dict[str, SetAside] = {}
        """By match, the logs that could not be handled."""
        self.reached = 0
        """The position of the last event that was handled or passed over; 0 if there was none."""
        self._handler = handler
        self._partition = partition

    def take(self, found: Positions, passed_over: Collection[str] = ()) -> None:
        """Handle events, and pass over those of the matches in `passed_over`. Raises StoreError."""
        end = monotonic() + SLICE
        for position, event in found:
            match = match_of(event.stream)
            if match not in passed_over and match not in self.aside:
                try:
                    statements = tuple(self._handler.effect(event))
                except StoreError:
                    raise
                except Exception as error:
                    self._set_aside(position, event, error)
                else:
                    if statements:
                        self.effects.append(Effect(position, event, statements))
            self.reached = position
            if monotonic() > end:
                return

    def commit(self, store: Effects, demands: list[Statement]) -> None:
        """Write the effects, and set aside also logs whose effects can't be written. Raises Overtaken, StoreError."""
        while True:
            written = [effect.statements for effect in self.effects]
            try:
                store.commit(demands, [*written, [effects.set_aside(log) for log in self.aside.values()]])
            except EffectFailed as failed:
                if failed.number >= len(written):
                    raise
                culprit = self.effects[failed.number]
                self._set_aside(culprit.position, culprit.event, failed.error)
                match = match_of(culprit.event.stream)
                self.effects = [
                    effect
                    for effect in self.effects
                    if match_of(effect.event.stream) != match or effect.position < culprit.position
                ]
            else:
                return

    def _set_aside(self, position: int, event: Stored, error: Exception) -> None:
        match = match_of(event.stream)
        text = f"{type(error).__name__}: {error}".replace("\0", "")
        self.aside[match] = SetAside(
            partition=self._partition,
            follower=self._handler.name,
            match=match,
            position=position - 1,
            stream=event.stream,
            version=event.version,
            error=text[:LONGEST],
            at=clock.stamp(clock.now()),
        )


BATCH = 500
"""The most events that are read at once."""

NOTED = 2.0
"""Seconds after which a position is stored though no effect was written."""

SHORTEST = 0.1
"""The least seconds between two looks: many commits in a row cause one look."""

logger = structlog.get_logger(__name__)


class HeldPartition:
    """How far a partition that this process holds is followed."""

    def __init__(self, noted: int) -> None:
        self.noted = self.reached = noted
        """The stored position, and the one up to which events were handled: no event in between had an effect."""
        self.noted_at = monotonic()
        self.aside: dict[str, SetAside] = {}
        """By match, the logs that are set aside."""


class Follower:
    """Follows the log for one handler. One thread uses it."""

    def __init__(self, handler: Handler, store: Effects, claims: Claims) -> None:
        self._handler = handler
        self._store = store
        self._claims = claims
        self._places: dict[int, HeldPartition] = {}
        self._beat_at = self._told_at = float("-inf")

    @property
    def held(self) -> tuple[int, ...]:
        """The partitions that the process follows now."""
        return tuple(sorted(self._places))

    def run(self, wake: Event, stop: Event) -> None:
        """Follow until `stop` is set. If the store does not answer, wait until it does. `wake`: there may be events."""
        outage = OutageLog("the store")
        while not stop.is_set():
            try:
                while self.look() >= BATCH and not stop.is_set():
                    pass
            except (StoreError, OSError) as error:
                outage.begins(error)
                self._forget()
                stop.wait(BEAT)
            else:
                outage.ends()
                self._tell_lag()
                stop.wait(SHORTEST)
                wake.wait(BEAT)
                wake.clear()
        self.leave()

    def look(self) -> int:
        """Handle the next events of each partition that is held. Returns their number. Raises StoreError, OSError."""
        self._live()
        taken = 0
        for partition in self.held:
            # a partition that was lost meanwhile is left out
            if (place := self._places.get(partition)) is not None:
                try:
                    taken += self._follow(partition, place)
                except Overtaken:
                    logger.info(
                        "another process follows the partition", follower=self._handler.name, partition=partition
                    )
                    self._leave(partition)
                self._live()
        return taken

    def _tell_lag(self) -> None:
        """Every BEAT seconds, set the metrics of how far it is behind. `run` logs a store that does not answer."""
        if monotonic() - self._told_at < BEAT:
            return
        self._told_at = monotonic()
        with suppress(StoreError, OSError):
            behind = sum(max(0, self._store.end(number) - place.reached) for number, place in self._places.items())
            metrics.behind(self._handler.name, behind)
            if not behind:
                metrics.looked(self._handler.name)

    def leave(self) -> None:
        """Store the position that was reached, and leave the partitions to others."""
        for partition in self.held:
            self._hand_on(partition)
        self._forget()

    def _forget(self) -> None:
        """Begin anew: events whose position was not stored are handled again."""
        self._places.clear()
        self._claims.close()
        self._beat_at = float("-inf")

    def _live(self) -> None:
        """Every BEAT seconds, give a sign of life, and take and leave partitions so that each process has its share."""
        if monotonic() - self._beat_at < BEAT:
            return
        held = self._claims.beat()
        self._beat_at = monotonic()
        for partition in self.held:
            if partition not in held:
                del self._places[partition]
        most = share(self._store.partitions, self._claims.members)
        for partition in self.held[most:]:
            self._hand_on(partition)
        # each process begins elsewhere, so that processes that start together don't all try the same partitions
        first = os.getpid()
        for number in range(self._store.partitions):
            partition = (first + number) % self._store.partitions
            if len(self._places) < most and partition not in self._places and self._claims.take(partition):
                self._places[partition] = self._begin(partition)
        for partition, place in self._places.items():
            aside = self._store.aside(partition)
            place.aside = {log.match: log for log in aside if log.follower == self._handler.name}

    def _begin(self, partition: int) -> HeldPartition:
        name = self._handler.name
        if (noted := self._store.positions(partition).get(name)) is None:
            self._store.commit([], [[effects.begin(name, partition)]])
            noted = self._store.positions(partition)[name]
        return HeldPartition(noted)

    def _hand_on(self, partition: int) -> None:
        # if this fails, the next holder handles the events again; they have had no effect
        with suppress(Overtaken, StoreError):
            self._note(partition, self._places[partition])
        self._leave(partition)

    def _leave(self, partition: int) -> None:
        self._places.pop(partition, None)
        self._claims.give_back(partition)

    def _follow(self, partition: int, place: HeldPartition) -> int:
        """Handle one batch. Returns how many events it had. Raises Overtaken, StoreError."""
        for log in tuple(place.aside.values()):
            if log.again:
                self._try_again(partition, place, log)
        events = self._store.log.read_all(partition, place.reached, BATCH)
        taking = Taking(self._handler, partition)
        taking.take(events, place.aside)
        reached = taking.reached or place.reached
        if taking.effects or taking.aside:
            taking.commit(self._store, [self._move_on(partition, place, reached)])
            self._tell(taking)
            place.aside |= taking.aside
            place.noted, place.noted_at = reached, monotonic()
        place.reached = reached
        if monotonic() - place.noted_at >= NOTED:
            self._note(partition, place)
        return sum(position <= reached for position, _ in events)

    def _move_on(self, partition: int, place: HeldPartition, after: int) -> Statement:
        return effects.move_on(self._handler.name, partition, place.noted, after)

    def _note(self, partition: int, place: HeldPartition) -> None:
        """Store the position up to which events were handled. Raises Overtaken, StoreError."""
        if place.reached != place.noted:
            self._store.commit([self._move_on(partition, place, place.reached)])
            place.noted = place.reached
        place.noted_at = monotonic()

    def _try_again(self, partition: int, place: HeldPartition, log: SetAside) -> None:
        """Handle the events of a log that was set aside, in order, from where it stopped to where the others are.

        Raises:  Overtaken, StoreError; the effects that were committed before remain.
        """
        self._note(partition, place)
        stays, at = self._move_on(partition, place, place.noted), log.position
        while at < place.noted:
            events = [pair for pair in self._store.log.read_all(partition, at, BATCH) if pair[0] <= place.noted]
            mine = [(position, event) for position, event in events if match_of(event.stream) == log.match]
            taking = Taking(self._handler, partition)
            taking.take(mine)
            at = events[-1][0] if not mine or taking.reached == mine[-1][0] else taking.reached
            if taking.effects or taking.aside:
                taking.commit(self._store, [stays, effects.catch_up(log, at)])
                log = msgspec.structs.replace(log, position=at)
            if taking.aside:
                self._tell(taking)
                place.aside |= taking.aside
                return
            self._live()
            if self._places.get(partition) is not place:
                raise Overtaken
        self._store.commit([stays, effects.take_back(log)])
        del place.aside[log.match]
        logger.info("a log that was set aside is followed again", follower=log.follower, match=log.match)

    def _tell(self, taking: Taking) -> None:
        """Log what was set aside, without the error's text: it may quote what an event hides. The store keeps it."""
        for log in taking.aside.values():
            logger.error(
                "a log is set aside",
                follower=log.follower,
                match=log.match,
                stream=log.stream,
                version=log.version,
                kind=log.error.partition(":")[0],
            )


def status(store: Effects, names: tuple[str, ...]) -> list[str]:
    """Return the status of these followers, and of all others with a position, as lines to read. Raises StoreError."""
    lags: list[tuple[str, int, int, int]] = []
    aside: list[SetAside] = []
    for partition in range(store.partitions):
        end, positions = store.end(partition), store.positions(partition)
        lags += [(name, partition, positions.get(name, 0), end) for name in {*names, *positions}]
        aside += store.aside(partition)
    text = [
        f"{name}, partition {partition}: at {position} of {end}, {max(0, end - position)} behind"
        for name, partition, position, end in sorted(lags)
    ]
    text.append("set aside:" if aside else "nothing is set aside")
    for log in sorted(aside, key=lambda log: (log.follower, log.partition, log.match)):
        again = "; to be tried again" if log.again else ""
        text.append(f"  {log.follower}: {log.match}, at version {log.version} of {log.stream}, {log.at}{again}")
        # in one line, without characters that control a terminal
        text.append("    " + "".join(char if char.isprintable() else "?" for char in log.error))
    return text


def try_again(store: Effects, match: str | None) -> int:
    """Mark a match's logs that are set aside (None: all) to be tried again. Returns their number. Raises StoreError."""
    marked = 0
    for partition in range(store.partitions):
        matches = [log.match for log in store.aside(partition) if match in {None, log.match}]
        if matches:
            store.commit([], [[effects.try_again(partition, aside) for aside in set(matches)]])
        marked += len(matches)
    return marked

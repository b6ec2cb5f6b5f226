"""A process's part in following: it holds some of the partitions, and takes the events of each in their order.

An effect happens once: it is written in one transaction with the position after its event, which demands that the
position before it is still the one that was noted. So no position is skipped, and of two who believe that they hold a
partition one is refused.
"""

from __future__ import annotations

import os
from contextlib import suppress
from threading import Event
from time import monotonic
from typing import Protocol

import msgspec
import structlog

from events.store import Statement, StoreError, match_of
from service import clock
from service.followers.claims import BEAT, Claims, share
from service.followers.taking import Handler, Taking
from service.store import Effects, Overtaken, SetAside, following
from service.telemetry import OutageLog, metrics

BATCH = 500
"""Most events that are read at once."""

NOTED = 2.0
"""Seconds after which a position is noted that no effect was written with."""

SHORTEST = 0.1
"""Seconds between two looks, at least: many commits in a row are one."""

logger = structlog.get_logger(__name__)


class Wake(Protocol):
    """Tells when there may be something new."""

    def wait(self, seconds: float) -> None:
        """Until there may be, or for so long."""
        ...


class HeldPartition:
    """Where a partition that is held stands."""

    def __init__(self, noted: int) -> None:
        self.noted = self.reached = noted
        """The position in the store, and the one up to which everything was taken: nothing is written in between."""
        self.noted_at = monotonic()
        self.aside: dict[str, SetAside] = {}


class Follower:
    """Follows the log for one handler. One thread uses it."""

    def __init__(self, handler: Handler, store: Effects, claims: Claims, now: clock.Now = clock.now) -> None:
        self._handler = handler
        self._store = store
        self._claims = claims
        self._now = now
        self._places: dict[int, HeldPartition] = {}
        self._beat_at = self._told_at = float("-inf")

    @property
    def held(self) -> tuple[int, ...]:
        """The partitions that it follows now."""
        return tuple(sorted(self._places))

    def run(self, wake: Wake, stop: Event) -> None:
        """Follow until it is stopped. A store that is away is waited for."""
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
        self.leave()

    def look(self) -> int:
        """Take the next events of each partition that is held: how many there were, 0 when it has caught up.

        Raises:  StoreError, OSError.
        """
        self._live()
        taken = 0
        for partition in self.held:
            # one that was lost meanwhile is nobody's business any more
            if (place := self._places.get(partition)) is not None:
                try:
                    taken += self._follow(partition, place)
                except Overtaken:
                    logger.info("somebody else follows the partition", follower=self._handler.name, partition=partition)
                    self._leave(partition)
                self._live()
        return taken

    def _tell_lag(self) -> None:
        """Tell the metrics how far it is behind, now and then. A store that does not answer is told of elsewhere."""
        if monotonic() - self._told_at < BEAT:
            return
        self._told_at = monotonic()
        with suppress(StoreError, OSError):
            behind = sum(max(0, self._store.end(number) - place.reached) for number, place in self._places.items())
            metrics.behind(self._handler.name, behind)
            if not behind:
                metrics.looked(self._handler.name)

    def leave(self) -> None:
        """Note how far it has come, and leave the partitions to others."""
        for partition in self.held:
            self._hand_on(partition)
        self._forget()

    def _forget(self) -> None:
        """Begin anew: what was taken and not noted is taken again."""
        self._places.clear()
        self._claims.close()
        self._beat_at = float("-inf")

    def _live(self) -> None:
        """Now and then: give a sign of life, take and leave partitions so that each has its share."""
        if monotonic() - self._beat_at < BEAT:
            return
        held = self._claims.beat()
        self._beat_at = monotonic()
        for partition in self.held:
            if partition not in held:
                del self._places[partition]
        most = share(self._store.partitions, self._claims.members())
        for partition in self.held[most:]:
            self._hand_on(partition)
        # from a place of its own, so that those who begin together don't all try the same ones
        first = os.getpid()
        for number in range(self._store.partitions):
            partition = (first + number) % self._store.partitions
            if len(self._places) < most and partition not in self._places and self._claims.take(partition):
                self._places[partition] = self._begin(partition)
        for partition, place in self._places.items():
            self._look_aside(partition, place)

    def _begin(self, partition: int) -> HeldPartition:
        name = self._handler.name
        if (noted := self._store.positions(partition).get(name)) is None:
            self._store.commit([], [[following.begin(name, partition)]])
            noted = self._store.positions(partition)[name]
        return HeldPartition(noted)

    def _look_aside(self, partition: int, place: HeldPartition) -> None:
        found = self._store.aside(partition)
        place.aside = {one.match: one for one in found if one.follower == self._handler.name}

    def _hand_on(self, partition: int) -> None:
        # if that fails whoever comes next takes the events again, which have had no effect
        with suppress(Overtaken, StoreError):
            self._note(partition, self._places[partition])
        self._leave(partition)

    def _leave(self, partition: int) -> None:
        self._places.pop(partition, None)
        self._claims.give_back(partition)

    def _follow(self, partition: int, place: HeldPartition) -> int:
        """One batch; how many events were taken. Raises Overtaken, StoreError."""
        for one in tuple(place.aside.values()):
            if one.again:
                self._try_again(partition, place, one)
        found = self._store.log.read_all(partition, place.reached, BATCH)
        taking = Taking(self._handler, partition, self._now)
        taking.take(found, place.aside)
        reached = taking.reached or place.reached
        if taking.effects or taking.aside:
            taking.commit(self._store, [self._move_on(partition, place.noted, reached)])
            self._tell(taking)
            place.aside |= taking.aside
            place.noted, place.noted_at = reached, monotonic()
        taken = sum(position <= reached for position, _ in found)
        place.reached = reached
        if monotonic() - place.noted_at >= NOTED:
            self._note(partition, place)
        if taking.waits is not None:
            logger.warning("the follower waits", follower=self._handler.name, kind=str(taking.waits))
            return 0
        return taken

    def _move_on(self, partition: int, before: int, after: int) -> Statement:
        return following.move_on(self._handler.name, partition, before, after)

    def _note(self, partition: int, place: HeldPartition) -> None:
        """Note up to where events were taken that had no effect. Raises Overtaken, StoreError."""
        if place.reached != place.noted:
            self._store.commit([self._move_on(partition, place.noted, place.reached)])
            place.noted = place.reached
        place.noted_at = monotonic()

    def _try_again(self, partition: int, place: HeldPartition, one: SetAside) -> None:
        """Take the events of a log that was set aside, from where it stopped to where the others are, in their order.

        Raises:  Overtaken, StoreError; what was caught up with before stays so.
        """
        self._note(partition, place)
        stays, at = self._move_on(partition, place.noted, place.noted), one.position
        while at < place.noted:
            found = [pair for pair in self._store.log.read_all(partition, at, BATCH) if pair[0] <= place.noted]
            mine = [(position, event) for position, event in found if match_of(event.stream) == one.match]
            taking = Taking(self._handler, partition, self._now)
            taking.take(mine)
            at = found[-1][0] if not mine or taking.reached == mine[-1][0] else taking.reached or at
            if taking.effects or taking.aside:
                taking.commit(self._store, [stays, following.catch_up(one, at)])
                one = msgspec.structs.replace(one, position=at)
            if taking.aside:
                self._tell(taking)
                place.aside |= taking.aside
                return
            if taking.waits is not None:
                return
            self._live()
            if self._places.get(partition) is not place:
                raise Overtaken
        self._store.commit([stays, following.take_back(one)])
        del place.aside[one.match]
        logger.info("a log that was set aside is followed again", follower=one.follower, match=one.match)

    def _tell(self, taking: Taking) -> None:
        """What went wrong is kept in the store; it may quote what an event hides, so no line says it."""
        for one in taking.aside.values():
            logger.error(
                "a log is set aside",
                follower=one.follower,
                match=one.match,
                stream=one.stream,
                version=one.version,
                kind=one.error.partition(":")[0],
            )

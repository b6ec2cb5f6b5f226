"""Events on their way through a handler: what is to be written for each, and which logs it could not take."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from time import monotonic
from typing import Protocol

import msgspec

from events.envelope import Stored
from events.store import Statement, StoreError, match_of
from service import clock
from service.store import EffectFailed, Effects, SetAside, following

SLICE = 1.0
"""Seconds after which what was taken is committed, so that a sign of life is given between slow effects."""

LONGEST = 500
"""Characters of an error that are kept."""

Positions = Iterable[tuple[int, Stored]]
"""Events with their positions, in order."""


class NotNow(Exception):
    """Raised by a handler that has no quarrel with the event: what it needs is away, and it is to be tried again."""


class Handler(Protocol):
    """What a follower does about events."""

    name: str
    """Of the follower, in letters: under this name positions are noted, and processes share the partitions."""

    def effect(self, event: Stored) -> Iterable[Statement]:
        """What is written about the event, in one transaction with the position after it: so it happens once.

        It may be asked again about an event whose transaction failed, so whatever it does elsewhere must be fit to be
        done twice. It writes in the partition of the event's match and nowhere else.

        Raises:  NotNow, StoreError, and then the event is tried again; by anything else the match's log is set aside.
        """
        ...


class Effect(msgspec.Struct, frozen=True):
    """What is to be written about one event."""

    position: int
    event: Stored
    statements: tuple[Statement, ...]

    @property
    def match(self) -> str:
        return match_of(self.event.stream)


class Taking:
    """A run of a partition's events, taken by a handler up to where it had to stop."""

    def __init__(self, handler: Handler, partition: int, now: clock.Now) -> None:
        self.effects: list[Effect] = []
        self.aside: dict[str, SetAside] = {}
        """By match, the logs that could not be taken."""
        self.reached = 0
        """The position of the last event that was taken or passed over; 0 if there was none."""
        self.waits: NotNow | None = None
        """Why the handler stopped before the end, if it did."""
        self._handler = handler
        self._partition = partition
        self._now = now

    def take(self, found: Positions, passed_over: Collection[str] = ()) -> None:
        """Take events, those of some matches passed over. Raises StoreError."""
        end = monotonic() + SLICE
        for position, event in found:
            match = match_of(event.stream)
            if match not in passed_over and match not in self.aside:
                try:
                    statements = tuple(self._handler.effect(event))
                except NotNow as waits:
                    self.waits = waits
                    return
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
        """Write the effects, and which logs are set aside; one whose effect can't be written is set aside too.

        Raises:  Overtaken, StoreError; nothing is written then.
        """
        while True:
            told = [effect.statements for effect in self.effects]
            try:
                store.commit(demands, [*told, [following.set_aside(one) for one in self.aside.values()]])
            except EffectFailed as failed:
                if failed.number >= len(told):
                    raise
                culprit = self.effects[failed.number]
                self._set_aside(culprit.position, culprit.event, failed.error)
                self.effects = [
                    one for one in self.effects if one.match != culprit.match or one.position < culprit.position
                ]
            else:
                return

    def _set_aside(self, position: int, event: Stored, error: Exception) -> None:
        match = match_of(event.stream)
        said = f"{type(error).__name__}: {error}".replace("\0", "")
        self.aside[match] = SetAside(
            partition=self._partition,
            follower=self._handler.name,
            match=match,
            position=position - 1,
            stream=event.stream,
            version=event.version,
            error=said[:LONGEST],
            at=clock.stamp(self._now()),
        )

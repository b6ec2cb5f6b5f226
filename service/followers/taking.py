"""Passes events to a handler: collects what is to be written for each, and which logs could not be handled."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from time import monotonic
from typing import Protocol

import msgspec

from events.chain import Stored
from events.store import Statement, StoreError, match_of
from service import clock
from service.store import EffectFailed, Effects, SetAside, following

SLICE = 1.0
"""Seconds after which the effects so far are committed, so that a sign of life is given between slow effects."""

LONGEST = 500
"""The most characters of an error that are kept."""

Positions = Iterable[tuple[int, Stored]]
"""Events with their positions, in order."""


class NotNow(Exception):
    """A handler raises it if something that it needs does not answer now: the event is to be tried again."""


class Handler(Protocol):
    """A handler of events, for which a follower reads the log."""

    name: str
    """The follower's name, in letters: positions are stored, and processes share the partitions, under this name."""

    def effect(self, event: Stored) -> Iterable[Statement]:
        """Return the statements that are written for the event, in one transaction with the position after it.

        It is called again for an event whose transaction failed. So anything that it does outside of the transaction
        must be safe to do twice. The statements write in the partition of the event's match and nowhere else.

        Raises:  NotNow, StoreError: the event is tried again. After any other error the match's log is set aside.
        """
        ...


class Effect(msgspec.Struct, frozen=True):
    """The statements to be written for one event."""

    position: int
    event: Stored
    statements: tuple[Statement, ...]

    @property
    def match(self) -> str:
        return match_of(self.event.stream)


class Taking:
    """A run of a partition's events, which a handler takes up to where it has to stop."""

    def __init__(self, handler: Handler, partition: int, now: clock.Now) -> None:
        self.effects: list[Effect] = []
        self.aside: dict[str, SetAside] = {}
        """By match, the logs that could not be handled."""
        self.reached = 0
        """The position of the last event that was handled or passed over; 0 if there was none."""
        self.waits: NotNow | None = None
        """Why the handler stopped before the end, if it did."""
        self._handler = handler
        self._partition = partition
        self._now = now

    def take(self, found: Positions, passed_over: Collection[str] = ()) -> None:
        """Handle events, and pass over those of the matches in `passed_over`. Raises StoreError."""
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
        """Write the effects, and which logs are set aside. A log whose effect can't be written is set aside too.

        Raises:  Overtaken, StoreError; nothing is written then.
        """
        while True:
            written = [effect.statements for effect in self.effects]
            try:
                store.commit(demands, [*written, [following.set_aside(log) for log in self.aside.values()]])
            except EffectFailed as failed:
                if failed.number >= len(written):
                    raise
                culprit = self.effects[failed.number]
                self._set_aside(culprit.position, culprit.event, failed.error)
                self.effects = [
                    effect
                    for effect in self.effects
                    if effect.match != culprit.match or effect.position < culprit.position
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
            at=clock.stamp(self._now()),
        )

"""How a match is broken off: by agreement of its players, by whoever opened it before it starts, by the operator."""

from __future__ import annotations

from typing import Any, Literal

from domain import match, play
from domain.match import Match, Status
from events.sqlite import SqliteRecorder
from events.store import Write
from replays.log import TRUTH, Log
from service import clock, register
from service.accounts import ADMIN, CREATE, PLAY, Asker
from service.ledger import next_write, turned
from service.problems import Conflict, Forbidden
from service.register import Entry, Register
from service.requests import Once, Requests
from service.tables import Tables

AGREED = ""
"""What is remembered of a request that broke nothing off."""


class Endings:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors.

    The game's rules are not asked: a match whose rules are not at hand can be broken off like any other.
    """

    def __init__(
        self, recorder: SqliteRecorder, tables: Tables, found: Register, asked: Requests, now: clock.Now
    ) -> None:
        self._recorder = recorder
        self._tables = tables
        self._register = found
        self._requests = asked
        self._now = now

    def abort(self, match_id: str, asker: Asker, once: Once | None) -> int | None:
        """Break the match off, or agree to it: the version of the last event, None when others must agree first."""
        asker.need(PLAY, CREATE, ADMIN)
        with self._requests.alone(once), self._tables.deciding(match_id):
            entry = self._register.entry(match_id, asker)
            if (before := self._requests.answer(once)) is not None:
                return None if before == AGREED else int(before)
            log = self._tables.log(match_id)
            state = self._tables.folded(log, TRUTH)
            _check_running(state)
            if (reason := reason_of(entry, state, asker)) is not None:
                return self._end(log, entry, state, reason, once)
            seat = entry.seat_of(asker)
            assert seat is not None, "else nobody is waited for"
            # without events, but an append: it demands that the match is still so, and wakes whoever waits
            self._recorder.append(
                match_id,
                [Write(match_id, state.version)],
                beside=[register.agree(match_id, seat), *self._requests.remember(once, AGREED)],
            )
            return None

    def take_back(self, match_id: str, asker: Asker) -> None:
        """Agree no longer."""
        asker.need(PLAY)
        with self._tables.deciding(match_id):
            entry = self._register.entry(match_id, asker)
            state = self._tables.folded(self._tables.log(match_id), TRUTH)
            _check_running(state)
            seat = entry.seat_of(asker)
            if seat is None:
                raise _not_seated()
            write = Write(match_id, state.version)
            self._recorder.append(match_id, [write], beside=[register.disagree(match_id, seat)])

    def _end(
        self, log: Log, entry: Entry, state: Match[Any], reason: Literal["agreement", "operator"], once: Once | None
    ) -> int:
        told = play.abort(state, reason)
        after = match.fold(log.game, state, (one.event for one in told))
        self._recorder.append(
            log.id,
            [next_write(self._recorder, log, log.id, told, state.version, self._now)],
            decisions=(),
            beside=[*turned(entry, after), *self._requests.remember(once, str(after.version))],
        )
        self._tables.advance(log, TRUTH, after)
        return after.version


def reason_of(entry: Entry, state: Match[Any], asker: Asker) -> Literal["agreement", "operator"] | None:
    """Why the match ends when the asker wants it to; None when it doesn't, since others must agree first.

    Raises:  Forbidden when it is not theirs to want.
    """
    if asker.may(ADMIN):
        return "operator"
    if state.status == Status.OPEN:
        if asker.player != entry.creator:
            raise Forbidden("not-creator", "Before it starts, only who opened a match breaks it off. You can leave it.")
        return "agreement"
    asker.need(PLAY)
    seat = entry.seat_of(asker)
    if seat is None:
        raise _not_seated()
    # bots always agree
    waits = any(chair.player is not None and not chair.agreed for chair in entry.chairs if chair.seat != seat)
    return None if waits else "agreement"


def _check_running(state: Match[Any]) -> None:
    if state.is_over:
        raise Conflict(f"match-{state.status}", f"This match is {state.status}: there is nothing to break off.")


def _not_seated() -> Forbidden:
    return Forbidden("not-seated", "You have no seat in this match.")

"""How a match is broken off: by agreement of its players, by whoever opened it before it starts, by the operator."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, Literal

from domain import match, play
from domain.game import Refusal
from domain.match import Match, Status
from events.sqlite import SqliteRecorder
from events.store import StaleVersion, Write
from replays.log import TRUTH, Log
from service import clock
from service.accounts.players import ADMIN, CREATE, PLAY, Asker
from service.matches import lobby
from service.matches.change import decided, next_write, turned
from service.matches.lobby import Entry, Register, Statement
from service.matches.states import Tables
from service.problems import Forbidden
from service.store.idempotency import Once, Requests

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
        self._register.entry(match_id, asker)
        with self._tables.deciding(match_id):
            answer = self._requests.do(once, lambda: self._abort(match_id, asker, once))
        return None if answer == AGREED else int(answer)

    def _abort(self, match_id: str, asker: Asker, once: Once | None) -> str:
        answer = decided(lambda: self._agree(match_id, asker, once))
        # of two who agree at once neither knows of the other: whoever comes second does now, and ends it
        return answer if answer != AGREED else decided(lambda: self._end_if_all_agreed(match_id, asker, once))

    def _agree(self, match_id: str, asker: Asker, once: Once | None) -> str:
        entry, log, state = self._looked(match_id, asker)
        _check_running(state)
        if (reason := reason_of(entry, state, asker)) is not None:
            return self._end(log, entry, state, asker, reason, lambda answer: self._requests.remember(once, answer))
        seat = entry.seat_of(asker)
        assert seat is not None, "else nobody is waited for"
        # without events, but an append: it demands that the match is still so, and wakes whoever waits
        self._recorder.append(
            match_id,
            [Write(match_id, state.version)],
            beside=[lobby.agree(match_id, seat), *self._requests.remember(once, AGREED)],
        )
        return AGREED

    def _end_if_all_agreed(self, match_id: str, asker: Asker, once: Once | None) -> str:
        entry, log, state = self._looked(match_id, asker)
        if state.is_over or (reason := reason_of(entry, state, asker)) is None:
            return AGREED
        return self._end(log, entry, state, asker, reason, lambda answer: self._requests.remember_instead(once, answer))

    def _looked(self, match_id: str, asker: Asker) -> tuple[Entry, Log, Match[Any]]:
        log = self._tables.log(match_id)
        state = self._tables.folded(log, TRUTH)
        return self._register.entry(match_id, asker), log, state

    def take_back(self, match_id: str, asker: Asker) -> None:
        """Agree no longer."""
        asker.need(PLAY)
        self._register.entry(match_id, asker)
        with self._tables.deciding(match_id):
            decided(lambda: self._take_back(match_id, asker))

    def _take_back(self, match_id: str, asker: Asker) -> None:
        entry, _, state = self._looked(match_id, asker)
        _check_running(state)
        seat = entry.seat_of(asker)
        if seat is None:
            raise _not_seated()
        write = Write(match_id, state.version)
        self._recorder.append(match_id, [write], beside=[lobby.disagree(match_id, seat)])

    def _end(
        self,
        log: Log,
        entry: Entry,
        state: Match[Any],
        asker: Asker,
        reason: Literal["agreement", "operator"],
        remember: Callable[[str], list[Statement]],
    ) -> str:
        told = play.abort(state, reason)
        after = match.fold(log.game, state, (one.event for one in told))
        seat = entry.seat_of(asker)
        others = [] if seat is None or state.status == Status.OPEN else [lobby.demand_agreement(log.id, seat)]
        try:
            self._recorder.append(
                log.id,
                [next_write(self._recorder, log, log.id, told, state.version, self._now)],
                decisions=(),
                beside=[
                    *(others if reason == "agreement" else []),
                    *turned(entry, after),
                    *remember(str(after.version)),
                ],
            )
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_NOTNULL:
                raise
            # somebody has taken their agreement back since it was looked at
            raise StaleVersion(log.id, state.version) from error
        self._tables.advance(log, TRUTH, after)
        return str(after.version)


def reason_of(entry: Entry, state: Match[Any], asker: Asker) -> Literal["agreement", "operator"] | None:
    """Why the match ends when the asker wants it to; None when it doesn't, since others must agree first.

    Raises:  Forbidden when it is not theirs to want.
    """
    if asker.may(ADMIN):
        return "operator"
    if state.status == Status.OPEN:
        if asker.player != entry.creator:
            raise Forbidden("not-creator")
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
        raise Refusal("", f"match-{state.status}")


def _not_seated() -> Forbidden:
    return Forbidden("not-seated")

"""How a match is broken off: by agreement of its players, by whoever opened it before it starts, by the operator."""

from __future__ import annotations

from typing import Any, Literal

from domain import matches, play
from domain.game import Refusal
from domain.matches import Match, Status
from service.deeds import ADMIN, CREATE, PLAY, Asker, Deed
from service.limits import DEEDS
from service.matches.change import Changes, Outcome
from service.matches.lobby import Lobby, check_open_to, seat_of
from service.matches.states import Position
from service.problems import Forbidden
from service.store import Entry, Once, Statement, lobby


class Ending:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors.

    The game's rules are not asked: a match whose rules are not at hand can be broken off like any other.
    """

    def __init__(self, changes: Changes, found: Lobby) -> None:
        self._changes = changes
        self._lobby = found
        self.front = changes.front

    @Deed("agreeToAbort", (PLAY, CREATE, ADMIN), limits=(DEEDS,))
    def abort(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int | None:
        """Break the match off, or agree to it: the version of the last event, None when others must agree first."""
        self._lobby.entry(match_id, asker)

        def act(position: Position) -> Outcome | None:
            check_open_to(position.entry, asker)
            _check_running(position.truth)
            reason = reason_of(position.entry, position.truth, asker)
            return None if reason is None else ended(position, asker, reason)

        def wish(position: Position) -> Statement:
            seat = seat_of(position.entry, asker)
            assert seat is not None, "else nobody is waited for"
            return lobby.agree(match_id, seat)

        return self._changes.agree(match_id, act, wish, lambda position: position.truth.is_over, once)

    @Deed("withdrawAbort", (PLAY,), limits=(DEEDS,))
    def take_back(self, asker: Asker, match_id: str, *, once: Once | None = None) -> None:
        """Agree no longer."""

        def decide(position: Position) -> Outcome:
            check_open_to(position.entry, asker)
            _check_running(position.truth)
            seat = seat_of(position.entry, asker)
            if seat is None:
                raise _not_seated()
            return Outcome(beside=(lobby.disagree(match_id, seat),))

        self._changes.change_once(match_id, decide, once)


def ended(position: Position, asker: Asker, reason: Literal["agreement", "operator"]) -> Outcome:
    """The outcome: the match is over."""
    log, state = position.log, position.truth
    told = play.abort(state, reason)
    seat = seat_of(position.entry, asker)
    is_agreed = reason == "agreement" and seat is not None and state.status != Status.OPEN
    demanded = [lobby.demand_agreement(log.id, seat)] if is_agreed and seat is not None else []
    return Outcome(
        told=told,
        after=matches.fold(log.game, state, [one.event for one in told]),
        beside=tuple(demanded),
    )


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
    seat = seat_of(entry, asker)
    if seat is None:
        raise _not_seated()
    # bots always agree, and so does whoever has left the seat to one, or given it up
    waits = any(chair.is_asked_itself and not chair.agreed for chair in entry.chairs if chair.seat != seat)
    return None if waits else "agreement"


def _check_running(state: Match[Any]) -> None:
    if state.is_over:
        raise Refusal("", f"match-{state.status}")


def _not_seated() -> Forbidden:
    return Forbidden("not-seated")

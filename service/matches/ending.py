"""Breaking off a match: by agreement of its players, by its opener before it starts, or by the operator."""

from __future__ import annotations

from typing import Any, Literal

from domain import play
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

    They don't need the game's rules, so a match whose rules are not available can be broken off too.
    """

    def __init__(self, changes: Changes, found: Lobby) -> None:
        self._changes = changes
        self._lobby = found
        self.front = changes.front

    @Deed("agreeToAbort", (PLAY, CREATE, ADMIN), limits=(DEEDS,))
    def abort(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int | None:
        """Agree to break the match off. Returns its last version; None if others must agree first."""
        self._lobby.entry(match_id, asker)

        def act(position: Position) -> Outcome | None:
            check_open_to(position.entry, asker)
            position.check_running()
            reason = reason_of(position.entry, position.truth, asker)
            return None if reason is None else ended(position, asker, reason)

        def wish(position: Position) -> Statement:
            seat = seat_of(position.entry, asker)
            assert seat is not None, "only seated players wait for others"
            return lobby.agree(match_id, seat)

        return self._changes.agree(match_id, act, wish, lambda position: position.truth.is_over, once)

    @Deed("withdrawAbort", (PLAY,), limits=(DEEDS,))
    def take_back(self, asker: Asker, match_id: str, *, once: Once | None = None) -> None:
        """Withdraw the asker's agreement."""

        def decide(position: Position) -> Outcome:
            check_open_to(position.entry, asker)
            position.check_running()
            seat = seat_of(position.entry, asker)
            if seat is None:
                raise Forbidden("not-seated")
            return Outcome(beside=(lobby.disagree(match_id, seat),))

        self._changes.change_once(match_id, decide, once)


def ended(position: Position, asker: Asker, reason: Literal["agreement", "operator"]) -> Outcome:
    """Return the outcome that breaks the match off."""
    entries, seat = play.abort(position.truth, reason), seat_of(position.entry, asker)
    is_agreed = reason == "agreement" and seat is not None and position.truth.status != Status.OPEN
    demanded = (lobby.demand_agreement(position.log.id, seat),) if is_agreed and seat is not None else ()
    return Outcome(told=entries, after=position.after(entries), beside=demanded)


def reason_of(entry: Entry, state: Match[Any], asker: Asker) -> Literal["agreement", "operator"] | None:
    """Return why the match ends if the asker wants it to; None if others must agree first.

    Raises:  Unauthorized; Forbidden if the asker may not break it off.
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
        raise Forbidden("not-seated")
    # bots always agree, and so does a player who has handed the seat to a bot or given it up
    waits = any(chair.is_asked_itself and not chair.agreed for chair in entry.chairs if chair.seat != seat)
    return None if waits else "agreement"

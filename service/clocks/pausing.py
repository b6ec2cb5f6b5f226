"""Pausing and resuming a match: by agreement of all players, or by the operator."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from domain import clocks, matches
from domain.game import Refusal
from domain.play import Told
from events.store import Store
from service import clock
from service.clocks.outages import Outages
from service.deeds import ADMIN, PLAY, Asker, Deed
from service.limits import DEEDS
from service.matches import Changes, Lobby, Outcome, Position, seat_of
from service.problems import Conflict, Forbidden
from service.store import Once, Pause, Statement, Timetable
from service.store import clocks as kept

Reason = Literal["agreement", "operator"]


class Pausing:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors.

    Bots always agree, and so do players who have handed their seat to a bot.
    """

    def __init__(self, store: Store, changes: Changes, lobby: Lobby, longest: timedelta) -> None:
        """`longest`: after a pause of this length the match is broken off."""
        self.front = changes.front
        self._changes = changes
        self._lobby = lobby
        self._times = Timetable(store)
        self._now = changes.front.now
        self._outages = Outages(store, self._now)
        self._longest = longest

    @Deed("agreeToPause", (PLAY, ADMIN), limits=(DEEDS,))
    def pause(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int | None:
        """Agree to pause the match. Returns the version after the pause began; None if others must agree first."""
        return self._ask(match_id, asker, once, is_to_pause=True)

    @Deed("agreeToResume", (PLAY, ADMIN), limits=(DEEDS,))
    def resume(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int | None:
        """Agree to resume the match, and return as `pause` does. Only the operator can end the operator's pause."""
        return self._ask(match_id, asker, once, is_to_pause=False)

    @Deed("withdrawPause", (PLAY,), limits=(DEEDS,))
    def take_back(self, asker: Asker, match_id: str, *, once: Once | None = None) -> None:
        """Withdraw the asker's agreement."""
        self._lobby.entry(match_id, asker)

        def decide(position: Position) -> Outcome:
            _check(position)
            return Outcome(beside=(kept.wish(match_id, _own(position, asker), wish=False),))

        self._changes.change_once(match_id, decide, once)

    def _ask(self, match_id: str, asker: Asker, once: Once | None, *, is_to_pause: bool) -> int | None:
        self._lobby.entry(match_id, asker)

        def act(position: Position) -> Outcome | None:
            _check(position)
            clocks.check_time_runs(position.truth) if is_to_pause else self._check_paused(position, asker)
            if (reason := self._reason(position, asker)) is None:
                return None
            entries, beside = self._paused(position, reason) if is_to_pause else self._resumed(position)
            return Outcome(told=entries, after=position.after(entries), beside=tuple(beside))

        return self._changes.agree(
            match_id,
            act,
            lambda position: kept.wish(match_id, _own(position, asker), wish=True),
            lambda position: position.truth.clocks.is_paused == is_to_pause,
            once,
        )

    def _reason(self, position: Position, asker: Asker) -> Reason | None:
        """Return by whose will it is done; None if others must agree first."""
        if asker.may(ADMIN):
            return "operator"
        seat = _own(position, asker)
        others = (chair for chair in position.entry.chairs if chair.seat != seat)
        return None if any(chair.is_asked_itself and not chair.pausing for chair in others) else "agreement"

    def _paused(self, position: Position, reason: Reason) -> tuple[tuple[Told, ...], list[Statement]]:
        # the match is extended by earlier outages now, since that can't be done during a pause
        before = self._outages.next(position) or Outcome()
        now = self._now()
        pause = Pause(reason, clock.stamp(now), clock.stamp(now + self._longest))
        entries = (*before.told, *clocks.pause(position.truth, reason))
        return entries, [*before.beside, *kept.pause(position.log.id, pause)]

    def _resumed(self, position: Position) -> tuple[tuple[Told, ...], list[Statement]]:
        pause = self._times.pause(position.log.id)
        length = 0
        if pause is not None:
            length = clock.between(pause.since, clock.stamp(self._now())) + self._outages.before(position, pause)
        # the length includes all outages up to now
        reached = kept.reach_outage(position.log.id, self._times.latest_outage())
        return clocks.resume(position.truth, length), [*kept.resume(position.log.id), reached]

    def _check_paused(self, position: Position, asker: Asker) -> None:
        if not position.truth.clocks.is_paused:
            raise Refusal("", "not-paused")
        pause = self._times.pause(position.log.id)
        if pause is not None and pause.reason == "operator" and not asker.may(ADMIN):
            raise Conflict("paused-by-operator")


def _check(position: Position) -> None:
    """Raise Refusal if the match is not running, Conflict if it has no clock, OtherRules if its rules are missing."""
    if position.truth.status is not matches.PLAYING:
        raise Refusal("", f"match-{position.truth.status}")
    if position.truth.clocks.terms is None:
        raise Conflict("no-clock")
    position.log.need_own_rules()


def _own(position: Position, asker: Asker) -> int:
    seat = seat_of(position.entry, asker)
    if seat is None:
        raise Forbidden("not-seated")
    if position.entry.chairs[seat].resigned:
        raise Refusal("", "resigned", seat=seat)
    return seat

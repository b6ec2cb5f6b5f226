"""Time that does not count: pauses, by agreement or by the operator, and outages."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec

from domain import clocks, matches
from domain.game import Refusal
from domain.matches import PLAYING, Match
from events.store import BrokenConstraint, Statement, Store
from service import clock
from service.deeds import ADMIN, PLAY, Asker, Deed
from service.limits import DEEDS
from service.matches import NO_SEAT, Changes, Outcome, Position, all_agree, due_of
from service.problems import Conflict
from service.store import Once, Pause, Timetable, proposals
from service.store import clocks as kept

Reason = Literal["agreement", "operator"]

OFTEN = timedelta(seconds=2)
"""A sign that is younger than this is not renewed."""

OUTAGE = timedelta(seconds=20)
"""A gap longer than this is an outage."""

RESUMED = "match/Resumed"
"""The stored type of the end of a pause."""

FOREVER = "9"
"""Greater than every moment."""

WRONG = timedelta(days=1)
"""A sign that is more than this in the future is invalid."""


class Pausing:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors.

    Bots always agree, and so do players who have handed their seat to a bot.
    """

    def __init__(self, store: Store, changes: Changes, longest: timedelta) -> None:
        """`longest`: after a pause of this length the match is broken off."""
        self.front = changes.front
        self._changes = changes
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

        def decide(position: Position) -> Outcome:
            _check(position)
            return Outcome(beside=(kept.wish(match_id, position.played_seat(asker), wish=False),))

        self._changes.change_once(asker, match_id, decide, once)

    def settle(self, match_id: str) -> None:
        """Pause or resume the match if all who still play themselves wish it, since another one has just left."""

        def decide(position: Position) -> Outcome | None:
            truth = position.truth
            if truth.status is not PLAYING or truth.clocks.terms is None:
                return None
            if not all_agree(position.entry, lambda chair: chair.pausing) or self._is_operators(match_id):
                return None
            position.log.need_own_rules()
            outcome = self._resumed(position) if truth.clocks.is_paused else self._paused(position, "agreement")
            agreed = kept.demand_wishes(match_id, NO_SEAT)
            return msgspec.structs.replace(outcome, beside=(agreed, *outcome.beside))

        self._changes.change(match_id, decide)

    def _ask(self, match_id: str, asker: Asker, once: Once | None, *, is_to_pause: bool) -> int | None:
        def act(position: Position) -> Outcome | None:
            _check(position)
            clocks.check_time_runs(position.truth) if is_to_pause else self._check_paused(position, asker)
            if (reason := self._reason(position, asker)) is None:
                return None
            outcome = self._paused(position, reason) if is_to_pause else self._resumed(position)
            if reason == "operator":
                return outcome
            # who has withdrawn meanwhile has written nothing into the log
            agreed = kept.demand_wishes(match_id, position.played_seat(asker))
            return msgspec.structs.replace(outcome, beside=(agreed, *outcome.beside))

        def wish(position: Position) -> list[Statement]:
            seat, proposal = position.played_seat(asker), proposals.PAUSE if is_to_pause else proposals.RESUME
            told = proposals.propose_to_others(position.entry, position.truth.version, proposal, seat, self._now())
            return [kept.wish(match_id, seat, wish=True), *told]

        return self._changes.agree(asker, match_id, act, wish, once)

    def _reason(self, position: Position, asker: Asker) -> Reason | None:
        """Return by whose will it is done; None if others must agree first."""
        if asker.may(ADMIN):
            return "operator"
        seat = position.played_seat(asker)
        others = (chair for chair in position.entry.chairs if chair.seat != seat)
        return None if any(chair.is_asked_itself and not chair.pausing for chair in others) else "agreement"

    def _paused(self, position: Position, reason: Reason) -> Outcome:
        # the match is extended by earlier outages now, since that can't be done during a pause
        before = self._outages.next(position) or Outcome()
        now = self._now()
        pause = Pause(reason, clock.stamp(now), clock.stamp(now + self._longest))
        entries = (*before.told, *clocks.pause(position.truth, reason))
        return position.told(entries, *before.beside, *kept.pause(position.log.id, pause))

    def _resumed(self, position: Position) -> Outcome:
        pause = self._times.pause(position.log.id)
        length = 0
        if pause is not None:
            length = clock.between(pause.since, clock.stamp(self._now())) + self._outages.before(position, pause)
        # the length includes all outages up to now
        reached = kept.reach_outage(position.log.id, self._times.latest_outage())
        return position.told(clocks.resume(position.truth, length), *kept.resume(position.log.id), reached)

    def _check_paused(self, position: Position, asker: Asker) -> None:
        if not position.truth.clocks.is_paused:
            raise Refusal("", "not-paused")
        if self._is_operators(position.log.id) and not asker.may(ADMIN):
            raise Conflict("paused-by-operator")

    def _is_operators(self, match_id: str) -> bool:
        pause = self._times.pause(match_id)
        return pause is not None and pause.reason == "operator"


def _check(position: Position) -> None:
    """Raise Refusal if the match is not running, Conflict if it has no clock, OtherRules if its rules are missing."""
    position.check_played()
    if position.truth.clocks.terms is None:
        raise Conflict("no-clock")


class Outages:
    """Notes outages, when no process looked after the clocks, and extends matches by them.

    One sign serves the whole store: the moment of the last request in which due decisions were looked for. If anything
    is missing on the way there (the web process, the queue, a worker, the sweeper), the sign grows old. A wall clock
    that is set forward looks like an outage, and deadlines move by as much, so that nothing is due too early. After one
    that is set back the sign waits until the clock has caught up.
    """

    def __init__(self, store: Store, now: clock.Now) -> None:
        self._store = store
        self._times = Timetable(store)
        self._now = now

    def begin(self) -> None:
        """Write the first sign into a store that has none, so that a missing sweeper is an outage from now on."""
        if self._times.pulse() is None:
            self._store.write([kept.first_pulse(clock.stamp(self._now()))])

    def beat(self) -> None:
        """Renew the sign, and note an outage if it was old."""
        now, before = self._now(), self._times.pulse()
        moment = clock.stamp(now)
        if before is None:
            self.begin()
            return
        gap = now - datetime.fromisoformat(before)
        if gap > OUTAGE:
            try:
                self._store.write([kept.note_outage(before, moment), kept.beat(before, moment)])
            except BrokenConstraint:
                return  # another process has noted it at this moment
        elif gap > OFTEN or gap < -WRONG:
            self._store.write([kept.beat(before, moment)])

    def next(self, position: Position) -> Outcome | None:
        """Return the outcome that extends the match by further outages, the same whoever is asked; None without any."""
        log, truth = position.log, position.truth
        length, last = self._lacking(position, truth)
        if length < 1:
            return None
        return position.told(clocks.extend(truth, length), kept.reach_outage(log.id, last))

    def before(self, position: Position, pause: Pause) -> int:
        """Return the milliseconds of outages before the present pause by which the match was not extended yet.

        An outage that ended during the pause was not known when the pause began. Its part within the pause is part of
        the pause's length.
        """
        running = msgspec.structs.replace(position.truth.clocks, is_paused=False)
        return self._lacking(position, msgspec.structs.replace(position.truth, clocks=running), pause.since)[0]

    def _lacking(self, position: Position, truth: Match[Any], until: str = FOREVER) -> tuple[int, int]:
        """Return the milliseconds of outages up to then that the match was not extended by, and the last outage.

        A pause during an outage has its own length, so that the time is not given twice.
        """
        log, asked = position.log, self._asked_at(position, truth)
        if not asked:
            return 0, 0
        since, terms = log.store.read(log.id, asked - 1, 1)[0].at, self._times.terms(log.id)
        if terms is None or not (outages := self._times.outages(terms.outage, since)):
            return 0, 0
        spans = [(max(outage.began, since), min(outage.ended, until)) for outage in outages]
        pauses = self._pauses(position, asked)
        given = [(max(begun, start), min(ended, end)) for begun, ended in spans for start, end in pauses]
        length = sum(clock.between(*span) for span in spans) - sum(clock.between(*span) for span in given)
        return length, outages[-1].id

    def _pauses(self, position: Position, version: int) -> list[tuple[str, str]]:
        """Return beginning and end of each pause of the match that ended after that version of its log."""
        moved = [event for event in position.truth.clocks.moved if event[0] > version]
        ends = [(position.log.store.read(position.log.id, end - 1, 1)[0], length) for end, length in moved]
        return [(clock.later(event.at, -length), event.at) for event, length in ends if event.type == RESUMED]

    @staticmethod
    def _asked_at(position: Position, truth: Match[Any]) -> int:
        """Return the version at which a seat with a running clock was asked, as everybody may know it; 0 if none."""
        game, chairs = position.log.game, position.entry.chairs
        if matches.is_sealed(game, truth):
            return max(truth.asked) or truth.version
        asked = [
            matches.decision_of(game, truth, seat)
            for seat in matches.to_act(game, truth)
            if due_of(game, truth, chairs[seat])
        ]
        return min(asked, default=0)

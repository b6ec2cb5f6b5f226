"""Deadlines: set in the very append that asks, so that nobody is asked without one where a clock runs.

Openly it is told in the match's log. Under seal it stands in the private log of each seat that is asked, and nothing of
it anywhere else: neither who is told so nor how many.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

import msgspec

from domain import clocks, matches
from domain.deadlines import Due
from domain.matches import Match
from domain.play import Told
from events.chain import Head, head_of
from events.store import Decision, Store, Write
from replays.log import TRUTH, Log, private_stream
from service import clock
from service.matches.outcome import Outcome
from service.store import RULES, Chair, Entry, Statement, Timetable, Vacation
from service.store import clocks as kept

AT_ONCE = "2000-01-01T00:00:00.000Z"
"""When what the rules play for nobody is due."""

HESITATION = (1500, 3000)
"""Milliseconds from which to which the rules take over an answer under seal, as bots do, lest they tell by being fast
that nobody else was asked."""

REMIND = 5
"""A reminder comes when this part of the time is left: after 80 % of it."""

Seal = Callable[..., Write]


class Deadlines:
    """Sets them."""

    def __init__(self, recorder: Store, now: clock.Now) -> None:
        self._times = Timetable(recorder)
        self._now = now

    def set(self, log: Log, outcome: Outcome, entry: Entry, seal: Seal) -> tuple[Outcome, Match[Any] | None]:
        """The outcome with a deadline for whoever is asked and has none; and the match after it, with all that private
        logs hold on top.

        Shape:   `entry` is as it will be; `seal(log, stream, head, *told)` has events stand in a private log.
        """
        after = outcome.after
        if after is None or after.status is not matches.PLAYING or after.clocks.terms is None:
            return outcome, after
        if matches.is_sealed(log.game, after):
            return self._under_seal(log, outcome, after, entry, seal)
        return self._openly(log, outcome, after, entry)

    def _openly(self, log: Log, outcome: Outcome, after: Match[Any], entry: Entry) -> tuple[Outcome, Match[Any]]:
        told: list[Told] = []
        terms, fresh = after.clocks.terms, set()
        assert terms is not None, "there is a clock"
        for seat in () if after.clocks.is_paused else matches.to_act(log.game, after):
            chair = entry.chairs[seat]
            if not chair.is_asked_itself or matches.due_of(log.game, after, seat) is not None:
                continue
            fresh.add(seat)
            more = self._set(log, after, chair, terms.allowance)
            after = matches.fold(log.game, after, [one.event for one in more])
            told += more
        beside = _reminders(log, outcome, after, entry, fresh, terms.allowance)
        return msgspec.structs.replace(
            outcome, told=(*outcome.told, *told), after=after, beside=(*outcome.beside, *beside)
        ), after

    def _set(self, log: Log, state: Match[Any], chair: Chair, allowance: int) -> tuple[Told, ...]:
        """The deadline of a seat; while its player is on vacation it is later by what is left of that."""
        asked, decision = self._now(), matches.decision_of(log.game, state, chair.seat)
        due = clock.stamp(asked + timedelta(milliseconds=allowance))
        told = clocks.set_deadline(log.game, state, chair.seat, decision, due)
        assert chair.player is not None, "the seat is asked itself"
        since = clock.stamp(asked)
        if more := away(since, due, self._times.vacations(chair.player, since)):
            state = matches.fold(log.game, state, [one.event for one in told])
            told += clocks.extend_deadline(log.game, state, chair.seat, decision, more, "vacation")
        return told

    def _under_seal(
        self, log: Log, outcome: Outcome, after: Match[Any], entry: Entry, seal: Seal
    ) -> tuple[Outcome, Match[Any]]:
        terms = after.clocks.terms
        assert terms is not None, "there is a clock"
        if not outcome.told:
            # an answer that is not the last one asks nobody, and comes with what is known on top
            return outcome, after
        ends = log.private_ends(TRUTH)
        known, fresh = log.answered(after, ends), set()
        heads = {end.stream: head_of((end,)) for end in ends}
        writes = {write.stream: write for write in outcome.private}
        for seat in () if known.clocks.is_paused else matches.to_act(log.game, known):
            chair = entry.chairs[seat]
            if chair.player is None or chair.stand_in or matches.due_of(log.game, known, seat) is not None:
                continue
            fresh.add(seat)
            stream, decision = private_stream(log.id, seat), matches.decision_of(log.game, known, seat)
            rung = clocks.seal_rung(log.game, known, seat, decision, self._answer_by(chair, terms.claims))
            before = writes.get(stream, Write(stream, heads.get(stream, Head()).version))
            head = head_of(before.events) if before.events else heads.get(stream, Head())
            more = seal(log, stream, head, rung).events
            writes[stream] = Write(stream, before.expected, (*before.events, *more))
            known = matches.timed(log.game, known, seat, rung.event)
        beside = _reminders(log, outcome, known, entry, fresh, terms.claims)
        return msgspec.structs.replace(
            outcome, private=tuple(writes.values()), beside=(*outcome.beside, *beside)
        ), known

    def _answer_by(self, chair: Chair, claims: int) -> str:
        """When an answer under seal is due."""
        least, most = HESITATION
        length = least + secrets.randbelow(most - least) if chair.resigned else claims
        return clock.stamp(self._now() + timedelta(milliseconds=length))


def _reminders(
    log: Log, outcome: Outcome, known: Match[Any], entry: Entry, fresh: set[int], allowance: int
) -> list[Statement]:
    """Statements for those who have a new deadline, or another one than before."""
    has_moved = any(isinstance(one.event, matches.KEEPING) for one in outcome.told)
    found = []
    for seat in matches.to_act(log.game, known) if has_moved else sorted(fresh):
        due = due_of(log.game, known, entry.chairs[seat])
        if due and entry.chairs[seat].is_asked_itself:
            decision = matches.decision_of(log.game, known, seat)
            found.append(kept.remind(log.id, seat, decision, clock.later(due, -(allowance // REMIND))))
    return found


def owed(game: Any, state: Match[Any], entry: Entry) -> tuple[Decision, ...]:
    """The open decisions, for the store: one for each seat that owes an answer."""
    return tuple(
        Decision(
            match=entry.id,
            seat=seat,
            since=matches.decision_of(game, state, seat),
            due=due_of(game, state, entry.chairs[seat]),
            who=entry.chairs[seat].who,
        )
        for seat in matches.to_act(game, state)
    )


def due_of(game: Any, state: Match[Any], chair: Chair) -> str:
    """When the clock acts for the seat, which owes an answer; "" for never, as in a pause or where a bot plays."""
    if state.clocks.is_paused or chair.played_by is not None:
        return ""
    if chair.who == RULES and not matches.is_sealed(game, state):
        return AT_ONCE
    return moment_of(matches.due_of(game, state, chair.seat))


def moment_of(deadline: Due | None) -> str:
    """The moment itself, as the store tells it; "" if there is none, or none that can be told."""
    try:
        return "" if deadline is None else clock.later(deadline.at, deadline.later)
    except (ValueError, OverflowError):
        return ""  # a log from elsewhere may say anything


def away(since: str, due: str, vacations: Iterable[Vacation]) -> int:
    """By how many milliseconds what was asked then and is due then is due later, for a player with these vacations.

    Shape:   the vacations are in order, and none begins before the one before it has ended.
    """
    begun, end = datetime.fromisoformat(since), datetime.fromisoformat(due)
    more = timedelta()
    for one in vacations:
        leaves, returns = datetime.fromisoformat(one.since), datetime.fromisoformat(one.until)
        if returns > begun and leaves < end + more:
            more += returns - max(leaves, begun)
    return more // timedelta(milliseconds=1)

"""Deadlines, which are set in the same append that asks: where a clock runs nobody is asked without one.

An open decision's deadline is in the match's log. A deadline under seal is in the private log of each seat that is
asked, and nowhere else is anything about it: neither who got one nor how many did. Bots, and the rules for who has
resigned, wait under seal.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Any

import msgspec
from cachetools import FIFOCache

from domain import clocks, matches
from domain.matches import Match
from domain.play import Told
from events.chain import Head, head_of
from events.store import Decision, Store, Write
from replays.log import TRUTH, Log, private_stream
from service import clock
from service.matches.states import Outcome, due_of
from service.store import Chair, Entry, Statement, Timetable, Vacation
from service.store import clocks as kept

REMIND = 5
"""A reminder comes when the time divided by this is left, so after 80 % of it."""

HEARD = 100_000
"""The most decisions for which it is remembered since when they wait."""


class Hesitation:
    """How long bots wait with an answer under seal while people are at the table: the least time to twice that.

    A window of sealed answers closes with the last one. If bots answered at once, that would show that only bots were
    asked. So they wait for a time that nobody can foresee, and all who are asked at once wait for the same time: the
    last of several times would come the later, the more of them were asked. The rules, which answer for those who have
    resigned, wait with them.
    """

    def __init__(self, least: float, now: clock.Now, secret: str) -> None:
        """Set the wait. `least`: in seconds, 0 for none.

        `secret` is known to all processes of the service and to no client, so that a window has the same wait
        everywhere.
        """
        self._least = least
        self._now = now
        self._key = hmac.new(secret.encode(), b"foldtable-hesitation-1", sha256).digest()
        self._lock = Lock()
        self._heard: FIFOCache[tuple[str, int], float] = FIFOCache(HEARD)
        """When the decisions of each waiting window were first asked for, by the monotonic clock."""

    def whole(self, match_id: str, since: int) -> float:
        """Return how many seconds a decision waits, the same for every seat that is asked at that version."""
        # a number from 0 to 1, the same each time
        name = f"{match_id}:{since}".encode()
        share = int.from_bytes(hmac.new(self._key, name, sha256).digest()[:6]) / (1 << 48)
        return self._least * (1 + share)

    def left(self, decision: Decision, asked: str) -> float:
        """Return the seconds until the decision, asked at that moment, may be answered; 0 if it may be now."""
        whole = self.whole(decision.match, decision.since)
        passed = (self._now() - datetime.fromisoformat(asked)).total_seconds()
        if passed >= whole:
            return 0.0
        # the wall clock may be set back, so the monotonic clock counts too
        key, now = (decision.match, decision.since), monotonic()
        with self._lock:
            heard = now - self._heard.setdefault(key, now)
        return max(0.0, whole - max(passed, heard))


class Deadlines:
    """Sets deadlines."""

    def __init__(self, recorder: Store, now: clock.Now, seal: Callable[..., Write], hesitation: Hesitation) -> None:
        """`seal(log, stream, head, *told)` makes events for a private log. `hesitation`: that of the bots."""
        self._times = Timetable(recorder)
        self._now = now
        self._seal = seal
        self._hesitation = hesitation

    def set(self, log: Log, outcome: Outcome, after: Match[Any], entry: Entry) -> tuple[Outcome, Match[Any]]:
        """Return the outcome with a deadline for each seat that is asked and has none, and the match after it.

        The match has everything from private logs added.
        Shape:   `after`: the match after the outcome, which is played with a clock; `entry`: the one after it.
        """
        if matches.is_sealed(log.game, after):
            return self._under_seal(log, outcome, after, entry)
        return self._openly(log, outcome, after, entry)

    def _openly(self, log: Log, outcome: Outcome, after: Match[Any], entry: Entry) -> tuple[Outcome, Match[Any]]:
        entries: list[Told] = []
        terms, fresh = after.clocks.terms, set()
        assert terms is not None, "there is a clock"
        for seat in () if after.clocks.is_paused else matches.to_act(log.game, after):
            chair = entry.chairs[seat]
            if not chair.is_asked_itself or matches.due_of(log.game, after, seat) is not None:
                continue
            fresh.add(seat)
            more = self._set(log, after, chair, terms.allowance)
            after = matches.fold(log.game, after, [each.event for each in more])
            entries += more
        beside = _reminders(log, outcome, after, entry, fresh, terms.allowance)
        return msgspec.structs.replace(
            outcome, told=(*outcome.told, *entries), after=after, beside=(*outcome.beside, *beside)
        ), after

    def _set(self, log: Log, state: Match[Any], chair: Chair, allowance: int) -> tuple[Told, ...]:
        """Return the events that set a seat's deadline; a vacation of its player that is under way makes it later."""
        since, decision = clock.stamp(self._now()), matches.decision_of(log.game, state, chair.seat)
        due = clock.later(since, allowance)
        entries = clocks.set_deadline(log.game, state, chair.seat, decision, due)
        assert chair.player is not None, "the seat is asked itself"
        if more := away(since, due, self._times.vacations(chair.player, since)):
            state = matches.fold(log.game, state, [each.event for each in entries])
            entries += clocks.extend_deadline(log.game, state, chair.seat, decision, more, "vacation")
        return entries

    def _under_seal(self, log: Log, outcome: Outcome, after: Match[Any], entry: Entry) -> tuple[Outcome, Match[Any]]:
        terms = after.clocks.terms
        assert terms is not None, "there is a clock"
        if not outcome.told:
            # an answer that is not the last one asks nobody, and its outcome has the private logs added already
            return outcome, after
        ends = log.private_ends(TRUTH)
        known, fresh = log.answered(after, ends), set()
        heads = {end.stream: head_of((end,)) for end in ends}
        writes = {write.stream: write for write in outcome.private}
        now = clock.stamp(self._now())
        due = clock.later(now, terms.claims)
        for seat in () if known.clocks.is_paused else matches.to_act(log.game, known):
            chair = entry.chairs[seat]
            if chair.player is None or chair.stand_in or matches.due_of(log.game, known, seat) is not None:
                continue
            fresh.add(seat)
            stream, decision = private_stream(log.id, seat), matches.decision_of(log.game, known, seat)
            soon = clock.later(now, round(1000 * self._hesitation.whole(log.id, decision)))
            rung = clocks.seal_rung(log.game, known, seat, decision, soon if chair.resigned else due)
            before = writes.get(stream, Write(stream, heads.get(stream, Head()).version))
            head = head_of(before.events) if before.events else heads.get(stream, Head())
            more = self._seal(log, stream, head, rung).events
            writes[stream] = Write(stream, before.expected, (*before.events, *more))
            known = matches.timed(log.game, known, seat, rung.event)
        beside = _reminders(log, outcome, known, entry, fresh, terms.claims)
        return msgspec.structs.replace(
            outcome, private=tuple(writes.values()), beside=(*outcome.beside, *beside)
        ), known


def _reminders(
    log: Log, outcome: Outcome, known: Match[Any], entry: Entry, fresh: set[int], allowance: int
) -> list[Statement]:
    """Return the statements that set reminders for seats with a new or changed deadline."""
    has_moved = any(isinstance(each.event, matches.KEEPING) for each in outcome.told)
    statements = []
    for seat in matches.to_act(log.game, known) if has_moved else sorted(fresh):
        due = due_of(log.game, known, entry.chairs[seat])
        if due and entry.chairs[seat].is_asked_itself:
            decision = matches.decision_of(log.game, known, seat)
            statements.append(kept.remind(log.id, seat, decision, clock.later(due, -(allowance // REMIND))))
    return statements


def away(since: str, due: str, vacations: Iterable[Vacation]) -> int:
    """Return by how many milliseconds vacations make a decision due later, given when it was asked and is due.

    Shape:   the vacations are in order and do not overlap.
    """
    begun, end = datetime.fromisoformat(since), datetime.fromisoformat(due)
    more = timedelta()
    for vacation in vacations:
        leaves, returns = datetime.fromisoformat(vacation.since), datetime.fromisoformat(vacation.until)
        if returns > begun and leaves < end + more:
            more += returns - max(leaves, begun)
    return more // timedelta(milliseconds=1)

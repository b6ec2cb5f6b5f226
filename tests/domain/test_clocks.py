"""Given a match, when time or its seats are seen to, then this is told, and nobody's decision is touched by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain import clocks, deadlines, happenings, matches, play
from domain.deadlines import Due
from domain.happenings import ClockSet
from domain.matches import Cause, Match
from domain.play import DecisionClosed, Told
from domain.secrecy import redact
from tests.domain.table import GAME, NO_PAIRS, deck_of, fold, move, open_match, raising, refused, scripted, start_match
from tests.rows import each
from tests.toy.high_card.moves import Pass, SetAside

HOUR = 3_600_000
TERMS = ClockSet(allowance=72 * HOUR, claims=24 * HOUR, bank=10 * HOUR, defaults=2)
DUE, LATER, LATEST = "2026-03-04T12:00:00.000Z", "2026-03-04T18:00:00.000Z", "2026-03-04T22:00:00.000Z"


def timed(hands: tuple[tuple[int, ...], ...] = NO_PAIRS, terms: ClockSet = TERMS) -> Match[Any]:
    """A match at its first decisions, played by a clock."""
    state = start_match(hands)
    return msgspec.structs.replace(
        state, clocks=msgspec.structs.replace(state.clocks, terms=terms, banks=(terms.bank,) * len(hands))
    )


def asked(state: Match[Any], seat: int) -> int:
    return matches.decision_of(GAME, state, seat)


def with_deadline(state: Match[Any], seat: int, due: str = DUE) -> Match[Any]:
    return fold(state, clocks.set_deadline(GAME, state, seat, asked(state, seat), due))


def by_clock(state: Match[Any], seat: int) -> Match[Any]:
    """The match after the clock's move for the seat; the next round, if it comes to that, deals the same again."""
    return dully(state, seat, Cause.CLOCK)


def dully(state: Match[Any], seat: int, cause: Cause = Cause.SEAT) -> Match[Any]:
    """The match after the default move of the seat, whoever makes it; it is the fold of what was told."""
    roll, move = scripted(0, 1, deck_of(NO_PAIRS)), GAME.default(state.table, seat)
    told, after = play.played(GAME, state, seat, asked(state, seat), move, roll, cause)
    assert after == fold(state, told)
    return after


# The clock itself


def test_a_clock_is_set_once_before_the_start() -> None:
    told = clocks.set_clock(open_match(), TERMS)
    assert told == (Told(TERMS, "service", 0),)
    state = fold(open_match(), told)
    assert (state.clocks.terms, state.clocks.banks) == (TERMS, (10 * HOUR,) * 2)
    with refused("clock-set"):
        clocks.set_clock(state, TERMS)
    with refused("not-open"):
        clocks.set_clock(start_match(NO_PAIRS), TERMS)


def test_a_clock_says_nothing_that_can_t_be_and_may_be_as_short_and_as_long_as_can_be() -> None:
    for name, value in each(("allowance", 0), ("claims", 0), ("bank", -1), ("defaults", -1), ("bank", 2**53)):
        with refused("clock-terms"):
            clocks.set_clock(open_match(), msgspec.structs.replace(TERMS, **{name: value}))
    for terms in (ClockSet(1, 1, 0, 0), ClockSet(*(clocks.LONGEST,) * 4)):
        assert clocks.set_clock(open_match(), terms) == (Told(terms, "service", 0),)


def test_a_match_without_a_clock_has_no_deadlines_and_no_banks() -> None:
    state = start_match(NO_PAIRS)
    assert (state.clocks.terms, state.clocks.banks, state.clocks.absent) == (None, (), ())
    assert matches.due_of(GAME, state, 0) is None
    state = with_deadline(state, 0)
    assert state.clocks.deadlines[0].length == 0, "no allowance ends with it"
    with refused("bank", seat=0, left=0):
        clocks.use_bank(GAME, state, 0, asked(state, 0), 1, LATER)


# Deadlines


def test_a_deadline_is_set_for_an_open_decision() -> None:
    state = timed()
    told = clocks.set_deadline(GAME, state, 0, asked(state, 0), DUE)
    assert told == (Told(happenings.DeadlineSet(seat=0, decision=state.version, due=DUE), "clock", 0),)
    after = fold(state, told)
    assert matches.due_of(GAME, after, 0) == Due(at=DUE, later=0)
    assert matches.due_of(GAME, after, 1) is None
    with refused("deadline-set", seat=0):
        clocks.set_deadline(GAME, after, 0, asked(after, 0), LATER)


def test_a_deadline_is_its_seat_s_alone_and_met_by_the_answer() -> None:
    state = with_deadline(timed(), 1)
    assert asked(state, 0) == asked(state, 1)
    assert [matches.due_of(GAME, state, seat) for seat in (0, 1)] == [None, Due(at=DUE, later=0)]
    state = with_deadline(state, 0)
    after = fold(state, move(state, 0, SetAside(card=6)))
    assert (matches.due_of(GAME, after, 0), matches.due_of(GAME, after, 1)) == (None, Due(at=DUE, later=0))
    with pytest.raises(DecisionClosed):
        clocks.set_deadline(GAME, after, 0, asked(state, 0), DUE)


def test_what_was_not_asked_and_a_seat_that_is_not_there_have_no_deadline() -> None:
    for decision in each(0, 1, -1, 99):
        with pytest.raises(DecisionClosed):
            clocks.set_deadline(GAME, timed(), 0, decision, DUE)
    for seat in each(-1, 2):
        with refused("no-such-seat", seat=seat, seats=2):
            clocks.set_deadline(GAME, timed(), seat, timed().version, DUE)


LAST = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def test_a_deadline_is_a_moment_as_the_log_tells_them_on_a_day_that_there_is() -> None:
    last_days = [f"2026-{month:02}-{day}" for month, day in enumerate(LAST, 1)]
    for day in each(*last_days, "2024-02-29", "2028-02-29", "2400-02-29", "2026-12-01", "2999-12-31"):
        assert with_deadline(timed(), 0, f"{day}T00:00:00.000Z")
    no_days = [f"2026-{month:02}-{day + 1}" for month, day in enumerate(LAST, 1)]
    no_days += ["2025-02-29", "2100-02-29", "2028-02-30", "2026-01-00", "2026-13-01", "2026-00-01"]
    others = ("", "soon", "2026-03-04", "2026-03-04T12:00:00Z", f"{DUE}\n", "٢026-03-04T12:00:00.000Z")
    for due in each(*(f"{day}T00:00:00.000Z" for day in no_days), *others):
        with refused("no-moment", due=due):
            clocks.set_deadline(GAME, timed(), 0, timed().version, due)


# Banks


def test_a_bank_pays_for_a_later_deadline() -> None:
    state = with_deadline(timed(), 0)
    told = clocks.use_bank(GAME, state, 0, asked(state, 0), 6 * HOUR, LATER)
    assert told == (Told(happenings.BankUsed(seat=0, decision=asked(state, 0), spent=6 * HOUR, due=LATER), "clock", 0),)
    after = fold(state, told)
    assert after.clocks.banks == (4 * HOUR, 10 * HOUR)
    assert matches.due_of(GAME, after, 0) == Due(at=LATER, later=0)
    last = fold(after, clocks.use_bank(GAME, after, 0, asked(after, 0), 4 * HOUR, LATEST))
    assert last.clocks.banks[0] == 0
    with refused("bank", seat=0, left=0):
        clocks.use_bank(GAME, last, 0, asked(last, 0), 1, "2026-03-05T00:00:00.000Z")


def test_an_outage_and_a_pause_have_a_length() -> None:
    paused = fold(timed(), clocks.pause(timed(), "operator"))
    for length in each(-1, 0, 10**12 + 1, 2**53):
        with refused("length", least=1, most=10**12):
            clocks.extend(timed(), length)
        if length:
            with refused("length", least=0, most=10**12):
                clocks.resume(paused, length)
    assert clocks.extend(timed(), 10**12) == (Told(happenings.OutageExtended(length=10**12), "service", 0),)
    assert clocks.resume(paused, 10**12) == (Told(happenings.Resumed(length=10**12), "service", 0),)


def test_a_log_from_elsewhere_may_have_a_bank_pay_that_nobody_has_set() -> None:
    paid = happenings.BankUsed(seat=1, decision=2, spent=5, due=DUE)
    assert deadlines.evolve(deadlines.NOTHING, paid, 3, 2).banks == (0, -5)


def test_a_bank_pays_no_more_than_it_has_and_only_for_what_is_due() -> None:
    state = timed()
    decision = asked(state, 0)
    with refused("no-deadline", seat=0):
        clocks.use_bank(GAME, state, 0, decision, HOUR, LATER)
    state = with_deadline(state, 0)
    for spent in (0, -1, 10 * HOUR + 1):
        with refused("bank"):
            clocks.use_bank(GAME, state, 0, decision, spent, LATER)
    with refused("not-later", due=DUE):
        clocks.use_bank(GAME, state, 0, decision, HOUR, DUE)
    with refused("no-moment", due="later"):
        clocks.use_bank(GAME, state, 0, decision, HOUR, "later")
    with pytest.raises(DecisionClosed):
        clocks.use_bank(GAME, state, 0, decision - 1, HOUR, LATER)


# What moves deadlines


def test_an_outage_moves_every_deadline_that_is_open() -> None:
    state = with_deadline(timed(), 0)
    told = clocks.extend(state, HOUR)
    assert told == (Told(happenings.OutageExtended(length=HOUR), "service", 0),)
    after = with_deadline(fold(state, told), 1)
    assert matches.due_of(GAME, after, 0) == Due(at=DUE, later=HOUR)
    assert matches.due_of(GAME, after, 1) == Due(at=DUE, later=0), "it was set afterwards"
    again = fold(after, clocks.extend(after, 5))
    assert [matches.due_of(GAME, again, seat) for seat in (0, 1)] == [Due(at=DUE, later=HOUR + 5), Due(at=DUE, later=5)]


def test_a_pause_stops_time_until_it_is_over() -> None:
    state = with_deadline(timed(), 0)
    told = clocks.pause(state, "agreement")
    assert told == (Told(happenings.Paused(reason="agreement"), "service", 0),)
    paused = fold(state, told)
    decision = asked(paused, 0)
    acts: tuple[Callable[[], object], ...] = (
        lambda: clocks.pause(paused, "operator"),
        lambda: clocks.extend(paused, 5),
        lambda: clocks.set_deadline(GAME, paused, 1, decision, DUE),
        lambda: clocks.use_bank(GAME, paused, 0, decision, 5, LATER),
        lambda: clocks.check_time_runs(paused),
    )
    for act in acts:
        with refused("paused"):
            act()
    again = clocks.resume(paused, 2 * HOUR)
    assert again == (Told(happenings.Resumed(length=2 * HOUR), "service", 0),)
    after = fold(paused, again)
    assert matches.due_of(GAME, after, 0) == Due(at=DUE, later=2 * HOUR)
    with refused("not-paused"):
        clocks.resume(after, 5)


def test_whoever_is_asked_may_answer_during_a_pause() -> None:
    paused = fold(timed(), clocks.pause(timed(), "agreement"))
    after = fold(paused, move(paused, 0, SetAside(card=6)))
    assert matches.to_act(GAME, after) == (1,)
    assert after.clocks.is_paused


# Default moves


def test_the_clock_plays_the_default_and_nothing_else() -> None:
    state = timed()
    seen = matches.begin(GAME, state.table.pack, redact(state.opened, 0))
    seen = msgspec.structs.replace(seen, table=state.table)
    dull = GAME.default(seen.table, 0)
    clocks.check_default(GAME, seen, 0, dull)
    for other in GAME.legal(state.table, 0):
        if other != dull:
            with refused("not-default", seat=0):
                clocks.check_default(GAME, seen, 0, other)


def test_default_moves_in_a_row_are_counted_until_the_seat_moves_itself() -> None:
    state = start_match(NO_PAIRS, rounds=3)
    for act, seat, absent in each(
        (by_clock, 0, (1, 0)), (by_clock, 1, (1, 1)), (by_clock, 0, (2, 1)), (dully, 1, (2, 0)), (dully, 0, ())
    ):
        state = act(state, seat)
        assert state.clocks.absent == absent
    assert state.clocks.by_clock == (2, 1), "all told, whoever moved since"


def test_defaults_to_claims_don_t_count() -> None:
    state = raising()
    for seat in (0, 1):
        told = play.seal(GAME, state, seat, asked(state, seat), Pass(), Cause.CLOCK)
        state = matches.answered(GAME, state, seat, told.event, f"{seat:02x}" * 32)
    assert fold(state, play.closed(GAME, state, scripted(0, 1))[0]).clocks.absent == ()


def test_what_says_nothing_of_time_is_none_of_the_clocks_business() -> None:
    with pytest.raises(AssertionError, match="Started says nothing of time or seats"):
        deadlines.evolve(deadlines.NOTHING, matches.Started(), 2, 2)


def test_a_deadline_is_extended_for_its_seat_alone_and_by_as_often_as_it_is_told() -> None:
    state = with_deadline(with_deadline(timed(), 0), 1)
    decision = asked(state, 0)
    for _ in range(2):
        state = fold(state, clocks.extend_deadline(GAME, state, 0, decision, HOUR, "vacation"))
    assert matches.due_of(GAME, state, 0) == Due(at=DUE, later=2 * HOUR)
    assert matches.due_of(GAME, state, 1) == Due(at=DUE, later=0)
    state = fold(state, clocks.extend(state, HOUR))
    assert matches.due_of(GAME, state, 0) == Due(at=DUE, later=3 * HOUR)
    for seat, length, code in ((0, 0, "length"), (0, 10**12 + 1, "length"), (2, 1, "no-such-seat")):
        with refused(code):
            clocks.extend_deadline(GAME, state, seat, decision, length, "return")
    with pytest.raises(DecisionClosed):
        clocks.extend_deadline(GAME, state, 0, decision - 1, HOUR, "return")
    bare = timed()
    with refused("no-deadline", seat=0):
        clocks.extend_deadline(GAME, bare, 0, asked(bare, 0), HOUR, "return")


# Who comes to a seat


MINUTE = 60_000


def test_a_grace_is_a_fifth_of_the_allowance_or_a_minute_and_never_more_than_the_allowance() -> None:
    for allowance, least in each(
        *((72 * HOUR, 72 * HOUR // 5), (HOUR, 12 * MINUTE), (5 * MINUTE + 5, MINUTE + 1), (5 * MINUTE, MINUTE)),
        *((2 * MINUTE, MINUTE), (MINUTE, MINUTE), (MINUTE - 1, MINUTE - 1), (1, 1)),
    ):
        assert clocks.grace_of(msgspec.structs.replace(TERMS, allowance=allowance)) == least


@pytest.mark.parametrize("reason", ["return", "passed"])
def test_who_comes_to_a_seat_has_a_grace_at_least_once_a_decision(reason: Any) -> None:
    grace = clocks.grace_of(TERMS)
    state = with_deadline(timed(), 0)
    assert clocks.give_grace(GAME, state, 0, grace, reason) == ()
    for left, length in ((grace - 1, 1), (0, grace), (-HOUR, grace + HOUR)):
        (told,) = clocks.give_grace(GAME, state, 0, left, reason)
        assert (told.event, told.actor) == (
            happenings.DeadlineExtended(seat=0, decision=asked(state, 0), length=length, reason=reason),
            "clock",
        )
    state = fold(state, (told,))
    assert clocks.give_grace(GAME, state, 0, 0, "return") == clocks.give_grace(GAME, state, 0, 0, "passed") == ()
    banked = fold(state, clocks.use_bank(GAME, state, 0, asked(state, 0), HOUR, LATER))
    assert clocks.give_grace(GAME, banked, 0, -HOUR, "return") == (), "nor once the bank has paid"
    other = with_deadline(state, 1)
    assert clocks.give_grace(GAME, other, 1, 0, "return") != (), "it is another seat's decision"


def test_a_vacation_is_no_grace_and_the_bank_leaves_it() -> None:
    state = with_deadline(timed(), 0)
    state = fold(state, clocks.extend_deadline(GAME, state, 0, asked(state, 0), HOUR, "vacation"))
    assert (state.clocks.deadlines[0].away, state.clocks.deadlines[0].more) == (HOUR, HOUR)
    state = fold(state, clocks.use_bank(GAME, state, 0, asked(state, 0), HOUR, LATER))
    assert (state.clocks.deadlines[0].length, state.clocks.deadlines[0].more) == (HOUR, 0)
    state = fold(state, clocks.give_grace(GAME, state, 0, 0, "return"))
    assert (state.clocks.deadlines[0].away, state.clocks.deadlines[0].more) == (0, clocks.grace_of(TERMS))


def test_no_grace_is_given_without_a_clock_a_deadline_or_time_that_runs() -> None:
    state = with_deadline(timed(), 0)
    assert clocks.give_grace(GAME, timed(), 0, 0, "return") == ()
    assert clocks.give_grace(GAME, state, 1, 0, "return") == ()
    assert clocks.give_grace(GAME, fold(state, clocks.pause(state, "agreement")), 0, 0, "return") == ()
    assert clocks.give_grace(GAME, fold(state, move(state, 0, SetAside(card=6))), 0, 0, "return") == ()
    assert clocks.give_grace(GAME, with_deadline(start_match(NO_PAIRS), 0), 0, 0, "return") == ()

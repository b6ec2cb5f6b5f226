"""Given a match, when time or its seats are seen to, then this is told, and nobody's decision is touched by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain import clocks, match, play, refusals
from domain.deadlines import Deadline, Due
from domain.game import Refusal
from domain.match import (
    BankUsed,
    Cause,
    ClockSet,
    DeadlineSet,
    Match,
    OutageExtended,
    Paused,
    Resumed,
    RungSealed,
    SeatHandedBack,
    SeatHandedOver,
    SeatResigned,
)
from domain.play import DecisionClosed, Told
from domain.secrecy import redact, secrets
from tests.domain.table import GAME, NO_PAIRS, deck_of, fold, open_match, scripted, start_match
from tests.domain.test_play import move, raising, refused, sealed
from tests.toy.high_card.moves import Pass, Raise, SetAside

HOUR = 3_600_000
TERMS = ClockSet(allowance=72 * HOUR, claims=24 * HOUR, bank=10 * HOUR, defaults=2)
DUE, LATER, LATEST = "2026-03-04T12:00:00.000Z", "2026-03-04T18:00:00.000Z", "2026-03-04T22:00:00.000Z"


def timed(hands: tuple[tuple[int, ...], ...] = NO_PAIRS, terms: ClockSet = TERMS) -> Match[Any]:
    """A match at its first decisions, played by a clock."""
    state = start_match(hands)
    return msgspec.structs.replace(
        state,
        clocks=msgspec.structs.replace(state.clocks, terms=terms, banks=(terms.bank,) * len(hands)),
    )


def asked(state: Match[Any], seat: int) -> int:
    """The seat's open decision."""
    return match.decision_of(GAME, state, seat)


def with_deadline(state: Match[Any], seat: int, due: str = DUE) -> Match[Any]:
    return fold(state, clocks.set_deadline(GAME, state, seat, asked(state, seat), due))


def by_clock(state: Match[Any], seat: int) -> Match[Any]:
    """The match after the clock's move for the seat; the next round, if it comes to that, deals the same again."""
    return dully(state, seat, Cause.CLOCK)


def dully(state: Match[Any], seat: int, cause: Cause = Cause.SEAT) -> Match[Any]:
    """The match after the default move of the seat, whoever makes it."""
    roll = scripted(0, 1, deck_of(NO_PAIRS))
    return fold(state, play.play(GAME, state, seat, asked(state, seat), GAME.default(state.table, seat), roll, cause))


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


@pytest.mark.parametrize(
    ("name", "value"), [("allowance", 0), ("claims", 0), ("bank", -1), ("defaults", -1), ("bank", 2**53)]
)
def test_a_clock_says_nothing_that_can_t_be(name: str, value: int) -> None:
    with refused("clock-terms"):
        clocks.set_clock(open_match(), msgspec.structs.replace(TERMS, **{name: value}))


def test_a_match_without_a_clock_has_no_deadlines_and_no_banks() -> None:
    state = start_match(NO_PAIRS)
    assert (state.clocks.terms, state.clocks.banks, state.absent) == (None, (0, 0), ())
    assert match.due_of(GAME, state, 0) is None


# Deadlines


def test_a_deadline_is_set_for_an_open_decision() -> None:
    state = timed()
    told = clocks.set_deadline(GAME, state, 0, asked(state, 0), DUE)
    assert told == (Told(DeadlineSet(seat=0, decision=state.version, due=DUE), "clock", 0),)
    after = fold(state, told)
    assert match.due_of(GAME, after, 0) == Due(at=DUE, later=0)
    assert match.due_of(GAME, after, 1) is None
    with refused("deadline-set"):
        clocks.set_deadline(GAME, after, 0, asked(after, 0), LATER)


def test_a_deadline_is_met_by_the_answer() -> None:
    state = with_deadline(with_deadline(timed(), 0), 1)
    after = fold(state, move(state, 0, SetAside(card=6)))
    assert (match.due_of(GAME, after, 0), match.due_of(GAME, after, 1)) == (None, Due(at=DUE, later=0))
    with pytest.raises(DecisionClosed):
        clocks.set_deadline(GAME, after, 0, asked(state, 0), DUE)


@pytest.mark.parametrize("decision", [0, 1, -1, 99])
def test_what_was_not_asked_has_no_deadline(decision: int) -> None:
    with pytest.raises(DecisionClosed):
        clocks.set_deadline(GAME, timed(), 0, decision, DUE)


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_there_has_no_deadline(seat: int) -> None:
    with refused("no-such-seat"):
        clocks.set_deadline(GAME, timed(), seat, timed().version, DUE)


@pytest.mark.parametrize(
    "due", ["", "soon", "2026-03-04", "2026-03-04T12:00:00Z", f"{DUE}\n", "٢026-03-04T12:00:00.000Z"]
)
def test_a_deadline_is_a_moment_as_the_log_tells_them(due: str) -> None:
    with refused("no-moment"):
        clocks.set_deadline(GAME, timed(), 0, timed().version, due)


# Banks


def test_a_bank_pays_for_a_later_deadline() -> None:
    state = with_deadline(timed(), 0)
    told = clocks.use_bank(GAME, state, 0, asked(state, 0), 6 * HOUR, LATER)
    assert told == (Told(BankUsed(seat=0, decision=asked(state, 0), spent=6 * HOUR, due=LATER), "clock", 0),)
    after = fold(state, told)
    assert after.clocks.banks == (4 * HOUR, 10 * HOUR)
    assert match.due_of(GAME, after, 0) == Due(at=LATER, later=0)
    last = fold(after, clocks.use_bank(GAME, after, 0, asked(after, 0), 4 * HOUR, LATEST))
    assert last.clocks.banks[0] == 0
    with refused("bank"):
        clocks.use_bank(GAME, last, 0, asked(last, 0), 1, "2026-03-05T00:00:00.000Z")


def test_a_bank_pays_no_more_than_it_has_and_only_for_what_is_due() -> None:
    state = timed()
    decision = asked(state, 0)
    with refused("no-deadline"):
        clocks.use_bank(GAME, state, 0, decision, HOUR, LATER)
    state = with_deadline(state, 0)
    for spent in (0, -1, 10 * HOUR + 1):
        with refused("bank"):
            clocks.use_bank(GAME, state, 0, decision, spent, LATER)
    with refused("not-later"):
        clocks.use_bank(GAME, state, 0, decision, HOUR, DUE)
    with refused("no-moment"):
        clocks.use_bank(GAME, state, 0, decision, HOUR, "later")
    with pytest.raises(DecisionClosed):
        clocks.use_bank(GAME, state, 0, decision - 1, HOUR, LATER)


# What moves deadlines


def test_an_outage_moves_every_deadline_that_is_open() -> None:
    state = with_deadline(timed(), 0)
    told = clocks.extend(state, HOUR)
    assert told == (Told(OutageExtended(length=HOUR), "service", 0),)
    after = with_deadline(fold(state, told), 1)
    assert match.due_of(GAME, after, 0) == Due(at=DUE, later=HOUR)
    assert match.due_of(GAME, after, 1) == Due(at=DUE, later=0), "it was set afterwards"
    again = fold(after, clocks.extend(after, 5))
    assert [match.due_of(GAME, again, seat) for seat in (0, 1)] == [Due(at=DUE, later=HOUR + 5), Due(at=DUE, later=5)]


def test_a_pause_stops_time_until_it_is_over() -> None:
    state = with_deadline(timed(), 0)
    told = clocks.pause(state, "agreement")
    assert told == (Told(Paused(reason="agreement"), "service", 0),)
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
    assert again == (Told(Resumed(length=2 * HOUR), "service", 0),)
    after = fold(paused, again)
    assert match.due_of(GAME, after, 0) == Due(at=DUE, later=2 * HOUR)
    with refused("not-paused"):
        clocks.resume(after, 5)


def test_whoever_is_asked_may_answer_during_a_pause() -> None:
    paused = fold(timed(), clocks.pause(timed(), "agreement"))
    after = fold(paused, move(paused, 0, SetAside(card=6)))
    assert match.to_act(GAME, after) == (1,)
    assert after.clocks.is_paused


@pytest.mark.parametrize("length", [0, -1, 2**53])
def test_an_outage_has_a_length(length: int) -> None:
    with refused("length"):
        clocks.extend(timed(), length)


@pytest.mark.parametrize("length", [-1, 2**53])
def test_a_pause_has_a_length(length: int) -> None:
    with refused("length"):
        clocks.resume(fold(timed(), clocks.pause(timed(), "operator")), length)


# Default moves


def test_the_clock_plays_the_default_and_nothing_else() -> None:
    state = timed()
    seen = match.begin(GAME, state.table.pack, redact(state.opened, 0))
    seen = msgspec.structs.replace(seen, table=state.table)
    dull = GAME.default(seen.table, 0)
    clocks.check_default(GAME, seen, 0, dull)
    for other in GAME.legal(state.table, 0):
        if other != dull:
            with refused("not-default"):
                clocks.check_default(GAME, seen, 0, other)


def test_default_moves_in_a_row_are_counted_until_the_seat_moves_itself() -> None:
    state = start_match(NO_PAIRS, rounds=3)
    state = by_clock(state, 0)
    assert state.absent == (1, 0)
    state = by_clock(state, 1)
    assert state.absent == (1, 1)
    state = by_clock(state, 0)
    assert state.absent == (2, 1)
    state = dully(state, 1)
    assert state.absent == (2, 0)
    assert dully(state, 0).absent == ()


def test_defaults_to_claims_don_t_count() -> None:
    state = raising()
    for seat in (0, 1):
        told = play.seal(GAME, state, seat, asked(state, seat), Pass(), Cause.CLOCK)
        state = match.answered(GAME, state, seat, told.event, f"{seat:02x}" * 32)
    assert fold(state, play.close(GAME, state, scripted(0, 1))).absent == ()


# Who plays a seat


def test_after_enough_defaults_in_a_row_a_bot_takes_the_seat_over() -> None:
    state = msgspec.structs.replace(timed(), absent=(1, 0))
    with refused("not-absent"):
        clocks.hand_over(GAME, state, 0, "greedy", "absence")
    state = msgspec.structs.replace(state, absent=(2, 1))
    told = clocks.hand_over(GAME, state, 0, "greedy", "absence")
    assert told == (Told(SeatHandedOver(seat=0, bot="greedy", reason="absence"), "clock", 0),)
    after = fold(state, told)
    assert (after.bots, after.absent) == (("greedy", ""), (0, 1))
    with refused("handed-over"):
        clocks.hand_over(GAME, after, 0, "random", "absence")
    with refused("not-absent"):
        clocks.hand_over(GAME, after, 1, "greedy", "absence")


@pytest.mark.parametrize("terms", [None, msgspec.structs.replace(TERMS, defaults=0)])
def test_without_a_number_of_defaults_no_seat_is_taken_over_for_its_absence(terms: ClockSet | None) -> None:
    state = start_match(NO_PAIRS)
    state = msgspec.structs.replace(state, absent=(9, 0), clocks=msgspec.structs.replace(state.clocks, terms=terms))
    with refused("not-absent"):
        clocks.hand_over(GAME, state, 0, "greedy", "absence")


def test_the_seat_may_be_handed_over_by_a_wish_and_is_taken_back() -> None:
    state = timed()
    told = clocks.hand_over(GAME, state, 1, "greedy", "wish")
    assert told[0].actor == "seat:1"
    after = fold(state, told)
    back = clocks.hand_back(GAME, after, 1)
    assert back == (Told(SeatHandedBack(seat=1), "seat:1", 0),)
    again = fold(after, back)
    assert again.bots == ("", "")
    with refused("not-handed-over"):
        clocks.hand_back(GAME, again, 1)


def test_of_what_a_bot_plays_for_a_seat_nothing_is_demanded() -> None:
    state = timed()
    after = fold(state, clocks.hand_over(GAME, state, 0, "greedy", "wish"))
    for made in GAME.legal(after.table, 0):
        told = move(after, 0, made)
        assert (told[0].actor, told[0].event.cause) == ("seat:0", Cause.SEAT)


def test_a_resignation_is_for_good_and_a_bot_plays_on() -> None:
    state = timed()
    with refused("not-resigned"):
        clocks.hand_over(GAME, state, 0, "greedy", "resignation")
    told = clocks.resign(GAME, state, 0)
    assert told == (Told(SeatResigned(seat=0), "seat:0", 0),)
    after = fold(state, told)
    assert after.resigned == (True, False)
    acts: tuple[Callable[[], object], ...] = (
        lambda: clocks.resign(GAME, after, 0),
        lambda: clocks.hand_over(GAME, after, 0, "greedy", "wish"),
    )
    for act in acts:
        with refused("resigned"):
            act()
    over = fold(after, clocks.hand_over(GAME, after, 0, "greedy", "resignation"))
    assert over.bots == ("greedy", "")
    with refused("resigned"):
        clocks.hand_back(GAME, over, 0)
    assert match.to_act(GAME, over) == (0, 1), "the match goes on"


@pytest.mark.parametrize("bot", ["", "Greedy", "a b", "a" * 65, "\n", "gréedy"])
def test_a_bot_has_a_plain_name(bot: str) -> None:
    with refused("bot-name"):
        clocks.hand_over(GAME, timed(), 0, bot, "wish")


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_there_is_not_handed_over(seat: int) -> None:
    with refused("no-such-seat"):
        clocks.hand_over(GAME, timed(), seat, "greedy", "wish")


# Under seal


def window() -> Match[Any]:
    """Everybody has set a card aside, and seat 0 alone is asked, under seal."""
    return raising(((6, 6, 1), (5, 4, 2)))


def test_under_seal_a_clock_speaks_to_the_seat_alone() -> None:
    state = window()
    told = clocks.seal_rung(GAME, state, 0, state.version, DUE)
    rung = RungSealed(decision=state.version, after=state.version, due=DUE)
    assert told == Told(rung, "clock", state.moves + 1)
    assert not list(secrets(rung)), "its reader is the seat alone"
    after = match.timed(GAME, state, 0, rung)
    assert (match.due_of(GAME, after, 0), after.version) == (Due(at=DUE, later=0), state.version)
    with refused("deadline-set"):
        clocks.seal_rung(GAME, after, 0, state.version, LATER)
    with pytest.raises(DecisionClosed):
        clocks.seal_rung(GAME, state, 1, state.version, DUE)
    with refused("no-moment"):
        clocks.seal_rung(GAME, state, 0, state.version, "")


def test_what_moves_deadlines_moves_those_under_seal() -> None:
    state = window()
    rung = RungSealed(decision=state.version, after=state.version, due=DUE)
    moved = fold(state, clocks.extend(state, HOUR))
    assert match.due_of(GAME, match.timed(GAME, moved, 0, rung), 0) == Due(at=DUE, later=HOUR)
    late = RungSealed(decision=state.version, after=moved.version, due=DUE)
    assert match.due_of(GAME, match.timed(GAME, moved, 0, late), 0) == Due(at=DUE, later=0)


def test_a_rung_of_a_decision_that_is_closed_or_answered_changes_nothing() -> None:
    state = window()
    stale = RungSealed(decision=3, after=3, due=DUE)
    assert match.timed(GAME, state, 0, stale) is state
    rung = RungSealed(decision=state.version, after=state.version, due=DUE)
    answered = sealed(state, 0, Raise())
    assert match.timed(GAME, answered, 0, rung) is answered


@pytest.mark.parametrize(
    ("rung", "code"),
    [
        ({"decision": 1}, "decision-closed"),
        ({"after": 1}, "no-such-version"),
        ({"after": 99}, "no-such-version"),
        ({"due": "x"}, "no-moment"),
    ],
)
def test_a_rung_names_what_was_open(rung: dict[str, Any], code: str) -> None:
    state = window()
    good = RungSealed(decision=state.version, after=state.version, due=DUE)
    clocks.check_rung(GAME, state, 0, good)
    with refused(code):
        clocks.check_rung(GAME, state, 0, msgspec.structs.replace(good, **rung))
    with refused("not-sealed"):
        clocks.check_rung(GAME, timed(), 0, good)


def test_under_seal_the_open_log_says_nothing_of_one_seat() -> None:
    """Refused alike to who is asked and to who is not, so that neither the log nor the refusal tells."""
    state = window()
    seats: list[Callable[[int], object]] = [
        lambda seat: clocks.hand_over(GAME, state, seat, "greedy", "wish"),
        lambda seat: clocks.hand_back(GAME, state, seat),
        lambda seat: clocks.resign(GAME, state, seat),
    ]
    for act in seats:
        for seat in (0, 1):
            with refused("window-open"):
                act(seat)
    with refused("sealed"):
        clocks.set_deadline(GAME, state, 0, state.version, DUE)
    with refused("sealed"):
        clocks.use_bank(GAME, state, 0, state.version, HOUR, DUE)


# Laws


def told_of(state: Match[Any], seats: tuple[int, ...]) -> list[tuple[Told, ...]]:
    """Everything that may be told of time and seats there."""
    told = [clocks.extend(state, HOUR), clocks.pause(state, "agreement")]
    told += [clocks.resume(fold(state, told[1]), 5)]
    for seat in () if match.is_sealed(GAME, state) else seats:
        told += [clocks.hand_over(GAME, state, seat, "greedy", "wish"), clocks.resign(GAME, state, seat)]
        told += [clocks.hand_back(GAME, fold(state, told[-2]), seat)]
        told += [clocks.set_deadline(GAME, state, seat, asked(state, seat), DUE)]
        told += [clocks.use_bank(GAME, with_deadline(state, seat), seat, asked(state, seat), 1, LATER)]
    return told


@pytest.mark.parametrize("given", [timed, raising, window])
def test_a_decision_stays_open_whatever_is_logged_of_time_and_seats(given: Callable[[], Match[Any]]) -> None:
    state = given()
    state = msgspec.structs.replace(
        state, clocks=msgspec.structs.replace(state.clocks, terms=TERMS, banks=(HOUR, HOUR))
    )
    owing = match.to_act(GAME, state)
    before = [(asked(state, seat), GAME.legal(state.table, seat)) for seat in (0, 1)]
    everything = told_of(state, owing)
    assert {type(one.event) for told in everything for one in told} == set(
        match.KEEPING if not match.is_sealed(GAME, state) else (OutageExtended, Paused, Resumed)
    ) - {ClockSet}
    for told in everything:
        for after in (fold(state, told), fold(fold(state, clocks.extend(state, 1)), told)):
            assert after.version > state.version
            assert (after.moves, after.table, match.to_act(GAME, after)) == (state.moves, state.table, owing)
            assert [(asked(after, seat), GAME.legal(after.table, seat)) for seat in (0, 1)] == before


def test_an_answer_counts_after_whatever_was_logged_of_time() -> None:
    state = window()
    later = fold(fold(state, clocks.extend(state, 5)), clocks.pause(state, "agreement"))
    after = sealed(later, 0, Raise())
    assert play.is_complete(GAME, after)
    closing = play.close(GAME, after, scripted(0, 1))
    assert closing[0].event.decision == state.version, "the version at which the last one was asked"
    assert fold(later, closing).is_over


def test_what_seats_see_of_time_is_what_everybody_sees() -> None:
    for told in told_of(timed(), (0, 1)):
        for one in told:
            assert [redact(one.event, seat) for seat in (None, 0, 1)] == [one.event] * 3


def test_folding_events_of_time_is_evolving_them_one_by_one() -> None:
    state = timed()
    events = [one.event for told in told_of(state, (0, 1)) for one in told]
    events[4:4] = [one.event for one in move(state, 0, SetAside(card=6), cause=Cause.CLOCK)]
    evolved = state
    for event in events:
        evolved = match.evolve(GAME, evolved, event)
    assert match.fold(GAME, state, events) == evolved
    for cut in range(len(events)):
        assert match.fold(GAME, match.fold(GAME, state, events[:cut]), events[cut:]) == evolved


@pytest.mark.parametrize("seat", [0, 1])
def test_before_the_start_and_after_the_end_no_time_runs(seat: int) -> None:
    acts: tuple[Callable[[Match[Any]], object], ...] = (
        lambda state: clocks.set_deadline(GAME, state, seat, 5, DUE),
        lambda state: clocks.seal_rung(GAME, state, seat, 5, DUE),
        lambda state: clocks.use_bank(GAME, state, seat, 5, 1, DUE),
        lambda state: clocks.hand_over(GAME, state, seat, "greedy", "wish"),
        lambda state: clocks.hand_back(GAME, state, seat),
        lambda state: clocks.resign(GAME, state, seat),
        lambda state: clocks.pause(state, "agreement"),
        lambda state: clocks.resume(state, 1),
        lambda state: clocks.extend(state, 1),
    )
    over = fold(timed(), play.abort(timed(), "pause"))
    for state, code in ((open_match(), "match-open"), (over, "match-aborted")):
        for act in acts:
            with refused(code):
                act(state)


def test_every_refusal_is_said_in_every_language() -> None:
    assert refusals.TEXTS["en"].keys() == refusals.TEXTS["ja"].keys()
    with pytest.raises(Refusal) as refusal:
        clocks.use_bank(GAME, with_deadline(timed(), 0), 0, timed().version, 10 * HOUR + 1, LATER)
    assert refusals.say(GAME, refusal.value, "en") == f"The bank of seat 0 has {10 * HOUR} ms left; it pays at least 1."
    assert refusals.say(GAME, refusal.value, "ja").startswith("席0の予備時間の残りは36000000ミリ秒")


def test_a_deadline_that_was_met_does_not_come_back() -> None:
    state = with_deadline(timed(), 0)
    assert state.clocks.deadlines[0] == Deadline(decision=state.version - 1, due=DUE, after=state.version)
    after = by_clock(by_clock(msgspec.structs.replace(start_match(NO_PAIRS, rounds=2), clocks=state.clocks), 0), 1)
    assert match.due_of(GAME, after, 0) is None

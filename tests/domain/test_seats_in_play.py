"""Given a match, when a seat changes hands or is asked under seal, then this is told; no decision is touched by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain import clocks, deadlines, happenings, matches, play, refusals
from domain.deadlines import Deadline, Due
from domain.game import Refusal
from domain.happenings import ClockSet
from domain.matches import Cause, Match, RungSealed, Status
from domain.play import DecisionClosed, Told
from domain.secrecy import redact, secrets
from tests.domain.table import GAME, NO_PAIRS, fold, move, open_match, raising, refused, scripted, sealed, start_match
from tests.domain.test_clocks import DUE, HOUR, LATER, TERMS, asked, by_clock, timed, with_deadline
from tests.rows import each
from tests.toy.high_card.moves import Raise, SetAside

# Who plays a seat


def with_absences(state: Match[Any], *absent: int) -> Match[Any]:
    """The clock has just moved so often for each seat."""
    return msgspec.structs.replace(state, clocks=msgspec.structs.replace(state.clocks, absent=absent))


def test_after_enough_defaults_in_a_row_a_bot_takes_the_seat_over() -> None:
    for most, absent in each((1, ()), (2, (0, 1))):
        state = timed(terms=msgspec.structs.replace(TERMS, defaults=most))
        with refused("not-absent", seat=0):
            clocks.hand_over(GAME, with_absences(state, most - 1, 0), 0, "greedy", "absence")
        state = with_absences(state, most, most - 1)
        told = clocks.hand_over(GAME, state, 0, "greedy", "absence")
        assert told == (Told(happenings.SeatHandedOver(seat=0, bot="greedy", reason="absence"), "clock", 0),)
        after = fold(state, told)
        assert (after.clocks.bots, after.clocks.absent) == (("greedy", ""), absent)
        assert after.clocks.handed == ((0, "absence"),)
        with refused("handed-over", seat=0, bot="greedy"):
            clocks.hand_over(GAME, after, 0, "random", "absence")
        with refused("not-absent", seat=1):
            clocks.hand_over(GAME, after, 1, "greedy", "absence")
        assert clocks.hand_over(GAME, after, 1, "greedy", "wish"), "who wishes so need not be absent"


def test_without_a_number_of_defaults_no_seat_is_taken_over_for_its_absence() -> None:
    for terms in (None, msgspec.structs.replace(TERMS, defaults=0)):
        state = start_match(NO_PAIRS)
        state = msgspec.structs.replace(state, clocks=msgspec.structs.replace(state.clocks, terms=terms, absent=(9, 0)))
        with refused("not-absent", seat=0):
            clocks.hand_over(GAME, state, 0, "greedy", "absence")


def test_the_seat_may_be_handed_over_by_a_wish_and_is_taken_back() -> None:
    state = timed()
    told = clocks.hand_over(GAME, state, 1, "greedy", "wish")
    assert told[0].actor == "seat:1"
    after = fold(state, told)
    back = clocks.hand_back(GAME, after, 1)
    assert back == (Told(happenings.SeatHandedBack(seat=1), "seat:1", 0),)
    again = fold(after, back)
    assert again.clocks.bots == ("", "")
    with refused("not-handed-over", seat=1):
        clocks.hand_back(GAME, again, 1)


def test_a_resignation_is_for_good_and_a_bot_plays_on() -> None:
    state = timed()
    with refused("not-resigned", seat=0):
        clocks.hand_over(GAME, state, 0, "greedy", "resignation")
    told = clocks.resign(GAME, state, 0)
    assert told == (Told(happenings.SeatResigned(seat=0), "seat:0", 0),)
    after = fold(state, told)
    assert after.clocks.resigned == (0,)
    acts: tuple[Callable[[], object], ...] = (
        lambda: clocks.resign(GAME, after, 0),
        lambda: clocks.hand_over(GAME, after, 0, "greedy", "wish"),
    )
    for act in acts:
        with refused("resigned", seat=0):
            act()
    over = fold(after, clocks.hand_over(GAME, after, 0, "greedy", "resignation"))
    assert over.clocks.bots == ("greedy", "")
    with refused("resigned", seat=0):
        clocks.hand_back(GAME, over, 0)
    assert matches.to_act(GAME, over) == (0, 1), "the match goes on"


def test_who_concedes_a_match_of_two_loses_it_whatever_the_points() -> None:
    for seat, ranking in each((0, (2, 1)), (1, (1, 2))):
        state = timed()
        told = clocks.concede(GAME, state, seat)
        finished = matches.Finished(
            points=GAME.standing(state.table).points, ranking=ranking, secret=state.secret or ""
        )
        assert told == (Told(matches.MatchConceded(seat=seat), f"seat:{seat}", 0), Told(finished, "service", 0))
        assert matches.to_act(GAME, fold(state, told[:1])) == (), "nobody is asked any more"
        after = fold(state, told)
        assert (after.status, after.ranking, after.conceded) == (Status.FINISHED, ranking, seat)
        assert (after.clocks.resigned, after.moves) == ((seat,), state.moves)
        assert matches.begins_move(told[0].event), "it can be continued from before it"
        assert not matches.begins_move(told[1].event)
        with refused("match-finished"):
            clocks.concede(GAME, after, seat)


def test_only_a_match_of_two_is_conceded_by_a_seat_that_still_has_a_player_and_not_under_seal() -> None:
    with refused("not-conceded", seats=3):
        clocks.concede(GAME, start_match((*NO_PAIRS, (3, 2, 1))), 0)
    with refused("resigned", seat=0):
        clocks.concede(GAME, fold(timed(), clocks.resign(GAME, timed(), 0)), 0)
    with refused("window-open"):
        clocks.concede(GAME, raising(), 0)
    handed = fold(timed(), clocks.hand_over(GAME, timed(), 0, "greedy", "wish"))
    assert fold(handed, clocks.concede(GAME, handed, 0)).ranking == (2, 1), "although a bot plays for it"


def test_a_seat_is_passed_on_by_who_plays_it_and_was_never_absent_then() -> None:
    state = with_absences(timed(), 1, 1)
    told = clocks.pass_on(GAME, state, 0)
    assert told == (Told(happenings.SeatPassedOn(seat=0), "seat:0", 0),)
    after = fold(state, told)
    assert (after.clocks.absent, after.clocks.handed) == ((0, 1), ((0, "passed"),))
    assert matches.to_act(GAME, after) == matches.to_act(GAME, state)
    with refused("resigned", seat=0):
        clocks.pass_on(GAME, fold(state, clocks.resign(GAME, state, 0)), 0)
    with refused("handed-over", seat=0, bot="greedy"):
        clocks.pass_on(GAME, fold(state, clocks.hand_over(GAME, state, 0, "greedy", "wish")), 0)
    with refused("no-such-seat", seat=2, seats=2):
        clocks.pass_on(GAME, state, 2)


def test_a_seat_that_is_not_there_is_not_handed_over_taken_back_given_up_or_passed_on() -> None:
    state = fold(timed(), clocks.hand_over(GAME, timed(), 1, "greedy", "wish"))
    for seat in each(-1, 2):
        for act in (clocks.hand_back, clocks.resign, clocks.concede, clocks.pass_on):
            with refused("no-such-seat", seat=seat, seats=2):
                act(GAME, state, seat)
        with refused("no-such-seat", seat=seat, seats=2):
            clocks.hand_over(GAME, timed(), seat, "greedy", "wish")


def test_a_bot_has_a_plain_name() -> None:
    for bot in each("", "Greedy", "a b", "a" * 65, "\n", "gréedy"):
        with refused("bot-name"):
            clocks.hand_over(GAME, timed(), 0, bot, "wish")


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
    after = matches.timed(GAME, state, 0, rung)
    assert (matches.due_of(GAME, after, 0), after.version) == (Due(at=DUE, later=0), state.version)
    known = after.clocks.sealed[0]
    assert (known.length, known.more, known.away, known.has_grace) == (0, 0, 0, False)
    with refused("deadline-set", seat=0):
        clocks.seal_rung(GAME, after, 0, state.version, LATER)
    with pytest.raises(DecisionClosed):
        clocks.seal_rung(GAME, state, 1, state.version, DUE)
    with refused("no-moment", due=""):
        clocks.seal_rung(GAME, state, 0, state.version, "")
    with refused("not-sealed"):
        clocks.seal_rung(GAME, timed(), 0, timed().version, DUE)


def test_a_deadline_under_seal_ends_with_the_closing_however_the_log_is_folded() -> None:
    state = window()
    rung = RungSealed(decision=state.version, after=state.version, due=DUE)
    after = matches.timed(GAME, state, 0, rung)
    assert after.clocks.sealed
    closing: matches.AnswersClosed[Any] = matches.AnswersClosed(
        decision=state.version, answers=(None,) * len(state.taken)
    )
    assert matches.evolve(GAME, after, closing).clocks.sealed == ()
    assert matches.evolve(GAME, after, closing) == matches.fold(GAME, after, [closing])


def test_a_deadline_under_seal_is_its_seat_s_alone() -> None:
    state = raising()
    decision = matches.decision_of(GAME, state, 0)
    assert matches.decision_of(GAME, state, 1) == decision, "both have the same number"
    known = matches.timed(GAME, state, 1, RungSealed(decision=decision, after=state.version, due=DUE))
    assert [matches.due_of(GAME, known, seat) for seat in (0, 1)] == [None, Due(at=DUE, later=0)]
    assert deadlines.due(known.clocks, 0, 0) is None, "who is asked nothing has none either"


def test_what_moves_deadlines_moves_those_under_seal() -> None:
    state = window()
    rung = RungSealed(decision=state.version, after=state.version, due=DUE)
    moved = fold(state, clocks.extend(state, HOUR))
    assert matches.due_of(GAME, matches.timed(GAME, moved, 0, rung), 0) == Due(at=DUE, later=HOUR)
    late = RungSealed(decision=state.version, after=moved.version, due=DUE)
    assert matches.due_of(GAME, matches.timed(GAME, moved, 0, late), 0) == Due(at=DUE, later=0)


def test_a_rung_of_a_decision_that_is_closed_or_answered_changes_nothing() -> None:
    state = window()
    stale = RungSealed(decision=3, after=3, due=DUE)
    assert matches.timed(GAME, state, 0, stale) is state
    rung = RungSealed(decision=state.version, after=state.version, due=DUE)
    answered = sealed(state, 0, Raise())
    assert matches.timed(GAME, answered, 0, rung) is answered


def test_a_rung_names_what_was_open() -> None:
    for rung, code in each(
        ({"decision": 1}, "decision-closed"),
        ({"after": 1}, "no-such-version"),
        ({"after": 99}, "no-such-version"),
        ({"due": "x"}, "no-moment"),
    ):
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
        lambda seat: clocks.pass_on(GAME, state, seat),
    ]
    for act in seats:
        for seat in (0, 1):
            with refused("window-open"):
                act(seat)
    with refused("sealed"):
        clocks.set_deadline(GAME, state, 0, state.version, DUE)
    with refused("sealed"):
        clocks.use_bank(GAME, state, 0, state.version, HOUR, DUE)
    with refused("sealed"):
        clocks.extend_deadline(GAME, state, 0, state.version, HOUR, "vacation")


def told_of(state: Match[Any], seats: tuple[int, ...]) -> list[tuple[Told, ...]]:
    """Everything that may be told of time and seats there."""
    told = [clocks.extend(state, HOUR), clocks.pause(state, "agreement")]
    told += [clocks.resume(fold(state, told[1]), 5)]
    for seat in () if matches.is_sealed(GAME, state) else seats:
        told += [clocks.hand_over(GAME, state, seat, "greedy", "wish"), clocks.resign(GAME, state, seat)]
        told += [clocks.hand_back(GAME, fold(state, told[-2]), seat)]
        told += [clocks.pass_on(GAME, state, seat)]
        told += [clocks.set_deadline(GAME, state, seat, asked(state, seat), DUE)]
        told += [clocks.extend_deadline(GAME, with_deadline(state, seat), seat, asked(state, seat), 1, "return")]
        told += [clocks.use_bank(GAME, with_deadline(state, seat), seat, asked(state, seat), 1, LATER)]
    return told


@pytest.mark.parametrize("given", [timed, raising, window])
def test_a_decision_stays_open_whatever_is_logged_of_time_and_seats(given: Callable[[], Match[Any]]) -> None:
    state = given()
    state = msgspec.structs.replace(
        state, clocks=msgspec.structs.replace(state.clocks, terms=TERMS, banks=(HOUR, HOUR))
    )
    owing = matches.to_act(GAME, state)
    before = [(asked(state, seat), GAME.legal(state.table, seat)) for seat in (0, 1)]
    everything = told_of(state, owing)
    assert {type(one.event) for told in everything for one in told} == set(
        matches.KEEPING
        if not matches.is_sealed(GAME, state)
        else (happenings.OutageExtended, happenings.Paused, happenings.Resumed)
    ) - {ClockSet}
    for told in everything:
        for after in (fold(state, told), fold(fold(state, clocks.extend(state, 1)), told)):
            assert after.version > state.version
            assert (after.moves, after.table, matches.to_act(GAME, after)) == (state.moves, state.table, owing)
            assert [(asked(after, seat), GAME.legal(after.table, seat)) for seat in (0, 1)] == before


def test_an_answer_counts_after_whatever_was_logged_of_time() -> None:
    state = window()
    later = fold(fold(state, clocks.extend(state, 5)), clocks.pause(state, "agreement"))
    assert later.asked == (state.version, 0), "who is not asked has no decision"
    after = sealed(later, 0, Raise())
    assert play.is_complete(GAME, after)
    closing = play.closed(GAME, after, scripted(0, 1))[0]
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
        evolved = matches.evolve(GAME, evolved, event)
    assert matches.fold(GAME, state, events) == evolved
    for cut in range(len(events)):
        assert matches.fold(GAME, matches.fold(GAME, state, events[:cut]), events[cut:]) == evolved


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
    with pytest.raises(Refusal) as refusal:
        clocks.use_bank(GAME, with_deadline(timed(), 0), 0, timed().version, 10 * HOUR + 1, LATER)
    assert refusals.say(GAME, refusal.value, "en") == f"The bank of seat 0 has {10 * HOUR} ms left; it pays at least 1."
    assert refusals.say(GAME, refusal.value, "ja").startswith("席0の予備時間の残りは36000000ミリ秒")


def test_a_deadline_that_was_met_does_not_come_back() -> None:
    state = with_deadline(timed(), 0)
    assert state.clocks.deadlines[0] == Deadline(
        decision=state.version - 1, due=DUE, after=state.version, length=72 * HOUR
    )
    assert deadlines.open_deadline(state.clocks, 0, state.version) is None, "it is another decision's"
    after = by_clock(by_clock(msgspec.structs.replace(start_match(NO_PAIRS, rounds=2), clocks=state.clocks), 0), 1)
    assert matches.due_of(GAME, after, 0) is None

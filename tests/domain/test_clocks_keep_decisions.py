"""Whatever is told of time and of who plays a seat, decisions and folding are what they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain import clocks, deadlines, matches, play, refusals
from domain.deadlines import Deadline
from domain.game import Refusal
from domain.happenings import ClockSet, OutageExtended, Paused, Resumed
from domain.matches import Cause, Match
from domain.play import Told
from domain.secrecy import redact
from tests.domain.table import GAME, NO_PAIRS, fold, move, open_match, raising, refused, scripted, sealed, start_match
from tests.domain.test_clocks import DUE, HOUR, LATER, TERMS, asked, by_clock, timed, with_deadline
from tests.domain.test_seats_in_play import window
from tests.toy.high_card.moves import Raise, SetAside


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
        matches.KEEPING if not matches.is_sealed(GAME, state) else (OutageExtended, Paused, Resumed)
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

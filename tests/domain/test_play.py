"""Given a match, when somebody does something, then this is told, or refused; and a step of the game by itself."""

from __future__ import annotations

import dataclasses
from itertools import count, repeat
from typing import Any

import msgspec
import pytest

from domain import game, matches, play, refusals
from domain.chance import Chance, Scripted, Simulation, Verifiable, seed
from domain.game import Refusal, Standing
from domain.matches import NOT_ASKED, Answer, AnswersClosed, Cause, Finished, MoveMade, SeatLeft, SeatTaken, Status
from domain.play import DecisionClosed, Stuck, Told, advance
from domain.secrecy import redact, secrets
from tests.domain.table import (
    GAME,
    NO_PAIRS,
    NONCE,
    OTHER,
    PAIRS,
    ROOM,
    SECRET,
    fold,
    move,
    names,
    open_match,
    opened,
    raising,
    refused,
    scripted,
    sealed,
    start_match,
)
from tests.rows import each
from tests.toy.high_card.components import Options, Phase
from tests.toy.high_card.events import DieRolled, RaisesClosed
from tests.toy.high_card.moves import Pass, Raise, Roll, SetAside

DICE = (0, 1)


def test_opening_tells_the_rules_the_pack_and_the_options() -> None:
    told, state = opened(rounds=2)
    assert (told.actor, told.move) == ("service", 0)
    event = told.event
    assert (event.game, event.version, event.pack) == ("high-card", 1, "house")
    assert (event.pack_hash, event.seats, event.options) == (ROOM.packs["house"].hash, 2, Options(rounds=2))
    assert state == matches.begin(GAME, ROOM.packs["house"].pack, event)


def test_a_game_is_opened_with_its_own_numbers_of_seats_only() -> None:
    for seats in each(-1, 0, 1, 5):
        with refused("seats") as refusal:
            opened(seats)
        assert refusals.say(GAME, refusal.value, "en") == f"High Card is played with 2, 3, 4 seats, not with {seats}."
        assert refusals.say(GAME, refusal.value, "ja") == f"ハイカードは2、3、4席で遊びます。{seats}席では遊べません。"


def test_a_free_seat_of_the_table_is_taken_with_a_nonce_of_32_bytes_in_lower_case_hexadecimal() -> None:
    state = open_match()
    told = play.take_seat(GAME, state, 0, NONCE)
    assert told == (Told(SeatTaken(seat=0, nonce=NONCE), "seat:0", 0),)
    for seat in each(-1, 2, 7):
        with refused("no-such-seat", seat=seat, seats=2):
            play.take_seat(GAME, state, seat)
    for nonce in each("0", "0a" * 31, "0a" * 33, "0A" * 32, "zz" * 32, "٠" * 64, "0a" * 31 + "0\n"):
        with refused("nonce"):
            play.take_seat(GAME, state, 0, nonce)
    state = fold(state, told)
    with refused("seat-taken", seat=0):
        play.take_seat(GAME, state, 0, NONCE)
    for seat in each(-1, 1, 2):
        with refused("seat-free", seat=seat):
            play.leave_seat(state, seat)
    left = play.leave_seat(state, 0)
    assert left == (Told(SeatLeft(seat=0), "seat:0", 0),)
    state = fold(state, left)
    assert state.nonces == ("", "")
    assert fold(state, play.take_seat(GAME, state, 0, OTHER)).nonces == (OTHER, "")


def test_the_last_seat_starts_the_match_and_the_dealer_deals() -> None:
    state = fold(open_match(), play.take_seat(GAME, open_match(), 1))
    told = play.take_seat(GAME, state, 0)
    assert names(told) == ["SeatTaken", "Started", "RoundStarted", "Shuffled", "Dealt", "Dealt"]
    assert [one.actor for one in told] == ["seat:0"] + ["service"] * 5
    assert {one.move for one in told} == {0}
    state = fold(state, told)
    assert state.status is Status.PLAYING
    with refused("not-open"):
        play.take_seat(GAME, state, 0)
    with refused("not-open"):
        play.leave_seat(state, 0)


def test_chance_comes_from_the_secret_and_the_nonces_that_count_at_the_start() -> None:
    state = open_match()
    for told in (play.take_seat(GAME, state, 0, NONCE), (), (Told(SeatLeft(seat=0), "seat:0", 0),)):
        state = fold(state, told)
    state = fold(state, play.take_seat(GAME, state, 0, OTHER))
    told = play.take_seat(GAME, state, 1)
    derived = seed(bytes.fromhex(SECRET), (bytes.fromhex(OTHER), b""))
    assert told[3].event.cards == Verifiable(derived, 0).shuffle(ROOM.packs["house"].pack.deck)


def test_without_the_secret_and_the_nonces_as_they_were_made_there_is_no_chance() -> None:
    digits = "64 lower-case hexadecimal digits"
    for told, why in each(
        ({"secret": None}, "secret"),
        ({"secret": "0A" * 32}, digits),
        ({"secret": "0a" * 31}, digits),
        ({"nonces": ("0a" * 31 + " 0", "")}, digits),
    ):
        with pytest.raises(ValueError, match=why):
            play.dice(msgspec.structs.replace(open_match(), **told))


def test_a_move_is_told_with_its_consequences() -> None:
    state = start_match(NO_PAIRS)
    told = move(state, 0, SetAside(card=6))
    assert names(told) == ["MoveMade", "CardSetAside"]
    assert told[0].event == MoveMade(seat=0, decision=state.version, move=SetAside(card=6), cause=Cause.SEAT)
    assert {(one.actor, one.move) for one in told} == {("seat:0", 1)}


def test_an_illegal_move_is_refused_with_its_clause() -> None:
    for act, code in each(
        (lambda: move(start_match(NO_PAIRS), 0, SetAside(card=4)), "not-in-hand"),
        (lambda: play.seal(GAME, raising(), 0, raising().version, SetAside(card=6)), "nothing-to-set-aside"),
    ):
        with refused(code) as refusal:
            act()
        assert refusal.value.clause == "TOY-4"


def test_the_clock_moves_in_its_own_name() -> None:
    told = move(start_match(NO_PAIRS), 0, SetAside(card=6), cause=Cause.CLOCK)
    assert {one.actor for one in told} == {"clock"}
    assert told[0].event.cause is Cause.CLOCK
    answer = play.seal(GAME, raising(), 0, raising().version, Pass(), Cause.CLOCK)
    assert (answer.actor, answer.event.cause) == ("clock", Cause.CLOCK)


def test_a_closed_decision_is_refused_with_the_open_one_which_stays_while_others_answer() -> None:
    state = start_match(NO_PAIRS)
    asked = state.version
    after = fold(state, move(state, 0, SetAside(card=6)))
    for given, decision, open_one in each(
        (state, asked - 1, asked), *((after, decision, 0) for decision in (0, asked, asked + 2))
    ):
        with pytest.raises(DecisionClosed) as refusal:
            play.played(GAME, given, 0, decision, SetAside(card=5), scripted())
        assert (refusal.value.decision, refusal.value.code) == (open_one, "decision-closed")
    told = play.played(GAME, after, 1, asked, SetAside(card=4), scripted(*DICE))[0]
    assert told[0].event.decision == asked, "the version at which it was asked"


def test_no_move_is_made_before_the_start_or_after_the_end() -> None:
    with refused("match-open"):
        play.played(GAME, open_match(), 0, 1, Roll(), scripted())
    over = matches.evolve(GAME, start_match(NO_PAIRS), matches.Aborted(reason="operator", secret=SECRET))
    with refused("match-aborted"):
        play.played(GAME, over, 0, over.version, SetAside(card=6), scripted())
    with refused("match-aborted"):
        play.seal(GAME, over, 0, over.version, Pass())


def test_forced_moves_follow_in_the_same_append_each_with_its_number_and_chance() -> None:
    state = start_match(NO_PAIRS)
    state = fold(state, move(state, 0, SetAside(card=6)))
    told = play.played(GAME, state, 1, 8, SetAside(card=4), lambda number: scripted(number - 1)(number))[0]
    assert names(told) == [
        *("MoveMade", "CardSetAside"),
        *("MoveMade", "DieRolled"),
        *("MoveMade", "DieRolled", "CardsTurned", "PotShared", "GameEnded"),
        "Finished",
    ]
    assert [one.move for one in told] == [2, 2, 3, 3, 4, 4, 4, 4, 4, 4]
    assert {one.actor for one in told[2:]} == {"service"}
    assert [told[3].event.pips, told[5].event.pips] == [3, 4]
    forced = told[2].event
    assert forced == MoveMade(seat=0, decision=0, move=Roll(), cause=Cause.FORCED)


def test_the_end_is_told_with_the_result_and_the_secret_by_who_knows_it() -> None:
    state = start_match(NO_PAIRS)
    state = fold(state, move(state, 0, SetAside(card=6)))
    told = move(state, 1, SetAside(card=4), 0, 2)
    assert told[-1].event == Finished(points=(8, 8), ranking=(1, 1), secret=SECRET)
    assert fold(state, told).status is Status.FINISHED
    with pytest.raises(AssertionError, match="secret"):
        move(msgspec.structs.replace(state, secret=None), 1, SetAside(card=4), *DICE)


def test_who_gives_a_match_of_two_up_has_lost_it_whatever_lies_on_the_table() -> None:
    state = start_match(NO_PAIRS)
    assert play.standing(GAME, state) == GAME.standing(state.table)
    ended = msgspec.structs.replace(state, conceded=0, points=(8, 8), ranking=(2, 1))
    assert play.standing(GAME, ended) == Standing(points=(8, 8), ranking=(2, 1), over=True)


def test_an_answer_under_seal_is_given_once_and_closes_nobody_elses_decision() -> None:
    state = raising()
    told = play.seal(GAME, state, 0, state.version, Raise())
    assert (told.actor, told.move) == ("seat:0", state.moves + 1)
    assert (told.event.decision, told.event.answer, told.event.cause) == (state.version, Raise(), Cause.SEAT)
    after = sealed(state, 0, Raise())
    with pytest.raises(DecisionClosed) as refusal:
        play.seal(GAME, after, 0, after.version, Pass())
    assert refusal.value.decision == 0
    assert matches.decision_of(GAME, after, 1) == state.version
    assert not play.is_complete(GAME, after)
    with pytest.raises(AssertionError, match="still owe"):
        play.closed(GAME, after, scripted(*DICE))[0]
    assert play.is_complete(GAME, sealed(after, 1, Pass()))


def test_a_seat_that_was_not_asked_has_nothing_to_answer() -> None:
    state = raising(((6, 6, 1), (5, 4, 2)))
    assert matches.to_act(GAME, state) == (0,)
    with pytest.raises(DecisionClosed):
        play.seal(GAME, state, 1, state.version, Pass())


def test_a_game_that_decides_what_it_does_not_list_is_found_out() -> None:
    careless = dataclasses.replace(GAME, legal=lambda state, seat: ())
    with pytest.raises(AssertionError, match="not legal"):
        play.seal(careless, raising(), 0, raising().version, Pass())


def test_answers_under_seal_are_never_played_openly_nor_open_ones_sealed() -> None:
    with pytest.raises(Refusal, match="sealed"):
        move(raising(), 0, Raise())
    state = start_match(NO_PAIRS)
    with pytest.raises(AssertionError, match="openly"):
        play.seal(GAME, state, 0, state.version, SetAside(card=6))


def test_a_closing_has_exactly_one_hidden_field_a_seat() -> None:
    state = sealed(raising(((6, 6, 1), (5, 4, 2), (3, 3, 2))), 0, Raise())
    state = sealed(state, 2, Pass())
    told = play.closed(GAME, state, scripted(0, 1, 2))[0]
    closed = told[0].event
    assert isinstance(closed, AnswersClosed)
    assert [(path, readers) for path, readers, _ in secrets(closed)] == [
        ("answers.0", (0,)),
        ("answers.1", (1,)),
        ("answers.2", (2,)),
    ]
    assert [value for _, _, value in secrets(closed)] == [
        Answer(answer=Raise(), sealed="00" * 32),
        Answer(answer=NOT_ASKED, sealed=None),
        Answer(answer=Pass(), sealed="02" * 32),
    ]
    assert redact(closed, None).answers == (None, None, None)


def test_a_closing_brings_about_what_the_answers_say_and_the_forced_moves_after_it() -> None:
    state = sealed(sealed(raising(), 1, Pass()), 0, Raise())
    told = play.closed(GAME, state, scripted(*DICE))[0]
    assert names(told)[:4] == ["AnswersClosed", "Raised", "RaisesClosed", "MoveMade"]
    assert names(told)[-1] == "Finished"
    assert {one.actor for one in told} == {"service"}
    assert [one.move for one in told[:4]] == [3, 3, 3, 4]
    assert told[0].event.decision == state.version
    assert told[1].event.seat == 0


def aside(seat: int, hands: tuple[tuple[int, ...], ...]) -> tuple[Any, tuple[Any, ...]]:
    """The table before a seat sets its lowest card aside, as all before it have done, and what that brings about."""
    table = start_match(hands).table
    for one in range(seat):
        table = game.fold(GAME, table, GAME.decide(table, one, SetAside(card=min(hands[one])), Scripted()))
    return table, GAME.decide(table, seat, SetAside(card=min(hands[seat])), Scripted())


def test_a_move_after_which_nothing_is_forced_leads_to_who_is_asked_then() -> None:
    table, events = aside(0, NO_PAIRS)
    after, asked, forced = advance(GAME, table, events, repeat(Scripted()))
    assert after == game.fold(GAME, table, events)
    assert (asked, forced) == ((1,), ())


def test_forced_moves_are_played_to_the_next_question_each_told_with_the_state_before_it() -> None:
    table, events = aside(1, NO_PAIRS)
    after, asked, forced = advance(GAME, table, events, repeat(Scripted(2, 4)))
    assert [(seat, move) for _, seat, move, _ in forced] == [(0, Roll()), (1, Roll())]
    assert forced[0][3] == (DieRolled(seat=0, pips=3),)
    assert forced[0][0] == game.fold(GAME, table, events)
    assert forced[1][0] == game.fold(GAME, forced[0][0], forced[0][3])
    assert after == game.fold(GAME, forced[1][0], forced[1][3])
    assert asked == (), "the only round is over"
    assert after.phase is Phase.OVER


def test_each_forced_move_has_the_next_chance() -> None:
    table, events = aside(1, NO_PAIRS)
    chances = iter((Scripted(0), Scripted(5), Scripted(1)))
    after, _, _ = advance(GAME, table, events, chances)
    assert [place.pips for place in after.places] == [1, 6]
    assert not next(chances).is_spent, "a chance is taken only for a move"


def test_what_the_dealer_or_a_closing_brings_about_is_gone_on_from_in_the_same_way() -> None:
    begun = start_match(PAIRS).table
    assert advance(GAME, begun, (), repeat(Scripted())) == (begun, (0, 1), ())
    table, events = aside(1, PAIRS)
    raising, asked, _ = advance(GAME, table, events, repeat(Scripted()))
    assert asked == (0, 1)
    closing = GAME.close(raising, (Pass(), Pass()), Scripted())
    assert closing == (RaisesClosed(),)
    assert len(advance(GAME, raising, closing, repeat(Scripted(0, 1)))[2]) == 2


def test_forced_moves_without_an_end_are_stuck_at_the_games_bound() -> None:
    def decide(state: Any, seat: int, move: Any, chance: Chance) -> tuple[Any, ...]:
        return ()

    table, events = aside(1, NO_PAIRS)
    with pytest.raises(Stuck, match=r"high-card: more than 39 forced moves follow one another"):
        advance(dataclasses.replace(GAME, decide=decide), table, events, repeat(Scripted()))


def test_a_match_takes_the_step_with_a_number_and_a_chance_of_its_own_for_each_move() -> None:
    state = start_match(NO_PAIRS, rounds=2)
    first, after = play.played(GAME, state, 0, state.version, SetAside(card=1), scripted())
    assert after == matches.fold(GAME, state, [one.event for one in first]), "seat 1 was asked as well"
    state = after
    drawn: list[int] = []

    def roll(number: int) -> Chance:
        drawn.append(number)
        return Simulation(number)

    told, after = play.played(GAME, state, 1, matches.decision_of(GAME, state, 1), SetAside(card=2), roll)
    assert drawn == [2, 3, 4]
    assert [(one.move, one.event.cause) for one in told if isinstance(one.event, MoveMade)] == [
        (2, "seat"),
        (3, "forced"),
        (4, "forced"),
    ]
    events = GAME.decide(state.table, 1, SetAside(card=2), Simulation(2))
    table, asked, _ = advance(GAME, state.table, events, map(Simulation, count(3)))
    assert (after.table, matches.to_act(GAME, after)) == (table, asked)
    assert after == matches.fold(GAME, state, [one.event for one in told]), "the match after it is the fold of it"

"""Given a match, when somebody does something, then this is told, or refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain import matches, play, refusals
from domain.chance import Chance, Verifiable, seed
from domain.game import Refusal
from domain.matches import (
    NOT_ASKED,
    Answer,
    AnswersClosed,
    Cause,
    Finished,
    Match,
    MoveMade,
    SeatLeft,
    SeatTaken,
    Status,
)
from domain.play import DecisionClosed, Told
from domain.secrecy import redact, secrets
from tests.domain.table import (
    GAME,
    NO_PAIRS,
    NONCE,
    PAIRS,
    ROOM,
    SECRET,
    deck_of,
    fold,
    names,
    open_match,
    scripted,
    start_match,
)
from tests.rows import each
from tests.toy.high_card.components import Options
from tests.toy.high_card.moves import Pass, Raise, Roll, SetAside

OTHER = "0b" * 32
DICE = (0, 1)


def refused(code: str, **fields: Any) -> Any:
    """Expect a refusal of that code, which tells these fields."""
    return pytest.raises(
        Refusal, check=lambda refusal: refusal.code == code and fields.items() <= refusal.fields.items()
    )


def move(state: Match[Any], seat: int, made: Any, *draws: Any, cause: Cause = Cause.SEAT) -> tuple[Told, ...]:
    """What is told when the seat answers its open decision."""
    return play.play(GAME, state, seat, matches.decision_of(GAME, state, seat), made, scripted(*draws), cause)


def raising(hands: tuple[tuple[int, ...], ...] = PAIRS) -> Match[Any]:
    """Everybody has set their last card aside, and somebody is left with a pair."""
    state = start_match(hands)
    for seat, hand in enumerate(hands):
        state = fold(state, move(state, seat, SetAside(card=hand[-1])))
    return state


def sealed(state: Match[Any], seat: int, made: Any) -> Match[Any]:
    """The match with the seat's answer on top, under a made-up hash."""
    told = play.seal(GAME, state, seat, matches.decision_of(GAME, state, seat), made)
    return matches.answered(GAME, state, seat, told.event, f"{seat:02x}" * 32)


def open_with(pack: str = "house", seats: int = 2, rounds: int = 1) -> tuple[Told, Match[Any]]:
    """What is told when a match is opened."""
    found = ROOM.packs[pack]
    return play.open_match(
        GAME,
        found.pack,
        pack_name=pack,
        pack_hash=found.hash,
        seats=seats,
        options=Options(rounds=rounds),
        secret=SECRET,
    )


def test_opening_tells_the_rules_the_pack_and_the_options() -> None:
    told, state = open_with(rounds=2)
    assert (told.actor, told.move) == ("service", 0)
    opened = told.event
    assert (opened.game, opened.version, opened.pack) == ("high-card", 1, "house")
    assert (opened.pack_hash, opened.seats, opened.options) == (ROOM.packs["house"].hash, 2, Options(rounds=2))
    assert state == matches.begin(GAME, ROOM.packs["house"].pack, opened)


def test_a_game_is_opened_with_its_own_numbers_of_seats_only() -> None:
    for seats in each([-1, 0, 1, 5]):
        with refused("seats") as refusal:
            open_with(seats=seats)
        assert refusals.say(GAME, refusal.value, "en") == f"High Card is played with 2, 3, 4 seats, not with {seats}."
        assert refusals.say(GAME, refusal.value, "ja") == f"ハイカードは2、3、4席で遊びます。{seats}席では遊べません。"


def test_options_that_the_game_refuses_open_nothing() -> None:
    with refused("rounds"):
        open_with(rounds=4)


def test_taking_a_seat_tells_it_with_its_nonce() -> None:
    assert play.take_seat(GAME, open_match(), 1, NONCE) == (Told(SeatTaken(seat=1, nonce=NONCE), "seat:1", 0),)


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_a_seat_that_the_table_does_not_have_cannot_be_taken(seat: int) -> None:
    with refused("no-such-seat", seat=seat, seats=2):
        play.take_seat(GAME, open_match(), seat)


def test_a_seat_is_taken_once() -> None:
    state = fold(open_match(), play.take_seat(GAME, open_match(), 0))
    with refused("seat-taken", seat=0):
        play.take_seat(GAME, state, 0, NONCE)


def test_a_nonce_is_32_bytes_in_lower_case_hexadecimal() -> None:
    for nonce in each(["0", "0a" * 31, "0a" * 33, "0A" * 32, "zz" * 32, "٠" * 64, "0a" * 31 + "0\n"]):
        with refused("nonce"):
            play.take_seat(GAME, open_match(), 0, nonce)


def test_a_seat_can_be_left_and_taken_again_with_another_nonce() -> None:
    state = fold(open_match(), play.take_seat(GAME, open_match(), 0, NONCE))
    left = play.leave_seat(state, 0)
    assert left == (Told(SeatLeft(seat=0), "seat:0", 0),)
    state = fold(state, left)
    assert state.nonces == ("", "")
    assert fold(state, play.take_seat(GAME, state, 0, OTHER)).nonces == (OTHER, "")


@pytest.mark.parametrize("seat", [-1, 0, 2])
def test_a_seat_that_nobody_sits_on_cannot_be_left(seat: int) -> None:
    state = fold(open_match(), play.take_seat(GAME, open_match(), 1))
    with refused("seat-free", seat=seat):
        play.leave_seat(state, seat)


def test_the_last_seat_starts_the_match_and_the_dealer_deals() -> None:
    state = fold(open_match(), play.take_seat(GAME, open_match(), 1))
    told = play.take_seat(GAME, state, 0)
    assert names(told) == ["SeatTaken", "Started", "RoundStarted", "Shuffled", "Dealt", "Dealt"]
    assert [one.actor for one in told] == ["seat:0"] + ["service"] * 5
    assert {one.move for one in told} == {0}
    assert fold(state, told).status is Status.PLAYING


def test_seats_are_final_after_the_start() -> None:
    state = start_match(NO_PAIRS)
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


def test_who_does_not_know_the_secret_cannot_draw() -> None:
    unknowing = msgspec.structs.replace(open_match(), secret=None)
    with pytest.raises(ValueError, match="secret"):
        play.dice(unknowing)


@pytest.mark.parametrize("told", [{"secret": "0A" * 32}, {"secret": "0a" * 31}, {"nonces": ("0a" * 31 + " 0", "")}])
def test_a_secret_or_a_nonce_that_is_told_otherwise_than_it_was_made_gives_no_chance(told: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="64 lower-case hexadecimal digits"):
        play.dice(msgspec.structs.replace(open_match(), **told))


def test_a_move_is_told_with_its_consequences() -> None:
    state = start_match(NO_PAIRS)
    told = move(state, 0, SetAside(card=6))
    assert names(told) == ["MoveMade", "CardSetAside"]
    assert told[0].event == MoveMade(seat=0, decision=state.version, move=SetAside(card=6), cause=Cause.SEAT)
    assert {(one.actor, one.move) for one in told} == {("seat:0", 1)}


def test_a_moves_hidden_card_is_told_to_its_seat_alone() -> None:
    made = move(start_match(NO_PAIRS), 0, SetAside(card=6))[0].event
    assert redact(made, 0) == made
    assert redact(made, 1).move == SetAside(card=None)
    assert list(secrets(made)) == [("move.card", (0,), 6)]


def test_the_clock_moves_in_its_own_name() -> None:
    told = move(start_match(NO_PAIRS), 0, SetAside(card=6), cause=Cause.CLOCK)
    assert {one.actor for one in told} == {"clock"}
    assert told[0].event.cause is Cause.CLOCK
    answer = play.seal(GAME, raising(), 0, raising().version, Pass(), Cause.CLOCK)
    assert (answer.actor, answer.event.cause) == ("clock", Cause.CLOCK)


def test_an_illegal_move_is_refused_with_its_clause() -> None:
    with refused("not-in-hand") as refusal:
        move(start_match(NO_PAIRS), 0, SetAside(card=4))
    assert refusal.value.clause == "TOY-4"


def test_a_closed_decision_is_refused_with_the_open_one() -> None:
    state = start_match(NO_PAIRS)
    with pytest.raises(DecisionClosed) as refusal:
        play.play(GAME, state, 0, state.version - 1, SetAside(card=6), scripted())
    assert refusal.value.decision == state.version
    assert refusal.value.code == "decision-closed"
    said = refusals.say(GAME, refusal.value, "en")
    assert said == f"That decision is not open. Your open decision is {state.version}."


@pytest.mark.parametrize("decision", [0, 8, 10])
def test_a_seat_that_owes_nothing_has_no_open_decision(decision: int) -> None:
    state = start_match(NO_PAIRS)
    assert state.version == 8
    state = fold(state, move(state, 0, SetAside(card=6)))
    with pytest.raises(DecisionClosed) as refusal:
        play.play(GAME, state, 0, decision, SetAside(card=5), scripted())
    assert refusal.value.decision == 0
    said = refusals.say(GAME, refusal.value, "en")
    assert said == "That decision is not open. You have no open decision."


def test_a_seat_that_answers_late_names_the_version_at_which_it_was_asked() -> None:
    state = start_match(NO_PAIRS)
    asked = state.version
    state = fold(state, move(state, 0, SetAside(card=6)))
    told = play.play(GAME, state, 1, asked, SetAside(card=4), scripted(*DICE))
    assert told[0].event.decision == asked


def test_no_move_is_made_before_the_start_or_after_the_end() -> None:
    with refused("match-open"):
        play.play(GAME, open_match(), 0, 1, Roll(), scripted())
    over = matches.evolve(GAME, start_match(NO_PAIRS), matches.Aborted(reason="operator", secret=SECRET))
    with refused("match-aborted"):
        play.play(GAME, over, 0, over.version, SetAside(card=6), scripted())
    with refused("match-aborted"):
        play.seal(GAME, over, 0, over.version, Pass())


def test_forced_moves_follow_in_the_same_append_each_with_its_number_and_chance() -> None:
    state = start_match(NO_PAIRS)
    state = fold(state, move(state, 0, SetAside(card=6)))
    told = play.play(GAME, state, 1, 8, SetAside(card=4), lambda number: scripted(number - 1)(number))
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


def test_the_end_is_told_with_the_result_and_the_secret() -> None:
    state = start_match(NO_PAIRS)
    state = fold(state, move(state, 0, SetAside(card=6)))
    told = move(state, 1, SetAside(card=4), 0, 2)
    assert told[-1].event == Finished(points=(8, 8), ranking=(1, 1), secret=SECRET)
    assert fold(state, told).status is Status.FINISHED


def test_an_unknowing_judge_cannot_end_a_match() -> None:
    state = start_match(NO_PAIRS)
    state = msgspec.structs.replace(fold(state, move(state, 0, SetAside(card=6))), secret=None)
    with pytest.raises(AssertionError, match="secret"):
        move(state, 1, SetAside(card=4), *DICE)


def test_an_answer_under_seal_goes_to_its_own_log_and_closes_nobody_elses_decision() -> None:
    state = raising()
    told = play.seal(GAME, state, 0, state.version, Raise())
    assert (told.actor, told.move) == ("seat:0", state.moves + 1)
    assert (told.event.decision, told.event.answer, told.event.cause) == (state.version, Raise(), Cause.SEAT)
    after = sealed(state, 0, Raise())
    assert matches.decision_of(GAME, after, 1) == state.version
    assert not play.is_complete(GAME, after)
    assert play.is_complete(GAME, sealed(after, 1, Pass()))


def test_an_answer_under_seal_is_given_once() -> None:
    state = sealed(raising(), 0, Raise())
    with pytest.raises(DecisionClosed) as refusal:
        play.seal(GAME, state, 0, state.version, Pass())
    assert refusal.value.decision == 0


def test_a_seat_that_was_not_asked_has_nothing_to_answer() -> None:
    state = raising(((6, 6, 1), (5, 4, 2)))
    assert matches.to_act(GAME, state) == (0,)
    with pytest.raises(DecisionClosed):
        play.seal(GAME, state, 1, state.version, Pass())


def test_an_illegal_answer_is_refused_with_its_clause_and_sealed_nowhere() -> None:
    state = raising()
    with refused("nothing-to-set-aside") as refusal:
        play.seal(GAME, state, 0, state.version, SetAside(card=6))
    assert refusal.value.clause == "TOY-4"


def test_a_game_that_decides_what_it_does_not_list_is_found_out() -> None:
    import dataclasses

    careless = dataclasses.replace(GAME, legal=lambda state, seat: ())
    state = raising()
    with pytest.raises(AssertionError, match="not legal"):
        play.seal(careless, state, 0, state.version, Pass())


def test_answers_under_seal_are_never_played_openly_nor_open_ones_sealed() -> None:
    with pytest.raises(Refusal, match="sealed"):
        move(raising(), 0, Raise())
    state = start_match(NO_PAIRS)
    with pytest.raises(AssertionError, match="openly"):
        play.seal(GAME, state, 0, state.version, SetAside(card=6))


def test_answers_are_closed_when_the_last_is_in_and_not_before() -> None:
    with pytest.raises(AssertionError, match="still owe"):
        play.close(GAME, sealed(raising(), 0, Raise()), scripted(*DICE))


def test_a_closing_has_exactly_one_hidden_field_a_seat() -> None:
    state = sealed(raising(((6, 6, 1), (5, 4, 2), (3, 3, 2))), 0, Raise())
    state = sealed(state, 2, Pass())
    told = play.close(GAME, state, scripted(0, 1, 2))
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
    told = play.close(GAME, state, scripted(*DICE))
    assert names(told)[:4] == ["AnswersClosed", "Raised", "RaisesClosed", "MoveMade"]
    assert names(told)[-1] == "Finished"
    assert {one.actor for one in told} == {"service"}
    assert [one.move for one in told[:4]] == [3, 3, 3, 4]
    assert told[0].event.decision == state.version
    assert told[1].event.seat == 0


def test_each_move_draws_by_its_own_number() -> None:
    numbers: list[int] = []
    state, chance = sealed(sealed(raising(), 1, Pass()), 0, Raise()), scripted(*DICE)

    def roll(number: int) -> Chance:
        numbers.append(number)
        return chance(number)

    play.close(GAME, state, roll)
    assert numbers == [state.moves + 1, state.moves + 2, state.moves + 3], "the closing, and two forced moves"


def test_the_same_hands_are_dealt_that_a_test_has_scripted() -> None:
    state = start_match(NO_PAIRS)
    assert tuple(place.hand for place in state.table.places) == NO_PAIRS
    assert deck_of(NO_PAIRS)[6:] == state.table.stock

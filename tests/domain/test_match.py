"""What a log says of a match: folding, open decisions, answers under seal, the end, and what goes on from another."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain import matches, play
from domain.happenings import OutageExtended
from domain.matches import Cause, Match, Status
from domain.play import Told
from domain.secrecy import redact
from tests.domain.table import (
    GAME,
    NO_PAIRS,
    NONCE,
    OTHER,
    PAIRS,
    ROOM,
    SECRET,
    deck_of,
    fold,
    move,
    names,
    open_match,
    raising,
    refused,
    scripted,
    sealed,
    start_match,
)
from tests.rows import each
from tests.toy.high_card.events import Dealt
from tests.toy.high_card.moves import Pass, Raise, Roll, SetAside


def test_an_opened_match_has_free_seats_and_nobody_to_act_and_a_seat_that_is_left_is_free_again() -> None:
    state = open_match(3)
    assert (state.status, state.version, state.moves) == (Status.OPEN, 1, 0)
    assert (state.taken, state.is_over) == ((False, False, False), False)
    assert (matches.to_act(GAME, state), matches.decision_of(GAME, state, 0)) == ((), 0)
    assert not matches.is_sealed(GAME, state)
    taken = matches.evolve(GAME, open_match(), matches.SeatTaken(seat=1, nonce=NONCE))
    assert (taken.taken, taken.nonces) == ((False, True), ("", NONCE))
    left = matches.evolve(GAME, taken, matches.SeatLeft(seat=1))
    assert (left.taken, left.nonces, left.version) == ((False, False), ("", ""), 3)


def test_a_match_is_where_its_last_events_say() -> None:
    opened, last = ["match/Opened", "match/SeatTaken"], ["match/Started", "match/MoveMade"]
    assert matches.status_of([]) is matches.status_of(opened) is Status.OPEN
    assert matches.status_of([*opened, *last]) is Status.PLAYING
    for end, status in (("match/Finished", Status.FINISHED), ("match/Aborted", Status.ABORTED)):
        assert matches.status_of([*opened, *last, end]) is matches.status_of([end]) is status


def test_each_event_of_a_match_s_own_makes_a_version() -> None:
    state = start_match(NO_PAIRS)
    events: tuple[Any, ...] = (
        matches.SeatTaken(seat=0, nonce=""),
        matches.SeatLeft(seat=0),
        matches.Forked(parent="m", version=1, hash=""),
        matches.Started(),
        matches.MoveMade(seat=0, decision=state.version, move=SetAside(card=6), cause=Cause.SEAT),
        matches.AnswersClosed(decision=state.version, answers=state.answers),
        OutageExtended(length=1),
        matches.Finished(points=(), ranking=(), secret=SECRET),
        matches.Aborted(reason="pause", secret=SECRET),
    )
    for event in events:
        assert matches.evolve(GAME, state, event).version == state.version + 1, event


def test_a_decision_is_numbered_by_the_version_of_its_question_and_stays_while_another_seat_answers() -> None:
    state = start_match(NO_PAIRS, rounds=2)
    assert [matches.decision_of(GAME, state, seat) for seat in (0, 1)] == [state.version, state.version]
    after = fold(state, move(state, 1, SetAside(card=4), 0, 1))
    assert after.version > state.version
    assert [matches.decision_of(GAME, after, seat) for seat in (0, 1)] == [state.version, 0]
    assert matches.to_act(GAME, after) == (0,)
    roll = scripted(0, 1, state.table.pack.deck)
    after = fold(after, play.played(GAME, after, 0, state.version, SetAside(card=6), roll)[0])
    assert matches.to_act(GAME, after) == (0, 1)
    assert matches.decision_of(GAME, after, 0) == matches.decision_of(GAME, after, 1) == after.version > state.version


def test_one_who_sees_only_their_part_has_the_same_decision_and_is_told_the_secret_at_the_end() -> None:
    truth = open_match()
    seen = matches.begin(GAME, truth.table.pack, redact(truth.opened, 1))
    assert (truth.secret, seen.secret) == (SECRET, None)
    for event in told_of(NO_PAIRS):
        truth = matches.evolve(GAME, truth, event)
        seen = matches.evolve(GAME, seen, redact(event, 1))
        assert matches.decision_of(GAME, seen, 1) == matches.decision_of(GAME, truth, 1)
        assert seen.version == truth.version
    assert seen.secret == SECRET


def told_of(hands: tuple[tuple[int, ...], ...]) -> list[Any]:
    """Everything told from the first seat taken to the end of a round in which each sets its first card aside."""
    state = open_match(len(hands))
    told: list[Any] = []
    for seat in range(len(hands)):
        step = play.take_seat(GAME, state, seat, dice_of=lambda _: scripted(deck_of(hands)))
        told += [one.event for one in step]
        state = fold(state, step)
    for seat, hand in enumerate(hands):
        step = move(state, seat, SetAside(card=hand[0]), 0, 1)
        told += [one.event for one in step]
        state = fold(state, step)
    return told


def test_a_move_takes_back_what_its_seat_was_asked_before_whoever_has_made_it() -> None:
    """Folding many events keeps those decisions in another way than folding one does."""
    state = msgspec.structs.replace(start_match(NO_PAIRS), asked=(3, 0), version=7)
    for cause, other in each((Cause.SEAT, 7), (Cause.CLOCK, 7), (Cause.FORCED, 0)):
        made: list[Any] = [matches.MoveMade(seat=0, decision=3, move=SetAside(card=6), cause=cause)]
        assert matches.fold(GAME, state, made).asked == (0, other)
        assert matches.fold(GAME, state, made) == matches.evolve(GAME, state, made[0])


def test_answers_under_seal_are_asked_of_those_with_a_pair() -> None:
    state = raising()
    assert matches.is_sealed(GAME, state)
    assert matches.to_act(GAME, state) == (0, 1)
    assert not play.is_complete(GAME, state)
    assert not matches.is_sealed(GAME, start_match(PAIRS)), "before, they are asked openly"
    over = matches.evolve(GAME, state, matches.Aborted(reason="pause", secret=SECRET))
    assert not matches.is_sealed(GAME, over)


def test_a_known_answer_under_seal_owes_nothing_more() -> None:
    state = raising()
    decision = matches.decision_of(GAME, state, 1)
    after = sealed(state, 0, Raise())
    assert after.version == state.version
    assert after.answers[0] == matches.Answer(answer=Raise(), sealed="00" * 32)
    assert matches.to_act(GAME, after) == (1,)
    assert matches.decision_of(GAME, after, 0) == 0
    assert matches.decision_of(GAME, after, 1) == decision


def test_an_answer_to_a_decision_that_is_closed_changes_nothing() -> None:
    state = raising()
    stale: matches.AnswerSealed[Any] = matches.AnswerSealed(decision=3, answer=Pass(), cause=Cause.SEAT)
    assert matches.answered(GAME, state, 0, stale, "aa") is state
    once = sealed(state, 0, Raise())
    again: matches.AnswerSealed[Any] = matches.AnswerSealed(decision=state.version, answer=Pass(), cause=Cause.SEAT)
    assert matches.answered(GAME, once, 0, again, "bb") is once


def test_a_closing_takes_the_answers_off_again() -> None:
    state = sealed(sealed(raising(), 0, Raise()), 1, Pass())
    closed: matches.AnswersClosed[Any] = matches.AnswersClosed(decision=state.version, answers=state.answers)
    after = matches.evolve(GAME, state, closed)
    assert after.answers == (matches.Answer(answer=matches.NOT_ASKED, sealed=None),) * 2
    assert (after.asked, after.moves) == ((0, 0), state.moves + 1)
    extended = OutageExtended(length=1)
    later = matches.evolve(GAME, state, extended)
    assert 0 not in later.asked
    assert matches.evolve(GAME, later, closed).asked == matches.fold(GAME, later, [closed]).asked == (0, 0)
    assert matches.fold(GAME, state, [closed, extended]) == matches.evolve(GAME, after, extended)


def test_the_end_reveals_the_secret_and_tells_the_result() -> None:
    state = matches.fold(GAME, open_match(), told_of(NO_PAIRS))
    assert state.is_over
    assert (state.points, state.ranking, state.secret) == ((9, 7), (1, 2), SECRET)
    assert matches.to_act(GAME, state) == ()
    assert not matches.is_sealed(GAME, state)


def test_what_does_not_belong_into_the_log_does_not_fold() -> None:
    for event in each(open_match().opened, matches.AnswerSealed(decision=1, answer=Pass(), cause=Cause.SEAT)):
        with pytest.raises(AssertionError, match="does not belong"):
            matches.evolve(GAME, open_match(), event)


def test_one_goes_on_only_from_where_somebody_was_asked() -> None:
    for parent, following in each(
        (open_match(), matches.SeatTaken(seat=0, nonce="")),
        (start_match(NO_PAIRS), Dealt(seat=0, cards=())),
        (start_match(NO_PAIRS), matches.MoveMade(seat=0, decision=0, move=Roll(), cause=Cause.FORCED)),
    ):
        with refused("fork-point"):
            forked(parent, following)


def test_a_match_that_is_broken_off_reveals_its_secret_and_is_over_without_a_result() -> None:
    for state in (open_match(), start_match(NO_PAIRS)):
        told = play.abort(state, "agreement")
        assert told == (Told(matches.Aborted(reason="agreement", secret=SECRET), "service", state.moves),)
        after = fold(msgspec.structs.replace(state, secret=None), told)
        assert (after.is_over, after.status, after.secret, after.points) == (True, Status.ABORTED, SECRET, ())
        assert matches.to_act(GAME, after) == ()
        with refused("match-aborted"):
            play.abort(after, "operator")


def forked(state: Match[Any], following: Any) -> tuple[tuple[Told, ...], Match[Any]]:
    events = GAME.setup(open_match().table, scripted(deck_of(NO_PAIRS))(0))
    pack = next(iter(ROOM.packs.values())).pack
    return play.fork_match(GAME, pack, state, events, following, id="m_0", hash="ab" * 32, secret=OTHER)


def test_a_fork_begins_with_its_opening_its_parent_and_the_parent_s_events() -> None:
    parent = start_match(NO_PAIRS)
    told, state = forked(
        parent, matches.MoveMade(seat=0, decision=parent.version, move=SetAside(card=6), cause=Cause.SEAT)
    )
    assert names(told) == ["Opened", "Forked", "RoundStarted", "Shuffled", "Dealt", "Dealt"]
    assert {(one.actor, one.move) for one in told} == {("service", 0)}
    opened, forking = told[0].event, told[1].event
    assert (opened.secret, opened.options, opened.pack_hash) == (OTHER, parent.opened.options, parent.opened.pack_hash)
    assert (forking.parent, forking.version, forking.hash) == ("m_0", parent.version, "ab" * 32)
    assert (state.status, state.version, state.moves, state.is_fork) == (Status.OPEN, 6, 0, True)
    assert state.table == parent.table


def test_a_fork_starts_where_its_parent_stood_and_nothing_is_dealt() -> None:
    parent = start_match(NO_PAIRS)
    _, state = forked(
        parent, matches.MoveMade(seat=0, decision=parent.version, move=SetAside(card=6), cause=Cause.SEAT)
    )
    state = fold(state, play.take_seat(GAME, state, 1))
    told = play.take_seat(GAME, state, 0)
    assert names(told) == ["SeatTaken", "Started"]
    after = fold(state, told)
    assert (after.status, after.table) == (Status.PLAYING, state.table)

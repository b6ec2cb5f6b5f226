"""A match that was played by a clock holds, for everybody, and tells nobody more than they may know."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from domain import clocks, deadlines, matches
from domain.matches import Cause
from replays.checking.audit import Report
from replays.checking.rules import Kind, validate
from replays.commands import checking
from replays.files import exports
from replays.film import Film, thoughts
from replays.log import TRUTH, private_stream
from tests.replays.checking.clocked import HOUR, asked_under_seal, clocked, exported, finished, log_of
from tests.replays.exported import audited, export, games


def test_all_that_a_clock_can_do_happened() -> None:
    """Else the other tests would say nothing."""
    log = log_of(finished())
    events = log.events(TRUTH)
    assert set(matches.KEEPING) <= {type(event) for event in events}
    reasons = {event.reason for event in events if isinstance(event, matches.SeatHandedOver)}
    assert reasons == {"wish", "absence", "resignation"}
    by_clock = [event for event in events if isinstance(event, matches.MoveMade) and event.cause is Cause.CLOCK]
    assert by_clock
    sealed = [one for seat in range(3) for one in log.store.read(private_stream("m_1", seat))]
    assert {one.type for one in sealed} == {"match/AnswerSealed", "match/RungSealed"}
    assert any(b'"clock"' in one.public for one in sealed)


@pytest.mark.parametrize("slug", sorted(games().rooms))
def test_every_game_can_be_played_by_a_clock_and_comes_again(slug: str) -> None:
    staged = clocked(slug, games().rooms[slug].game.seats[0])
    while staged.made < 60 and not staged.state.is_over:
        staged.step()
    if not staged.state.is_over:
        staged.abort()
    assert audited(export(staged)).failures == ()
    log = log_of(staged)
    assert log.fold(TRUTH) == staged.state
    assert validate(log.store, "m_1", games()).kind is Kind.SAME


def test_a_seat_s_decision_is_the_same_for_it_and_in_truth_and_no_event_names_who_was_asked_under_seal() -> None:
    log = log_of(finished())
    told = [log.events(viewer) for viewer in (TRUTH, 0, 1, 2)]
    states = [matches.begin(log.game, log.pack.pack, events[0]) for events in told]
    windows = 0
    for events in zip(*(events[1:] for events in told), strict=True):
        if matches.is_sealed(log.game, states[0]) and isinstance(events[0], matches.KEEPING):
            windows += 1
            assert not hasattr(events[0], "seat")
        states = [matches.evolve(log.game, state, event) for state, event in zip(states, events, strict=True)]
        truth = states[0]
        for seat, seen in enumerate(states[1:]):
            assert matches.decision_of(log.game, seen, seat) == matches.decision_of(log.game, truth, seat)
            assert matches.due_of(log.game, seen, seat) == matches.due_of(log.game, truth, seat)
            assert seen.clocks == truth.clocks
    assert windows > 2


def test_a_deadline_under_seal_is_known_to_its_seat_and_in_truth_alone() -> None:
    staged = asked_under_seal()
    log = log_of(staged)
    truth = log.on_top(log.fold(TRUTH), TRUTH)
    assert msgspec.structs.replace(truth, clocks=deadlines.close(truth.clocks)) == msgspec.structs.replace(
        staged.state, clocks=deadlines.close(staged.state.clocks)
    )
    asked = matches.to_act(log.game, truth)
    assert asked
    for viewer in (None, 0, 1, 2):
        known = log.on_top(log.fold(viewer), viewer)
        for seat in range(3):
            if seat == viewer:
                assert matches.due_of(log.game, known, seat) == matches.due_of(log.game, truth, seat)
                assert (matches.due_of(log.game, known, seat) is not None) == (seat in asked)
            else:
                assert matches.due_of(log.game, known, seat) is None


def test_who_thought_how_long_is_not_changed_by_what_was_logged_of_time() -> None:
    log = log_of(finished())
    answered = [one for one in log.events(TRUTH) if isinstance(one, matches.MoveMade) and one.cause is not Cause.FORCED]
    sealed = [one for seat in range(3) for one in log.answers(seat)]
    assert len(thoughts(log, Film(log, TRUTH))) == len(answered) + len(sealed)


def test_a_fork_goes_on_without_the_clock_of_its_parent() -> None:
    log = log_of(finished())
    points = exports.fork_points(log)
    told, state = exports.fork(log, points[len(points) // 2], "5d" * 32)
    assert not {type(one.event) for one in told} & set(matches.KEEPING)
    assert state.clocks == deadlines.NOTHING


def extended(*reasons: Literal["vacation", "return", "passed"]) -> tuple[int, Report]:
    """A seat whose decision was extended for these reasons, and the audit of its match."""
    staged = clocked(laps=1)
    staged.set_deadlines()
    (seat, *_) = matches.to_act(staged.game, staged.state)
    decision = matches.decision_of(staged.game, staged.state, seat)
    for reason in reasons:
        staged.tell(clocks.extend_deadline(staged.game, staged.state, seat, decision, HOUR, reason))
    staged.finish()
    return seat, audited(export(staged))


def test_a_log_in_which_a_decision_has_more_than_one_grace_holds_and_the_audit_says_so() -> None:
    assert audited(exported()).extended_again == ()
    _, report = extended("vacation", "return", "vacation")
    assert (report.failures, report.extended_again) == ((), ()), "a vacation is no grace"
    # as releases before told of it whenever the seat was taken back
    seat, report = extended("return", "passed")
    assert (report.failures, report.extended_again) == ((), (seat,))
    line = f"  seat {seat} was given more than one grace for a decision, which the service no longer does"
    assert line in tuple(checking.told(report, is_doubtful=False))

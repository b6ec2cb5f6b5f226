"""A match by a clock holds for everybody and tells nobody too much; what could not be of clocks and orders is named."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from domain import clocks, deadlines, happenings, matches, orders
from domain.happenings import Comparison, OrderGiven, OrderWithdrawn, Pattern, PremoveGiven, Rule
from domain.matches import Cause
from domain.play import Told
from replays.checking.audit import Report
from replays.checking.redo import Redo
from replays.checking.rules import Kind, validate
from replays.commands import checking
from replays.files import exports
from replays.film import Film, thoughts
from replays.log import TRUTH, Log, private_stream
from tests.replays.checking.clocked import HOUR, asked_under_seal, clocked, exported, finished, log_of, moment
from tests.replays.checking.second import named, needs_node, verdicts
from tests.replays.checking.test_audit import of_type, public
from tests.replays.exported import audited, export, games, opened, private_key, stage
from tests.replays.forgery import Forger
from tests.replays.staged import Stage


def test_all_that_a_clock_can_do_happened() -> None:
    """Else the other tests would say nothing."""
    log = log_of(finished())
    events = log.events(TRUTH)
    assert set(matches.KEEPING) <= {type(event) for event in events}
    reasons = {event.reason for event in events if isinstance(event, happenings.SeatHandedOver)}
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


def failures(bad: Forger) -> list[tuple[str, int, str]]:
    """Stream, version and clause of what is wrong, after all of it was hashed, committed and signed anew."""
    return failed(bad.reseal(private_key()))


def failed(data: Forger | bytes) -> list[tuple[str, int, str]]:
    return [(one.stream, one.version, one.clause) for one in audited(data).failures]


def test_a_default_that_is_not_the_game_s_is_named() -> None:
    """The seat made another move: whoever runs the service calls it the clock's."""
    log = log_of(finished())
    tried = 0
    for version, event in enumerate(log.events(TRUTH), 1):
        if not isinstance(event, matches.MoveMade) or event.cause is not Cause.SEAT:
            continue
        if event.move == log.game.default(log.fold(event.seat, at=version - 1).table, event.seat):
            continue
        bad = Forger(exported())
        made = bad.stream()[version - 1]
        made["public"]["cause"] = "clock"
        for one in bad.stream()[version - 1 :]:
            if one["move"] == made["move"] and one["actor"] == made["actor"]:
                one["actor"] = "clock"
        assert failures(bad)[0] == ("m_1", version, "LOG-12")
        verdict = validate(opened(bad.data), "m_1", games())
        assert verdict.first is not None
        assert (verdict.kind, verdict.first.version) == (Kind.DIFFERING, version)
        tried += 1
        if tried == 5:
            return
    raise AssertionError("no seat made another move than its default")


def test_an_answer_under_seal_by_the_clock_that_is_not_the_default_is_named() -> None:
    log = log_of(finished())
    redo = Redo(log.game, log.pack.pack, log.events(TRUTH), {seat: answers(log, seat) for seat in range(3)})
    for piece in redo.steps():
        closed = log.events(TRUTH)[piece.at]
        if not isinstance(closed, matches.AnswersClosed):
            continue
        for seat, one in enumerate(closed.answers):
            assert one is not None
            if one.sealed is None or one.answer == log.game.default(piece.before.table, seat):
                continue
            bad = Forger(exported())
            sealed = next(event for event in bad.events if event["hash"] == one.sealed)
            if sealed["public"]["cause"] != "seat":
                continue
            sealed["public"]["cause"], sealed["actor"] = "clock", "clock"
            rehash(bad)
            assert failures(bad)[0] == ("m_1", piece.at + 1, "LOG-12")
            return
    raise AssertionError("everybody answered as the clock would")


def answers(log: Log, seat: int) -> list[Any]:
    return [log.codec.decode(one.type, one.schema, one.public, one.secret) for one in log.answers(seat)]


def test_who_is_said_to_have_answered_under_seal_is_judged() -> None:
    """The actor and the number of the move are hashed with the answer, and no closing repeats them."""
    for member, value in (("actor", "clock"), ("actor", "seat:7"), ("move", 999)):
        bad = Forger(exported())
        sealed = next(one for one in bad.events if one["type"] == "match/AnswerSealed" and one["actor"] != "clock")
        sealed[member] = value
        rehash(bad)
        assert failures(bad)[0] == (sealed["stream"], sealed["version"], "LOG-14")


def rehash(bad: Forger) -> None:
    """The closings name the answers of the private logs by the hashes that they have now."""
    bad.reseal(private_key())
    for seat in range(3):
        sealed = [one for one in bad.stream(f"m_1/seat:{seat}") if one["type"] == "match/AnswerSealed"]
        closings = [one for one in bad.stream() if one["type"] == "match/AnswersClosed"]
        named = [one["secret"][f"answers.{seat}"]["value"] for one in closings]
        for told, one in zip((told for told in named if told["sealed"]), sealed, strict=False):
            told["sealed"] = one["hash"]


PASS = Rule(
    play=(Pattern(type="Pass"), Pattern(type="Discard", where=(Comparison(of="at", relation="<=", value=1),))),
    unless=(Pattern(type="Ron"),),
    when=(Comparison(of="deal.wall", relation=">", value=3),),
)


def ordered(*events: orders.Given | OrderWithdrawn) -> Stage:
    """A match with orders of seat 1 between its moves, some of which are answers under seal."""
    staged = stage("three-magic", ["greedy"] * 3, laps=1)
    for event in events:
        staged._append(private_stream("m_1", 1), (orders.told(event, 1),))
        for _ in range(12):
            staged.step()
    return staged


@cache
def with_orders() -> tuple[list[bytes], Stage]:
    """The exports of a match with orders while it runs, for everybody; and it, broken off."""
    first, premove = OrderGiven(order=1, rule=PASS), PremoveGiven(order=2, rule=PASS, after=9)
    staged = ordered(first, OrderWithdrawn(order=1), premove, OrderGiven(order=3, rule=PASS))
    running = [export(staged, seat) for seat in (None, 0, 1, 2)]
    staged.abort()
    return running, staged


Row = tuple[str, int, Callable[[Any], object], str]
"""The type and number of an event, what is changed of it, and the clause that names it."""


def outer(**members: Any) -> Callable[[Any], object]:
    return lambda event: event.update(members)


def rule_of(event: Any) -> Any:
    return event["public"]["rule"]


def where_of(event: Any) -> Any:
    return rule_of(event)["play"][1]["where"][0]


MOVE, EVENTS, RULES = "LOG-12", "LOG-14", "LOG-11"
CLOCKED: dict[str, Row] = {
    "a deadline of a decision that was not open": ("DeadlineSet", 0, public(decision=3), MOVE),
    "a deadline of a seat that is not there": ("DeadlineSet", 0, public(seat=9), MOVE),
    "a deadline that is no moment": ("DeadlineSet", 0, public(due="soon"), MOVE),
    "a bank that pays more than it has": ("BankUsed", 0, public(spent=11 * HOUR), MOVE),
    "a bank that pays for an earlier deadline": ("BankUsed", 0, public(due=moment(0)), MOVE),
    "a seat that wants no absence": ("SeatHandedOver", 0, public(reason="absence"), MOVE),
    "an extension of no length": ("DeadlineExtended", 0, public(length=0), MOVE),
    "an extension of a decision that is not open": ("DeadlineExtended", 0, public(decision=1), MOVE),
    "a seat that has not resigned": ("SeatHandedOver", 0, public(reason="resignation"), MOVE),
    "a bot with a strange name": ("SeatHandedOver", 0, public(bot="\u202e"), MOVE),
    "a seat that nobody plays for": ("SeatHandedBack", 0, public(seat=2), MOVE),
    "a seat that resigns and is not there": ("SeatResigned", 0, public(seat=-1), MOVE),
    "a seat that is passed on and is not there": ("SeatPassedOn", 0, public(seat=9), MOVE),
    "a pause without a length": ("Resumed", 0, public(length=-1), MOVE),
    "an outage without a length": ("OutageExtended", 0, public(length=0), MOVE),
    "a clock that gives no time": ("ClockSet", 0, public(allowance=0), MOVE),
    **{f"who tells of {cls.__name__}": (cls.__name__, 0, outer(actor="seat:2"), EVENTS) for cls in matches.KEEPING},
    **{f"when {cls.__name__} is told": (cls.__name__, 0, outer(move=7777), EVENTS) for cls in matches.KEEPING},
    "a rung of a decision that was not open": ("RungSealed", 0, public(decision=1), MOVE),
    "a rung of a decision that is yet to come": ("RungSealed", 0, public(decision=10**6), MOVE),
    "a rung after an answer that was not given": ("RungSealed", 0, public(after=1), MOVE),
    "a rung after very many answers": ("RungSealed", 0, public(after=10**6), MOVE),
    "a rung that is no moment": ("RungSealed", 0, public(due="soon"), MOVE),
    "who sets a rung": ("RungSealed", 0, outer(actor="seat:0"), EVENTS),
    "when a rung is set": ("RungSealed", 0, outer(move=7777), EVENTS),
}
ORDERED: dict[str, Row] = {
    "an order counted from 2": ("OrderGiven", 0, public(order=2), EVENTS),
    "an order with the number of another": ("OrderGiven", 1, public(order=1), EVENTS),
    "a premove with the number of an order": ("PremoveGiven", 0, public(order=1), EVENTS),
    "a premove that plays nothing": ("PremoveGiven", 0, lambda event: rule_of(event)["play"].clear(), MOVE),
    "a premove given before the match": ("PremoveGiven", 0, public(after=0), MOVE),
    "a premove given after the log's end": ("PremoveGiven", 0, public(after=10**6), MOVE),
    "an order that plays nothing": ("OrderGiven", 0, lambda event: rule_of(event)["play"].clear(), MOVE),
    "a move that the game has not": ("OrderGiven", 0, lambda one: rule_of(one)["play"][0].update(type="Castle"), MOVE),
    "a field that the move has not": ("OrderGiven", 0, lambda one: where_of(one).update(of="nowhere"), MOVE),
    "a field that the view has not": ("OrderGiven", 0, lambda one: rule_of(one)["when"][0].update(of="a word"), MOVE),
    "an order that can't be read": ("OrderGiven", 0, lambda event: rule_of(event).update(note="hello"), RULES),
    "an order withdrawn that does not stand": ("OrderWithdrawn", 0, public(order=7), MOVE),
    "who withdraws an order": ("OrderWithdrawn", 0, outer(actor="seat:2"), EVENTS),
    "when an order is given": ("OrderGiven", 0, outer(move=3), EVENTS),
}


@pytest.mark.parametrize("what", [*CLOCKED, *ORDERED])
def test_what_could_not_be_so_is_named(what: str) -> None:
    name, number, change, clause = (CLOCKED | ORDERED)[what]
    bad = Forger(exported() if what in CLOCKED else export(with_orders()[1]))
    event = of_type(bad, name, number)
    change(event)
    rehash(bad)
    assert failures(bad)[0] == (event["stream"], event["version"], clause)


def test_a_pause_that_is_not_there_can_t_end() -> None:
    bad = Forger(exported())
    bad.events.remove(of_type(bad, "Paused"))
    bad.renumber()
    assert failures(bad)


def test_a_window_that_is_broken_off_keeps_its_rungs() -> None:
    staged = asked_under_seal()
    staged.abort()
    bad = Forger(export(staged))
    assert failed(bad) == []
    rung = of_type(bad, "RungSealed", -1)
    rung["public"]["decision"] -= 1
    assert failures(bad)[0] == (rung["stream"], rung["version"], "LOG-12")


def test_a_clock_that_moves_during_a_pause_is_named() -> None:
    staged = clocked(laps=1)
    staged.set_deadlines()
    staged.tell(clocks.pause(staged.state, "operator"))
    staged.answer_by_clock(matches.to_act(staged.game, staged.state)[0])
    staged.abort()
    made = next(one for one in staged.recorder.read("m_1") if one.type == "match/MoveMade" and b'"clock"' in one.public)
    assert failed(export(staged)) == [("m_1", made.version, "LOG-12")]


@pytest.mark.parametrize("is_answered", [False, True])
def test_a_second_rung_for_a_decision_is_named(is_answered: bool) -> None:
    """Before the answer, and after it, when there is nothing left to be due."""
    staged = asked_under_seal()
    answered = [one.sealed is not None for one in staged.state.answers].index(True)
    seat = answered if is_answered else matches.to_act(staged.game, staged.state)[0]
    stream = private_stream("m_1", seat)
    last = [one for one in staged.recorder.read(stream) if one.type == "match/RungSealed"][-1]
    rung = log_of(staged).codec.decode(last.type, last.schema, last.public, last.secret)
    staged._append(stream, (Told(rung, "clock", last.move),))
    version = staged.recorder.head(stream).version
    staged.abort()
    assert failed(export(staged)) == [(stream, version, "LOG-12")]


@needs_node
def test_a_log_with_orders_holds_for_both_verifiers_while_it_runs_and_when_it_is_over(tmp_path: Path) -> None:
    running, ended = with_orders()
    standing, given = log_of(ended).standing(1)
    assert ({number: one.rule for number, one in standing.items()}, given) == ({2: PASS, 3: PASS}, 3)
    files = [*running, export(ended)]
    assert [failed(data) for data in files] == [[]] * 5
    assert [named(verdict) for verdict in verdicts(tmp_path, files)] == [[]] * 5


def test_one_more_than_may_stand_is_named() -> None:
    staged = ordered()
    for number in range(1, orders.MOST + 2):
        staged._append(private_stream("m_1", 0), (Told(OrderGiven(order=number, rule=PASS), "seat:0", 0),))
    staged.abort()
    assert failed(export(staged)) == [("m_1/seat:0", orders.MOST + 1, "LOG-12")]

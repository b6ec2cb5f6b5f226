"""What could not be so in a match that is played by a clock is named, although all of it was hashed and signed anew."""

from __future__ import annotations

from typing import Any

import pytest

from domain import clocks, matches
from domain.matches import Cause
from domain.play import Told
from replays.checking.redo import Kind, Redo, validate
from replays.files.format import Export
from replays.log import TRUTH, Log, private_stream
from tests.replays.checking.clocked import HOUR, clocked, exported, finished, log_of, moment
from tests.replays.exported import audited, export, file_of, games, private_key
from tests.replays.forgery import Forger


def first(forger: Forger) -> tuple[int, str, str]:
    report = audited(forger.reseal(private_key()))
    assert not report.ok
    return report.failures[0].version, report.failures[0].check, report.failures[0].clause


def of_type(forger: Forger, name: str, number: int = 0) -> Any:
    return [event for event in forger.events if event["type"] == f"match/{name}"][number]


def test_a_default_that_is_not_the_game_s_is_named() -> None:
    """The seat made another move: whoever runs the service calls it the clock's."""
    log = Log(finished().recorder, "m_1", games())
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
        assert first(bad) == (version, "move", "LOG-12")
        verdict = validate(Export(file_of(bad.data), "file"), "m_1", games())
        assert verdict.first is not None
        assert (verdict.kind, verdict.first.version) == (Kind.DIFFERING, version)
        tried += 1
        if tried == 5:
            return
    raise AssertionError("no seat made another move than its default")


def test_an_answer_under_seal_by_the_clock_that_is_not_the_default_is_named() -> None:
    log = Log(finished().recorder, "m_1", games())
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
            assert first(bad) == (piece.at + 1, "move", "LOG-12")
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
        assert first(bad) == (sealed["version"], "events", "LOG-14")


def rehash(bad: Forger) -> None:
    """The closings name the answers of the private logs by the hashes that they have now."""
    bad.reseal(private_key())
    for seat in range(3):
        sealed = [one for one in bad.stream(f"m_1/seat:{seat}") if one["type"] == "match/AnswerSealed"]
        closings = [one for one in bad.stream() if one["type"] == "match/AnswersClosed"]
        named = [one["secret"][f"answers.{seat}"]["value"] for one in closings]
        for told, one in zip((told for told in named if told["sealed"]), sealed, strict=False):
            told["sealed"] = one["hash"]


TAMPERS: dict[str, tuple[str, dict[str, Any], str]] = {
    "a deadline of a decision that was not open": ("DeadlineSet", {"decision": 3}, "LOG-12"),
    "a deadline of a seat that is not there": ("DeadlineSet", {"seat": 9}, "LOG-12"),
    "a deadline that is no moment": ("DeadlineSet", {"due": "soon"}, "LOG-12"),
    "a bank that pays more than it has": ("BankUsed", {"spent": 11 * HOUR}, "LOG-12"),
    "a bank that pays for an earlier deadline": ("BankUsed", {"due": moment(0)}, "LOG-12"),
    "a seat that wants no absence": ("SeatHandedOver", {"reason": "absence"}, "LOG-12"),
    "an extension of no length": ("DeadlineExtended", {"length": 0}, "LOG-12"),
    "an extension of a decision that is not open": ("DeadlineExtended", {"decision": 1}, "LOG-12"),
    "a seat that has not resigned": ("SeatHandedOver", {"reason": "resignation"}, "LOG-12"),
    "a bot with a strange name": ("SeatHandedOver", {"bot": "\u202e"}, "LOG-12"),
    "a seat that nobody plays for": ("SeatHandedBack", {"seat": 2}, "LOG-12"),
    "a seat that resigns and is not there": ("SeatResigned", {"seat": -1}, "LOG-12"),
    "a seat that is passed on and is not there": ("SeatPassedOn", {"seat": 9}, "LOG-12"),
    "a pause without a length": ("Resumed", {"length": -1}, "LOG-12"),
    "an outage without a length": ("OutageExtended", {"length": 0}, "LOG-12"),
    "a clock that gives no time": ("ClockSet", {"allowance": 0}, "LOG-12"),
}


@pytest.mark.parametrize("what", TAMPERS)
def test_what_could_not_be_so_is_named(what: str) -> None:
    name, fields, clause = TAMPERS[what]
    bad = Forger(exported())
    event = of_type(bad, name)
    event["public"].update(fields)
    assert first(bad) == (event["version"], "move", clause)


@pytest.mark.parametrize("name", [cls.__name__ for cls in matches.KEEPING])
@pytest.mark.parametrize(("member", "value"), [("actor", "seat:2"), ("move", 7777)])
def test_who_tells_of_time_and_when_is_judged(name: str, member: str, value: object) -> None:
    bad = Forger(exported())
    event = of_type(bad, name)
    event[member] = value
    assert first(bad) == (event["version"], "events", "LOG-14")


def test_a_pause_that_is_not_there_can_t_end() -> None:
    bad = Forger(exported())
    paused = of_type(bad, "Paused")
    bad.events.remove(paused)
    bad.renumber()
    report = audited(bad.reseal(private_key()))
    assert not report.ok


@pytest.mark.parametrize(
    ("field", "value"), [("decision", 1), ("after", 1), ("after", 10**6), ("due", "soon"), ("decision", 10**6)]
)
def test_a_rung_that_names_nothing_that_was_open_is_named_in_the_private_log(field: str, value: object) -> None:
    bad = Forger(exported())
    rung = of_type(bad, "RungSealed")
    rung["public"][field] = value
    rehash(bad)
    report = audited(bad.reseal(private_key()))
    assert [(one.stream, one.version, one.clause) for one in report.failures][:1] == [
        (rung["stream"], rung["version"], "LOG-12")
    ]


@pytest.mark.parametrize(("member", "value"), [("actor", "seat:0"), ("move", 7777)])
def test_who_sets_a_rung_and_when_is_judged(member: str, value: object) -> None:
    bad = Forger(exported())
    rung = of_type(bad, "RungSealed")
    rung[member] = value
    rehash(bad)
    report = audited(bad.reseal(private_key()))
    assert [(one.stream, one.version, one.clause) for one in report.failures][:1] == [
        (rung["stream"], rung["version"], "LOG-14")
    ]


def test_a_window_that_is_broken_off_keeps_its_rungs() -> None:
    staged = clocked(laps=1)
    staged.step_until_sealed()
    staged._set_deadlines()
    staged.abort()
    good = export(staged)
    assert audited(good).failures == ()
    bad = Forger(good)
    rung = [one for one in bad.events if one["type"] == "match/RungSealed"][-1]
    rung["public"]["decision"] -= 1
    assert first(bad) == (rung["version"], "move", "LOG-12")


def test_a_clock_that_moves_during_a_pause_is_named() -> None:
    staged = clocked(laps=1)
    staged._set_deadlines()
    staged.tell(clocks.pause(staged.state, "operator"))
    staged._by_clock(matches.to_act(staged.game, staged.state)[0])
    at = staged.recorder.read("m_1")
    staged.abort()
    made = next(one for one in at if one.type == "match/MoveMade" and b'"clock"' in one.public)
    report = audited(export(staged))
    assert [(one.version, one.clause) for one in report.failures] == [(made.version, "LOG-12")]


@pytest.mark.parametrize("is_answered", [False, True])
def test_a_second_rung_for_a_decision_is_named(is_answered: bool) -> None:
    """Before the answer, and after it, when there is nothing left to be due."""
    staged = clocked(laps=1)
    staged.step_until_sealed()
    staged._set_deadlines()
    answered = [one.sealed is not None for one in staged.state.answers].index(True)
    seat = answered if is_answered else matches.to_act(staged.game, staged.state)[0]
    stream = private_stream("m_1", seat)
    (last,) = [one for one in staged.recorder.read(stream) if one.type == "match/RungSealed"][-1:]
    rung = log_of(staged).codec.decode(last.type, last.schema, last.public, last.secret)
    staged._append(stream, (Told(rung, "clock", last.move),))
    version = staged.recorder.head(stream).version
    staged.abort()
    report = audited(export(staged))
    assert [(one.stream, one.version, one.clause) for one in report.failures] == [(stream, version, "LOG-12")]

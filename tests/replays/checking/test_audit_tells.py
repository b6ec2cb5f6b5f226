"""What an audit says of a match beside what fails, and in which order it names what does."""

from __future__ import annotations

import copy

import pytest

from events.memory import MemoryRecorder
from replays.checking.audit import Nonce, Report, audit, unread
from replays.checking.proof import Failure
from replays.files import exports
from replays.files.format import BadFile
from replays.log import Log
from tests.replays.checking.test_evidence import OTHER, A, Happened, opened, receipt_of, seated
from tests.replays.exported import (
    audited,
    export,
    file_of,
    finished,
    forked,
    games,
    private_key,
    stage,
    with_sealed_answers,
)
from tests.replays.forgery import Forger
from tests.replays.staged import Stage


def test_of_a_file_that_can_t_be_read_nothing_else_is_said() -> None:
    report = unread("m_1", BadFile("line 1: no header"))
    assert report == Report(
        ok=False,
        match_id="m_1",
        events=0,
        failures=(Failure("", 0, "file", "LOG-1", "line 1: no header"),),
        receipts=0,
    )
    assert report.is_unread
    assert not audited(finished("high-card")).is_unread
    wrong = Forger(finished("high-card"))
    del wrong.receipts[0]
    assert not audited(wrong).is_unread


@pytest.mark.parametrize(
    ("happened", "again"),
    [
        ([(0, A), (1, "")], ()),
        # who knew the secret, and a nonce, could try there
        ([(1, ""), (1, None), (0, A), (1, "")], (1,)),
        # it was taken again before anybody's nonce was known
        ([(1, ""), (1, None), (1, ""), (0, A)], ()),
        ([(0, A), (0, None), (0, OTHER), (1, "")], (0,)),
    ],
)
def test_seats_that_were_taken_again_after_a_nonce_was_known_are_told(
    happened: Happened, again: tuple[int, ...]
) -> None:
    staged = opened()
    seated(staged, happened).finish()
    report = audited(export(staged))
    assert (report.ok, report.taken_again) == (True, again)


def test_a_receipt_before_a_nonce_binds_who_gave_it_from_the_opening_on() -> None:
    staged = opened()
    seated(staged, [(1, "")])
    before = receipt_of(staged)
    seated(staged, [(0, A)])
    after = receipt_of(staged)
    staged.finish()
    file = file_of(export(staged))
    for receipt, unbound in ((before, ()), (after, (0,))):
        assert audit(file, games(), [receipt, Nonce(A)]).unbound_nonces == unbound


def test_what_is_held_and_not_here_is_named_before_what_is_wrong_with_events() -> None:
    bad = Forger(with_sealed_answers())
    bad.events[0]["hash"] = "00" * 32
    other = file_of(finished("three-magic")).receipts[0]
    failures = audit(file_of(bad.data), games(), [other]).failures
    assert [one.check for one in failures[:2]] == ["receipt", "chain"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("options", {"rounds": 9}), ("seats", 7)],
)
def test_a_match_that_could_not_be_opened_so_is_named_at_its_opening(field: str, value: object) -> None:
    bad = Forger(finished("high-card"))
    bad.events[0]["public"][field] = value
    failures = audited(bad.reseal(private_key())).failures
    assert (failures[0].version, failures[0].check) == (1, "move")


def test_an_event_that_no_move_brought_about_is_named_where_it_stands() -> None:
    bad = Forger(finished("high-card"))
    (at, *_) = (number for number, one in enumerate(bad.events) if one["type"].endswith("/CardSetAside"))
    more = {**copy.deepcopy(bad.events[at]), "version": 0}
    bad.events.insert(at + 1, more)
    bad.renumber()
    failures = audited(bad.reseal(private_key())).failures
    (found,) = (one for one in failures if one.version == more["version"] and one.check == "events")
    assert found.reason == "a CardSetAside that no move brought about"


@pytest.mark.parametrize(
    ("kind", "check", "reason"),
    [
        ("Started", "events", "Started belongs to no move."),
        ("MoveMade", "move", "This match has not started: no move can be made yet."),
        ("AnswersClosed", "events", "The seats  were asked under seal, and 0, 1 have answered."),
    ],
)
def test_what_can_t_follow_the_opening_is_named(kind: str, check: str, reason: str) -> None:
    bad = Forger(with_sealed_answers())
    early = next(one for one in bad.events if one["type"] == f"match/{kind}")
    bad.events.insert(1, {**copy.deepcopy(early), "version": 0})
    bad.renumber()
    failures = audited(bad.reseal(private_key())).failures
    assert [(one.check, one.reason) for one in failures if one.version == 2] == [(check, reason)]


def test_each_of_several_refused_events_in_a_row_is_named() -> None:
    bad = Forger(finished("high-card"))
    (at, *_) = (number for number, one in enumerate(bad.events) if one["type"] == "match/SeatTaken")
    for _ in range(2):
        bad.events.insert(at + 1, {**copy.deepcopy(bad.events[at]), "version": 0})
    bad.renumber()
    failures = audited(bad.reseal(private_key())).failures
    assert [(one.check, one.version) for one in failures[:2]] == [("move", at + 2), ("move", at + 3)]


def test_an_answer_that_no_closing_has_taken_is_judged_by_the_decision_that_was_open_last() -> None:
    bad = Forger(with_sealed_answers())
    answer = next(one for one in reversed(bad.events) if "/" in one["stream"])
    bad.events.insert(bad.events.index(answer) + 1, {**copy.deepcopy(answer), "version": answer["version"] + 1})
    failures = audited(bad.reseal(private_key())).failures
    named = [(one.check, one.reason) for one in failures if one.stream == answer["stream"]]
    assert named == [("move", "That decision is not open. You have no open decision.")]


def test_an_opening_with_which_the_game_can_t_begin_is_named() -> None:
    bad = Forger(finished("three-magic"))
    bad.events[0]["public"]["seats"] = 7
    (found, *_) = audited(bad.reseal(private_key())).failures
    assert (found.check, found.version) == ("rules", 1)
    assert found.reason.startswith("the rules can't make it: AssertionError")


def test_a_fork_that_nobody_has_joined_holds() -> None:
    recorder, room = MemoryRecorder(), games().rooms["high-card"]
    staged = Stage(recorder, room, "m_0", ("random", "greedy"))
    staged.seat_all()
    staged.finish()
    log = Log(recorder, staged.id, games())
    told, _ = exports.fork(log, exports.fork_points(log)[0], "01" * 32)
    report = audited(export(Stage(recorder, room, "m_1", ("greedy", "random"), told)))
    assert (report.ok, report.status, report.parents) == (True, "open", ("m_0",))


def test_an_answer_of_a_running_match_that_can_t_be_read_is_named() -> None:
    staged = stage("high-card", ("random", "random"), match_id="m_29", nonce=f"{29:064x}", rounds=3)
    staged.step_until_sealed()
    bad = Forger(export(staged, 0))
    (answer,) = (one for one in bad.events if "/" in one["stream"])
    answer["schema"] = 99
    failures = audited(bad).failures
    assert ("rules", answer["stream"], answer["version"]) in {(one.check, one.stream, one.version) for one in failures}


def test_of_receipts_of_which_one_is_wrong_none_is_counted() -> None:
    bad = Forger(with_sealed_answers())
    bad.receipts[0]["signature"] = "00" * 64
    report = audited(bad)
    assert (report.failures[0].check, report.keys, report.receipts) == ("receipt", (), 0)
    bad.receipts = []
    assert [one.stream for one in audited(bad).failures] == list(dict.fromkeys(one["stream"] for one in bad.events))


def test_who_forks_a_match_is_judged() -> None:
    bad = Forger(forked())
    (fork,) = (one for one in bad.events if one["type"] == "match/Forked")
    fork["actor"] = "seat:0"
    failures = audited(bad.reseal(private_key())).failures
    assert ("events", 2) in {(one.check, one.version) for one in failures}


def test_a_parent_played_by_rules_that_are_not_at_hand_is_named_at_its_beginning() -> None:
    bad = Forger(forked())
    parent = next(one for one in bad.events if one["stream"] != bad.header["match"])
    parent["public"]["version"] = 99
    failures = audited(bad.reseal(private_key())).failures
    assert [(one.check, one.stream, one.version) for one in failures if one.check == "rules"] == [
        ("rules", parent["stream"], 0)
    ]
    assert "version 99" in failures[-1].reason


def test_what_came_about_otherwise_is_named_once_and_not_for_what_follows_from_it() -> None:
    """After it the rules need not find their way, and that they don't is no fault of its own."""
    bad = Forger(with_sealed_answers())
    for event in bad.events:
        if event["type"].endswith("/Dealt"):
            event["public"]["seat"] ^= 1
    failures = audited(bad.reseal(private_key())).failures
    assert failures
    assert not any("can't make it" in one.reason for one in failures), failures

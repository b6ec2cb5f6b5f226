"""The audit: what is right passes, and every kind of tampering is named by version, check and clause."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.memory import MemoryRecorder
from events.receipts import Receipt
from replays.checking.audit import Report, audit
from replays.checking.proof import CLAUSES
from replays.checking.rules import _difference
from tests.replays.exported import (
    NONCE,
    audited,
    export,
    file_of,
    finished,
    games,
    private_key,
    running_fork,
    stage,
    with_sealed_answers,
)
from tests.replays.forgery import Forger, another, at, each, leaves, one_of_each_kind, put
from tests.replays.staged import Stage

ROOMS = sorted(games().rooms)


def first(report: Report) -> tuple[int, str, str]:
    """Version, check and clause of the first failure."""
    assert not report.ok
    assert report.failures
    one = report.failures[0]
    assert one.reason
    assert "\n" not in one.reason
    return one.version, one.check, one.clause


def sealed() -> Forger:
    return Forger(with_sealed_answers())


def resealed(forger: Forger, **more: str) -> Report:
    """The audit of what an operator has hashed, committed and signed anew."""
    return audited(forger.reseal(private_key(), **more))


def of_type(forger: Forger, name: str, number: int = 0) -> Any:
    return [event for event in forger.events if event["type"].endswith(f"/{name}")][number]


# What is right


@pytest.mark.parametrize("slug", ROOMS)
def test_a_finished_match_of_every_game_holds(slug: str) -> None:
    report = audited(finished(slug))
    assert (report.ok, report.failures, report.chance) == (True, (), "server alone")
    assert report.events == finished(slug).count(b"\n") - 1 - len(Forger(finished(slug)).receipts)
    assert len(report.keys) == 1
    assert report.receipts == len(Forger(finished(slug)).receipts)


def test_a_seat_that_brought_a_nonce_had_a_part_in_the_seed() -> None:
    report = audited(finished("high-card", NONCE))
    assert (report.ok, report.chance) == (True, "seats")


def test_a_broken_off_match_reveals_and_holds_also_within_a_sealed_window() -> None:
    staged = stage("three-magic", ("greedy",) * 3)
    staged.step_until_sealed()
    staged.abort()
    report = audited(export(staged))
    assert (report.ok, report.failures, report.status, report.viewer) == (True, (), "aborted", "all")
    open_match = stage("high-card")
    open_match.abort()
    assert audited(export(open_match)).ok


def test_a_match_that_nobody_has_joined_holds() -> None:
    staged = Stage(MemoryRecorder(), games().rooms["high-card"], "m_1", ("random",) * 2)
    report = audited(export(staged))
    assert (report.ok, report.failures, report.status, report.events) == (True, (), "open", 1)


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_running_match_holds_as_far_as_its_reader_may_see(seat: int | None) -> None:
    staged = stage("three-magic", ("greedy",) * 3)
    staged.step_until_sealed()
    report = audited(export(staged, seat))
    assert (report.ok, report.failures, report.status, report.viewer) == (True, (), "playing", seat)
    assert report.chance is None


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_running_fork_tells_of_its_parents_nothing_that_is_hidden_from_the_seat(seat: int | None) -> None:
    assert audited(running_fork(seat)).ok
    fork = Forger(running_fork(seat))
    assert {event["stream"] for event in fork.events} >= {"m_0", "m_1", "m_2"}
    for event in fork.events:
        assert all(seat in told["readers"] for told in event["secret"].values())


def test_what_an_operator_seals_anew_without_a_change_holds() -> None:
    assert resealed(sealed()).ok


# Each single field


def places(good: Forger, is_each: bool) -> list[tuple[int, tuple[str | int, ...]]]:
    """Events by number, and paths of what is in them: all, or one of each kind."""
    return each(good.events) if is_each else one_of_each_kind(good.events, random.Random(4))


every = pytest.mark.parametrize("is_each", [False, pytest.param(True, marks=pytest.mark.soak)])


@every
def test_each_single_field_of_each_event_changed_is_named_at_its_event(is_each: bool) -> None:
    good = sealed()
    for number, path in places(good, is_each):
        event, bad = good.events[number], good.copy()
        put(bad.events[number], path, another(at(event, path)))
        report = audited(bad)
        _, check, clause = first(report)
        if check == "file":
            assert f"line {number + 2}:" in report.failures[0].reason, path
            continue
        assert CLAUSES[check] == clause, (event["version"], path)
        changed = bad.events[number]
        named = {(failure.stream, failure.version) for failure in report.failures}
        # what stands in the header is named there, an answer under seal at its closing
        assert (changed["stream"], changed["version"]) in named, (path, report.failures)


@settings(max_examples=60, deadline=None)
@given(slug=st.sampled_from(ROOMS), data=st.data())
def test_any_field_of_any_game_s_events_changed_is_noticed(slug: str, data: st.DataObject) -> None:
    bad = Forger(finished(slug))
    number = data.draw(st.integers(0, len(bad.events) - 1))
    path = data.draw(st.sampled_from(sorted(leaves(bad.events[number]), key=repr)))
    put(bad.events[number], path, another(at(bad.events[number], path)))
    assert not audited(bad).ok, path


@every
def test_each_single_field_that_an_operator_changes_and_seals_anew_is_noticed_but_for_the_last_moment(
    is_each: bool,
) -> None:
    """Only receipts that players hold can tell when it was: see below."""
    good, unnoticed, checks = sealed(), set(), set()
    last = good.events.index(good.stream()[-1])
    for number, path in [*places(good, is_each), (last, ("at",))]:
        event, bad = good.events[number], good.copy()
        if path[0] in {"hash", "commits"} or path[-1] == "salt":
            continue  # these are made anew
        put(bad.events[number], path, another(at(event, path)))
        try:
            bad.reseal(private_key())
        except (KeyError, TypeError, ValueError):
            continue  # it can't be written as a log
        report = audited(bad)
        if report.ok:
            unnoticed.add((event["stream"], event["type"], path))
        else:
            checks.add(first(report)[1])
    assert unnoticed == {(good.header["match"], "match/Finished", ("at",))}
    assert checks >= {"header", "order", "commit", "sealed", "rules", "move", "chance", "events", "result"}


# Each kind of tampering


def drop(bad: Forger) -> None:
    del bad.events[7]


def double(bad: Forger) -> None:
    bad.events.insert(8, bad.events[7])


def swap(bad: Forger) -> None:
    bad.events[7], bad.events[8] = bad.events[8], bad.events[7]


def append(bad: Forger) -> None:
    last = bad.stream()[-1]
    bad.events.insert(bad.events.index(last) + 1, {**last, "version": last["version"] + 1})
    bad.header["version"] += 1


def leave_out_the_end(bad: Forger) -> None:
    bad.events.remove(bad.stream()[-1])


def leave_out_the_receipt(bad: Forger) -> None:
    del bad.receipts[0]


def receipt_of_another_match(bad: Forger) -> None:
    bad.receipts[0] = Forger(finished("high-card", NONCE)).receipts[0]


def receipt_of_an_earlier_event(bad: Forger) -> None:
    bad.receipts[0]["version"] -= 1


def other_pack(bad: Forger) -> None:
    bad.header["pack"]["text"] += "\n"


def other_result_in_the_header(bad: Forger) -> None:
    bad.header["status"] = "aborted"


def other_viewer(bad: Forger) -> None:
    bad.header["viewer"] = 0


def key_that_was_never_published(bad: Forger) -> None:
    bad.header["keys"][0]["since"] = "2020-01-01T00:00:00.000Z"


@pytest.mark.parametrize(
    ("tamper", "version", "check"),
    [
        (drop, 9, "order"),
        (double, 8, "order"),
        (swap, 9, "order"),
        (append, -1, "order"),
        (leave_out_the_end, 0, "header"),
        (leave_out_the_receipt, -1, "receipt"),
        (receipt_of_another_match, 34, "receipt"),
        (receipt_of_an_earlier_event, -1, "receipt"),
        (other_pack, 0, "header"),
        (other_result_in_the_header, 0, "header"),
        (other_viewer, 0, "header"),
        (key_that_was_never_published, 0, "key"),
    ],
)
def test_tampering_is_named(tamper: Callable[[Forger], None], version: int, check: str) -> None:
    bad = sealed()
    tamper(bad)
    last = bad.stream()[-1]["version"]
    assert last != 34
    assert first(audited(bad)) == (last if version == -1 else version, check, CLAUSES[check])


def test_an_event_dropped_and_the_rest_sealed_anew_is_missed_by_the_rules() -> None:
    for name, check in (("MoveMade", "events"), ("CardSetAside", "events")):
        bad = sealed()
        events = [event for event in bad.events if event["type"].endswith(f"/{name}")]
        if not events:
            continue
        bad.events.remove(events[0])
        bad.renumber()
        assert first(resealed(bad))[1] in {check, "move"}


def test_a_shuffle_that_is_not_the_seed_s_is_named_though_it_is_sealed_anew() -> None:
    bad = sealed()
    shuffled = of_type(bad, "Shuffled")
    shuffled["secret"]["cards"]["value"].reverse()
    version, check, clause = first(resealed(bad))
    assert (version, check, clause) == (shuffled["version"], "chance", "LOG-13")


def test_what_no_chance_decides_is_not_named_for_chance() -> None:
    bad = sealed()
    aside = of_type(bad, "CardSetAside")
    aside["public"]["seat"] ^= 1
    assert first(resealed(bad))[:2] == (aside["version"], "events")
    # nor is who told of what chance has decided
    bad = sealed()
    rolled = of_type(bad, "DieRolled")
    rolled["actor"] = "seat:0"
    assert first(resealed(bad))[:2] == (rolled["version"], "events")


def test_another_secret_gives_other_shuffles() -> None:
    bad = sealed()
    other = "11" * 32
    bad.events[0]["secret"]["secret"]["value"] = other
    bad.stream()[-1]["public"]["secret"] = other
    assert first(resealed(bad, secret=other))[1:] == ("chance", "LOG-13")


def test_a_commit_that_does_not_open_is_named() -> None:
    bad = sealed()
    shuffled = of_type(bad, "Shuffled")
    shuffled["secret"]["cards"]["value"].reverse()
    report = audited(bad)
    assert first(report) == (shuffled["version"], "commit", "LOG-5")
    assert (len(report.keys), report.receipts) == (1, len(bad.receipts)), "receipts hold all the same"
    after = bad.events[bad.events.index(shuffled) + 1]
    for event, checks in ((after, ["commit", "chain"]), (shuffled, ["chain", "commit", "chain"])):
        event["hash"] = "00" * 32
        assert [one.check for one in audited(bad).failures[: len(checks)]] == checks, "in the order of the file"


def test_a_wrong_result_is_named() -> None:
    bad = sealed()
    points = bad.stream()[-1]["public"]["points"]
    right = list(points)
    points[0] += 1
    report = resealed(bad)
    assert first(report) == (bad.header["version"], "result", "LOG-15")
    said = "points is {}, and {} by the rules".format(*(str(one).replace(" ", "") for one in (points, right)))
    assert report.failures[0].reason == said


@pytest.mark.parametrize(("length", "said"), [(118, f'"{"x" * 118}"'), (119, f'"{"x" * 116}...')])
def test_of_a_long_difference_the_beginning_is_said(length: int, said: str) -> None:
    found = json.dumps({"a": 1, "b": "x" * length}).encode()
    assert _difference(found, b'{"a":1}') == f"b is {said}, and null by the rules"
    assert _difference(b'{"a": 1}', b'{"a":1}') == "it is written in another way"


def test_a_move_made_illegal_is_named_by_the_clause_of_its_rules() -> None:
    bad = Forger(finished("three-magic"))
    made = next(event for event in bad.events if event["public"].get("move", {}).get("type") == "Discard")
    made["public"]["move"]["at"] = 7
    made["public"]["move"]["reach"] = True
    version, check, clause = first(resealed(bad))
    assert (version, check) == (made["version"], "move")
    assert clause.startswith("3M-")


def test_a_move_of_a_seat_that_was_not_asked_is_named() -> None:
    bad = sealed()
    made = of_type(bad, "MoveMade")
    made["public"]["decision"] -= 1
    assert first(resealed(bad)) == (made["version"], "move", "LOG-12")


def test_an_answer_that_was_not_the_sealed_one_is_named() -> None:
    bad = sealed()
    private = next(event for event in bad.events if "/" in event["stream"])
    private["public"]["cause"] = "clock"
    assert first(audited(bad))[1] in {"chain", "sealed"}
    closed = of_type(bad, "AnswersClosed")
    told = next(one for one in closed["secret"].values() if one["value"]["sealed"])
    told["value"]["answer"] = {"type": "Pass"} if told["value"]["answer"]["type"] != "Pass" else {"type": "Raise"}
    assert first(resealed(bad))[1:] == ("sealed", "LOG-7")


def test_a_history_written_anew_as_a_whole_is_refuted_by_a_receipt_in_a_player_s_hands() -> None:
    """The log of another match, by the same operator, under the same id: by itself it holds."""
    told = Forger(finished("high-card"))
    other = file_of(finished("high-card", NONCE))
    assert audit(other, games()).ok
    held = [receipt for receipt in file_of(told.data).receipts if receipt.stream == "m_1"]
    assert audit(file_of(told.data), games(), held).receipts == len(told.receipts) + 1
    assert first(audit(other, games(), held))[1:] == ("receipt", "LOG-9")


def test_a_receipt_of_another_match_in_a_player_s_hands_does_not_fit() -> None:
    other: list[Receipt] = list(file_of(finished("three-magic")).receipts[:1])
    report = audit(file_of(with_sealed_answers()), games(), other)
    assert first(report)[1:] == ("receipt", "LOG-9")


def test_keys_that_were_not_published_are_named() -> None:
    file = file_of(with_sealed_answers())
    assert audit(file, games(), published=file.header.keys).ok
    assert first(audit(file, games(), published=())) == (0, "key", "LOG-8")


def test_rules_that_are_not_at_hand_are_never_guessed() -> None:
    bad = sealed()
    bad.header["rules"] = bad.events[0]["public"]["version"] = 2
    report = resealed(bad)
    assert (report.failures, report.not_checked[0], report.not_checked[-1]) == ((), "LOG-11", "LOG-15")
    assert "version 2 of" in report.why_not
    bad.header["game"] = bad.events[0]["public"]["game"] = "chess"
    assert "is a match of chess, version 2, not at hand here" in resealed(bad).why_not


def test_what_needs_no_rules_is_checked_where_they_are_not_at_hand() -> None:
    bad = sealed()
    bad.header["rules"] = bad.events[0]["public"]["version"] = 2
    report = audited(bad)
    assert (report.ok, first(report)[1:]) == (False, ("chain", "LOG-4"))
    assert report.not_checked

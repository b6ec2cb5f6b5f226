"""The audit: what is right passes, and every kind of tampering is named by version, check and clause.

`test_second_tampered.py` has the tampering that needs no rules, which both verifiers name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from domain import matches, play
from domain.play import Told
from events.memory import MemoryRecorder
from replays.checking import audit as audits
from replays.checking.audit import Report, audit
from replays.checking.proof import Lines
from replays.files import exports
from replays.log import TRUTH, Log
from tests.replays.checking import clocked
from tests.replays.exported import (
    NONCE,
    audited,
    conceded,
    export,
    file_of,
    finished,
    forked,
    games,
    private_key,
    running_fork,
    stage,
    with_sealed_answers,
)
from tests.replays.forgery import Forger
from tests.replays.staged import Stage

ROOMS = sorted(games().rooms)


def first(report: Report) -> tuple[int, str, str]:
    """Return version, check and clause of the first failure."""
    assert not report.ok
    failure = report.failures[0]
    assert failure.reason
    assert "\n" not in failure.reason
    return failure.version, failure.check, failure.clause


def sealed() -> Forger:
    return Forger(with_sealed_answers())


def resealed(forger: Forger, **more: str) -> Report:
    """Return the audit of what an operator has hashed, committed and signed anew."""
    return audited(forger.reseal(private_key(), **more))


def of_type(forger: Forger, name: str, number: int = 0) -> Any:
    return [event for event in forger.events if event["type"].endswith(f"/{name}")][number]


def public(**fields: Any) -> Callable[[Any], object]:
    return lambda event: event["public"].update(fields)


# What is right


def in_sealed_window() -> Stage:
    staged = stage("three-magic", ("greedy",) * 3)
    staged.step_until_sealed()
    return staged


def running(make: Callable[[], Stage], seat: int | None) -> bytes:
    return export(make(), seat)


def aborted(staged: Stage) -> bytes:
    staged.abort()
    return export(staged)


def unjoined(*, is_fork: bool) -> bytes:
    """Return the export of a match that nobody has joined."""
    recorder, room, told = MemoryRecorder(), games().rooms["high-card"], None
    if is_fork:
        parent = Stage(recorder, room, "m_0", ("random", "greedy"))
        parent.seat_all()
        parent.finish()
        log = Log(recorder, parent.id, games())
        told, _ = exports.fork(log, exports.fork_points(log)[0], "01" * 32)
    return export(Stage(recorder, room, "m_1", ("greedy", "random"), told))


RIGHT: dict[str, tuple[Callable[[], bytes], str, str | None]] = {
    **{slug: (partial(finished, slug), "finished", "server alone") for slug in ROOMS},
    "with a nonce": (lambda: finished("high-card", NONCE), "finished", "seats"),
    "with sealed answers": (with_sealed_answers, "finished", "seats"),
    "sealed anew": (lambda: sealed().reseal(private_key()).data, "finished", "seats"),
    "a fork": (forked, "finished", "server alone"),
    "a fork of a fork": (lambda: forked(2), "finished", "server alone"),
    "broken off within a sealed window": (lambda: aborted(in_sealed_window()), "aborted", "server alone"),
    "given up": (conceded, "finished", "server alone"),
    "broken off": (lambda: aborted(stage("high-card")), "aborted", "server alone"),
    "not joined": (lambda: unjoined(is_fork=False), "open", None),
    "a fork that is not joined": (lambda: unjoined(is_fork=True), "open", None),
    "not begun": (lambda: export(stage("high-card"), 1), "playing", None),
    "by a clock": (clocked.exported, "finished", "server alone"),
    **{
        f"{name}, {seat}": (partial(running, make, seat), "playing", None)
        for name, make in (("running", in_sealed_window), ("running by a clock", clocked.asked_under_seal))
        for seat in (None, 0, 1, 2)
    },
    **{f"running fork, {seat}": (partial(running_fork, seat), "playing", None) for seat in (None, 0, 1)},
}
"""By name: an export, its status, and who had a part in its seed. Both verifiers pass them: `test_agreement.py`."""


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_holds(name: str) -> None:
    make, status, chance = RIGHT[name]
    data = make()
    report, receipts = audited(data), Forger(data).receipts
    assert (report.ok, report.failures, report.status, report.chance) == (True, (), status, chance)
    assert report.not_checked == ()
    assert (report.events, report.receipts) == (data.count(b"\n") - 1 - len(receipts), len(receipts))
    assert len(report.keys) == 1
    if name.startswith("running fork"):
        seat = report.viewer
        assert report.parents == ("m_1", "m_0")
        for event in Forger(data).events:
            assert all(seat in opening["readers"] for opening in event["secret"].values())


# What a player holds, and what is not at hand


def test_a_history_written_anew_as_a_whole_is_refuted_by_a_receipt_in_a_player_s_hands() -> None:
    """The log of another match, by the same operator, under the same id: by itself it holds."""
    file, other = file_of(finished("high-card")), file_of(finished("high-card", NONCE))
    held = [receipt for receipt in file.receipts if receipt.stream == "m_1"]
    assert audit(file, games(), held).receipts == len(file.receipts) + 1
    assert first(audit(other, games(), held))[1:] == ("receipt", "LOG-9")


def test_a_receipt_of_another_match_is_named_before_what_is_wrong_with_events() -> None:
    bad = sealed()
    bad.events[0]["hash"] = "00" * 32
    report = audit(file_of(bad.data), games(), list(file_of(finished("three-magic")).receipts[:1]))
    assert [(one.check, one.clause) for one in report.failures[:2]] == [("receipt", "LOG-9"), ("chain", "LOG-4")]


def test_of_receipts_of_which_one_is_wrong_or_lacks_none_is_counted() -> None:
    bad = sealed()
    bad.receipts[0]["signature"] = "00" * 64
    report = audited(bad)
    assert (report.failures[0].check, report.keys, report.receipts) == ("receipt", (), 0)
    bad.receipts = []
    assert [one.stream for one in audited(bad).failures] == list(dict.fromkeys(one["stream"] for one in bad.events))


def test_of_a_header_only_the_first_thing_that_is_wrong_is_named() -> None:
    bad = sealed()
    bad.header["game"], bad.header["rules"] = "chess", 2
    (reason,) = [one.reason for one in audited(bad).failures if one.check == "header"]
    assert "another game" in reason


def test_rules_that_are_not_at_hand_are_never_guessed_and_the_rest_is_checked() -> None:
    bad = sealed()
    bad.header["rules"] = bad.events[0]["public"]["version"] = 2
    report = audited(bad)
    assert (first(report)[1:], report.not_checked[0]) == (("chain", "LOG-4"), "LOG-11")
    report = resealed(bad)
    assert (report.failures, report.not_checked[0], report.not_checked[-1]) == ((), "LOG-11", "LOG-15")
    assert "version 2 of" in report.why_not
    bad.header["game"] = bad.events[0]["public"]["game"] = "chess"
    assert "is a match of chess, version 2, which is not available here" in resealed(bad).why_not
    # of a parent they are named at its beginning
    bad = Forger(forked())
    parent = next(one for one in bad.events if one["stream"] != bad.header["match"])
    parent["public"]["version"] = 99
    failures = resealed(bad).failures
    assert [(one.stream, one.version) for one in failures if one.check == "rules"] == [(parent["stream"], 0)]
    assert "version 99" in failures[-1].reason


def test_an_answer_of_a_running_match_that_can_t_be_read_is_named() -> None:
    staged = stage("high-card", ("random", "random"), match_id="m_29", nonce=f"{29:064x}", rounds=3)
    staged.step_until_sealed()
    bad = Forger(export(staged, 0))
    (answer,) = (one for one in bad.events if "/" in one["stream"])
    answer["schema"] = 99
    failures = audited(bad).failures
    assert ("rules", answer["stream"], answer["version"]) in {(one.check, one.stream, one.version) for one in failures}


@pytest.mark.parametrize("version", [1, None])
def test_a_fork_of_before_the_start_or_after_the_end_is_named(version: int | None) -> None:
    """What no service opens an operator can, and give it up at once."""
    staged = stage("high-card", match_id="m_0")
    staged.finish()
    at = version or staged.recorder.head("m_0").version
    begun, *rest = Log(staged.recorder, "m_0", games()).events(TRUTH, 0, at)
    hash = staged.recorder.read("m_0", at - 1, 1)[0].hash.hex()
    copies = [event for event in rest if not isinstance(event, matches.EVENTS)]
    opening = (replace(begun, secret="01" * 32), matches.Forked(parent="m_0", version=at, hash=hash), *copies)
    fork = Stage(
        staged.recorder,
        games().rooms["high-card"],
        "m_1",
        ("random", "greedy"),
        tuple(Told(event, "service", 0) for event in opening),
    )
    fork.tell(play.abort(fork.state, "operator"))
    report = audited(export(fork))
    assert first(report) == (at, "move", "LOG-12")
    assert report.failures[0].stream == "m_0"


def test_log_10_of_each_parent_the_secret_is_read_once_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file may name tens of thousands: to compare each with each would take hours."""
    read: list[str] = []
    known = audits._secret_committed

    def noted(lines: Lines, stream: str) -> str | None:
        read.append(stream)
        return known(lines, stream)

    monkeypatch.setattr(audits, "_secret_committed", noted)
    assert audited(forked(3)).ok
    assert read == ["m_3", "m_2", "m_1", "m_0"]

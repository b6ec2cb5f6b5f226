"""Receipts and nonces that a player holds of a match: held against its log by both verifiers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from domain import play
from events.memory import MemoryRecorder
from events.receipts import Receipt
from replays.checking.audit import Nonce, Report, audit
from tests.replays.checking.second import named, needs_node, verdicts
from tests.replays.exported import export, file_of, games
from tests.replays.forgery import Forger
from tests.replays.staged import Stage

A, B, OTHER = "aa" * 32, "bb" * 32, "cc" * 32
Happened = Sequence[tuple[int, str | None]]


def opened() -> Stage:
    return Stage(MemoryRecorder(), games().rooms["high-card"], "m_1", ("random",) * 2)


def seated(staged: Stage, happened: Happened) -> Stage:
    """The match after its seats were taken with these nonces; None: the seat is left."""
    for seat, nonce in happened:
        if nonce is None:
            staged.tell(play.leave_seat(staged.state, seat))
        else:
            staged.tell(play.take_seat(staged.game, staged.state, seat, nonce))
    return staged


def receipt_of(staged: Stage) -> Receipt:
    """The receipt for the last event so far."""
    return file_of(export(staged)).receipts[0]


def both(folder: Path, data: bytes, held: Sequence[Receipt | Nonce]) -> Report:
    """The audit of the export with what is held, of which the second verifier says the same."""
    report = audit(file_of(data), games(), held)
    (folder / "held.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, held)))
    (verdict,) = verdicts(folder, [data], "--receipt", folder / "held.jsonl")
    assert named(verdict) == [(one.clause, one.stream, one.version) for one in report.failures]
    if report.ok:
        told = [verdict[name] for name in ("last_nonce", "own_nonces", "unbound_nonces")]
        assert told == [report.last_nonce, list(report.own_nonces), list(report.unbound_nonces)]
    return report


@needs_node
@pytest.mark.parametrize(
    ("happened", "nonces", "last", "own"),
    [
        ([(0, A), (1, "")], [A], 0, (0,)),
        ([(0, A), (1, B)], [A], 1, (0,)),
        ([(0, A), (1, B)], [A, B], 1, (0, 1)),
        # brought once more with the same seat, and with another one
        ([(0, A), (0, None), (0, A), (1, "")], [A], 0, (0,)),
        ([(0, A), (0, None), (0, B), (1, "")], [A, B], 0, (0,)),
        # taken back by leaving: it was brought, and has no part
        ([(0, A), (0, None), (0, ""), (1, B)], [A], 1, ()),
        ([(0, A), (1, "")], [], 0, ()),
    ],
)
def test_a_nonce_that_is_held_says_which_seat_is_its_holders(
    tmp_path: Path, happened: Happened, nonces: list[str], last: int, own: tuple[int, ...]
) -> None:
    staged = opened()
    first = receipt_of(staged)
    seated(staged, happened).finish()
    report = both(tmp_path, export(staged), [first, *map(Nonce, nonces)])
    assert (report.ok, report.chance, report.last_nonce) == (True, "seats", last)
    assert (report.own_nonces, report.unbound_nonces) == (own, ())


@needs_node
def test_a_nonce_before_which_no_receipt_was_held_binds_nobody(tmp_path: Path) -> None:
    staged = opened()
    first = receipt_of(staged)
    later = receipt_of(seated(staged, [(0, A)]))
    seated(staged, [(1, "")]).finish()
    data = export(staged)
    ways: tuple[list[Receipt | Nonce], ...] = ([Nonce(A)], [Nonce(A), first], [later, Nonce(A)])
    for held in ways:
        report = both(tmp_path, data, held)
        assert (report.ok, report.own_nonces, report.unbound_nonces) == (True, (0,), (0,))
    assert both(tmp_path, data, [first, Nonce(A), later]).unbound_nonces == ()


@needs_node
@pytest.mark.parametrize("is_over", [False, True])
def test_a_nonce_that_the_log_does_not_have_was_kept_from_it(tmp_path: Path, is_over: bool) -> None:
    """The service answered as if it had taken it, and wrote another one, or none."""
    for brought in (A, ""):
        staged = opened()
        first = receipt_of(staged)
        seated(staged, [(0, brought), (1, "")])
        if is_over:
            staged.finish()
        last = receipt_of(staged)
        report = both(tmp_path, export(staged), [first, Nonce(OTHER), last])
        assert [(one.check, one.clause, one.version) for one in report.failures] == [("receipt", "LOG-9", 0)]
        # nothing was answered after it: somebody else was faster, say
        report = both(tmp_path, export(staged), [first, Nonce(OTHER)])
        assert (report.ok, report.own_nonces) == (True, ())


def test_a_nonce_that_was_kept_from_the_log_is_named_before_what_is_wrong_with_events() -> None:
    staged = opened()
    first = receipt_of(staged)
    bad = Forger(export(seated(staged, [(0, A), (1, "")])))
    last = receipt_of(staged)
    bad.events[0]["hash"] = "00" * 32
    report = audit(file_of(bad.data), games(), [first, Nonce(OTHER), last])
    assert [one.version for one in report.failures[:2]] == [0, 1]
    assert "nonce" in report.failures[0].reason


@needs_node
def test_of_a_match_that_goes_on_nobodys_part_is_said(tmp_path: Path) -> None:
    staged = opened()
    first = receipt_of(staged)
    seated(staged, [(0, A), (1, "")])
    report = both(tmp_path, export(staged), [first, Nonce(A)])
    assert (report.ok, report.chance, report.own_nonces) == (True, None, ())


@needs_node
@pytest.mark.parametrize("nonce", [5, None, "aa" * 31, "AA" * 32, {}])
def test_what_is_no_nonce_is_no_seats(tmp_path: Path, nonce: object) -> None:
    staged = seated(opened(), [(0, A), (1, "")])
    lines = [{"nonce": nonce}, msgspec.to_builtins(receipt_of(staged))]
    (tmp_path / "held.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (verdict,) = verdicts(tmp_path, [export(staged)], "--receipt", tmp_path / "held.jsonl")
    assert named(verdict) == [("LOG-9", "m_1", 0)]


@needs_node
def test_answers_that_were_saved_stand_for_the_receipts_that_they_bring(tmp_path: Path) -> None:
    staged = opened()
    first = msgspec.to_builtins(receipt_of(staged))
    seated(staged, [(0, A), (1, "")]).finish()
    data = export(staged)
    sealed = {"stream": "m_1", "receipt": first}
    lines: list[object] = [{"id": "m_1", "receipt": first}, {"nonce": A}, {"receipt": None, "sealed": sealed}]
    for held, own in ((lines, [0]), ([{"receipt": None, "sealed": None}], [])):
        (tmp_path / "held.jsonl").write_text("\n".join(map(json.dumps, held)))
        (verdict,) = verdicts(tmp_path, [data], "--receipt", tmp_path / "held.jsonl")
        assert (verdict["failures"], verdict["own_nonces"], verdict["unbound_nonces"]) == ([], own, [])
    forged = {"receipt": {**first, "hash": "00" * 32}}
    (tmp_path / "held.jsonl").write_text(json.dumps(forged))
    (verdict,) = verdicts(tmp_path, [data], "--receipt", tmp_path / "held.jsonl")
    assert named(verdict) == [("LOG-9", "m_1", 1)]

"""Receipts and nonces that a player holds of a match: held against its log by both verifiers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain import play
from events.memory import MemoryRecorder
from events.receipts import Receipt
from replays.checking.audit import Held, InVain, Nonce, Report, audit
from replays.commands.checking import read_held, told
from tests.replays.checking.second import named, needs_node, verdicts
from tests.replays.exported import audited, export, file_of, games
from tests.replays.forgery import Forger
from tests.replays.staged import Stage

A, B, OTHER = "aa" * 32, "bb" * 32, "cc" * 32
Happened = Sequence[tuple[int, str | None]]
"""Seats that were taken with these nonces; None: the seat is left."""


def opened(seats: int = 2) -> Stage:
    return Stage(MemoryRecorder(), games().rooms["high-card"], "m_1", ("random",) * seats)


def seated(staged: Stage, happened: Happened) -> Stage:
    """The match after its seats were taken and left like this."""
    for seat, nonce in happened:
        if nonce is None:
            staged.tell(play.leave_seat(staged.state, seat))
        else:
            staged.tell(play.take_seat(staged.game, staged.state, seat, nonce))
    return staged


def receipt_of(staged: Stage) -> Receipt:
    """The receipt for the last event so far."""
    return file_of(export(staged)).receipts[0]


def second(folder: Path, data: bytes, held: Sequence[object]) -> dict[str, Any]:
    """The verdict of the second verifier, with what is held."""
    (folder / "held.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, held)))
    (verdict,) = verdicts(folder, [data], "--receipt", folder / "held.jsonl")
    return verdict


def both(folder: Path, data: bytes, held: Sequence[Held]) -> Report:
    """The audit of the export with what is held, of which the second verifier says the same."""
    report, verdict = audit(file_of(data), games(), held), second(folder, data, held)
    assert named(verdict) == [(one.clause, one.stream, one.version) for one in report.failures]
    if report.ok:
        told = [verdict[name] for name in ("last_nonce", "own_nonces", "unbound_nonces", "overtaken_nonces")]
        seats = (report.own_nonces, report.unbound_nonces, report.overtaken_nonces)
        assert told == [report.last_nonce, *map(list, seats)]
    return report


@needs_node
def test_log_9_a_receipt_for_a_private_log_that_this_reader_may_not_have_says_whose_export_has_it(
    tmp_path: Path,
) -> None:
    staged = seated(opened(), [(0, A)])
    held = msgspec.structs.replace(receipt_of(staged), stream="m_1/seat:0", version=1)
    for stream, is_kept in (("m_1/seat:0", True), ("m_1", False), ("m_2/seat:0", False)):
        one = msgspec.structs.replace(held, stream=stream, version=9)
        (failure,) = both(tmp_path, export(staged), [one]).failures
        ((theirs,),) = (second(tmp_path, export(staged), [one])["failures"],)
        for reason in (failure.reason, theirs["reason"]):
            assert ("only the export of that seat has it" in reason) == is_kept


SEATED: list[tuple[Happened, str, int | None, list[int]]] = [
    ([(0, ""), (1, "")], "server alone", None, []),
    ([(0, A), (1, "")], "seats", 0, []),
    ([(1, A), (0, B)], "seats", 0, []),
    ([(0, A), (1, B)], "seats", 1, []),
    # a bot that leaves and comes back once a nonce is known
    ([(0, A), (1, ""), (1, None), (1, "")], "seats", 0, [1]),
    ([(1, ""), (1, None), (0, A), (1, "")], "seats", 0, [1]),
    ([(1, ""), (1, None), (1, ""), (1, None), (1, ""), (0, A)], "seats", 0, []),
    # who takes a nonce back, and brings another one
    ([(0, A), (1, ""), (0, None), (0, B)], "seats", 0, [0]),
    ([(0, A), (0, None), (1, ""), (0, "")], "server alone", None, [0]),
    ([(0, A), (1, ""), (1, None), (0, None), (0, A), (1, B)], "seats", 1, [0, 1]),
]
"""What happened to seats; who had a part in chance, whose nonce came last, who sat again once a nonce was known."""


@needs_node
def test_both_say_whose_nonce_came_last_and_who_sat_down_again_once_one_was_known(tmp_path: Path) -> None:
    files = []
    for happened, *_ in SEATED:
        staged = seated(opened(3), (*happened, (2, "")))
        running = audited(export(staged))
        assert (running.ok, running.chance) == (True, None)
        staged.finish()
        files.append(export(staged))
    for (_, *expected), data, verdict in zip(SEATED, files, verdicts(tmp_path, files), strict=True):
        report = audited(data)
        assert [report.chance, report.last_nonce, list(report.taken_again)] == expected
        assert [verdict[name] for name in ("chance", "last_nonce", "taken_again")] == expected


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
    held: list[Receipt | Nonce] = [receipt_of(staged), *map(Nonce, nonces)]
    seated(staged, happened)
    running = both(tmp_path, export(staged), held)
    assert (running.ok, running.chance, running.own_nonces) == (True, None, ()), "nothing is said before the end"
    staged.finish()
    report = both(tmp_path, export(staged), held)
    assert (report.ok, report.chance, report.last_nonce) == (True, "seats", last)
    assert (report.own_nonces, report.unbound_nonces) == (own, ())


@needs_node
def test_a_nonce_before_which_no_receipt_was_held_binds_nobody_and_saved_answers_stand_for_receipts(
    tmp_path: Path,
) -> None:
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
    receipt = msgspec.to_builtins(first)
    sealed = {"stream": "m_1", "receipt": receipt}
    for answers, failed, own in (
        ([{"id": "m_1", "receipt": receipt}, {"nonce": A}, {"receipt": None, "sealed": sealed}], [], [0]),
        ([{"receipt": None, "sealed": None}, {"receipt": receipt}], [], []),
        ([{"receipt": {**receipt, "hash": "00" * 32}}], [("LOG-9", "m_1", 1)], []),
    ):
        verdict = second(tmp_path, data, answers)
        assert (named(verdict), verdict["own_nonces"], verdict["unbound_nonces"]) == (failed, own, [])
    for nonce in ("aa" * 31, "AA" * 32):
        assert named(second(tmp_path, data, [{"nonce": nonce}, later])) == [("LOG-9", "m_1", 0)]


@needs_node
def test_a_nonce_that_was_stored_before_the_readers_own_may_suit_it(tmp_path: Path) -> None:
    """The service decides in which order it stores what it is sent: only a receipt shows what was there before."""
    staged = opened(3)
    first = receipt_of(staged)
    between = receipt_of(seated(staged, [(0, B)]))
    after = receipt_of(seated(staged, [(1, A)]))
    seated(staged, [(2, "")]).finish()
    data = export(staged)
    ways: list[tuple[list[Receipt | Nonce], tuple[int, ...], tuple[int, ...], bool]] = [
        ([first, Nonce(A), after], (), (1,), False),
        ([first, between, Nonce(A), after], (), (), True),
        ([between, first, Nonce(A)], (), (), True),
        # the first receipt is from before both
        ([first, Nonce(B), Nonce(A)], (), (), True),
        ([Nonce(A), first, between], (1,), (), False),
    ]
    for held, unbound, overtaken, is_sure in ways:
        report = both(tmp_path, data, held)
        assert (report.ok, report.last_nonce) == (True, 1)
        assert (report.unbound_nonces, report.overtaken_nonces) == (unbound, overtaken)
        words = " ".join(told(report, is_doubtful=False))
        assert ("not the service's alone" in words) == is_sure
        assert ("by somebody who knew yours" in words) == bool(overtaken)
    # nor is a nonce the reader's that somebody has copied, since they chose to do so when the seed was known
    for happened, own, overtaken in (([(0, A), (1, A)], (0,), ()), ([(1, B), (1, None), (1, A), (0, A)], (1,), ())):
        staged = opened()
        first = receipt_of(staged)
        seated(staged, happened).finish()
        report = both(tmp_path, export(staged), [first, Nonce(A)])
        assert (report.ok, report.own_nonces, report.overtaken_nonces) == (True, own, overtaken)
        assert report.last_nonce not in own
        assert "not the service's alone" not in " ".join(told(report, is_doubtful=False))
    # a seat that brings none leaves nothing to choose
    staged = opened(3)
    first = receipt_of(staged)
    seated(staged, [(0, ""), (1, A), (2, "")]).finish()
    assert both(tmp_path, export(staged), [first, Nonce(A)]).overtaken_nonces == ()


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
        last, data = receipt_of(staged), export(staged)
        report = both(tmp_path, data, [first, Nonce(OTHER), last])
        assert [(one.check, one.clause, one.version) for one in report.failures] == [("receipt", "LOG-9", 0)]
        # nothing was answered after it: somebody else was faster, say
        report = both(tmp_path, data, [first, Nonce(OTHER)])
        assert (report.ok, report.own_nonces) == (True, ())
        bad = Forger(data)
        bad.events[0]["hash"] = "00" * 32
        report = audit(file_of(bad.data), games(), [first, Nonce(OTHER), last])
        assert [one.version for one in report.failures[:2]] == [0, 1], "before what is wrong with events"
        assert "nonce" in report.failures[0].reason


@needs_node
def test_a_nonce_with_which_a_seat_was_refused_is_not_missed_in_the_log(tmp_path: Path) -> None:
    """Who is refused a seat may still come to it: by another browser, without a nonce, or in another's place."""
    staged = opened()
    first = receipt_of(staged)
    seated(staged, [(0, B), (1, "")]).finish()
    last, data = receipt_of(staged), export(staged)
    ways: list[tuple[list[Held], bool]] = [
        ([first, Nonce(A), last], False),
        ([first, Nonce(A), InVain(A), last], True),
        ([first, Nonce(A), Nonce(OTHER), InVain(OTHER), InVain(A), last], True),
        # that of another nonce, or after a receipt was had for it
        ([first, Nonce(A), InVain(OTHER), last], False),
        ([first, Nonce(A), last, InVain(A)], False),
        # it was sent once more
        ([first, Nonce(A), InVain(A), Nonce(A), last], False),
        ([first, Nonce(A), InVain(A), Nonce(A), InVain(A), last], True),
        ([first, Nonce(A), InVain(A), Nonce(B), last], True),
    ]
    for held, holds in ways:
        report = both(tmp_path, data, held)
        assert (report.ok, [one.clause for one in report.failures]) == (holds, [] if holds else ["LOG-9"]), held
        (tmp_path / "file").write_bytes(b"\n".join(map(msgspec.json.encode, held)))
        assert read_held(tmp_path / "file") == held

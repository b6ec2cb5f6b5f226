"""The two verifiers, written apart from each other, say the same of the same files, good ones and tampered ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from events import chain
from events.keyring import Keyring
from events.memory import MemoryRecorder
from replays.checking.audit import audit
from replays.files.exports import lines
from replays.log import Log
from tests.replays.checking.second import agree, named, needs_node, verdicts
from tests.replays.checking.test_audit import RIGHT
from tests.replays.checking.test_evidence import seated
from tests.replays.exported import (
    NONCE,
    audited,
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
from tests.replays.forgery import Forger, another, at, each, one_of_each_kind, put
from tests.replays.staged import AT, Stage

pytestmark = needs_node


@pytest.mark.parametrize("is_published", [False, True])
def test_both_say_that_keys_begin_anew_where_one_was_lost(tmp_path: Path, is_published: bool) -> None:
    staged = stage("high-card")
    staged.finish()
    log = Log(staged.recorder, staged.id, games())
    old = Keyring.open(tmp_path / "keys", AT)
    before, held = old.keys, old.sign("m_1", staged.recorder.head("m_1"))
    (tmp_path / "keys").unlink()
    key = Keyring.begin_anew(tmp_path / "keys", AT, staged.recorder.latest, before if is_published else ())
    data = b"".join(lines(log, Keyring(tmp_path / "keys")))
    (tmp_path / "held.json").write_bytes(chain.encode_canonical(held))
    report = audit(file_of(data), games(), [held])
    (verdict,) = verdicts(tmp_path, [data], "--receipt", tmp_path / "held.json")
    agree(tmp_path, [("begun anew", data)])
    names = [key.key] if is_published else []
    assert (list(report.begun_anew), verdict["begun_anew"]) == (names, names)
    failed = [] if is_published else [("LOG-9", "m_1", held.version)]
    assert [(one.clause, one.stream, one.version) for one in report.failures] == named(verdict) == failed


A, B = "aa" * 32, "bb" * 32


SEATED: list[tuple[list[tuple[int, str | None]], str, int | None, list[int]]] = [
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
"""Seats that were taken with a nonce or left (None); who had a part in chance, whose nonce came last, who sat again."""


def test_both_say_whose_nonce_came_last_and_who_sat_down_again_once_one_was_known(tmp_path: Path) -> None:
    files = []
    for happened, *_ in SEATED:
        staged = Stage(MemoryRecorder(), games().rooms["high-card"], "m_1", ("random",) * 3)
        seated(staged, (*happened, (2, "")))
        running = audited(export(staged))
        assert (running.ok, running.chance) == (True, None)
        staged.finish()
        files.append(export(staged))
    for (_, *expected), data, verdict in zip(SEATED, files, verdicts(tmp_path, files), strict=True):
        report = audited(data)
        assert [report.chance, report.last_nonce, list(report.taken_again)] == expected
        assert [verdict[name] for name in ("chance", "last_nonce", "taken_again")] == expected


def test_they_agree_on_what_is_right(tmp_path: Path) -> None:
    agree(tmp_path, [(name, make()) for name, (make, _, _) in RIGHT.items()])


every = pytest.mark.parametrize("is_each", [False, pytest.param(True, marks=pytest.mark.soak)])
"""A short form for every day, and a whole one for the soak."""


def fields_changed(data: bytes, *, is_each: bool, is_resealed: bool) -> Iterable[tuple[str, bytes]]:
    """The file with one leaf of one line changed: each, or one of each kind."""
    source = Forger(data)
    for number, path in each(source.lines) if is_each else one_of_each_kind(source.lines, random.Random(len(data))):
        bad = source.copy()
        line = bad.lines[number]
        old = at(line, path)
        put(line, path, another(old))
        if is_resealed:
            try:
                bad.reseal(private_key())
            except (KeyError, TypeError, ValueError):
                continue
        yield f"{source.header['match']}: line {number + 1}, {path}: {old!r}", bad.data


@every
@pytest.mark.parametrize("is_resealed", [False, True])
def test_they_agree_on_every_field_that_is_changed(tmp_path: Path, is_resealed: bool, is_each: bool) -> None:
    agree(tmp_path, fields_changed(with_sealed_answers(), is_each=is_each, is_resealed=is_resealed))


@every
@pytest.mark.parametrize("is_resealed", [False, True])
def test_they_agree_on_fields_changed_in_forks_and_running_matches_and_other_games(
    tmp_path: Path, is_resealed: bool, is_each: bool
) -> None:
    running = stage("high-card", ("random", "random"), match_id="m_29", nonce=f"{29:064x}", rounds=3)
    running.step_until_sealed()
    sources = [forked(2), export(running, 0)]
    if is_each:
        sources += [running_fork(0), export(running), export(running, 1), finished("magicative")]
    agree(
        tmp_path,
        (
            file
            for data in sources
            if not is_resealed or b'"viewer":"all"' in data
            for file in fields_changed(data, is_each=is_each, is_resealed=is_resealed)
        ),
    )


Tamper = Callable[[Forger, random.Random], None]


def drop(bad: Forger, chance: random.Random) -> None:
    del bad.events[chance.randrange(len(bad.events))]


def double(bad: Forger, chance: random.Random) -> None:
    number = chance.randrange(len(bad.events))
    bad.events.insert(number, bad.events[number])


def swap(bad: Forger, chance: random.Random) -> None:
    one, other = chance.sample(range(len(bad.events)), 2)
    bad.events[one], bad.events[other] = bad.events[other], bad.events[one]


def move(bad: Forger, chance: random.Random) -> None:
    event = bad.events.pop(chance.randrange(len(bad.events)))
    bad.events.insert(chance.randrange(len(bad.events)), event)


def to_another_stream(bad: Forger, chance: random.Random) -> None:
    streams = [*{event["stream"] for event in bad.events}, "m_other", f"{bad.header['match']}/seat:7"]
    chance.choice(bad.events)["stream"] = chance.choice(streams)


def cut(bad: Forger, chance: random.Random) -> None:
    del bad.events[chance.randrange(len(bad.events)) :]


def receipts(bad: Forger, chance: random.Random) -> None:
    match chance.randrange(4):
        case 0:
            del bad.receipts[chance.randrange(len(bad.receipts))]
        case 1:
            bad.receipts.insert(0, chance.choice(bad.receipts))
        case 2:
            bad.receipts.reverse()
        case _:
            bad.receipts.append(Forger(finished("three-magic")).receipts[0])


def withhold(bad: Forger, chance: random.Random) -> None:
    event = chance.choice([event for event in bad.events if event["secret"]])
    del event["secret"][chance.choice(sorted(event["secret"]))]


def other_viewer(bad: Forger, chance: random.Random) -> None:
    bad.header["viewer"] = chance.choice([None, 0, 1, 2, -1, "all", "x"])


def other_status(bad: Forger, chance: random.Random) -> None:
    bad.header["status"] = chance.choice(["open", "playing", "finished", "aborted", "x"])


TAMPERS: tuple[Tamper, ...] = (
    drop,
    double,
    swap,
    move,
    to_another_stream,
    cut,
    receipts,
    withhold,
    other_viewer,
    other_status,
)


@every
def test_they_agree_on_lines_dropped_doubled_swapped_and_moved_once_or_twice(tmp_path: Path, is_each: bool) -> None:
    chance = random.Random(5)
    files = []
    for data in (with_sealed_answers(), forked(2), finished("high-card", NONCE)):
        for _ in range(500 if is_each else 15):
            bad = Forger(data)
            done = chance.choices(TAMPERS, k=chance.choice((1, 1, 1, 2)))
            for tamper in done:
                if bad.events and bad.receipts and any(event["secret"] for event in bad.events):
                    tamper(bad, chance)
            files.append((" then ".join(tamper.__name__ for tamper in done), bad.data))
    agree(tmp_path, files)


def test_they_agree_on_files_cut_and_overwritten(tmp_path: Path) -> None:
    chance = random.Random(7)
    data = with_sealed_answers()
    files = []
    for _ in range(40):
        where = chance.randrange(len(data))
        files.append((f"cut at {where}", data[:where]))
        junk = chance.randbytes(chance.randrange(1, 9))
        files.append((f"{junk!r} at {where}", data[:where] + junk + data[where + len(junk) :]))
    agree(tmp_path, files)

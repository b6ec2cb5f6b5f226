"""The two verifiers, written apart from each other, say the same of the same files, good ones and tampered ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from replays.audit.report import BY_RULES, Report
from tests.replays.exported import (
    NONCE,
    audited,
    export,
    finished,
    forked,
    games,
    private_key,
    running_fork,
    stage,
    with_sealed_answers,
)
from tests.replays.forgery import Forger, another, at, leaves, put
from tests.replays.second import named, needs_node, verdicts

pytestmark = needs_node

Named = set[tuple[str, str, int]]
"""Clause, stream and version of each failure."""


def ours(report: Report) -> Named:
    """What the other one can name too: it has no rules."""
    return {(one.clause, one.stream, one.version) for one in report.failures if one.check not in BY_RULES}


def agree(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    files = list(files)
    theirs = verdicts(folder, [data for _, data in files])
    assert len(theirs) == len(files) > 0
    for (what, data), verdict in zip(files, theirs, strict=True):
        report = audited(data)
        assert ours(report) == set(named(verdict)), (what, report.failures, verdict["failures"])
        if report.ok:
            assert (report.chance, list(report.keys)) == (verdict["chance"], verdict["keys"])
            assert (report.match_id, report.events, report.viewer, report.status) == tuple(
                verdict[name] for name in ("match_id", "events", "viewer", "status")
            )


def good() -> Iterable[tuple[str, bytes]]:
    for slug in sorted(games().rooms):
        yield slug, finished(slug)
    yield "nonce", finished("high-card", NONCE)
    yield "sealed", with_sealed_answers()
    yield "fork", forked()
    yield "fork of a fork", forked(2)
    for seat in (None, 0, 1):
        yield f"running fork, {seat}", running_fork(seat)
    running = stage("three-magic", ("greedy",) * 3)
    running.step_until_sealed()
    for seat in (None, 0, 1, 2):
        yield f"running, {seat}", export(running, seat)
    running.abort()
    yield "aborted", export(running)
    fresh = stage("high-card")
    yield "fresh", export(fresh, 1)
    fresh.abort()
    yield "fresh, aborted", export(fresh)


def test_they_agree_on_what_is_right(tmp_path: Path) -> None:
    files = list(good())
    assert all(audited(data).ok for _, data in files)
    agree(tmp_path, files)


def fields_changed(data: bytes, count: int, *, is_resealed: bool) -> Iterable[tuple[str, bytes]]:
    """The file with one leaf of one line changed, here and there; or each, if they are no more than `count`."""
    source = Forger(data)
    all_leaves = [(number, path) for number, line in enumerate(source.lines) for path in leaves(line)]
    chosen = random.Random(count).sample(all_leaves, min(count, len(all_leaves)))
    for number, path in chosen:
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


@pytest.mark.parametrize("is_resealed", [False, True])
def test_they_agree_on_every_field_that_is_changed(tmp_path: Path, is_resealed: bool) -> None:
    agree(tmp_path, fields_changed(with_sealed_answers(), 10_000, is_resealed=is_resealed))


@pytest.mark.parametrize("is_resealed", [False, True])
def test_they_agree_on_fields_changed_in_forks_and_running_matches_and_other_games(
    tmp_path: Path, is_resealed: bool
) -> None:
    running = stage("high-card", ("random", "random"), match_id="m_29", nonce=f"{29:064x}", rounds=3)
    running.step_until_sealed()
    sources = [forked(2), running_fork(0), finished("troll-master"), *(export(running, seat) for seat in (None, 0, 1))]
    files = (
        file
        for data in sources
        for file in fields_changed(data, 120, is_resealed=is_resealed and b'"viewer":"all"' in data)
    )
    agree(tmp_path, files)


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


def test_they_agree_on_lines_dropped_doubled_swapped_and_moved_once_or_twice(tmp_path: Path) -> None:
    chance = random.Random(5)
    files = []
    for data in (with_sealed_answers(), forked(2), finished("high-card", NONCE)):
        for _ in range(150):
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
    for _ in range(150):
        where = chance.randrange(len(data))
        files.append((f"cut at {where}", data[:where]))
        junk = chance.randbytes(chance.randrange(1, 9))
        files.append((f"{junk!r} at {where}", data[:where] + junk + data[where + len(junk) :]))
    agree(tmp_path, files)

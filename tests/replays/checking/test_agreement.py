"""The two verifiers say the same of the same files; whatever was changed does not pass, and crashes neither."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from domain import matches
from events import chain
from events.keyring import Keyring
from replays.checking.audit import audit
from replays.checking.proof import CLAUSES
from replays.files.exports import lines
from replays.log import Log
from tests.replays.checking.second import agree, named, needs_node, verdicts
from tests.replays.checking.test_audit import RIGHT, ROOMS
from tests.replays.exported import (
    NONCE,
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
from tests.replays.forgery import Forger, Json, another, at, leaves, objects, one_of_each_kind, put
from tests.replays.forgery import Path as Place
from tests.replays.staged import AT

pytestmark = needs_node

every = pytest.mark.parametrize("is_each", [False, pytest.param(True, marks=pytest.mark.soak)])
"""A short form for every day, and a whole one for the soak."""
UNWRITABLE = (AttributeError, LookupError, TypeError, ValueError)
"""What sealing raises if a change has left nothing that could be written as a log."""


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


def test_they_agree_on_what_is_right(tmp_path: Path) -> None:
    agree(tmp_path, [(name, make()) for name, (make, _, _) in RIGHT.items()])


# One field of one line


def places(lines: list[Json], is_each: bool) -> list[tuple[int, Place]]:
    """Lines by number, and paths of what is in them: all, or one of each kind."""
    if is_each:
        return [(number, path) for number, line in enumerate(lines) for path in leaves(line)]
    return one_of_each_kind(lines, random.Random(4))


@every
def test_each_single_field_that_is_changed_is_named_at_its_event_by_both(tmp_path: Path, is_each: bool) -> None:
    good, files = Forger(with_sealed_answers()), []
    for number, path in places(good.lines, is_each):
        bad = good.copy()
        line = bad.lines[number]
        put(line, path, another(at(line, path)))
        files.append((f"line {number + 1}, {path}", bad.data))
        report = audited(bad)
        failure = report.failures[0]
        assert "\n" not in failure.reason
        if failure.check == "file":
            assert f"line {number + 1}:" in failure.reason, path
        elif "actor" in line:
            assert CLAUSES[failure.check] == failure.clause, path
            # what stands in the header is named there, an answer under seal at its closing
            assert (line["stream"], line["version"]) in {(one.stream, one.version) for one in report.failures}, path
    agree(tmp_path, files)


@every
def test_each_single_field_that_an_operator_changes_and_seals_anew_is_noticed_but_for_the_last_moment(
    tmp_path: Path, is_each: bool
) -> None:
    """Only receipts that players hold can tell when it was."""
    good = Forger(with_sealed_answers())
    last = good.lines.index(good.stream()[-1])
    unnoticed, checks, files = set(), set(), list[tuple[str, bytes]]()
    for number, path in [*places(good.lines, is_each), (last, ("at",))]:
        bad = good.copy()
        line = bad.lines[number]
        put(line, path, another(at(line, path)))
        try:
            bad.reseal(private_key())
        except UNWRITABLE:
            continue
        if bad.data == good.data:
            continue  # it was made anew
        files.append((f"line {number + 1}, {path}", bad.data))
        report = audited(bad)
        if report.ok:
            unnoticed.add((line["stream"], line["type"], path))
        else:
            checks.add(report.failures[0].check)
    assert unnoticed == {(good.header["match"], "match/Finished", ("at",))}
    assert checks >= {"header", "order", "commit", "sealed", "rules", "move", "chance", "events", "result"}
    agree(tmp_path, files)


# Whatever somebody may do, once or several times


def running_seat() -> bytes:
    running = stage("high-card", ("random", "random"), match_id="m_29", nonce=f"{29:064x}", rounds=3)
    running.step_until_sealed()
    return export(running, 0)


SOURCES: dict[str, Callable[[], bytes]] = {
    "sealed": with_sealed_answers,
    "fork": lambda: forked(2),
    "running": running_seat,
    "with a nonce": lambda: finished("high-card", NONCE),
    **{slug: partial(finished, slug) for slug in sorted(set(ROOMS) - {"three-magic", "high-card"})},
}
KINDS: tuple[Json, ...] = (
    *(None, True, False, 0, 1, -1, 7, 2**53 - 1, "", "x", "7", "seat:0", "service", "clock", [], {}, [None], [0]),
    *({"a": 1}, *(f"match/{cls.__name__}" for cls in matches.EVENTS)),
)
DIGITS = re.compile("[0-9a-f]{16,128}")
SPELLED: tuple[Callable[[str], str], ...] = (
    str.upper,
    lambda digits: f" {digits}",
    lambda digits: f"{digits}\n",
    lambda digits: f"{digits[:2]} {digits[2:]}",
    lambda digits: f"{digits[:-2]}  ",
    lambda digits: digits[:-1],
    lambda digits: f"{digits[:-1]}\uff11",
    lambda digits: "",
)
"""Other spellings of hexadecimal digits, which a kind reader would take for the same."""


def leaf_of(bad: Forger, chance: random.Random, is_one: Callable[[Any], bool] = lambda _: True) -> tuple[Json, Place]:
    """Choose a line, and the path of such a leaf in it."""
    return chance.choice([(line, path) for line in bad.lines for path in leaves(line) if is_one(at(line, path))])


def other_value(bad: Forger, chance: random.Random) -> None:
    line, path = leaf_of(bad, chance)
    put(line, path, another(at(line, path)))


def other_kind(bad: Forger, chance: random.Random) -> None:
    put(*leaf_of(bad, chance), copy.deepcopy(chance.choice(KINDS)))


def other_digits(bad: Forger, chance: random.Random) -> None:
    line, path = leaf_of(bad, chance, lambda old: isinstance(old, str) and DIGITS.fullmatch(old) is not None)
    put(line, path, chance.choice(SPELLED)(at(line, path)))


def more_or_fewer_members(bad: Forger, chance: random.Random) -> None:
    line = chance.choice(bad.lines)
    found = at(line, chance.choice([*objects(line)]))
    if found and chance.random() < 0.5:
        del found[chance.choice([*found])]
    else:
        found["z"] = 1


def swap(bad: Forger, chance: random.Random) -> None:
    one, other = chance.sample(range(len(bad.events)), 2)
    bad.events[one], bad.events[other] = bad.events[other], bad.events[one]


def move(bad: Forger, chance: random.Random) -> None:
    event = bad.events.pop(chance.randrange(len(bad.events)))
    bad.events.insert(chance.randrange(len(bad.events)), event)


def to_another_stream(bad: Forger, chance: random.Random) -> None:
    streams = [*sorted({event["stream"] for event in bad.events}), "m_other", f"{bad.header['match']}/seat:7"]
    chance.choice(bad.events)["stream"] = chance.choice(streams)


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


def other_header(bad: Forger, chance: random.Random) -> None:
    bad.header["viewer"] = chance.choice([None, 0, 1, 2, -1, "all", "x"])
    bad.header["status"] = chance.choice(["open", "playing", "finished", "aborted", "x"])


TAMPERS: dict[str, Callable[[Forger, random.Random], object]] = {
    "an event dropped": lambda bad, chance: bad.events.remove(chance.choice(bad.events)),
    "an event doubled": lambda bad, chance: bad.events.insert(
        chance.randrange(len(bad.events)), chance.choice(bad.events)
    ),
    "cut off": lambda bad, chance: bad.events.__delitem__(slice(chance.randrange(1, len(bad.events)), None)),
    **{
        tamper.__name__: tamper
        for tamper in (
            *(other_value, other_kind, other_digits, more_or_fewer_members, swap, move),
            *(to_another_stream, receipts, withhold, other_header),
        )
    },
}


def tampered(source: Forger, chance: random.Random) -> tuple[str, Forger]:
    """The log after one to three changes."""
    bad, names = source.copy(), []
    for name in chance.sample([*TAMPERS], chance.choice((1, 1, 2, 3))):
        try:
            TAMPERS[name](bad, chance)
        except (*UNWRITABLE, StopIteration):
            continue  # what it would change has gone already
        names.append(name)
    return " then ".join(names), bad


def only_the_last_moment_differs(source: Forger, bad: Forger) -> bool:
    def told(forger: Forger) -> Any:
        *events, last = forger.stream()
        kept = [{**event, "hash": "", "commits": sorted(event["commits"])} for event in events]
        return forger.header, kept, {**last, "at": "", "hash": "", "commits": ""}

    return bool(told(source) == told(bad))


@pytest.mark.parametrize("times", [0, pytest.param(600, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", SOURCES)
def test_nothing_that_was_tampered_with_passes_or_crashes_either(tmp_path: Path, kind: str, times: int) -> None:
    """By a careless forger, and by an operator who counts, hashes, commits and signs all anew."""
    data, chance = SOURCES[kind](), random.Random(kind)
    source = Forger(data)

    def files() -> Iterator[tuple[str, bytes]]:
        for number in range(2 * times or min(20, 400_000 // len(data))):
            what, bad = tampered(source, chance)
            if number % 2 and b'"viewer":"all"' in data:
                try:
                    bad.renumber()
                    bad.reseal(private_key())
                except UNWRITABLE:
                    pass  # as far as it could be done
            report = audited(bad)
            assert not report.ok or bad.data == data or only_the_last_moment_differs(source, bad), (what, bad.data)
            assert all("\n" not in failure.reason for failure in report.failures)
            yield what, bad.data

    agree(tmp_path, files())


def test_files_cut_and_overwritten_anywhere_do_not_pass(tmp_path: Path) -> None:
    chance, data = random.Random(7), with_sealed_answers()
    ends = {i + 1 for i, byte in enumerate(data) if byte == 0x0A} - {len(data)}
    some = set(chance.sample(sorted(ends), 12))
    cuts = {*range(0, len(data) - 1, 1997), *some, *(end - 1 for end in some)}
    files = [(f"cut at {place}", data[:place]) for place in sorted(cuts)]
    for place, (what, content) in zip(sorted(cuts), files, strict=True):
        assert (audited(content).failures[0].check == "file") == (place not in ends), what
    for _ in range(30):
        where, junk = chance.randrange(len(data)), chance.randbytes(chance.randrange(1, 40))
        content = data[:where] + junk + data[where + len(junk) :]
        assert audited(content).ok == (content == data)
        files.append((f"{junk!r} at {where}", content))
    agree(tmp_path, files)

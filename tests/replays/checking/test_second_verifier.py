"""The second verifier, replays/verify.mjs, on exports that are made by hand: what docs/log.md says, told twice."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from replays.commands import Wrong
from replays.commands.checking import read_held
from tests.replays.checking.by_hand import TEXT, Line, Table, canonical, digest, file_of, key, name_of, receipt
from tests.replays.checking.second import (
    VERIFY,
    Named,
    at,
    finished,
    forge,
    forked,
    forked_twice,
    left,
    named,
    needs_node,
    opened,
    ordered,
    put,
    run,
    running,
    show,
    verdicts,
)
from tests.replays.exported import audited
from tests.service.run.uprun import ran

MOST = 2**24

WHOLE: dict[str, Callable[[], list[Line]]] = {
    "finished": finished,
    "running, for seat 0": lambda: running(0),
    "running, for seat 1": lambda: running(1),
    "running, for nobody": lambda: running(None),
    "a fork": forked,
    "a fork of a fork": forked_twice,
    "orders among the answers": ordered,
    "orders among the answers of a running match": lambda: ordered(is_over=False),
    "open": lambda: opened().export(None, "open"),
    "given up": left,
}


@needs_node
def test_what_is_as_the_page_says_holds_for_both_and_the_seed_of_a_match_that_is_over_is_told(tmp_path: Path) -> None:
    files = {name: file_of(make()) for name, make in WHOLE.items()}
    found = dict(zip(WHOLE, verdicts(tmp_path, files.values()), strict=True))
    for name, verdict in found.items():
        header, *lines = WHOLE[name]()
        assert (audited(files[name]).failures, verdict["failures"], verdict["ok"]) == ((), [], True), name
        assert [verdict[each] for each in ("match_id", "viewer", "status")] == [
            header[each] for each in ("match", "viewer", "status")
        ]
        assert verdict["events"] == sum("actor" in line for line in lines)
        assert verdict["keys"] == [name_of(1)]
        assert verdict["not_checked"] == ["LOG-11", "LOG-12", "LOG-13", "LOG-14", "LOG-15"]
    assert [verdict["chance"] for verdict in found.values()] == [
        *("seats", None, None, None),
        *("server alone", "server alone", "seats", None, None, "server alone"),
    ]
    secret = Table("m").secret
    theirs = bytes.fromhex("ab" * 32) + digest(secret, "nonce:1")
    ours = digest(secret, "nonce:0") + digest(secret, "nonce:1")
    assert found["finished"]["seed"] == digest(secret, b"seed:" + theirs).hex()
    assert found["given up"]["seed"] == digest(secret, b"seed:" + ours).hex()
    assert found["running, for seat 1"]["seed"] is None


GOOD = file_of(finished())
FIRST, _, REST = GOOD.partition(b"\n")
MEMBERS = msgspec.yaml.decode(Path(__file__).with_name("unreadable.yaml").read_bytes())


def with_member(place: int, members: Line) -> bytes:
    """The file in which that line has these members."""
    lines = finished()
    lines[place].update(members)
    return file_of(lines)


UNREADABLE: dict[str, tuple[bytes, int]] = {
    "nothing": (b"", 1),
    "an empty line": (b"\n", 1),
    "binary": (bytes(range(256)), 1),
    "no UTF-8": (b'"\xff"\n', 1),
    "a byte order mark": (b"\xef\xbb\xbf" + GOOD, 1),
    "another encoding": (GOOD.decode().encode("utf-16"), 1),
    "a packed file": (gzip.compress(GOOD), 1),
    "a short packed file": (gzip.compress(b""), 1),
    "no newline at the end": (GOOD[:-1], GOOD.count(b"\n")),
    "a return before the newline": (GOOD.replace(b"\n", b"\r\n"), 1),
    "an empty line at the end": (GOOD + b"\n", GOOD.count(b"\n") + 1),
    "a line that is too long": (b"[" + b" " * MOST + b"]\n", 1),
    "deep": (b"[" * 100_000 + b"]" * 100_000 + b"\n", 1),
    "deep objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n", 1),
    "deep and open": (b"[" * 100_000 + b"\n", 1),
    "a huge integer": (GOOD.replace(b'"rules":1', b'"rules":9007199254740993'), 1),
    "an integer with a fraction": (GOOD.replace(b'"rules":1', b'"rules":1.0'), 1),
    "a lone surrogate": (GOOD.replace(b'"game":"toy"', b'"game":"\\ud800"', 1), 1),
    "a key twice": (GOOD.replace(b'"game":"toy"', b'"game":"toy","game":"toy"', 1), 1),
    "a prototype twice": (FIRST[:-1] + b',"__proto__":1,"__proto__":1}\n' + REST, 1),
    "a prototype instead": (GOOD.replace(b'"format"', b'"__proto__"', 1), 1),
    "a space": (GOOD.replace(b'"rules":1', b'"rules": 1'), 1),
    "a list": (b"[]\n", 1),
    "null": (b"null\n", 1),
    "no format": (canonical({"match": "m"}) + b"\n", 1),
    "no header": (REST, 1),
    "two headers": (FIRST + b"\n" + GOOD, 2),
    "a key with a member more": (with_member(0, {"keys": [key(0, domain="foldtable-key-1")]}), 1),
    "an event after the receipts": (GOOD + GOOD.splitlines(keepends=True)[1], GOOD.count(b"\n") + 1),
    **{
        what: (with_member(place, members), number)
        for line, place, number in (("header", 0, 1), ("event", 3, 4), ("receipt", -1, GOOD.count(b"\n")))
        for what, members in MEMBERS[line].items()
    },
}


def test_log_1_a_day_has_no_hour_24_also_by_a_python_that_reads_one() -> None:
    (failure,) = audited(UNREADABLE["an hour that is none"][0]).failures
    assert failure.reason.endswith("at: '2024-03-01T24:00:00.000Z' is no moment")


@needs_node
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a byte order mark", "begins with a byte order mark"),
        ("another encoding", "begins with a byte order mark"),
        ("a return before the newline", "a carriage return"),
        ("a packed file", "is compressed: unpack it first"),
        ("a short packed file", "is compressed: unpack it first"),
    ],
)
def test_log_1_what_another_program_has_made_of_a_file_is_told(tmp_path: Path, name: str, says: str) -> None:
    (failure,) = audited(UNREADABLE[name][0]).failures
    assert says in failure.reason
    ((theirs,),) = (verdict["failures"] for verdict in verdicts(tmp_path, [UNREADABLE[name][0]]))
    assert says in theirs["reason"]


@needs_node
def test_log_1_what_can_not_be_read_is_named_by_its_line_and_nothing_else_is(tmp_path: Path) -> None:
    theirs = verdicts(tmp_path, [content for content, _ in UNREADABLE.values()])
    for (name, (content, number)), verdict in zip(UNREADABLE.items(), theirs, strict=True):
        (failure,) = audited(content).failures
        assert (failure.check, failure.stream, failure.version) == ("file", "", 0), name
        assert f"line {number}: " in failure.reason or not content, name
        assert "\n" not in failure.reason, name
        assert (named(verdict), verdict["failures"][0]["check"]) == ([("LOG-1", "", 0)], "file"), name
        assert verdict["failures"][0]["reason"].startswith(f"line {number}: "), name
        assert (verdict["ok"], verdict["match_id"], verdict["chance"]) == (False, None, None)


@needs_node
def test_log_1_a_file_whose_name_is_not_utf_8_is_read_from_the_standard_input(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff.jsonl"
    with open(name, "wb") as file:
        file.write(GOOD)
    named = subprocess.run(["node", VERIFY, name], capture_output=True, text=True, check=False)
    assert (named.returncode, "its name is not UTF-8: give it as /dev/stdin" in named.stdout) == (2, True)
    with open(name, "rb") as file:
        read = subprocess.run(["node", VERIFY, "/dev/stdin"], stdin=file, capture_output=True, check=False)
    assert (read.returncode, read.stderr) == (0, b"")


@needs_node
@pytest.mark.parametrize("words", ["docs/match.jsonl", "--json docs/match.jsonl", "--vectors docs/vectors.json"])
def test_what_is_not_written_is_no_success_and_who_has_read_enough_no_fault(words: str) -> None:
    def shell(into: str) -> tuple[int, str]:
        command = f'node replays/{VERIFY.name} {words} {into}; exit "${{PIPESTATUS[0]}}"'
        done = ran("bash", "-c", command)
        return done.returncode, done.stderr

    assert shell("> /dev/full") == (2, "the output can't be written (ENOSPC)\n")
    assert shell("| true") == (0, "")


@needs_node
def test_log_1_a_line_of_the_greatest_length_can_be_read(tmp_path: Path) -> None:
    lines = finished()
    lines[0]["pack"]["text"] = "x" * (MOST - len(canonical(lines[0])) + len(canonical(TEXT)) - 2)
    assert len(canonical(lines[0])) == MOST
    (verdict,) = verdicts(tmp_path, [file_of(lines)])
    assert named(verdict) == [("LOG-2", "m", 0)]


@needs_node
def test_log_1_a_huge_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    result = run(path)
    assert (result.returncode, result.stderr) == (2, "")
    assert "line 1: longer than 2^24 bytes" in result.stdout


@needs_node
def test_log_2_a_match_without_its_opening_is_told_so_by_both(tmp_path: Path) -> None:
    header, _, *lines = finished()
    for kept in ([header], [header, *lines]):
        first, *_ = audited(file_of(kept)).failures
        ((theirs, *_),) = (verdict["failures"] for verdict in verdicts(tmp_path, [file_of(kept)]))
        assert first.reason == "the match does not begin with match/Opened"
        assert theirs["reason"].startswith(first.reason)


@needs_node
def test_orders_that_no_answer_follows_can_be_left_out_and_a_receipt_that_is_held_shows_it(tmp_path: Path) -> None:
    given = at(ordered(), "m/seat:0", 1)
    without = file_of([line for line in ordered() if line.get("stream") != "m/seat:0"])
    assert audited(without).ok
    held = tmp_path / "held.json"
    held.write_text(json.dumps(receipt(given)))
    assert [verdict["ok"] for verdict in verdicts(tmp_path, [without])] == [True]
    (verdict,) = verdicts(tmp_path, [without], "--receipt", held)
    assert named(verdict) == [("LOG-9", "m/seat:0", 1)]


@needs_node
def test_log_9_a_receipt_that_a_player_holds_has_to_fit(tmp_path: Path) -> None:
    event, answer = at(finished(), "m", 6), at(finished(), "m/seat:1", 1)
    other = finished()
    forge(show("m", 5, shown=["x"]))(other)
    rows: list[tuple[bytes, list[Any], list[Named]]] = [
        (GOOD, [receipt(event), receipt(answer)], []),
        (GOOD, [receipt({**event, "hash": "00" * 32})], [("LOG-9", "m", 6)]),
        (GOOD, [receipt(event, 0, at="2024-01-31T00:00:00.000Z")], [("LOG-9", "m", 6)]),
        (GOOD, [{**receipt(event), "signature": "00" * 64}], [("LOG-9", "m", 6)]),
        (GOOD, [receipt({**event, "version": 11})], [("LOG-9", "m", 11)]),
        (GOOD, [receipt({**event, "stream": "n"})], [("LOG-9", "n", 6)]),
        # a saved answer that was refused has none, one under seal has two
        (GOOD, [{"type": "urn:problem", "status": 409}, {"receipt": None}, {"receipt": receipt(event)}], []),
        (
            GOOD,
            [{"receipt": receipt(event), "sealed": {"receipt": receipt({**answer, "hash": "00" * 32})}}],
            [("LOG-9", "m/seat:1", 1)],
        ),
        # of another history
        (file_of(other), [receipt(at(finished(), "m", 5))], [("LOG-9", "m", 5)]),
    ]
    path = tmp_path / "receipts.json"
    for data, receipts, expected in rows:
        path.write_text(json.dumps(receipts))
        (verdict,) = verdicts(tmp_path, [data], "--receipt", path)
        assert named(verdict) == expected


HELD = json.dumps(receipt(at(finished(), "m", 6))).encode()
NO_FILES_OF_RECEIPTS = [
    (b"\xef\xbb\xbf" + HELD, "held holds no receipts: it begins with a byte order mark"),
    (HELD.decode().encode("utf-16"), "held holds no receipts: it begins with a byte order mark"),
    (gzip.compress(HELD), "held holds no receipts: it is compressed: unpack it first"),
    (HELD.replace(b"m", b"\xff"), "held holds no receipts: "),
    *(
        (HELD + b"\n" + wrong, "held holds no receipts: ")
        for wrong in (
            b"null",
            b"7",
            b"[[]]",
            b'{"nonce": null}',
            b'{"nonce": 5}',
            b'{"in_vain": {}}',
            b'{"receipt": {}}',
        )
    ),
    (HELD.replace(b"receipt-1", b"receipt-2"), "held holds no receipts: "),
]


@needs_node
@pytest.mark.parametrize(("content", "says"), NO_FILES_OF_RECEIPTS)
def test_log_9_what_is_no_file_of_receipts_is_told(tmp_path: Path, content: bytes, says: str) -> None:
    good, held = tmp_path / "good", tmp_path / "held"
    good.write_bytes(GOOD)
    held.write_bytes(content)
    result = run("--receipt", held, good)
    assert (result.returncode, result.stdout, says in result.stderr) == (2, "", True)
    with pytest.raises(Wrong, match=says):
        read_held(held)


@needs_node
def test_log_9_a_file_of_receipts_that_can_not_be_read_or_has_no_end_is_told(tmp_path: Path) -> None:
    for file, says in ((tmp_path, "can't be read (EISDIR)"), ("/dev/zero", "it is larger than 256 MiB")):
        result = run("--receipt", file, tmp_path)
        assert (result.returncode, result.stdout, says in result.stderr) == (2, "", True)


@needs_node
def test_log_9_a_held_receipt_whose_version_is_no_canonical_integer_is_read_by_neither(tmp_path: Path) -> None:
    good, held = tmp_path / "good", tmp_path / "held"
    good.write_bytes(GOOD)
    text = json.dumps(receipt(at(finished(), "m", 6)))
    for version in ("6", " 6"):
        held.write_text(
            text.replace('"version": 6', f'"version":{version}')
            + '\n{"answer": "a \\" 6.0", "receipt": null, "of": 1.5}\n'
        )
        assert run("--receipt", held, good).returncode == 0
        assert len(read_held(held)) == 1
    for version in ("6.0", "60e-1", "6e0", "6.0000000000000000001", "6E+0"):
        for form in ("%s\n", "[%s]", '{"receipt": %s}'):
            held.write_text(form % text.replace('"version": 6', f'"version": {version}'))
            assert run("--receipt", held, good).returncode == 2, (version, form)
            with pytest.raises(Wrong, match="holds no receipts"):
                read_held(held)
    for version in ("06", "6.", "06.5", "+6", "-"):
        held.write_text(text.replace('"version": 6', f'"version": {version}'))
        assert run("--receipt", held, good).returncode == 2


@needs_node
def test_a_player_is_told_in_words(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(file_of(left()))
    result = run(path)
    assert result.returncode == 0
    unseen = ("no check can show", "a seat left no more orders")
    for words in ("all hold", name_of(1), "chance: server alone", "LOG-11 to LOG-15", *unseen):
        assert words in result.stdout
    lines = left()
    put("m", 3, type="\x1b[2J")(lines)
    path.write_bytes(file_of(lines))
    result = run(path)
    assert (result.returncode, "\x1b" in result.stdout) == (1, False)
    assert "LOG-4 chain: m version 3: " in result.stdout


@needs_node
def test_the_exit_code_says_whether_it_can_be_read(tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_bytes(GOOD)
    lines = finished()
    put("m", 6, actor="clock")(lines)
    bad.write_bytes(file_of(lines))
    nowhere = tmp_path / "nowhere"
    codes = [run("--json", *files).returncode for files in ((good,), (good, bad), (bad, nowhere), (tmp_path,), ())]
    assert codes == [0, 1, 2, 2, 2]
    assert run("--receipt", nowhere, good).returncode == 2
    for content in ("", " \n", "[]", "nonsense", '{"status": 409}'):
        nowhere.write_text(content)
        result = run("--receipt", nowhere, good)
        assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
        assert "holds no receipts" in result.stderr
    assert "is followed by a file" in run(good, "--receipt").stderr
    assert run("--what", good).returncode == 2

"""`python -m replays show` and `export`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from events import chain
from tests.replays.commands.typed import as_json, exported, printed, refused
from tests.typed import started


def shown(*args: str | Path) -> dict[str, Any]:
    return as_json("show", *args)


def test_it_is_run_as_a_module(data: Path) -> None:
    args = ("show", "m_sealed", "--data", str(data), "--seat", "1")
    done = started("replays", *args)
    assert (done.returncode, done.stdout, done.stderr) == (0, printed(*args), "")


def test_show_draws_the_table_and_tells_what_happened_at_any_version(data: Path) -> None:
    text, told = printed("show", "m_sealed", "--data", data), shown("m_sealed", "--data", data)
    assert told["text"].strip() in text
    for event in told["events"]:
        assert f"{event['version']}  {event['text']}" in text
    assert [event["version"] for event in told["events"]] == list(range(told["head"] - 9, told["head"] + 1))
    assert told["version"] == told["head"]
    at_30 = ("m_ended", "--data", data, "--at", "30", "--lang", "ja")
    then = shown(*at_30)
    assert (then["version"], then["status"], then["events"][-1]["version"]) == (30, "playing", 30)
    assert "スリーマジック" in printed("show", *at_30)
    first = shown("m_ended", "--data", data, "--at", "1")
    assert (first["status"], first["view"], len(first["events"])) == ("open", None, 1)
    last = shown("m_ended", "--data", data)
    assert (last["status"], last["standing"]["over"]) == ("finished", True)


def test_an_exported_file_shows_what_the_store_shows(data: Path, tmp_path: Path) -> None:
    rows: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
        ("m_ended", (), ("--at", "100", "--seat", "2")),
        ("m_sealed", ("--seat", "1"), ("--seat", "1")),
        ("m_sealed", (), ()),
    ]
    for number, (match, seat, args) in enumerate(rows):
        file = exported(data, match, tmp_path / f"{number}.jsonl", *seat)
        assert printed("export", match, "--data", data, *seat) == file.read_text(encoding="utf-8")
        assert shown(file, *args) == shown(match, "--data", data, *args)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".jsonl"] * 3


def test_what_cannot_be_read_is_told_in_one_line(data: Path, tmp_path: Path) -> None:
    refused("does not exist", "show", "m_ended", "--data", tmp_path / "nowhere")
    refused("There is no match m_none", "show", "m_none", "--data", data)
    for command in ("show", "step", "validate", "report"):
        # bytes that are no text, as Python hands them on
        for name, told in (("\udcff", r"\udcff"), ("match.json", "match.json"), ("-", "-")):
            refused(f"{told}: No such file", command, name, "--data", data)
    refused(r"\udcff names a file: name a match of the store.", "export", "\udcff", "--data", data)
    refused("has versions 1 to", "show", "m_ended", "--data", data, "--at", "100000")
    refused("has versions 1 to", "show", "m_ended", "--data", data, "--at", "0")
    refused("there is no seat 3", "show", "m_ended", "--data", data, "--seat", "3")
    refused("there is no seat -1", "export", "m_ended", "--data", data, "--seat", "-1")
    refused("No such file", "show", tmp_path / "nothing.jsonl")
    refused(f"{tmp_path}: ", "export", "m_ended", "--data", data, "-o", tmp_path)
    (tmp_path / "foldtable.db").write_bytes(b"no database" * 1000)
    refused("no database", "show", "m_ended", "--data", tmp_path)


def test_a_file_with_a_bad_line_or_an_event_that_cannot_be_is_told_in_one_line(data: Path, tmp_path: Path) -> None:
    lines = printed("export", "m_ended", "--data", data).splitlines()
    at = next(i for i, line in enumerate(lines) if '"type":"three-magic/CardDiscarded"' in line)
    lied = json.loads(lines[at])
    lied["public"]["at"] = 77
    illegal = chain.encode_canonical(lied).decode()
    lied["type"] = "three-magic/Earthquake"
    unknown = chain.encode_canonical(lied).decode()
    file = tmp_path / "bad.jsonl"
    for line, says in (("{", f"bad.jsonl, line {at + 1}"), (illegal, "can't be folded"), (unknown, "Earthquake")):
        file.write_text("\n".join([*lines[:at], line, *lines[at + 1 :], ""]), encoding="utf-8")
        refused(says, "show", file)

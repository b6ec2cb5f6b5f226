"""`./foldtable replays list`, as it is typed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from domain.catalogue import Catalogue
from events.sqlite import SqliteRecorder
from tests.replays import staged
from tests.replays.commands.typed import as_json, printed, refused
from tests.replays.staged import Stage

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
OLDEST_FIRST = ("m_ended", "m_open", "m_aborted", "m_playing", "m_ttmp")


def moments() -> Iterator[str]:
    at = START
    while True:
        yield at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        at += timedelta(hours=1)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a match of each status, each opened an hour after the one before it."""
    folder = tmp_path_factory.mktemp("data")
    recorder, rooms, at = SqliteRecorder(folder / "foldtable.db"), Catalogue().rooms, moments()
    for match_id in OLDEST_FIRST:
        room = rooms["ttmp" if match_id == "m_ttmp" else "three-magic"]
        options: dict[str, Any] = {} if match_id == "m_ttmp" else {"laps": 1}
        with patch.object(staged, "AT", next(at)):
            stage = Stage(recorder, room, match_id, ["random"] * room.game.seats[-1], **options)
            if match_id != "m_open":
                stage.seat_all()
                stage.step()
            if match_id == "m_ended":
                stage.finish()
            if match_id == "m_aborted":
                stage.abort()
    recorder.close()
    return folder


def ids(*args: str | Path) -> list[str]:
    return [one["match"] for one in as_json("list", *args)["matches"]]


def test_every_match_is_a_line_the_last_opened_first(data: Path) -> None:
    lines = printed("list", "--data", data).splitlines()
    assert [line.split()[0] for line in lines] == list(OLDEST_FIRST[::-1])
    for match_id, words in (("m_open", "open"), ("m_ttmp", "ttmp"), ("m_ended", "opened 2026-03-01 12:00, pack house")):
        assert any(line.startswith(match_id) and words in line for line in lines)


def test_what_is_told_of_a_match_is_what_its_log_says(data: Path) -> None:
    first, *_, last = as_json("list", "--data", data)["matches"]
    shown = as_json("show", "m_ended", "--data", data)
    assert last == {
        "match": "m_ended",
        "game": "three-magic",
        "status": "finished",
        "rules": 1,
        "pack": "house",
        "seats": 3,
        "version": shown["head"],
        "opened": "2026-03-01T12:00:00.000Z",
        "last": "2026-03-01T12:00:00.000Z",
    }
    assert (first["game"], first["seats"], first["status"]) == ("ttmp", 4, "playing")


def test_it_is_filtered_by_game_and_status(data: Path) -> None:
    assert ids("--data", data, "--game", "ttmp") == ["m_ttmp"]
    assert ids("--data", data, "--status", "playing") == ["m_ttmp", "m_playing"]
    assert ids("--data", data, "--status", "playing", "--game", "three-magic") == ["m_playing"]
    for status in ("open", "aborted"):
        assert ids("--data", data, "--status", status) == [f"m_{status}"]
    assert ids("--data", data, "--status", "finished") == ["m_ended"]
    assert printed("list", "--data", data, "--status", "open", "--game", "ttmp") == "no matches\n"


def test_of_many_it_lists_some_and_says_that_there_are_more(data: Path) -> None:
    told = as_json("list", "--data", data, "--limit", "2")
    assert ([one["match"] for one in told["matches"]], told["more"]) == (["m_ttmp", "m_playing"], True)
    assert as_json("list", "--data", data, "--limit", "5")["more"] is False
    said = printed("list", "--data", data, "--limit", "2").splitlines()
    assert (len(said), said[-1]) == (3, "and more: --limit 4 lists more of them")


def test_what_cannot_be_listed_is_told_in_one_line(data: Path, tmp_path: Path) -> None:
    refused("foldtable.db does not exist", "list", "--data", tmp_path)
    refused("There is no game 'chess'; there is magicative", "list", "--data", data, "--game", "chess")
    for limit in ("0", str(10**20)):
        refused("--limit", "list", "--data", data, "--limit", limit)
    refused("--status", "list", "--data", data, "--status", "over")


def test_a_match_of_a_game_that_is_not_at_hand_is_listed_too(data: Path, tmp_path: Path) -> None:
    (tmp_path / "foldtable.db").write_bytes((data / "foldtable.db").read_bytes())
    with sqlite3.connect(tmp_path / "foldtable.db") as store:
        changed = store.execute(
            "UPDATE events SET public = CAST(replace(CAST(public AS TEXT), '\"ttmp\"', '\"chess\"') AS BLOB)"
            " WHERE stream = 'm_ttmp' AND version = 1"
        )
        assert changed.rowcount == 1
    store.close()
    assert ids("--data", tmp_path, "--game", "chess") == ["m_ttmp"]
    refused("not available here", "show", "m_ttmp", "--data", tmp_path)

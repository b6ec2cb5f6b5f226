"""A store on SQLite that moves to PostgreSQL: nothing is missing, also where the copy was killed and begun again."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from events.sqlite import SqliteRecorder
from events.store import Statement, StoreInUse, StoreUnusable
from events.stores import open_to_write
from service import wiring
from service.config import Config
from service.run.copy import TABLES, NotCopied, check, copy
from tests.service.house import THREE_MAGIC, House, build, step

pytestmark = pytest.mark.faults

SLOW = """
import sys
from pathlib import Path

from service.config import Config
from service.run import copy as copying

copying.LOT = 7
copying.copy(Config(data=Path(sys.argv[1]), store=sys.argv[2]), lambda said: print(said, flush=True))
"""


@pytest.fixture
def lived_in(tmp_path: Path) -> Config:
    """A store with people, open and running matches, keys, tokens and a follower."""
    config = Config(data=tmp_path / "data", bot_pause=0.0)
    service = build(config)
    house = House(service)
    draw = random.Random(1)
    for number in range(4):
        match, players = house.table(THREE_MAGIC, 3)
        for _ in range(5 * number):
            step(match, players, draw)
        players[0].post("/me/tokens", {"name": "second"}, key="k")
    players[0].post(f"/matches/{match}/abort")
    waiting = players[0].open(seats=[None, {"player": players[1].id}])
    players[2].sit(waiting)
    service.recorder.note("mail", 0, 9)
    service.close()
    return config


def test_all_of_a_store_moves(lived_in: Config, postgres_url: str) -> None:
    before = House(build(lived_in))
    matches = before.stranger.get("/matches").json["matches"]
    looks = [before.stranger.events(one["id"]) for one in matches]
    before.service.close()
    moved = replace(lived_in, store=postgres_url)
    told: list[str] = []
    copy(moved, told.append)
    assert "every chain intact" in told[-1]
    house = House(build(moved))
    assert house.stranger.get("/matches").json["matches"] == matches
    assert [house.stranger.events(one["id"]) for one in matches] == looks
    assert_holds(lived_in, house)
    (running,) = [one["id"] for one in matches if one["status"] == "playing"][:1]
    assert house.operator.post(f"/matches/{running}/abort").status_code == 200
    house.service.close()


def assert_holds(source: Config, house: House) -> None:
    """Every table has the same rows, and a follower goes on where it was."""
    other = SqliteRecorder(source.database)
    recorder = house.service.recorder
    for table, columns, _ in TABLES:
        asked = Statement(f"SELECT {', '.join(columns)} FROM {table}")
        assert sorted(map(repr, recorder.find(asked))) == sorted(map(repr, other.find(asked))), table
    told = {(event.stream, event.version) for _, event in other.read_all(0, 0, 9)}
    followed = set()
    for partition in range(recorder.partitions):
        last = recorder.position("mail", partition)
        followed |= {(event.stream, event.version) for _, event in recorder.read_all(partition, 0, 1000)[:last]}
    assert followed == told
    other.close()


def test_a_copy_that_was_killed_is_begun_again(lived_in: Config, postgres_url: str) -> None:
    moved = replace(lived_in, store=postgres_url)
    root = Path(__file__).parents[3]
    for lots in (1, 3):
        left = lots
        process = subprocess.Popen(
            [sys.executable, "-c", SLOW, str(lived_in.data), postgres_url],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
        assert process.stdout is not None
        while left:
            left -= process.stdout.readline().startswith("events: ")
        process.kill()
        process.communicate()
        with pytest.raises(StoreUnusable, match="say service copy again"):
            wiring.open_store(moved)
    copy(moved, lambda said: None)
    house = House(build(moved))
    assert_holds(lived_in, house)
    house.service.close()
    with pytest.raises(StoreUnusable, match="is not empty"):
        copy(moved, lambda said: None)


@pytest.mark.soak
def test_what_has_changed_since_a_copy_was_cut_off_is_taken_as_it_is_now(lived_in: Config, postgres_url: str) -> None:
    moved = replace(lived_in, store=postgres_url)

    def cut(said: str) -> None:
        if said.startswith("events: "):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy(moved, cut)
    house = House(build(lived_in))
    leaver, late = house.player("Leaver"), house.player("Late")
    late.sit(leaver.open(seats=[None, None]))
    running = [one["id"] for one in house.stranger.get("/matches").json["matches"] if one["status"] == "playing"]
    assert house.operator.post(f"/matches/{running[0]}/abort").status_code == 200
    house.service.recorder.write([Statement("DELETE FROM tokens WHERE name = 'second'")])
    house.service.close()
    copy(moved, lambda said: None)
    house = House(build(moved))
    assert_holds(lived_in, house)
    house.service.close()


def test_a_store_that_is_written_to_is_not_copied(lived_in: Config, postgres_url: str) -> None:
    service = build(lived_in)
    with pytest.raises(StoreInUse):
        copy(replace(lived_in, store=postgres_url), lambda said: None)
    service.close()


def test_a_copy_goes_to_postgres_only(lived_in: Config, tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="set FOLDTABLE_STORE to one"):
        copy(replace(lived_in, store=f"sqlite:{tmp_path / 'other.db'}"), lambda said: None)
    assert not (tmp_path / "other.db").exists(), "where nothing is copied nothing is made"


def test_where_no_store_to_copy_into_is_named_that_is_what_is_told(lived_in: Config) -> None:
    with pytest.raises(StoreUnusable, match=r"foldtable\.db is no store on PostgreSQL: set FOLDTABLE_STORE to one"):
        copy(replace(lived_in, store=""), lambda said: None)


@pytest.mark.parametrize("content", [None, b""])
def test_where_no_store_is_none_is_copied_nor_made(tmp_path: Path, postgres_url: str, content: bytes | None) -> None:
    config = Config(data=tmp_path, store=postgres_url)
    if content is not None:
        config.database.write_bytes(content)
    with pytest.raises(StoreUnusable, match="does not exist" if content is None else "holds no store"):
        copy(config, lambda said: None)
    assert [path.name for path in tmp_path.iterdir()] == ([] if content is None else ["foldtable.db"])


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET public = :bytes WHERE stream NOT LIKE '%/%' AND version = 3",
        "UPDATE players SET name = name || '!'",
        *(
            pytest.param(sql, marks=pytest.mark.soak)
            for sql in (
                "DELETE FROM events WHERE version = 9",
                "UPDATE decisions SET since = since + 1",
                "DELETE FROM requests",
                "UPDATE seats SET player = NULL",
            )
        ),
    ],
)
def test_a_copy_that_differs_is_noticed(lived_in: Config, postgres_url: str, damage: str) -> None:
    copy(replace(lived_in, store=postgres_url), lambda said: None)
    source, target = SqliteRecorder(lived_in.database), open_to_write(postgres_url)
    assert check(source, target) > 50
    target.write([Statement(damage, {"bytes": b"{}"})])
    with pytest.raises(NotCopied):
        check(source, target)
    target.close()
    source.close()

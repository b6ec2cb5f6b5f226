"""A store on SQLite that moves to PostgreSQL: nothing is missing, also where the copy was killed and begun again."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from contextlib import closing
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
from tests.service.run.uprun import TREE

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
    draw = random.Random(1)
    with House(build(config)) as house:
        for number in range(4):
            match, players = house.table(THREE_MAGIC, 3)
            for _ in range(5 * number):
                step(match, players, draw)
            players[0].post("/me/tokens", {"name": "second"}, key="k")
        players[0].post(f"/matches/{match}/abort")
        waiting = players[0].open(seats=[None, {"player": players[1].id}])
        players[2].sit(waiting)
        house.service.recorder.note("mail", 0, 9)
    return config


def copied(config: Config) -> list[str]:
    """Copy the store; what is said meanwhile."""
    lines: list[str] = []
    copy(config, lines.append)
    return lines


def assert_holds(source: Config, house: House) -> None:
    """Every table has the same rows, and a follower goes on where it was."""
    recorder = house.service.recorder
    with closing(SqliteRecorder(source.database)) as other:
        for table, columns, _ in TABLES:
            asked = Statement(f"SELECT {', '.join(columns)} FROM {table}")
            assert sorted(map(repr, recorder.find(asked))) == sorted(map(repr, other.find(asked))), table
        told = {(event.stream, event.version) for _, event in other.read_all(0, 0, 9)}
    followed = set()
    for partition in range(recorder.partitions):
        last = recorder.position("mail", partition)
        followed |= {(event.stream, event.version) for _, event in recorder.read_all(partition, 0, 1000)[:last]}
    assert followed == told


def test_all_of_a_store_moves_also_where_the_copy_was_killed_and_begun_again(
    lived_in: Config, postgres_url: str
) -> None:
    before = House(build(lived_in))
    matches = before.stranger.get("/matches").json["matches"]
    looks = [before.stranger.events(one["id"]) for one in matches]
    before.service.close()
    moved = replace(lived_in, store=postgres_url)
    words, env = [sys.executable, "-c", SLOW, str(lived_in.data), postgres_url], {**os.environ, "PYTHONPATH": str(TREE)}
    for lots in (1, 3):
        left = lots
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=env) as process:
            assert process.stdout is not None
            while left:
                left -= process.stdout.readline().startswith("events: ")
            process.kill()
        with pytest.raises(StoreUnusable, match="run service copy again"):
            wiring.open_store(moved)
    assert "every chain intact" in copied(moved)[-1]
    house = House(build(moved))
    assert house.stranger.get("/matches").json["matches"] == matches
    assert [house.stranger.events(one["id"]) for one in matches] == looks
    assert_holds(lived_in, house)
    (running,) = [one["id"] for one in matches if one["status"] == "playing"][:1]
    assert house.operator.post(f"/matches/{running}/abort").status_code == 200
    house.service.close()
    with pytest.raises(StoreUnusable, match="is not empty"):
        copied(moved)


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
    copied(moved)
    with House(build(moved)) as house:
        assert_holds(lived_in, house)


def test_what_cannot_be_copied_is_left_as_it_is(lived_in: Config, postgres_url: str, tmp_path: Path) -> None:
    with House(build(lived_in)), pytest.raises(StoreInUse):
        copied(replace(lived_in, store=postgres_url))
    for url, name in ((f"sqlite:{tmp_path / 'other.db'}", r"other\.db"), ("", r"foldtable\.db")):
        with pytest.raises(StoreUnusable, match=rf"{name} is no store on PostgreSQL: set FOLDTABLE_STORE to one"):
            copied(replace(lived_in, store=url))
    assert not (tmp_path / "other.db").exists(), "where nothing is copied nothing is made"
    empty = Config(data=tmp_path / "empty", store=postgres_url)
    empty.data.mkdir()
    with pytest.raises(StoreUnusable, match="does not exist"):
        copied(empty)
    assert not empty.database.exists()
    empty.database.write_bytes(b"")
    with pytest.raises(StoreUnusable, match="holds no store"):
        copied(empty)


DAMAGE = (
    "UPDATE events SET public = :bytes WHERE stream NOT LIKE '%/%' AND version = 3",
    "UPDATE players SET name = name || '!'",
    "DELETE FROM events WHERE version = 9",
    "UPDATE decisions SET since = since + 1",
    "DELETE FROM requests",
    "UPDATE seats SET player = NULL",
)


@pytest.mark.parametrize("damage", [*DAMAGE[:2], *(pytest.param(sql, marks=pytest.mark.soak) for sql in DAMAGE[2:])])
def test_a_copy_that_differs_is_noticed(lived_in: Config, postgres_url: str, damage: str) -> None:
    copied(replace(lived_in, store=postgres_url))
    with closing(SqliteRecorder(lived_in.database)) as source, closing(open_to_write(postgres_url)) as target:
        assert check(source, target) > 50
        target.write([Statement(damage, {"bytes": b"{}"})])
        with pytest.raises(NotCopied):
            check(source, target)

"""First matches, opened at once: the pack they are played with is kept once, whole, whoever is faster."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import TypeVar

from flask import Flask

import domain.games
from domain.catalogue import Catalogue
from events.sqlite import SqliteRecorder
from events.store import Statement, Tables
from service import wiring
from service.config import Config
from tests.service.house import THREE_MAGIC, House
from tests.service.run.uprun import TREE

AT_ONCE = 12
"""Openings on each fresh store."""

STORES = 3

T = TypeVar("T")

SEATS = [{"bot": "random"}, None, None]

PACK = Catalogue((domain.games,)).rooms[THREE_MAGIC].packs["house"]

KEEPER = f"""
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import domain.games
from domain.catalogue import Catalogue
from events.sqlite import SqliteRecorder
from replays.files.packs import Packs

catalogue = Catalogue((domain.games,))
pack = catalogue.rooms["{THREE_MAGIC}"].packs["house"]
print("ready", flush=True)
sys.stdin.readline()

stores = [SqliteRecorder(Path(sys.argv[1]) / f"{{number}}.db") for number in range(10)]

def keep(number):
    Packs(catalogue, Path(sys.argv[1]), stores[number // 4]).keep("{THREE_MAGIC}", pack)

with ThreadPoolExecutor(4) as pool:
    assert len(list(pool.map(keep, range(40)))) == 40
for store in stores:
    store.close()
"""


def at_once(do: Callable[[], T], times: int) -> list[T]:
    """Do it on so many threads that all begin together."""
    barrier = Barrier(times)

    def begin(_: int) -> T:
        barrier.wait()
        return do()

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(begin, range(times)))


def kept(store: Tables) -> list[tuple[str, bytes]]:
    """What the store keeps of packs."""
    found = store.find(Statement("SELECT name, content FROM kept WHERE name LIKE 'pack/%'"))
    return [(str(name), bytes(content)) for name, content in found]


ONCE = [(f"pack/{THREE_MAGIC}/{PACK.hash}", PACK.data)]


def test_first_matches_opened_at_once_are_all_opened(tmp_path: Path, app: Flask) -> None:
    codes = []
    for number in range(STORES):
        config = Config(data=tmp_path / str(number))
        service = wiring.build(config, catalogue=Catalogue((domain.games,)))
        house = House(service, app)
        ann = house.player()

        def open_one(house: House = house, token: str | None = ann.token) -> int:
            body = {"game": THREE_MAGIC, "seats": SEATS}
            answer = house.send("POST", "/api/matches", json=body, headers={"Authorization": f"Bearer {token}"})
            return answer.status_code

        codes += at_once(open_one, AT_ONCE)
        assert kept(service.recorder) == ONCE
        service.close()
    assert codes == [201] * (STORES * AT_ONCE)


def test_a_pack_is_kept_once_by_two_processes(tmp_path: Path) -> None:
    keepers = [
        subprocess.Popen(
            [sys.executable, "-c", KEEPER, str(tmp_path)],
            cwd=TREE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for keeper in keepers:
        assert keeper.stdout is not None
        assert keeper.stdout.readline() == "ready\n"
    for keeper in keepers:
        assert keeper.stdin is not None
        keeper.stdin.write("\n")
        keeper.stdin.flush()
    for keeper in keepers:
        keeper.communicate(timeout=60)
    assert [keeper.returncode for keeper in keepers] == [0, 0]
    for number in range(10):
        store = SqliteRecorder.open_to_read(tmp_path / f"{number}.db")
        assert kept(store) == ONCE
        store.close()


def test_who_asks_for_a_pack_while_another_reads_it_is_given_it(config: Config, app: Flask) -> None:
    """One thread notes a new file and reads it; others must not take it for read before it is offered."""
    rich = PACK.data.replace(b"start = 270", b"start = 500")
    folder = config.packs / THREE_MAGIC
    folder.mkdir(parents=True)
    service = wiring.build(config, catalogue=Catalogue((domain.games,)))
    house = House(service, app)
    ann = house.player()
    codes = []
    for number in range(5):
        (folder / f"rich{number}.toml").write_bytes(rich + b"\n" * number)

        def open_one(name: str = f"rich{number}") -> int:
            body = {"game": THREE_MAGIC, "seats": SEATS, "pack": name}
            answer = house.send("POST", "/api/matches", json=body, headers={"Authorization": f"Bearer {ann.token}"})
            return answer.status_code

        codes += at_once(open_one, 8)
    service.close()
    assert codes == [201] * len(codes)

"""Processes on several hosts, each with a folder of its own, share a store and what lies in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import Event

import httpx
import pytest
from flask import Flask

import domain.games
from domain.catalogue import Catalogue
from events.store import Statement
from service import wiring
from service.bots.door import Door
from service.bots.player import Player
from service.config import Config
from tests.service.bots.workrun import Work
from tests.service.house import THREE_MAGIC, House

RICH = (
    Catalogue((domain.games,))
    .rooms[THREE_MAGIC]
    .packs["house"]
    .data.replace(b"start = 270", b"start = 500")
    .replace(b'"house"', b'"rich"')
)
BOTS = [{"bot": "greedy"}] * 3


def at(config: Config, app: Flask) -> House:
    """The house on that host, which knows no pack but those that it is shown."""
    return House(wiring.build(config, catalogue=Catalogue((domain.games,))), app)


@pytest.fixture
def here(config: Config, app: Flask) -> Iterator[House]:
    """On a host whose operator offers a pack."""
    file = config.packs / THREE_MAGIC / "rich.toml"
    file.parent.mkdir(parents=True)
    file.write_bytes(RICH)
    found = at(config, app)
    yield found
    found.service.close()


@pytest.fixture
def there(here: House, tmp_path: Path) -> Config:
    """Of a host with nothing of its own."""
    config, data = here.service.config, tmp_path / "there"
    data.mkdir(mode=0o700)
    shutil.copy(config.keys, data / "keys")
    return replace(config, data=data, store=config.store_url)


def od(house: House, match: str) -> list[int]:
    return [place["od"] for place in house.stranger.look(match)["view"]["places"]]


def test_a_match_is_played_where_its_pack_was_never_offered(here: House, there: Config, app: Flask) -> None:
    match, (ann, *_) = here.table(THREE_MAGIC, 3, pack="rich")
    other = at(there, app)
    assert [pack["name"] for pack in other.stranger.get(f"/games/{THREE_MAGIC}").json["packs"]] == ["house"]
    assert od(other, match) == [500] * 3
    assert other.again(ann).look(match)["rules"]["pack"] == "rich"
    hash = sha256(RICH).hexdigest()
    text = other.stranger.get(f"/games/{THREE_MAGIC}/packs/{hash}")
    assert (text.status_code, text.data) == (200, RICH)
    none = other.stranger.get(f"/games/{THREE_MAGIC}/packs/{'0' * 64}")
    assert (none.status_code, none.json["code"]) == (404, "unknown-pack")
    other.service.close()


def test_a_worker_without_files_plays_with_the_pack_of_a_match(here: House, tmp_path: Path) -> None:
    match = here.player().open(THREE_MAGIC, BOTS, pack="rich", options={"laps": 1})
    door = Door("http://house", here.service.config.worker_token, httpx.WSGITransport(app=here.app))
    player = Player(door, Event(), tmp_path / "none")
    assert player.play(Work(match), 60.0)
    assert here.stranger.look(match)["status"] == "finished"


def test_packs_that_an_earlier_release_kept_in_files_come_into_the_store(
    here: House, config: Config, there: Config, app: Flask
) -> None:
    match, _ = here.table(THREE_MAGIC, 3, pack="rich")
    here.service.close()
    store = wiring.open_store(config)
    store.write([Statement("DELETE FROM kept WHERE name LIKE 'pack/%'")])
    store.close()
    (config.packs / THREE_MAGIC / "rich.toml").unlink()
    kept = config.packs / THREE_MAGIC / "kept" / f"{sha256(RICH).hexdigest()}.toml"
    kept.parent.mkdir()
    kept.write_bytes(RICH)
    at(config, app).service.close()
    other = at(there, app)
    assert od(other, match) == [500] * 3
    other.service.close()
    assert kept.read_bytes() == RICH, "what lies there is left alone"

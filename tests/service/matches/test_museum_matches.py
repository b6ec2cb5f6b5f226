"""Matches of every version of the rules, in one house: those that are no longer at hand are read only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from flask import Flask

from domain.catalogue import PackFile
from events.store import Write
from events.stores import open_to_write
from replays.files.packs import Packs
from service.config import Config
from tests import museum
from tests.laws.rooms import room_of
from tests.service.house import House, build, games

LOGS = [path for path in sorted(museum.GAMES.glob("*/museum/*.jsonl")) if "high_card" not in path.parts]
ONE_EACH = list({(label.game, label.version): path for path in LOGS for label in (museum.label_of(path),)}.values())
"""A log of each version of each game's rules."""


@pytest.fixture(params=ONE_EACH, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def came(request: pytest.FixtureRequest, config: Config) -> tuple[Path, Config]:
    """A store with one match of the museum, and the pack that it was played with."""
    path: Path = request.param
    label = museum.label_of(path)
    config.data.mkdir()
    recorder = open_to_write(config.store_url)
    streams = museum.streams_of(path)
    match_id, log = next(iter(streams.items()))
    pack = msgspec.json.decode(log[0].public)["pack_hash"]
    Packs(games(), config.packs, recorder).keep(label.game, PackFile("museum", label.pack.encode(), pack, None))
    recorder.append(match_id, [Write(stream, 0, tuple(events)) for stream, events in streams.items()])
    recorder.close()
    return path, config


@pytest.fixture
def house(came: tuple[Path, Config], app: Flask) -> Iterator[House]:
    service = build(came[1])
    yield House(service, app)
    service.close()


def test_a_match_of_an_older_version_can_be_looked_at_and_says_that_it_is_not_playable(
    came: tuple[Path, Config], house: House
) -> None:
    label = museum.label_of(came[0])
    (match,) = (one["id"] for one in house.stranger.get("/matches").json["matches"])
    look = house.stranger.look(match)
    assert (look["game"], look["rules"]["version"]) == (label.game, label.version)
    assert look["playable"] is (label.version in room_of(label.game).game.versions)
    assert look["result"]["points"] == list(label.standing.points)
    assert look["text"]
    assert house.stranger.get(f"/matches/{match}/export").status_code == 200

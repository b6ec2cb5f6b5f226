"""A match that was opened by an earlier version of its game's rules: it is played to its end by that version."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from threading import Event

import httpx2
import pytest
from flask import Flask

import domain.games
import tests.toy
from domain.catalogue import Catalogue
from replays.checking.audit import audit
from replays.files import exports
from replays.files.format import read
from service import wiring
from service.config import Config
from service.jobs.player import BotPlayer, Door
from tests.service.house import House, Visitor, build, games, play_out, step
from tests.service.jobs.workrun import Work
from tests.service.matches.test_fork import fork

GAME = "magicative"


def of_version(version: int) -> Catalogue:
    """The games of the release that had this version of MAGICATIVE's rules."""
    found = Catalogue((domain.games, tests.toy))
    game = found.rooms[GAME].game.by(version)
    assert game is not None
    found.rooms[GAME].game = game
    return found


@pytest.fixture
def begun(config: Config, app: Flask) -> Iterator[tuple[House, str, list[Visitor]]]:
    """A match of two people that was begun under version 2, in the house of the newest."""
    older = wiring.build(config, catalogue=of_version(2))
    there = House(older, app)
    match, players = there.table(GAME)
    draw = random.Random(4)
    for _ in range(12):
        assert step(match, players, draw)
    assert there.stranger.look(match)["rules"]["version"] == 2
    older.close()
    newer = build(config)
    house = House(newer, app)
    yield house, match, [house.again(player) for player in players]
    newer.close()


def test_it_its_orders_trials_and_forks_are_judged_by_its_own_version_and_its_rematch_by_the_newest(
    begun: tuple[House, str, list[Visitor]],
) -> None:
    house, match, players = begun
    look = players[0].look(match)
    assert (look["rules"]["version"], look["playable"]) == (2, True)
    asked = next(player for player in players if player.moves(match)["decision"])
    trial = asked.get(f"/matches/{match}/trial").json
    assert [one["id"] for one in trial["moves"]] == [one["id"] for one in asked.moves(match)["moves"]]
    assert asked.post(f"/matches/{match}/orders", {"play": [{"type": "Discard"}]}).status_code == 201
    play_out(match, players)
    again = players[0].post(f"/matches/{match}/rematch").json
    assert (again["rules"]["version"], again["playable"]) == (3, True)
    for player in players:
        assert player.post(f"/matches/{again['id']}/invitations/accept").status_code == 200
    play_out(again["id"], players, most=6)
    forked = fork(players[0], match, exports.fork_points(house.service.states.log(match))[8]).json
    assert (forked["rules"]["version"], forked["playable"]) == (2, True)
    for player in players:
        player.sit(forked["id"])
    play_out(forked["id"], players)
    for played in (match, forked["id"]):
        file = read(io.BytesIO(house.stranger.get(f"/matches/{played}/export").data), "export")
        report = audit(file, games())
        assert (file.header.rules, file.header.status) == (2, "finished")
        assert (report.ok, report.failures, report.not_checked) == (True, (), ())
    assert house.stranger.look(house.player().open(GAME))["rules"]["version"] == 3


def test_bots_play_on_in_it(config: Config, app: Flask) -> None:
    older = wiring.build(config, catalogue=of_version(2))
    match = House(older, app).player().open(GAME, seats=[{"bot": "random"}, {"bot": "greedy"}])
    older.close()
    newer = build(config)
    house = House(newer, app)
    version = house.stranger.look(match)["version"]
    door = Door("http://house", config.worker_token, httpx2.WSGITransport(app=house.app))
    worker = BotPlayer(door, Event(), config.packs)
    assert worker.play(Work(match), 5) > 0
    assert house.stranger.look(match)["version"] > version
    newer.close()

"""Bots play through the service's HTTP door, here without a network in between."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import httpx
import msgspec
import pytest

from domain import matches
from domain.chance import Simulation
from service.bots import job
from service.bots.job import Door, Due, Player, Unanswered, play_bots, url_of
from service.config import Config
from service.wiring import Service
from tests.service.house import THREE_MAGIC, House

BOTS = ({"bot": "random"}, {"bot": "greedy"}, {"bot": "random"})


class Wire(httpx.BaseTransport):
    """Calls the app, and keeps what was asked; it can be told to lose an answer."""

    def __init__(self, house: House) -> None:
        self._app = httpx.WSGITransport(app=house.app)
        self.asked: list[tuple[str, str]] = []
        self.loses = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._app.handle_request(request)
        self.asked.append((request.method, request.url.path.rpartition("/")[2]))
        if self.loses and request.method == "POST":
            self.loses -= 1
            answer.close()
            raise httpx.ReadError("the line is cut")
        return answer


@pytest.fixture
def wire(house: House) -> Wire:
    return Wire(house)


@pytest.fixture
def door(service: Service, wire: Wire) -> Door:
    return Door("http://house", service.config.worker_token, wire)


@pytest.fixture
def player(door: Door, service: Service, monkeypatch: pytest.MonkeyPatch) -> Player:
    monkeypatch.setattr(job, "BUDGET", 60.0)
    return Player(door, Event(), service.config.packs)


def first_due(house: House, match_id: str) -> Due:
    owed = msgspec.json.decode(house.worker.get(f"/matches/{match_id}/bots").data)["decisions"]
    return msgspec.convert(owed[0], Due)


def test_a_match_of_bots_is_played_to_its_end(house: House, player: Player) -> None:
    match_id = house.player().open(THREE_MAGIC, BOTS, options={"laps": 1})
    counted = player.play(match_id)
    shown = house.stranger.look(match_id)
    assert shown["status"] == "finished"
    assert counted > 100, "it has made every move"


def test_bots_stop_where_a_person_is_asked_and_play_on_after(house: House, player: Player) -> None:
    ann = house.player()
    match_id = ann.open(THREE_MAGIC, [None, {"bot": "random"}, {"bot": "random"}], options={"laps": 1})
    assert player.play(match_id) == 0
    ann.sit(match_id)
    for _ in range(12):
        player.play(match_id)
        now = ann.moves(match_id)
        assert now["decision"] is not None, "the bots have done all that they are asked for"
        assert ann.move(match_id, now["moves"][0]["id"], now["decision"]).status_code == 200


def test_what_a_seat_has_seen_is_caught_up_and_not_read_again(house: House, player: Player, wire: Wire) -> None:
    match_id = house.player().open(THREE_MAGIC, BOTS, options={"laps": 1})
    seen = player._look(match_id, 1)
    wire.asked.clear()
    again = player._look(match_id, 1)
    assert wire.asked == [("GET", "events")]
    assert again == seen
    truth = house.service.states.log(match_id).fold(1)
    assert seen.state == truth
    assert matches.to_act(seen.game, seen.state) == matches.to_act(seen.game, truth)


def test_a_job_that_lost_its_answer_is_done_again_without_a_second_move(
    house: House, player: Player, door: Door, wire: Wire
) -> None:
    match_id = house.player().open(THREE_MAGIC, BOTS, options={"laps": 1})
    due = first_due(house, match_id)
    wire.loses = 1
    with pytest.raises(Unanswered, match="line is cut"):
        player._answer(match_id, due, Simulation(1))
    version = house.stranger.look(match_id)["version"]
    assert player._answer(match_id, due, Simulation(2)) == 0, "the next job finds the decision closed"
    # one that had read the table before: the same key, maybe with another move
    seen = house.service.states.log(match_id).fold(due.seat, at=due.decision)
    moves = player._look(match_id, due.seat).game.legal(seen.table, due.seat)
    for move in moves[:3]:
        door.move(match_id, due, move)
    assert house.stranger.look(match_id)["version"] == version


def test_a_pack_that_was_put_there_meanwhile_is_played_with(house: House, service: Service, player: Player) -> None:
    folder = service.config.packs / THREE_MAGIC
    folder.mkdir(parents=True, exist_ok=True)
    printed = service.catalogue.rooms[THREE_MAGIC].packs["house"].data
    (folder / "rich.toml").write_bytes(printed.replace(b"start = 270", b"start = 500"))
    match_id = house.player().open(THREE_MAGIC, BOTS, pack="rich")
    assert player._look(match_id, 0).state.table.od == (500, 500, 500)


def test_a_job_ends_early_when_its_worker_is_to_stop(house: House, service: Service, door: Door) -> None:
    stop = Event()
    stop.set()
    match_id = house.player().open(THREE_MAGIC, BOTS)
    assert Player(door, stop, service.config.packs).play(match_id) == 0


def test_a_door_that_does_not_open_is_tried_again_later(
    house: House, service: Service, wire: Wire, tmp_path: Path
) -> None:
    with pytest.raises(Unanswered, match="404 unknown-match"):
        Door("http://house", service.config.worker_token, wire).get("/api/matches/m_none/bots")
    with pytest.raises(Unanswered, match="No such file"):
        Door("http://house", tmp_path / "nothing", wire).get("/healthz")
    strange = tmp_path / "token"
    strange.write_text("strange")
    match_id = house.player().open(THREE_MAGIC, BOTS)
    with pytest.raises(Unanswered, match="401"):
        Door("http://house", strange, wire).get(f"/api/matches/{match_id}/bots")


def test_a_door_that_says_when_to_come_back_is_heeded(house: House, service: Service, wire: Wire) -> None:
    service.recorder.close()
    with pytest.raises(Unanswered, match="503") as told:
        Door("http://house", service.config.worker_token, wire).get("/api/matches/m_none/bots")
    assert told.value.after > 0


def test_a_token_that_has_changed_is_read_again(house: House, service: Service, wire: Wire, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("old")
    door = Door("http://house", token, wire)
    match_id = house.player().open(THREE_MAGIC, BOTS)
    with pytest.raises(Unanswered):
        door.get(f"/api/matches/{match_id}/bots")
    token.write_text(service.config.worker_token.read_text())
    assert b"decisions" in door.get(f"/api/matches/{match_id}/bots")


def test_a_bot_reads_nothing_but_its_seats_own(house: House, player: Player) -> None:
    match_id = house.player().open(THREE_MAGIC, BOTS)
    for seat in range(3):
        places = player._look(match_id, seat).state.table.deal.places
        assert [None in place.hand for place in places] == [other != seat for other in range(3)]


def test_the_job_itself_is_called_by_a_worker_only() -> None:
    with pytest.raises(AssertionError):
        play_bots("m_none", 0, 1)


@pytest.mark.parametrize(
    ("host", "url"),
    [("0.0.0.0", "http://127.0.0.1:9"), ("::", "http://[::1]:9"), ("::1", "http://[::1]:9"), ("here", "http://here:9")],
)
def test_where_the_web_process_is_found(host: str, url: str) -> None:
    assert url_of(Config(host=host, port=9)) == url


def test_the_answer_to_a_move_spares_a_look(house: House, player: Player, wire: Wire) -> None:
    match_id = house.player().open(THREE_MAGIC, BOTS)
    due = first_due(house, match_id)
    wire.asked.clear()
    counted = player._answer(match_id, due, Simulation(3))
    assert counted == 2, "inserted, and discarded"
    assert wire.asked == [("GET", "events"), ("POST", "moves"), ("POST", "moves")]

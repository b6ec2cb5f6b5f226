"""Bots play through the service's HTTP door, here without a network in between."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import httpx2
import msgspec
import pytest

from service.config import Config
from service.jobs import player as module
from service.jobs.door import Door, Unanswered
from service.jobs.player import FEW
from service.wiring import Service
from service.work import Answer, BotTurnTaken, Turn
from tests.service.house import THREE_MAGIC, House
from tests.service.jobs.workrun import Work, bot_player, door
from tests.service.matches.test_hints import against_bots

pytestmark = pytest.mark.faults

BOTS = ({"bot": "random"}, {"bot": "greedy"}, {"bot": "random"})
LONG = 600.0


class Wire(httpx2.BaseTransport):
    """Calls the app, and keeps the turns that were sent; it can be told to lose an answer, or that it is enough."""

    def __init__(self, house: House) -> None:
        self._app = httpx2.WSGITransport(app=house.app)
        self.asked: list[Any] = []
        self.loses = 0
        self.stop = Event()
        """Whoever plays is to stop."""
        self.door = door(house, self)
        self.player = bot_player(house, self.door, self.stop)
        self.most = 0
        """Requests after which they are; 0: however many."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = self._app.handle_request(request)
        if request.method == "GET":
            return answer
        turns = json.loads(request.content)["turns"]
        self.asked.append(turns)
        if len(self.asked) == self.most:
            self.stop.set()
        if self.loses and any("move" in turn for turn in turns):
            self.loses -= 1
            answer.close()
            raise httpx2.ReadError("the line is cut")
        return answer


@pytest.fixture
def wire(house: House) -> Wire:
    return Wire(house)


def look(by: Door, match_id: str) -> BotTurnTaken:
    (taken,) = by.take([Turn(match_id, {})])
    return taken


class Twice(Work):
    """Hands everything out twice, as after an answer that took longer than a claim lasts."""

    def take(self, most: int) -> dict[str, str]:
        taken = super().take(most)
        if not self.released:
            self._ids += taken
            self.released.append("")
        return taken


def test_a_match_under_way_is_not_taken_twice(house: House, wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", 0.0)
    # in which no bot is to act, so that one look is enough
    matches = [against_bots(house)[0] for _ in range(3)]
    work = Twice(*matches)
    wire.player.play(work, LONG)
    assert sorted({*work.released} - {""}) == sorted(matches)


def test_matches_of_bots_are_played_to_their_end_many_in_a_request(house: House, wire: Wire) -> None:
    ann = house.player()
    ids = [ann.open(THREE_MAGIC, BOTS, options={"laps": 1}) for _ in range(4)]
    counted = wire.player.play(Work(*ids), LONG)
    assert {house.stranger.look(match_id)["status"] for match_id in ids} == {"finished"}
    moves = sum("move" in turn for turns in wire.asked for turn in turns)
    assert counted == moves > 400, "each move that was sent counted"
    assert len(wire.asked) < moves


def test_bots_stop_where_a_person_is_asked_while_others_are_played_and_play_on_after(
    house: House, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = house.player()
    match_id = ann.open(THREE_MAGIC, [None, *BOTS[1:]], options={"laps": 1})
    assert wire.player.play(Work(match_id), LONG) == 0
    ann.sit(match_id)
    for _ in range(12):
        wire.player.play(Work(match_id), LONG)
        assert ann.moves(match_id)["decision"] is not None, "the bots have done all that they are asked for"
        assert ann.choose(match_id).status_code == 200
    work = Work(match_id, other := ann.open(THREE_MAGIC, BOTS))

    def release(match_ids: Sequence[str]) -> None:
        work.released += match_ids
        wire.stop.set()

    monkeypatch.setattr(work, "release", release)
    wire.player.play(work, LONG)
    assert (work.released, work.left) == ([match_id], [other])


def test_a_worker_that_has_just_begun_goes_on_with_a_match_of_many_pages(
    house: House, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = house.player().open(THREE_MAGIC, BOTS, options={"laps": 1})
    wire.most = 10
    wire.player.play(Work(match), LONG)
    wire.stop.clear()
    # each page has three events, and the opening alone many more
    monkeypatch.setattr("service.matches.playing.PAGE", 3)
    before = house.stranger.look(match)
    wire.most = 0
    work = Work(match)
    bot_player(house, wire.door, wire.stop).play(work, LONG)
    assert work.failed == []
    after = house.stranger.look(match)
    assert (before["status"], after["status"]) == ("playing", "finished")


def test_a_job_goes_on_where_nobody_else_waits(house: House, wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, hour = monotonic(), 3600.0
    monkeypatch.setattr("service.jobs.player.monotonic", lambda: begun + hour * len(wire.asked))
    ann = house.player()
    moves = []
    for others in (1, 0):
        work = Work(ann.open(THREE_MAGIC, BOTS))
        work.waiting = others
        wire.asked.clear()
        moves.append(wire.player.play(work, 20 * hour))
        assert work.left, "but not for ever"
    assert moves[1] > 2 * moves[0] > 20


def test_an_account_with_many_matches_holds_up_no_other(house: House, wire: Wire) -> None:
    ann, bob = house.player(), house.player()
    work = Work(*(ann.open(THREE_MAGIC, BOTS) for _ in range(40)), bobs := bob.open(THREE_MAGIC, BOTS))
    work.accounts[bobs] = "p_bob"
    wire.most = 60
    wire.player.play(work, LONG)
    full = wire.asked[2:-2]
    assert len(full) > 4
    assert max(map(len, full)) <= FEW + 1
    shares = [{turn["match"] for turn in turns} for turns in full]
    assert sum(bobs in share for share in shares) >= len(shares) // 2, "two requests are on their way at a time"
    assert len(set().union(*shares)) == 41, "and of its many matches each has its turn"


def test_a_job_whose_answer_is_lost_moves_once(house: House, wire: Wire) -> None:
    match_id = house.player().open(THREE_MAGIC, BOTS, options={"laps": 1})
    wire.loses = 1
    work = Work(match_id)
    with pytest.raises(Unanswered, match="line is cut"):
        wire.player.play(work, LONG)
    assert work.waits[match_id] >= 1
    (sent,) = [turn for turns in wire.asked for turn in turns if "move" in turn]
    version = house.stranger.look(match_id)["version"]
    (taken,) = wire.door.take([Turn(match_id, {}, Answer(**sent["move"]))])
    assert (taken.made, taken.problem) == (False, "decision-closed")
    assert house.stranger.look(match_id)["version"] == version
    wire.player.play(Work(match_id), LONG)
    assert house.stranger.look(match_id)["status"] == "finished"


def test_a_seat_that_is_taken_back_while_its_bot_chooses_holds_up_no_other_bot(house: House, wire: Wire) -> None:
    ann = house.player()
    match_id = ann.open_with(game=THREE_MAGIC, seats=[None, *BOTS[1:]])
    wire.player.play(Work(match_id), LONG)
    while (said := ann.post(f"/matches/{match_id}/stand-in")).status_code != 200:
        # nobody leaves a seat under seal, and it depends on the deal whether Ann is asked under it first
        assert said.json["code"] == "window-open"
        ann.choose(match_id)
        wire.player.play(Work(match_id), LONG)
    wire.player._left[match_id] = (asked := look(wire.door, match_id).bots)
    wire.player._catch_up(match_id, asked[0])
    ann.delete(f"/matches/{match_id}/stand-in")
    work = Work(match_id)
    assert wire.player.play(work, LONG) == 0
    assert (work.failed, work.released) == ([], [match_id])


def test_what_is_wrong_with_one_match_holds_up_no_other(house: House, wire: Wire) -> None:
    ann = house.player()
    good, bad = (ann.open(THREE_MAGIC, BOTS, options={"laps": 1}) for _ in range(2))
    wire.player._left[bad] = look(wire.door, bad).bots
    wire.player._catch_up(bad, wire.player._left[bad][0])
    # another release of the worker may think that something else is legal
    wire.player._seen[bad][0] = wire.player._seen[bad].pop(wire.player._left[bad][0].seat)
    wire.player._left[bad] = tuple(msgspec.structs.replace(one, bot="unheard of") for one in wire.player._left[bad])
    work = Work(good, bad, "m_none")
    wire.player.play(work, LONG)
    assert house.stranger.look(good)["status"] == "finished"
    assert (work.failed, work.left) == ([bad], [])


def test_a_pack_that_was_put_there_meanwhile_is_played_with(house: House, service: Service, wire: Wire) -> None:
    folder = service.config.packs / THREE_MAGIC
    folder.mkdir(parents=True, exist_ok=True)
    printed = service.catalogue.rooms[THREE_MAGIC].packs["house"].data
    (folder / "rich.toml").write_bytes(printed.replace(b"start = 270", b"start = 500"))
    match_id = house.player().open(THREE_MAGIC, BOTS, pack="rich", options={"laps": 1})
    assert wire.player.play(Work(match_id), LONG)
    assert house.stranger.look(match_id)["status"] == "finished"


def test_a_door_that_does_not_open_is_tried_again_later_and_when_it_says(
    house: House, service: Service, wire: Wire, tmp_path: Path
) -> None:
    match_id, token = house.player().open(THREE_MAGIC, BOTS), tmp_path / "token"
    door = Door("http://house", token, wire)
    with pytest.raises(Unanswered, match="No such file"):
        look(door, match_id)
    token.write_text("strange")
    with pytest.raises(Unanswered, match="401"):
        look(door, match_id)
    # a token that has changed is read again
    token.write_text(service.config.worker_token.read_text())
    assert look(door, match_id).bots
    service.recorder.close()
    with pytest.raises(Unanswered, match="503") as told:
        look(door, match_id)
    assert told.value.after > 0
    work = Work(match_id)
    with pytest.raises(Unanswered):
        wire.player.play(work, LONG)
    assert work.waits == {match_id: told.value.after}


def test_a_seat_is_told_its_own_once_and_goes_on_where_it_was(house: House, wire: Wire) -> None:
    match_id = house.player().open(THREE_MAGIC, BOTS, options={"laps": 1})
    work = Work(match_id)
    wire.player.play(work, 0.0)
    assert work.left == [match_id]
    log = house.service.states.log(match_id)
    known = {seat: seen.state for seat, seen in wire.player._seen[match_id].items()}
    assert known
    for seat, state in known.items():
        assert state == log.fold(seat, at=state.version)
        assert [None in place.hand for place in state.table.deal.places] == [other != seat for other in range(3)]
    wire.asked.clear()
    wire.player.play(Work(match_id), 0.0)
    ((turn,),) = wire.asked
    assert "move" in turn, "without another look"
    assert {int(seat): version for seat, version in turn["known"].items()} == {
        seat: state.version for seat, state in known.items()
    }


def test_turns_are_for_seats_of_bots_and_what_is_wrong_with_a_request_is_said_by_field(house: House) -> None:
    ann = house.player()
    match_id = ann.open_with(seats=[None, {"bot": "random"}])
    decision = house.worker.moves(match_id, seat=1)["decision"]
    wrong = {"match": match_id, "move": {"seat": 0, "decision": decision, "move": {}}}
    (taken,) = house.worker.post("/bots/turns", {"turns": [wrong]}).json["turns"]
    assert taken == {"match": match_id, "made": False, "problem": "not-your-seat", "bots": []}
    for turns, field in (
        ([{}], "match"),
        ([{"match": "m_a", "known": {"0": -1}}], "known"),
        ([{"match": "m_a", "move": {"seat": 0, "decision": 1}}], "move"),
        ([{"match": "m_a"}] * 65, "turns"),
        ([], "turns"),
    ):
        answer = house.worker.post("/bots/turns", {"turns": turns})
        assert (answer.status_code, field in json.dumps(answer.json["errors"])) == (422, True)
    answer = house.worker.post("/bots/turns", {"turns": [{"match": "m_none", "known": {"0": 4.0}}]})
    assert answer.json["turns"][0]["problem"] == "unknown-match", "4.0 is a whole number in JSON"


def test_where_the_web_process_is_found() -> None:
    for host, shown in (("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("here", "here")):
        assert Config(host=host, port=9).own_url == f"http://{shown}:9"

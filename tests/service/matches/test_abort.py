"""Breaking a match off."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from replays.files.format import Export
from replays.log import TRUTH, Log
from service.deeds import STRANGER
from tests.service.accounts.insiders import leave
from tests.service.house import Answer, House, Visitor, each, games, play_out, refusal
from tests.service.matches.test_receipts import assert_holds, sealing
from tests.service.together import meanwhile


def abort(visitor: Visitor, match: str) -> Answer:
    return visitor.post(f"/matches/{match}/abort")


def ended(house: House, match: str) -> dict[str, Any]:
    """The last event; by it the match must have been broken off, and be open to everybody."""
    look = house.stranger.look(match)
    assert (look["status"], look["to_act"], look["decision"], look["result"]) == ("aborted", [], None, None)
    assert look["abort"] == {"agreed": []}
    events = house.stranger.events(match)
    assert events[-1]["type"] == "match/Aborted"
    assert look["version"] == events[-1]["version"]
    for event in events:
        assert set(event["secret"]) == set(event["commits"])
    assert events[0]["secret"]["secret"]["value"] == events[-1]["public"]["secret"]
    assert house.service.recorder.decisions(match=match) == ()
    return events[-1]


def test_a_match_is_broken_off_once_every_player_has_agreed_and_its_cards_lie_open(house: House) -> None:
    match, players = house.table(seats=3)
    assert None in house.stranger.look(match)["view"]["places"][0]["hand"]
    for agreed, player in enumerate(players[:2], 1):
        answer = abort(player, match)
        assert (answer.status_code, answer.json["receipt"], answer.json["status"]) == (200, None, "playing")
        assert answer.json["abort"] == house.stranger.look(match)["abort"] == {"agreed": list(range(agreed))}
    answer = abort(players[2], match)
    assert (answer.status_code, answer.json["status"]) == (200, "aborted")
    last = ended(house, match)
    assert (last["public"]["reason"], last["actor"], last["move"]) == ("agreement", "service", 0)
    assert_holds(house, answer.json["receipt"], last)
    assert all(None not in place["hand"] for place in house.stranger.look(match)["view"]["places"])
    found = Export(house.stranger.export(match), "export")
    assert (found.header.viewer, found.header.status) == ("all", "aborted")
    assert Log(found, match, games()).fold(TRUTH) == house.service.states.log(match).fold(TRUTH)
    assert house.stranger.get("/matches", status="aborted").json["matches"][0]["id"] == match


def test_before_the_start_who_opened_it_breaks_it_off_alone(house: House) -> None:
    running, (ann, bob) = house.table()
    match = ann.open(seats=[None, None, {"bot": "random"}])
    bob.sit(match)
    assert refusal(abort(bob, match)) == (403, "not-creator")
    opener = Visitor(ann.client, ann.post("/me/tokens", {"scopes": ["match:create"]}).json["token"])
    assert abort(opener, running).json["code"] == "scope-missing"
    assert abort(opener, match).json["status"] == "aborted"
    assert ended(house, match)["public"]["reason"] == "agreement"
    assert house.stranger.look(match)["view"] is None
    for late in (bob.delete(f"/matches/{match}/seats"), ann.post(f"/matches/{match}/seats")):
        assert refusal(late) == (409, "not-open")


def test_the_operator_breaks_any_match_off(house: House) -> None:
    assert stat.S_IMODE(house.service.config.admin_token.stat().st_mode) == 0o600
    ann = house.player()
    running, _ = house.table()
    for match in (running, ann.open(), ann.open(visibility="private"), ann.open(seats=[{"bot": "random"}] * 2)):
        answer = abort(house.operator, match)
        assert (answer.status_code, answer.json["status"]) == (200, "aborted")
        assert ann.events(match)[-1]["public"]["reason"] == "operator"
        assert_holds(house, answer.json["receipt"], ann.events(match)[-1])
    assert abort(house.operator, "m_none").json["code"] == "unknown-match"


def test_while_answers_are_under_seal_those_that_were_given_open(house: House) -> None:
    match, (ann, bob) = sealing(house)
    ann.move(match, "raise")
    assert house.stranger.look(match)["sealed"]
    each((ann, bob), match, "abort")
    ended(house, match)
    assert not house.stranger.look(match)["sealed"]
    (sealed,) = house.stranger.events(match, private="true", seat=0)
    assert sealed["public"]["answer"] == {"type": "Raise"}
    assert house.stranger.events(match, private="true", seat=1) == []
    found = house.stranger.export(match)
    assert [receipt.stream for receipt in found.receipts] == [match, f"{match}/seat:0"]


def test_who_looks_while_it_ends_is_told_all_of_it(house: House) -> None:
    """Told as it was to a spectator before, it would stay so: the ETag is that of the open one."""
    match, players = house.table()
    views = house.service.views
    with meanwhile(lambda: each(players, match, "abort"), house.service.lobby, "entry", after=True):
        look = views.look(match, STRANGER)
    now = views.look(match, STRANGER)
    assert (look.viewer, look.state) == (now.viewer, now.state)
    assert look.etag("en") == now.etag("en")


def test_an_agreement_stands_until_it_is_taken_back_or_the_match_ends_and_who_waits_is_told(house: House) -> None:
    match, (ann, bob) = house.table()
    for agreed in ([0], [0]):
        assert abort(ann, match).json["abort"] == {"agreed": agreed}
    bob.choose(match)
    assert bob.look(match)["abort"] == {"agreed": [0]}
    watcher = house.again(house.stranger)
    known = {"If-None-Match": watcher.get(f"/matches/{match}").headers["ETag"]}
    assert watcher.get(f"/matches/{match}", known).status_code == 304
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(watcher.get, f"/matches/{match}", known, wait=20)
        for _ in range(2):
            answer = ann.delete(f"/matches/{match}/abort")
            assert (answer.status_code, answer.json["abort"], answer.json["receipt"]) == (200, {"agreed": []}, None)
        assert waiting.result(60).json["abort"] == {"agreed": []}
    assert abort(bob, match).json["abort"] == {"agreed": [1]}
    assert ann.post(f"/matches/{match}/abort", {"agree": False}).json["code"] == "malformed"
    play_out(match, [ann, bob])
    assert bob.look(match)["abort"] == {"agreed": []}
    assert abort(bob, match).json["code"] == "match-finished"


def test_after_the_end_nobody_is_asked_and_bots_have_agreed(house: House) -> None:
    ann = house.player()
    match = ann.open_with(seats=[None, {"bot": "random"}, {"bot": "greedy"}])
    look, bots = ann.look(match, scene="true"), f"/matches/{match}/bots"
    assert house.worker.get(bots).json["decisions"]
    assert look["scene"]["turn"]
    assert abort(ann, match).json["status"] == "aborted"
    scene = ann.look(match, scene="true")["scene"]
    assert (scene["turn"], scene["line"]) == ([], "The match is over.")
    ended(house, match)
    assert (house.worker.get(bots).json, ann.get("/me/turns").json) == ({"decisions": []}, {"turns": []})
    late = ann.move(match, "setaside-1", look["decision"])
    assert refusal(late) == (409, "match-aborted")
    assert late.json["open"] == ann.moves(match) == {"game": "high-card", "decision": None, "moves": []}
    for again in (abort(ann, match), ann.delete(f"/matches/{match}/abort")):
        assert refusal(again) == (409, "match-aborted")


def test_who_has_resigned_does_not_break_off_what_bots_play_for_others(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    ann.post(f"/matches/{match}/resign")
    each((bob, cid), match, "stand-in")
    assert refusal(abort(ann, match)) == (409, "resigned")
    assert leave(ann).status_code == 204
    assert bob.look(match)["status"] == "playing"
    assert abort(bob, match).json["status"] == "aborted"

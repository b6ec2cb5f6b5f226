"""Seats that are left to a bot by agreement: offered, agreed to by all others, and taken back."""

from __future__ import annotations

import io
from itertools import permutations
from typing import Any

import pytest

from replays.checking.audit import audit
from replays.files.format import read
from service.store import offers
from tests.service.clocks.timing import asked_of, bots_play
from tests.service.house import House, Visitor, games, play_out
from tests.service.matches.test_rows import row_of

GREEDY = {"bot": "greedy"}
HEIR = offers.Heir(bot="greedy")


def offer(visitor: Visitor, match: str, body: Any = GREEDY, **more: Any) -> Any:
    return visitor.post(f"/matches/{match}/offers", body, **more)


def agree(visitor: Visitor, match: str, seat: int, body: Any = GREEDY, **more: Any) -> Any:
    return visitor.post(f"/matches/{match}/offers/{seat}/agreement", body, **more)


def stand_in(house: House, match: str, seat: int) -> str | None:
    entry = house.service.lobby.find(match)
    assert entry is not None
    return entry.chairs[seat].stand_in


@pytest.mark.parametrize("order", [*permutations((1, 2))])
def test_the_bot_plays_once_all_others_agree_and_needs_no_acceptance(house: House, order: tuple[int, ...]) -> None:
    match, players = house.table(seats=3)
    said = offer(players[0], match)
    (shown,) = said.json["offers"]
    assert (said.status_code, shown["to"], shown["bot"], shown["accepted"]) == (200, None, "greedy", True)
    before = len(house.stranger.events(match))
    for seat in order:
        assert (stand_in(house, match, 0), len(house.stranger.events(match))) == (None, before)
        assert agree(players[seat], match, 0).status_code == 204
    assert stand_in(house, match, 0) == "greedy"
    (told,) = house.stranger.events(match)[before:]
    assert (told["type"], told["actor"]) == ("match/SeatHandedOver", "seat:0")
    assert told["public"] == {"seat": 0, "bot": "greedy", "reason": "agreement"}
    assert told["text"] == "The bot greedy plays for Player 0, as all have agreed."
    assert players[1].get(f"/matches/{match}/offers").json == {"offers": []}
    assert [one["seat"] for one in asked_of(house, match)] == [0]
    assert players[0].get("/me/turns").json == {"turns": []}


def test_where_nobody_else_is_to_be_asked_it_plays_at_once(house: House) -> None:
    ann = house.player()
    match = ann.open(seats=[None, {"bot": "random"}])
    ann.sit(match)
    said = offer(ann, match)
    assert (said.status_code, said.json) == (200, {"offers": []})
    assert stand_in(house, match, 0) == "greedy"


def test_of_the_others_only_those_are_asked_who_play_themselves(house: House) -> None:
    match, players = house.table(seats=3)
    assert players[2].post(f"/matches/{match}/stand-in", {}).status_code == 200
    offer(players[0], match)
    assert agree(players[1], match, 0).status_code == 204
    assert stand_in(house, match, 0) == "greedy"


def test_the_seat_stays_its_player_s_who_takes_it_back_and_the_result_says_by_agreement(house: House) -> None:
    match, (ann, bob) = house.table()
    offer(ann, match)
    agree(bob, match, 0)
    assert ann.look(match)["seat"] == 0
    refused = ann.move(match, ann.moves(match)["moves"][0]["id"])
    assert (refused.status_code, refused.json["code"]) == (409, "handed-over")
    bots_play(house, match)
    back = ann.delete(f"/matches/{match}/stand-in")
    assert (back.status_code, back.json["seats"][0]["stand_in"]) == (200, None)
    play_out(match, [ann, bob])
    seat = row_of(house, match)["seats"][0]
    assert seat["player"]["id"] == ann.id
    assert seat["conduct"] == {"resigned": False, "by_clock": 0, "handed_over": ["agreement"]}
    report = audit(read(io.BytesIO(house.stranger.get(f"/matches/{match}/export").data), "export"), games())
    assert report.ok, report.failures


def test_who_agreed_to_one_bot_has_agreed_to_no_other_and_to_no_player(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    eve = house.player("Eve")
    offer(ann, match)
    agree(bob, match, 0)
    for other in ({"bot": "random"}, {"player": eve.id}):
        late = agree(bob, match, 0, other)
        assert (late.status_code, late.json["code"]) == (404, "unknown-offer")
        assert offer(ann, match, other).json["offers"][0]["agreed"] == []
        consents = (offers.consent(match, 0, HEIR, 1), offers.consent(match, 0, offers.Heir(player=eve.id), 1))
        # and none that was on its way when another one came
        assert house.service.recorder.write(consents) == ((0, 0) if "bot" in other else (0, 1))
        house.service.recorder.write([offers.dissent(match, 0, 1)])
        stale = agree(cid, match, 0)
        assert (stale.status_code, stale.json["code"]) == (404, "unknown-offer")
    write = house.service.recorder.write
    assert write([offers.consent(match, 0, HEIR, 1), offers.accept(match, 0, "")]) == (0, 0)
    assert offer(ann, match).json["offers"][0]["accepted"] is True
    assert stand_in(house, match, 0) is None
    assert write([offers.consent(match, 0, HEIR, 1), offers.accept(match, 0, "")]) == (1, 0)


def test_everybody_may_change_their_mind_until_then_and_nobody_declines_for_a_bot(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    path = f"/matches/{match}/offers"
    offer(ann, match)
    agree(bob, match, 0)
    assert bob.delete(f"{path}/0/agreement").status_code == 204
    assert agree(cid, match, 0).status_code == 204
    assert stand_in(house, match, 0) is None
    for visitor in (ann, bob, house.player("Eve")):
        for said in (visitor.post(f"{path}/0/acceptance"), visitor.delete(f"{path}/0/acceptance")):
            assert (said.status_code, said.json["code"]) == (404, "unknown-offer")
    assert ann.delete(path).status_code == 204
    assert agree(bob, match, 0).json["code"] == "unknown-offer"
    assert (bob.get(path).json, stand_in(house, match, 0)) == ({"offers": []}, None)


NONSENSE: tuple[Any, ...] = (
    *({}, [], "greedy", None),
    *({"bot": name} for name in (None, "", "nobody", 3, ["greedy"], "GREEDY")),
    *({"player": None, "bot": None}, {"bot": "greedy", "player": "p_none"}, {"bot": "greedy", "more": 1}),
)


def test_a_bot_or_a_player_is_named_and_not_both_nor_none(house: House) -> None:
    match, (ann, bob) = house.table()
    for body in NONSENSE:
        for said in (offer(ann, match, body), agree(bob, match, 0, body)):
            assert (said.status_code, said.json["code"]) in {(422, "malformed"), (400, "malformed")}, body
    assert ann.get(f"/matches/{match}/offers").json == {"offers": []}


def test_a_seat_that_can_t_be_left_is_offered_to_no_bot(house: House) -> None:
    match, (ann, bob) = house.table()
    assert offer(house.player("Eve"), match).json["code"] == "not-seated"
    offer(ann, match)
    assert agree(ann, match, 0).json["code"] == "own-seat"
    ann.post(f"/matches/{match}/stand-in", {})
    for late in (offer(ann, match), agree(bob, match, 0)):
        assert (late.status_code, late.json["code"]) == (409, "handed-over")
    bob.post(f"/matches/{match}/resign")
    assert offer(bob, match).json["code"] == "resigned"
    waiting = ann.open()
    ann.sit(waiting)
    assert offer(ann, waiting).json["code"] == "match-open"
    ended, players = house.table()
    play_out(ended, players)
    assert offer(players[0], ended).json["code"] == "match-finished"


def test_what_others_agreed_to_before_the_bot_came_is_agreed_to_anew(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    offer(bob, match, {"bot": "random"})
    agree(cid, match, 1, {"bot": "random"})
    offer(ann, match)
    agree(bob, match, 0)
    agree(cid, match, 0)
    assert stand_in(house, match, 0) == "greedy"
    assert (bob.get(f"/matches/{match}/offers").json, stand_in(house, match, 1)) == ({"offers": []}, None)

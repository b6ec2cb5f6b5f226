"""Seats that are passed on to a player or a bot: offered, agreed to by all, accepted or taken back, and seen then."""

from __future__ import annotations

import random
from functools import partial
from itertools import permutations
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from domain import matches
from service.accounts import PLAY, READ, Asker
from service.store import Ordered, lobby
from tests.service.clocks.timing import asked_of, audit, bots_play, kinds
from tests.service.house import THREE_MAGIC, House, Visitor, beside, play_out, refusal, step
from tests.service.matches.test_orders import LOWEST, NEVER, give
from tests.service.matches.test_rows import row_of
from tests.service.together import at_once, meanwhile

GREEDY = {"bot": "greedy"}
HEIR = lobby.Heir(bot="greedy")


def named(to: Any) -> Any:
    return {"player": to.id} if isinstance(to, Visitor) else to


def offer(visitor: Visitor, match: str, to: Any = GREEDY, **more: Any) -> Any:
    return visitor.post(f"/matches/{match}/offers", named(to), **more)


def agree(visitor: Visitor, match: str, seat: int, to: Any = GREEDY) -> Any:
    return visitor.post(f"/matches/{match}/offers/{seat}/agreement", named(to))


def accept(visitor: Visitor, match: str, seat: int) -> Any:
    return visitor.post(f"/matches/{match}/offers/{seat}/acceptance")


def sits(house: House, match: str, seat: int) -> str:
    return str(house.service.lobby.find(match).chairs[seat].player)  # type: ignore[union-attr]


def stand_in(house: House, match: str, seat: int) -> str | None:
    return house.service.lobby.find(match).chairs[seat].stand_in  # type: ignore[union-attr]


@pytest.mark.parametrize("order", [*permutations(("bob", "cid", "eve"))])
def test_the_seat_changes_hands_with_the_last_word_whosever_it_is(house: House, order: tuple[str, ...]) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    eve = house.player("Eve")
    said = offer(ann, match, eve)
    assert (said.status_code, said.json["offers"][0]["to"]) == (200, {"id": eve.id, "name": "Eve", "kind": "human"})
    assert [one["match"] for one in eve.get("/me/offers").json["offers"]] == [match]
    words = {
        "bob": lambda: agree(bob, match, 0, eve),
        "cid": lambda: agree(cid, match, 0, eve),
        "eve": lambda: accept(eve, match, 0),
    }
    before = len(house.stranger.events(match))
    for who in order:
        assert (sits(house, match, 0), len(house.stranger.events(match))) == (ann.id, before)
        assert words[who]().status_code == 204
    assert sits(house, match, 0) == eve.id
    last = house.stranger.events(match)[before:]
    assert [(one["type"], one["public"]) for one in last] == [("match/SeatPassedOn", {"seat": 0})]
    assert last[0]["text"] == "Seat 0 is played by somebody else from now on."
    assert eve.id not in str(last)
    assert bob.get(f"/matches/{match}/offers").json == eve.get("/me/offers").json == {"offers": []}


def passed(house: House, match: str, players: list[Visitor], seat: int, to: Visitor) -> None:
    assert offer(players[seat], match, to).status_code == 200
    for other in players:
        if other is not players[seat]:
            assert agree(other, match, seat, to).status_code == 204
    assert accept(to, match, seat).status_code == 204


def test_who_comes_sees_what_the_seat_saw_and_who_goes_no_more_than_a_stranger(house: House) -> None:
    match, players = house.table(visibility="public")
    eve = house.player("Eve")
    play_out(match, players, most=1)
    players[0].post(f"/matches/{match}/abort")
    seen, decision = players[0].look(match), players[0].look(match)["decision"]
    passed(house, match, players, 0, eve)
    now, gone = eve.look(match), players[0].look(match)
    assert (now["view"], now["decision"], now["seat"]) == (seen["view"], decision, 0)
    stranger = house.stranger.look(match)
    for name in ("view", "decision", "seat", "text", "to_act"):
        assert gone[name] == stranger[name], name
    assert stranger["abort"] == {"agreed": []}, "what was agreed on the seat was agreed by another"
    asked = players[0].moves(match)
    assert (asked["decision"], asked["moves"]) == (None, [])
    assert refusal(players[0].move(match, "x", decision or 1)) == (403, "not-seated")
    assert players[0].get(f"/matches/{match}/events", private="true").status_code == 403
    turns = [one for one in eve.get("/me/turns").json["turns"] if one["match"] == match]
    assert [one["seat"] for one in turns] == ([0] if decision else [])
    assert players[0].get("/me/turns").json == {"turns": []}
    play_out(match, [eve, players[1]])
    row = row_of(house, match)
    assert row["seats"][0]["player"] == {"id": eve.id, "name": "Eve", "kind": "human"}
    assert row["seats"][0]["conduct"]["handed_over"] == ["passed"]
    audit(house, match)


def test_another_process_lets_who_went_see_nothing_that_came_after(house: House) -> None:
    match, players = house.table(seats=3)
    eve, other = house.player("Eve"), beside(house.service)
    asker = Asker(player=players[0].id, scopes=frozenset({READ, PLAY}))
    # it keeps who sits where of a match that is played
    position = other.changes.look(match)
    other.states.keep(position)
    assert other.views.look(match, asker, at_hand=True).seat == 0
    passed(house, match, players, 0, eve)
    look = other.views.look(match, asker, at_hand=True)
    assert (look.seat, look.decision) == (None, None)
    assert look.state.table == other.states.known(other.states.log(match), None).table


def test_of_three_last_words_in_three_processes_one_sees_to_it(house: House) -> None:
    one, two = House(beside(house.service)), House(beside(house.service))
    for _ in range(4):
        match, (ann, bob, cid) = house.table(seats=3)
        eve = house.player("Eve")
        offer(ann, match, eve)
        at_once(
            partial(agree, bob, match, 0, eve),
            partial(agree, one.again(cid), match, 0, eve),
            partial(accept, two.again(eve), match, 0),
        )
        assert sits(house, match, 0) == eve.id
        assert kinds(house, match).count("SeatPassedOn") == 1


def test_offers_are_for_those_whom_they_concern(house: House) -> None:
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    match = ann.open(seats=[None, {"player": bob.id}], visibility="private")
    assert refusal(offer(ann, match, eve)) == (403, "not-seated")
    ann.sit(match)
    assert offer(ann, match, eve).json["code"] == "match-open"
    bob.sit(match)
    assert offer(eve, match, bob).status_code == 404
    assert offer(ann, match, bob).json["code"] == "player-twice"
    assert ann.post(f"/matches/{match}/offers", {"player": "p_none"}).json["code"] == "unknown-player"
    path = f"/matches/{match}/offers"
    assert eve.get(path).status_code == 404
    assert accept(eve, match, 1).status_code == 404
    offer(bob, match, eve)
    assert [one["seat"] for one in eve.get(path).json["offers"]] == [1]
    assert eve.get(f"/matches/{match}").status_code == 404, "before they accept"
    assert agree(bob, match, 1, eve).json["code"] == "own-seat"
    assert agree(eve, match, 1, eve).status_code == 404
    assert house.player("Fay").get(path).status_code == 404
    accept(eve, match, 1)
    agree(ann, match, 1, eve)
    assert eve.look(match)["seat"] == 1
    assert bob.get(f"/matches/{match}").status_code == 404, "nor is the seat kept for them any longer"
    house.operator.post(f"/matches/{match}/abort")
    assert accept(bob, match, 0).json["code"] == "unknown-match", "nor are they told that it is over"


def test_under_seal_nobody_comes_or_goes(house: House) -> None:
    match, players = house.table(THREE_MAGIC, 3, options={"laps": 1})
    eve = house.player("Eve")
    draw = random.Random(3)
    while not house.stranger.look(match)["sealed"]:
        assert step(match, players, draw)
    answers = [offer(player, match, eve) for player in players]
    # alike for who was asked and who was not
    assert {refusal(one) for one in answers} == {(409, "window-open")}
    assert len({str(one.json) for one in answers}) == 1


def test_with_the_match_its_offers_end(house: House) -> None:
    match, (ann, bob) = house.table()
    eve = house.player("Eve")
    offer(ann, match, eve)
    accept(eve, match, 0)
    play_out(match, [ann, bob])
    assert eve.get("/me/offers").json == {"offers": []}
    assert refusal(agree(bob, match, 0, eve)) == (409, "match-finished")
    assert house.stranger.look(match)["status"] == matches.Status.FINISHED


def test_an_offer_that_was_taken_back_at_the_last_moment_is_none(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match, (ann, bob) = house.table()
    eve = house.player("Eve")
    offer(ann, match, eve)
    agree(bob, match, 0, eve)
    (found,) = house.service.lobby.offers_of(match)
    seen = [(replace(found, accepted=True),)]
    ann.delete(f"/matches/{match}/offers")
    # as it was read before that, and then as it is
    monkeypatch.setattr(house.service.lobby, "offers_of", lambda of: seen.pop() if seen else ())
    house.service.offers._pass_on(match, 0)
    assert not seen
    assert sits(house, match, 0) == ann.id


def test_who_declines_an_offer_withdraws_no_other_that_was_made_meanwhile(house: House) -> None:
    match, (ann, _) = house.table()
    eve, dan = house.player("Eve"), house.player("Dan")
    offer(ann, match, eve)
    there = House(beside(house.service)).again(ann)
    with meanwhile(lambda: offer(there, match, dan), house.service.lobby, "offers_of", after=True):
        assert eve.delete(f"/matches/{match}/offers/0/acceptance").status_code == 204
    assert [one["to"]["id"] for one in dan.get("/me/offers").json["offers"]] == [dan.id]


def test_whom_a_seat_is_passed_to_is_woken_though_it_was_remembered_who_sat_there(house: House) -> None:
    match, (ann, bob) = house.table()
    eve = house.player("Eve")
    offer(ann, match, eve)
    accept(eve, match, 0)
    told = Event()
    ring = house.service.bells.ring

    def rung(names: Any, *more: Any) -> None:
        if f"player:{eve.id}" in (names := [*names]):
            told.set()
        ring(names, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house.service.bells, "ring", rung)
        house.service.players._known[match] = (float("inf"), ((ann.id,), (bob.id,)))
        agree(bob, match, 0, eve)
        assert told.wait(60)
    assert sits(house, match, 0) == eve.id


def test_the_orders_of_who_has_gone_are_followed_no_longer(house: House) -> None:
    match, players = house.table()
    eve = house.player("Eve")
    for rule in (NEVER, LOWEST):
        give(players[0], match, rule)
    passed(house, match, players, 0, eve)
    assert eve.get(f"/matches/{match}/orders").json == {"orders": []}
    told = [one["type"] for one in eve.events(match, private="true")]
    assert told == ["match/OrderGiven"] * 2 + ["match/OrderWithdrawn"] * 2
    assert Ordered(house.service.recorder).due("", 9) == ()
    give(eve, match, NEVER)
    play_out(match, [eve, players[1]])
    audit(house, match)


def test_a_look_that_began_before_a_seat_was_passed_on_is_not_from_there(house: House) -> None:
    match, players = house.table()
    eve, asker = house.player("Eve"), house.service.accounts.asker(players[0].token)
    with meanwhile(lambda: passed(house, match, players, 0, eve), house.service.lobby, "entry", after=True):
        look = house.service.views.look(match, asker)
    assert (look.seat, look.reader, look.decision) == (None, None, None)


def test_a_bot_plays_once_all_others_have_agreed_until_its_player_takes_the_seat_back(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    offer(bob, match, {"bot": "random"})
    agree(cid, match, 1, {"bot": "random"})
    answer = offer(ann, match)
    shown = answer.json["offers"][0]
    assert (answer.status_code, shown["to"], shown["bot"], shown["accepted"]) == (200, None, "greedy", True)
    before = len(house.stranger.events(match))
    for player in (bob, cid):
        assert (stand_in(house, match, 0), len(house.stranger.events(match))) == (None, before)
        assert agree(player, match, 0).status_code == 204
    assert [stand_in(house, match, seat) for seat in (0, 1)] == ["greedy", None], "of seat 1 all are asked anew"
    (event,) = house.stranger.events(match)[before:]
    assert (event["type"], event["actor"]) == ("match/SeatHandedOver", "seat:0")
    assert event["public"] == {"seat": 0, "bot": "greedy", "reason": "agreement"}
    assert event["text"] == "The bot greedy plays for Player 0, as all have agreed."
    assert ann.get("/me/turns").json == {"turns": []}
    assert [one["seat"] for one in asked_of(house, match)] == [0]
    offer(bob, match)
    assert agree(cid, match, 1).status_code == 204, "a seat that a bot plays is not asked"
    assert (stand_in(house, match, 1), ann.look(match)["seat"]) == ("greedy", 0)
    assert refusal(ann.choose(match)) == (409, "handed-over")
    bots_play(house, match)
    back = ann.delete(f"/matches/{match}/stand-in")
    assert (back.status_code, back.json["seats"][0]["stand_in"]) == (200, None)
    assert bob.delete(f"/matches/{match}/stand-in").status_code == 200
    play_out(match, [ann, bob, cid])
    seat = row_of(house, match)["seats"][0]
    assert seat["player"]["id"] == ann.id
    assert seat["conduct"] == {"resigned": False, "by_clock": 0, "handed_over": ["agreement"]}
    audit(house, match)


def test_who_agreed_to_one_bot_has_agreed_to_no_other_and_to_no_player(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    eve = house.player("Eve")
    offer(ann, match)
    agree(bob, match, 0)
    for other in ({"bot": "random"}, {"player": eve.id}):
        assert refusal(agree(bob, match, 0, other)) == (404, "unknown-offer")
        assert offer(ann, match, other).json["offers"][0]["agreed"] == []
        consents = (lobby.consent(match, 0, HEIR, 1), lobby.consent(match, 0, lobby.Heir(player=eve.id), 1))
        # and none that was on its way when another one came
        assert house.service.recorder.write(consents) == ((0, 0) if "bot" in other else (0, 1))
        house.service.recorder.write([lobby.dissent(match, 0, 1)])
        assert refusal(agree(cid, match, 0)) == (404, "unknown-offer")
    write = house.service.recorder.write
    assert write([lobby.consent(match, 0, HEIR, 1), lobby.accept_offer(match, 0, "")]) == (0, 0)
    assert offer(ann, match).json["offers"][0]["accepted"] is True
    assert stand_in(house, match, 0) is None
    assert write([lobby.consent(match, 0, HEIR, 1), lobby.accept_offer(match, 0, "")]) == (1, 0)


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
            assert refusal(said) == (404, "unknown-offer")
    assert ann.delete(path).status_code == 204
    assert agree(bob, match, 0).json["code"] == "unknown-offer"
    assert (bob.get(path).json, stand_in(house, match, 0)) == ({"offers": []}, None)


def test_a_bot_or_a_player_is_named_and_not_both_nor_none(house: House) -> None:
    match, (ann, bob) = house.table()
    for body in ({}, "greedy", {"bot": "nobody"}, {"bot": ["greedy"]}, {"bot": "greedy", "player": "p_none"}):
        for answer in (offer(ann, match, body), agree(bob, match, 0, body)):
            assert refusal(answer) in {(422, "malformed"), (400, "malformed")}, body
    assert ann.get(f"/matches/{match}/offers").json == {"offers": []}


def test_a_seat_that_can_t_be_left_is_offered_to_no_bot(house: House) -> None:
    match, (ann, bob) = house.table(clock={"preset": "week", "resignation": "bot"})
    assert offer(house.player("Eve"), match).json["code"] == "not-seated"
    offer(ann, match)
    assert agree(ann, match, 0).json["code"] == "own-seat"
    ann.post(f"/matches/{match}/stand-in", {})
    for late in (offer(ann, match), agree(bob, match, 0)):
        assert refusal(late) == (409, "handed-over")
    bob.post(f"/matches/{match}/resign")
    assert offer(bob, match).json["code"] == "resigned"
    assert offer(ann, ann.open_with()).json["code"] == "match-open"
    ended, players = house.played()
    assert offer(players[0], ended).json["code"] == "match-finished"


def test_who_resigns_offers_the_seat_no_longer(house: House) -> None:
    match, (ann, bob, cid) = house.table(seats=3)
    eve = house.player("Eve")
    offer(ann, match, eve)
    offer(bob, match, eve)
    assert ann.post(f"/matches/{match}/resign").status_code == 200
    assert [one["seat"] for one in eve.get("/me/offers").json["offers"]] == [1]
    assert [one["seat"] for one in cid.get(f"/matches/{match}/offers").json["offers"]] == [1]
    assert refusal(accept(eve, match, 0)) == (404, "unknown-offer")
    assert [one.seat for one in house.service.offers.asked(Asker(cid.id, frozenset({READ})))] == [1]

"""A match once more: the same in everything but the seats, once, whoever asks."""

from __future__ import annotations

from functools import partial
from typing import Any

from domain import clocks
from tests.service.house import House, Visitor, beside, each, play_out, refusal
from tests.service.matches.test_lobby import link_of
from tests.service.matches.test_rows import TERMS, happen, row_of
from tests.service.together import at_once


def over(house: House, **more: Any) -> tuple[str, list[Visitor]]:
    """A match of two people and a bot that was broken off, with everything that can be wanted."""
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(seats=[{"player": ann.id}, {"bot": "greedy"}, {"player": bob.id}], **more)
    happen(house, match, lambda position: clocks.set_clock(position.truth, TERMS))
    each((ann, bob), match, "seats")
    each((ann, bob), match, "abort")
    return match, [ann, bob]


def again(visitor: Visitor, match: str, key: str | None = None) -> Any:
    return visitor.post(f"/matches/{match}/rematch", key=key)


def test_everything_is_as_before_but_the_seats_which_go_round(house: House) -> None:
    match, (ann, bob) = over(house, options={"rounds": 3}, pack="flat", visibility="private")
    answer = again(bob, match)
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/api/matches/{answer.json['id']}")
    assert (answer.json["opening"]["type"], answer.json["status"]) == ("match/Opened", "open")
    new, old = answer.json, ann.look(match)
    for name in ("game", "visibility", "options", "clock"):
        assert new[name] == old[name], name
    assert new["options"] == {"rounds": 3}
    assert new["rules"] == old["rules"]
    seats = [(seat["bot"], (seat["reserved"] or {}).get("id")) for seat in new["seats"]]
    assert seats == [("greedy", None), (None, bob.id), (None, ann.id)]
    assert new["rematch"] == {"of": match, "next": None}
    assert old["rematch"] == {"of": None, "next": new["id"]}
    assert row_of(house, match, ann)["rematch"]["next"] == new["id"]
    for player, seat in ((ann, 2), (bob, 1)):
        assert player.post(f"/matches/{new['id']}/invitations/accept").json["seat"] == seat
    play_out(new["id"], [ann, bob], most=1)
    assert house.service.states.log(match).secret != house.service.states.log(new["id"]).secret


def test_of_many_who_ask_at_once_in_two_processes_all_get_the_same_one(house: House) -> None:
    match, players = over(house)
    houses = [house, House(beside(house.service))]
    answers = at_once(*[partial(again, there.again(one), match) for there in houses for one in players] * 2)
    assert len({answer.json["id"] for answer in answers}) == 1
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len(house.stranger.get("/matches").json["matches"]) == 2


def test_whoever_played_gets_the_same_one_which_has_a_link_of_its_own(house: House) -> None:
    match, (ann, bob) = over(house, visibility="link")
    tag = ann.get(f"/matches/{match}").headers["ETag"]
    assert ann.get(f"/matches/{match}", {"If-None-Match": tag}).status_code == 304
    old = link_of(ann, match)
    assert refusal(house.player("Eve").post(f"/matches/{match}/rematch", link=old)) == (403, "not-seated")
    assert again(house.player("Eve"), match).status_code == 404
    answers = again(ann, match, "k"), again(bob, match), again(ann, match, "k")
    assert [one.status_code for one in answers] == [201, 200, 201]
    (new,) = {one.json["id"] for one in answers}
    assert len(ann.get("/matches").json["matches"]) == 2
    assert ann.get(f"/matches/{match}", {"If-None-Match": tag}).status_code == 200
    assert house.stranger.get(f"/matches/{new}", link=old).status_code == 404
    assert house.stranger.get(f"/matches/{new}", link=link_of(ann, new)).status_code == 200


def test_a_rematch_has_a_rematch(house: House) -> None:
    ann = house.player()
    match = ann.open(seats=[{"bot": "random"}, {"bot": "greedy"}])
    assert again(ann, match).json["code"] == "not-over"
    ids = [match]
    for _ in range(2):
        house.operator.post(f"/matches/{ids[-1]}/abort")
        answer = again(ann, ids[-1])
        assert answer.json["status"] == "playing"
        ids.append(answer.json["id"])
    bots = [[seat["bot"] for seat in house.stranger.look(one)["seats"]] for one in ids]
    assert bots == [["random", "greedy"], ["greedy", "random"], ["random", "greedy"]]

"""Matches by link: whoever has it may look on and sit down, and nobody else finds them."""

from __future__ import annotations

from replays.files.exports import fork_points
from tests.service.house import House, Visitor, play_out


def link_of(visitor: Visitor, match: str) -> str:
    answer = visitor.get(f"/matches/{match}/link")
    assert answer.status_code == 200, answer.json
    token = str(answer.json["token"])
    assert answer.json["url"].endswith(f"/api/matches/{match}?link={token}")
    return token


def test_who_has_the_link_may_look_and_sit_and_nobody_else_finds_the_match(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(visibility="link")
    ann.sit(match)
    token = link_of(ann, match)
    assert house.stranger.get(f"/matches/{match}").status_code == 404
    assert house.stranger.look(match, link=token)["visibility"] == "link"
    assert house.stranger.events(match, link=token)
    for visitor in (house.stranger, bob):
        assert visitor.get("/matches", link=token).json["matches"] == []
    assert [one["id"] for one in ann.get("/matches").json["matches"]] == [match]
    assert house.stranger.get(f"/matches/{match}/link", link=token).status_code == 401
    assert bob.post(f"/matches/{match}/seats").status_code == 404
    sat = bob.post(f"/matches/{match}/seats", link=token)
    assert (sat.status_code, sat.json["status"], sat.json["seat"]) == (200, "playing", 1)
    # whoever sits there needs no link
    play_out(match, [ann, bob])
    assert bob.look(match)["status"] == "finished"
    assert link_of(bob, match) == token
    assert house.stranger.get(f"/matches/{match}").status_code == 404


def test_no_other_link_opens_it_and_no_other_match_has_one(house: House) -> None:
    ann = house.player()
    match, other = ann.open(visibility="link"), ann.open(visibility="link")
    token, private = link_of(ann, match), ann.open(visibility="private")
    for asked, said in ((match, ""), (match, token[:-2] + "xx"), (match, link_of(ann, other)), (private, token)):
        for path in ("", "/events", "/moves", "/at/1"):
            answer = house.stranger.get(f"/matches/{asked}{path}", link=said)
            assert (answer.status_code, answer.json["code"]) == (404, "unknown-match")
    for without in (private, ann.open()):
        for answer in (ann.get(f"/matches/{without}/link"), ann.post(f"/matches/{without}/link")):
            assert (answer.status_code, answer.json["code"]) == (409, "no-link")


def test_a_new_link_makes_the_old_one_void(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(visibility="link")
    old = link_of(ann, match)
    assert bob.post(f"/matches/{match}/seats", link=old).status_code == 200
    refused = bob.post(f"/matches/{match}/link")
    assert (refused.status_code, refused.json["code"]) == (403, "not-opener")
    new = ann.post(f"/matches/{match}/link").json["token"]
    assert new != old
    assert house.stranger.get(f"/matches/{match}", link=old).status_code == 404
    assert house.stranger.get(f"/matches/{match}", link=new).status_code == 200
    assert bob.look(match)["seat"] == 0


def test_a_fork_is_no_more_open_than_its_parent(house: House) -> None:
    wanted = ("public", "link", "private", None)
    refused = "parent-private"
    for visibility, expected in (
        ("public", ["public", "link", "private", "public"]),
        ("link", [refused, "link", "private", "link"]),
        ("private", [refused, refused, "private", "private"]),
    ):
        ann, bob = house.player("Ann"), house.player("Bob")
        match = ann.open(seats=[None, {"player": bob.id}], visibility=visibility)
        for player in (ann, bob):
            player.sit(match)
        house.operator.post(f"/matches/{match}/abort")
        version = fork_points(house.service.states.log(match))[0]
        body = {"version": version, "seats": [None, None]}
        answers = [ann.post(f"/matches/{match}/fork", {**body, "visibility": one}).json for one in wanted]
        assert [answer.get("code") or answer["visibility"] for answer in answers] == expected

"""Matches by link: whoever has it may look on and sit down, and nobody else finds them."""

from __future__ import annotations

from tests.service.house import House, Visitor, play_out


def link_of(visitor: Visitor, match: str) -> str:
    answer = visitor.get(f"/matches/{match}/link")
    assert answer.status_code == 200, answer.json
    token = str(answer.json["token"])
    assert answer.json["url"].endswith(f"/api/matches/{match}?link={token}")
    return token


def test_who_has_the_link_may_look_and_sit(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(visibility="link")
    ann.sit(match)
    token = link_of(ann, match)
    assert house.stranger.get(f"/matches/{match}").status_code == 404
    assert house.stranger.look(match, link=token)["visibility"] == "link"
    assert house.stranger.events(match, link=token)
    assert bob.post(f"/matches/{match}/seats").status_code == 404
    sat = bob.post(f"/matches/{match}/seats", link=token)
    assert (sat.status_code, sat.json["status"], sat.json["seat"]) == (200, "playing", 1)
    # whoever sits there needs no link
    play_out(match, [ann, bob])
    assert bob.look(match)["status"] == "finished"
    assert link_of(bob, match) == token
    assert house.stranger.get(f"/matches/{match}").status_code == 404


def test_a_match_by_link_is_listed_for_its_own_alone(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(visibility="link")
    token = link_of(ann, match)
    for visitor in (house.stranger, bob):
        assert visitor.get("/matches", link=token).json["matches"] == []
    assert [one["id"] for one in ann.get("/matches").json["matches"]] == [match]
    assert house.stranger.get(f"/matches/{match}/link", link=token).status_code == 401


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
    found: dict[tuple[str, str | None], str] = {}
    for visibility in ("public", "link", "private"):
        match, players = house.table(visibility=visibility) if visibility == "public" else (None, [])
        if match is None:
            players = [house.player("Ann"), house.player("Bob")]
            match = players[0].open(seats=[None, {"player": players[1].id}], visibility=visibility)
            for player in players:
                player.sit(match)
        play_out(match, players)
        version = next(one["version"] for one in players[0].events(match) if one["type"] == "match/Started")
        for wanted in ("public", "link", "private", None):
            body = {"version": version + 5, "seats": [None, None], "visibility": wanted}
            answer = players[0].post(f"/matches/{match}/fork", body)
            if answer.json.get("code") == "fork-point":
                body["version"] = answer.json["nearest"][-1]
                answer = players[0].post(f"/matches/{match}/fork", body)
            found[visibility, wanted] = answer.json.get("code") or answer.json["visibility"]
    expected: dict[tuple[str, str | None], str] = {
        **{("public", wanted): wanted or "public" for wanted in ("public", "link", "private", None)},
        **{("link", wanted): wanted or "link" for wanted in ("link", "private", None)},
        ("link", "public"): "parent-private",
        **{("private", wanted): "parent-private" for wanted in ("public", "link")},
        **{("private", wanted): "private" for wanted in ("private", None)},
    }
    assert found == expected

"""What everybody may look at of a player's past, and what nobody is told of it."""

from __future__ import annotations

from typing import Any

from service.followers import Follower
from tests.service.followers.stands import look_until_done
from tests.service.house import HIGH_CARD, House, Visitor, each, play_out


def played(house: House, *players: Visitor, seed: int = 1, **more: Any) -> str:
    """A match of these players, to its end."""
    seats = [{"player": player.id} for player in players]
    match = players[0].open_with(*players[1:], seats=seats, **more)
    play_out(match, list(players), seed)
    return match


def test_a_profile_tells_results_and_against_whom(house: House, follower: Follower) -> None:
    ann, bob, cid = (house.player(name) for name in ("Ann", "Bob", "Cid"))
    first, second = played(house, ann, bob), played(house, bob, ann, seed=2)
    third = played(house, ann, cid, seed=3)
    look_until_done(follower)
    told = house.stranger.get(f"/players/{ann.id}").json
    assert (told["id"], told["name"], told["kind"], told["owner"]) == (ann.id, "Ann", "human", None)
    assert told["games"] == ann.get("/me/statistics").json["games"]
    assert told["games"][0]["matches"] == 3
    assert told["against"] == [
        {"player": {"id": bob.id, "name": "Bob", "kind": "human"}, "bot": None, "matches": 2},
        {"player": {"id": cid.id, "name": "Cid", "kind": "human"}, "bot": None, "matches": 1},
    ]
    rows = house.stranger.get(f"/players/{ann.id}/matches").json["matches"]
    assert [row["id"] for row in rows] == [third, second, first]
    for row, seat in zip(rows, (0, 1, 0), strict=True):
        look = house.stranger.look(row["id"])
        assert row["result"] == look["result"]
        assert (row["seat"], row["place"]) == (seat, look["result"]["ranking"][seat])
        assert row["seats"] == look["seats"]


def test_a_past_comes_in_pages(house: House, follower: Follower) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    made = [played(house, ann, bob, seed=seed) for seed in range(5)]
    look_until_done(follower)
    found: list[str] = []
    path = f"/players/{bob.id}/matches"
    query: dict[str, Any] = {"limit": 2}
    while True:
        answer = house.stranger.get(path, **query)
        found += [row["id"] for row in answer.json["matches"]]
        if answer.json["next"] is None:
            break
        assert f"cursor={answer.json['next']}" in answer.headers["Link"]
        query["cursor"] = answer.json["next"]
    assert found == made[::-1]
    assert house.stranger.get(path, cursor="x").json["code"] == "malformed-cursor"


def test_only_what_ended_for_everybody_to_see_is_in_a_profile_and_counted(house: House, follower: Follower) -> None:
    """Not even for those who were there: it would be told by the difference."""
    ann, bob = players = [house.player("Ann"), house.player("Bob")]
    first = played(house, ann, bob)
    before = house.stranger.get(f"/players/{ann.id}").json
    played(house, ann, bob, visibility="private")
    running, broken = ann.open_with(bob), ann.open_with(bob)
    fork = ann.post(f"/matches/{first}/fork", {"version": 8, "seats": [None, None]}).json["id"]
    each(players, fork, "seats")
    play_out(running, players, most=1)
    each(players, broken, "abort")
    play_out(fork, players)
    assert house.stranger.look(fork)["status"] == "finished"
    look_until_done(follower)
    for visitor in (house.stranger, ann, bob):
        assert [row["id"] for row in visitor.get(f"/players/{ann.id}/matches").json["matches"]] == [first]
    told = house.stranger.get(f"/players/{ann.id}").json
    assert [game["matches"] for game in told["games"]] == [one["matches"] for one in told["against"]] == [1]
    assert all(before[name] == told[name] for name in ("id", "since", "kind"))
    (table,) = house.stranger.get(f"/games/{HIGH_CARD}/statistics").json["tables"]
    assert table["matches"] == 1
    play_out(running, players)
    look_until_done(follower)
    (table,) = house.stranger.get(f"/games/{HIGH_CARD}/statistics").json["tables"]
    assert table["matches"] == 2


def test_a_profile_tells_nothing_that_proves_who_somebody_is(house: House) -> None:
    said = {"name": "Ann", "login": "secret-login", "password": "correct horse battery", "email": "ann@example.org"}
    ann = house.stranger.post("/players", said).json
    text = house.stranger.get(f"/players/{ann['id']}").text
    for secret in ("secret-login", "ann@example.org", "email", "argon2", "password"):
        assert secret not in text
    for unknown in ("p_none", "worker", "operator"):
        assert house.stranger.get(f"/players/{unknown}").json["code"] == "unknown-player"

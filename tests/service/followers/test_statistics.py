"""What is counted of finished matches, and what anybody may look at of a player's past."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from events.store import StoreError, partition_of
from service.followers import Counting, Follower, try_again
from service.store import Effects
from tests.service.followers.stands import look_until_done
from tests.service.house import HIGH_CARD, House, Visitor, each, play_out, step
from tests.service.run.uprun import until
from tests.service.stored import change, rows


def tables(house: House, game: str = HIGH_CARD) -> list[dict[str, Any]]:
    statistics = house.stranger.shown(f"/games/{game}/statistics")
    assert statistics["game"] == game
    return list(statistics["tables"])


def test_finished_matches_are_counted_by_game_seat_and_player(house: House, follower: Follower) -> None:
    looks = []
    for seed in range(6):
        match, players = house.played(seed)
        looks.append((house.stranger.look(match), players))
    look_until_done(follower)
    assert house.stranger.get("/games/no-such-game/statistics").status_code == 404
    assert house.player().get("/me/statistics").json == {"games": []}
    (table,) = tables(house)
    results = [look["result"] for look, _ in looks]
    moves = [house.stranger.events(look["id"])[-1]["move"] for look, _ in looks]
    assert min(moves) > 0
    assert (table["seats"], table["matches"]) == (2, 6)
    assert table["moves"] == {"least": min(moves), "most": max(moves), "mean": round(sum(moves) / 6, 3)}
    for seat in (0, 1):
        expected = [(one["points"][seat], one["ranking"][seat], one["ranking"].count(1)) for one in results]
        assert table["by_seat"][seat] == {
            "seat": seat,
            "matches": 6,
            "won": sum(place == 1 and firsts == 1 for _, place, firsts in expected),
            "shared": sum(place == 1 and firsts > 1 for _, place, firsts in expected),
            "points": round(sum(points for points, _, _ in expected) / 6, 3),
        }
    for look, players in looks:
        for seat, player in enumerate(players):
            (own,) = player.get("/me/statistics").json["games"]
            place, firsts = look["result"]["ranking"][seat], look["result"]["ranking"].count(1)
            assert (own["game"], own["seats"], own["matches"]) == (HIGH_CARD, 2, 1)
            assert (own["won"], own["shared"]) == (int((place, firsts) == (1, 1)), int(place == 1 and firsts > 1))
            assert own["points"] == look["result"]["points"][seat]


@pytest.mark.parametrize("is_left_to_bot", [False, True])
def test_who_has_given_up_a_match_of_two_has_lost_it(house: House, follower: Follower, is_left_to_bot: bool) -> None:
    match, players = house.table()
    if is_left_to_bot:
        players[0].post(f"/matches/{match}/stand-in", {})
    players[0].post(f"/matches/{match}/resign")
    look_until_done(follower)
    own = [player.get("/me/statistics").json["games"][0] for player in players]
    assert [(one["matches"], one["won"]) for one in own] == [(1, 0), (1, 1)]
    (table,) = tables(house)
    assert [seat["won"] for seat in table["by_seat"]] == [0, 1]
    assert table["by_bot"] == []


def test_neither_who_gave_up_a_seat_nor_the_bot_there_has_won(house: House, follower: Follower) -> None:
    gone, stays = house.player("Ann"), house.player("Bob")
    places: list[list[int]] = []
    # until the bot has been first with it
    while not any(place[0] == 1 < place[1] for place in places):
        assert len(places) < 60
        match = gone.open(seats=[None, None], clock={"preset": "day", "resignation": "bot"})
        for player in (gone, stays):
            player.sit(match)
        assert gone.post(f"/matches/{match}/resign").status_code == 200
        while (look := house.stranger.look(match))["status"] != "finished":
            if not step(match, [stays], Random(1)):
                assert house.worker.choose(match, seat=0).status_code == 200
        places.append(look["result"]["ranking"])
    look_until_done(follower)
    won = [sum(place[seat] == 1 and place.count(1) == 1 for place in places) for seat in (0, 1)]
    own = [player.get("/me/statistics").json["games"][0] for player in (gone, stays)]
    assert [(one["matches"], one["won"]) for one in own] == [(len(places), 0), (len(places), won[1])]
    assert own[0]["shared"] == 0
    (table,) = tables(house)
    assert [seat["won"] for seat in table["by_seat"]] == won
    assert table["by_bot"] == []


def test_bots_are_counted_by_their_names(house: House, follower: Follower) -> None:
    ann = house.player()
    match = ann.open_with(seats=[None, {"bot": "greedy"}])
    while house.stranger.look(match)["status"] != "finished":
        if not step(match, [ann], Random(1)):
            assert house.worker.choose(match, seat=1).status_code == 200
    look_until_done(follower)
    (table,) = tables(house)
    assert [(row["bot"], row["matches"]) for row in table["by_bot"]] == [("greedy", 1)]
    assert table["by_bot"][0]["points"] == table["by_seat"][1]["points"]


def test_a_log_that_does_not_hold_counts_once_mended(house: House, effects: Effects, follower: Follower) -> None:
    match, _ = house.played()
    find = "SELECT public FROM events WHERE stream = :match AND type = 'match/Finished'"
    put = "UPDATE events SET public = :public WHERE stream = :match AND type = 'match/Finished'"
    ((public,),) = rows(house.service, find, match=match)
    change(house.service, put, match=match, public=b"{}")
    house.played(2)
    look_until_done(follower)
    partition = partition_of(match, effects.partitions)
    assert [(one.match, one.follower) for one in effects.aside(partition)] == [(match, "statistics")]
    assert tables(house)[0]["matches"] == 1
    change(house.service, put, match=match, public=public)
    assert try_again(effects, match) == 1
    follower.leave()
    # PostgreSQL frees what it has left a moment later
    until(lambda: follower.look() or follower.held, "it holds partitions again")
    look_until_done(follower)
    assert effects.aside(partition) == ()
    assert tables(house)[0]["matches"] == 2


def test_a_store_that_fails_is_no_fault_of_the_log(house: House, effects: Effects, follower: Follower) -> None:
    match, _ = house.played()
    (event,) = effects.log.read(match, effects.log.head(match).version - 1)
    counting = Counting(effects.log)
    assert counting.effect(event)
    change(house.service, "ALTER TABLE matches RENAME TO lost")
    with pytest.raises(StoreError):
        counting.effect(event)


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

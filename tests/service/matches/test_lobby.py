"""Opening matches, the lobby, seats."""

from __future__ import annotations

from tests.service.house import House


def test_a_match_is_opened_with_its_first_event(house: House) -> None:
    ann = house.player()
    answer = ann.post("/matches", {"game": "high-card", "seats": [None, None]})
    assert answer.status_code == 201
    opened = answer.json
    assert answer.headers["Location"] == f"/api/matches/{opened['id']}"
    assert (opened["status"], opened["version"], opened["seat"]) == ("open", 1, None)
    assert opened["opening"]["type"] == "match/Opened"
    assert opened["opening"]["public"]["secret"] is None
    assert opened["opening"]["secret"] == {}
    assert opened["opening"]["commits"]["secret"]["readers"] == []
    assert len(opened["id"]) >= 15
    assert ann.look(opened["id"]) == {key: value for key, value in opened.items() if key not in {"opening", "receipt"}}


def test_bots_sit_down_in_the_opening_append_and_start_a_match_of_bots(house: House) -> None:
    ann = house.player()
    match = ann.open(options={"rounds": 3}, pack="flat", seats=[{"bot": "random"}, None], visibility="private")
    look = ann.look(match)
    assert (look["options"], look["rules"]["pack"], look["seats"][0]["bot"]) == ({"rounds": 3}, "flat", "random")
    assert [event["type"] for event in ann.events(match)] == ["match/Opened", "match/SeatTaken"]
    assert house.worker.get(f"/matches/{match}").status_code == 200, "a worker sees what has bots"
    bots = ann.open("three-magic", [{"bot": "greedy"}] * 3)
    assert house.stranger.look(bots)["status"] == "playing"
    assert house.worker.get(f"/matches/{bots}/bots").json["decisions"][0]["bot"] == "greedy"


def test_the_match_starts_when_all_seats_are_taken_with_their_nonces(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open()
    for wrong in ("ab" * 31, "AB" * 32, "xy" * 32, 5, "ab" * 32 + "\n"):
        answer = ann.post(f"/matches/{match}/seats", {"nonce": wrong})
        assert (answer.status_code, [*answer.json["errors"]]) == (422, ["nonce"])
    first = ann.post(f"/matches/{match}/seats").json
    player = {"id": ann.id, "name": "Ann", "kind": "human"}
    assert (first["status"], first["seat"], first["seats"][0]["player"]) == ("open", 0, player)
    left = ann.delete(f"/matches/{match}/seats")
    assert (left.status_code, left.json["seat"], left.json["seats"][0]["player"]) == (200, None, None)
    assert house.stranger.look(match)["seats"][0]["player"] is None
    assert ann.delete(f"/matches/{match}/seats").json["code"] == "not-seated"
    ann.sit(match, nonce="ab" * 32)
    assert house.stranger.events(match)[-1]["public"] == {"nonce": "ab" * 32, "seat": 0}
    again = ann.post(f"/matches/{match}/seats", {"nonce": "cd" * 32})
    assert (again.status_code, again.json["code"]) == (409, "already-seated")
    second = bob.post(f"/matches/{match}/seats").json
    assert (second["status"], second["seat"], second["decision"]) == ("playing", 1, second["version"])
    assert ann.delete(f"/matches/{match}/seats").json["code"] == "not-open"


def test_a_taken_seat_is_taken_and_a_kept_one_waits_for_its_player(house: House) -> None:
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    match = ann.open(seats=[None, {"bot": "random"}, {"player": bob.id}])
    assert house.stranger.look(match)["seats"][2]["reserved"] == {"id": bob.id, "name": "Bob", "kind": "human"}
    kept = ann.post(f"/matches/{match}/seats", {"seat": 2})
    assert (kept.status_code, kept.json["code"]) == (403, "seat-reserved")
    ann.sit(match, seat=0)
    none = eve.post(f"/matches/{match}/seats")
    assert (none.status_code, none.json["code"]) == (409, "no-free-seat")
    for seat in (0, 1):
        answer = bob.post(f"/matches/{match}/seats", {"seat": seat})
        assert (answer.status_code, answer.json["code"]) == (409, "seat-taken")
    assert bob.post(f"/matches/{match}/seats").json["seat"] == 2

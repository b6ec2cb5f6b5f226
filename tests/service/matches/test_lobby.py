"""Opening matches, the lobby, seats."""

from __future__ import annotations

from typing import Any

import pytest

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


def test_bots_sit_down_in_the_opening_append(house: House) -> None:
    match = house.player().open(seats=[{"bot": "random"}, None])
    assert [event["type"] for event in house.stranger.events(match)] == ["match/Opened", "match/SeatTaken"]
    assert house.stranger.look(match)["seats"][0]["bot"] == "random"


def test_a_match_of_bots_starts_at_once(house: House) -> None:
    match = house.player().open("three-magic", [{"bot": "greedy"}] * 3)
    assert house.stranger.look(match)["status"] == "playing"
    assert house.worker.get(f"/matches/{match}/bots").json["decisions"][0]["bot"] == "greedy"


def test_options_and_pack_are_the_openers(house: House) -> None:
    match = house.player().open(options={"rounds": 3}, pack="flat")
    look = house.stranger.look(match)
    assert (look["options"], look["rules"]["pack"]) == ({"rounds": 3}, "flat")


def test_the_match_starts_when_all_seats_are_taken(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open()
    first = ann.post(f"/matches/{match}/seats").json
    assert (first["status"], first["seat"], first["seats"][0]["player"]) == (
        "open",
        0,
        {"id": ann.id, "name": "Ann", "kind": "human"},
    )
    second = bob.post(f"/matches/{match}/seats").json
    assert (second["status"], second["seat"], second["decision"]) == ("playing", 1, second["version"])


def test_a_seat_may_be_named(house: House) -> None:
    ann = house.player()
    match = ann.open()
    assert ann.post(f"/matches/{match}/seats", {"seat": 1}).json["seat"] == 1


def test_the_nonce_is_in_the_log_and_final(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open()
    ann.sit(match, nonce="ab" * 32)
    taken = house.stranger.events(match)[1]
    assert taken["public"] == {"nonce": "ab" * 32, "seat": 0}
    again = ann.post(f"/matches/{match}/seats", {"nonce": "cd" * 32})
    assert (again.status_code, again.json["code"]) == (409, "already-seated")
    bob.sit(match)
    assert ann.delete(f"/matches/{match}/seats").json["code"] == "not-open"


@pytest.mark.parametrize("nonce", ["ab" * 31, "AB" * 32, "xy" * 32, 5, "ab" * 32 + "\n"])
def test_a_nonce_is_32_bytes_in_lower_case_hexadecimal(house: House, nonce: object) -> None:
    ann = house.player()
    answer = ann.post(f"/matches/{ann.open()}/seats", {"nonce": nonce})
    assert answer.status_code == 422
    assert "nonce" in answer.json["errors"]


def test_who_leaves_frees_the_seat(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open()
    ann.sit(match)
    left = ann.delete(f"/matches/{match}/seats")
    assert (left.status_code, left.json["seat"], left.json["seats"][0]["player"]) == (200, None, None)
    assert house.stranger.look(match)["seats"][0]["player"] is None
    assert ann.delete(f"/matches/{match}/seats").json["code"] == "not-seated"
    bob.sit(match)
    ann.sit(match)
    assert house.stranger.look(match)["status"] == "playing"


def test_a_taken_seat_is_taken(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(seats=[None, {"bot": "random"}, None])
    ann.sit(match, seat=0)
    for seat in (0, 1):
        answer = bob.post(f"/matches/{match}/seats", {"seat": seat})
        assert (answer.status_code, answer.json["code"]) == (409, "seat-taken")
    bob.sit(match)
    late = house.player("Cid").post(f"/matches/{match}/seats")
    assert (late.status_code, late.json["code"]) == (409, "no-free-seat")


def test_a_reserved_seat_waits_for_its_player(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(seats=[None, {"player": bob.id}])
    assert house.stranger.look(match)["seats"][1]["reserved"] == {"id": bob.id, "name": "Bob", "kind": "human"}
    refused = ann.post(f"/matches/{match}/seats", {"seat": 1})
    assert (refused.status_code, refused.json["code"]) == (403, "seat-reserved")
    assert bob.post(f"/matches/{match}/seats").json["seat"] == 1
    assert ann.post(f"/matches/{match}/seats").json["seat"] == 0


def test_the_lobby_lists_the_newest_first_by_pages(house: House) -> None:
    ann = house.player()
    opened = [ann.open() for _ in range(5)]
    seen: list[str] = []
    query: dict[str, Any] = {"limit": 2}
    while True:
        answer = house.stranger.get("/matches", **query)
        seen += [match["id"] for match in answer.json["matches"]]
        if answer.json["next"] is None:
            assert "Link" not in answer.headers
            break
        assert answer.headers["Link"].endswith('; rel="next"')
        query["cursor"] = answer.json["next"]
    assert sorted(seen) == sorted(opened)
    assert len(seen) == len(opened)


def test_the_lobby_filters(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    free = ann.open()
    kept = ann.open(seats=[{"bot": "random"}, {"player": bob.id}])
    other = bob.open("three-magic", [{"bot": "random"}] * 3)
    full, _ = house.table()

    def ids(visitor: object = house.stranger, **query: object) -> set[str]:
        return {match["id"] for match in visitor.get("/matches", **query).json["matches"]}  # type: ignore[attr-defined]

    assert ids() == {free, kept, other, full}
    assert ids(game="three-magic") == {other}
    assert ids(status="open") == {free, kept}
    assert ids(status="playing", game="high-card") == {full}
    assert ids(seat="free") == {free}
    assert ids(bob, seat="free") == {free, kept}
    assert ids(bob, mine="true") == {kept, other}
    assert ids(game="nothing") == set()


def test_mine_is_for_those_with_a_token(house: House) -> None:
    assert house.stranger.get("/matches", mine="true").status_code == 401


def test_a_private_match_is_unknown_to_strangers(house: House) -> None:
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    match = ann.open(seats=[None, {"player": bob.id}], visibility="private")
    for path in ("", "/moves", "/events", "/at/1"):
        for stranger in (eve, house.stranger, house.worker):
            answer = stranger.get(f"/matches/{match}{path}")
            unknown = stranger.get(f"/matches/{match[:-1]}{'a' if match[-1] != 'a' else 'b'}{path}")
            assert (
                (answer.status_code, answer.json["code"])
                == (404, "unknown-match")
                == (
                    unknown.status_code,
                    unknown.json["code"],
                )
            )
        assert ann.get(f"/matches/{match}{path}").status_code == 200
        assert bob.get(f"/matches/{match}{path}").status_code == 200
    assert eve.post(f"/matches/{match}/seats").status_code == 404
    assert eve.delete(f"/matches/{match}/seats").status_code == 404
    assert house.stranger.get("/matches").json["matches"] == []
    assert [one["id"] for one in bob.get("/matches").json["matches"]] == [match]


def test_workers_see_private_matches_that_have_bots(house: House) -> None:
    match = house.player().open(seats=[None, {"bot": "random"}], visibility="private")
    assert house.worker.get(f"/matches/{match}").status_code == 200

"""How often the seats of a match that waits can be taken and left."""

from __future__ import annotations

import itertools

from service.matches.seats import A_PLAYER, A_SEAT
from tests.service.house import Answer, House, Visitor
from tests.service.stored import rows


def come_and_go(visitor: Visitor, match: str) -> Answer | None:
    """Take a seat and leave it as often as it goes; the refusal, None if there was no end to it."""
    for _ in range(100):
        answer = visitor.post(f"/matches/{match}/seats")
        if answer.status_code != 200:
            return answer
        visitor.delete(f"/matches/{match}/seats")
    return None


def test_nobody_fills_anothers_log_by_coming_and_going_nor_who_is_invited(house: House) -> None:
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    match = ann.open(seats=[None, {"player": bob.id}])
    for made, visitor in enumerate((ann, bob, eve), 1):
        refused = come_and_go(visitor, match)
        assert refused is not None
        assert (refused.status_code, refused.json["code"]) == (409, "seated-too-often")
        assert ann.look(match)["version"] == 1 + 2 * A_PLAYER * made
    eve.sit(ann.open())
    assert house.stranger.get("/limits").json["sittings"] == {"player": A_PLAYER, "seat": A_SEAT}


def test_however_many_come_and_go_the_opener_gets_the_match_started(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open()
    for number in itertools.count():
        refused = come_and_go(house.player(f"Eve {number}"), match)
        if refused is None or refused.json["code"] != "seated-too-often":
            break
    assert refused is not None
    assert (refused.status_code, refused.json["code"]) == (409, "seats-taken-too-often")
    assert ann.look(match)["version"] == 1 + 2 * 2 * A_SEAT
    assert bob.post(f"/matches/{match}/seats").json["code"] == "seats-taken-too-often"
    assert ann.post(f"/matches/{match}/invitations", {"seat": 1, "player": bob.id}).status_code == 200
    bob.sit(match)
    ann.sit(match)
    assert house.stranger.look(match)["status"] == "playing"


def test_what_was_counted_is_forgotten_when_the_match_starts_or_ends(house: House) -> None:
    started, (_, bob) = house.table()
    ann = house.player()
    ended = ann.open(seats=[None, {"player": bob.id}])
    ann.sit(ended)
    bob.delete(f"/matches/{ended}/invitations")
    ann.post(f"/matches/{ended}/abort")
    for table in ("sittings", "declined"):
        assert rows(house.service, f"SELECT * FROM {table}") == []
    assert started != ended

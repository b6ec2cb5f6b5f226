"""Seats that are kept for somebody: invitations, which can be declined and given anew."""

from __future__ import annotations

from typing import Any

from service.matches.seats import MOST_INVITED
from tests.service.house import Answer, House, Visitor, refusal


def invite(visitor: Visitor, match: str, seat: int, player: str | None) -> Answer:
    return visitor.post(f"/matches/{match}/invitations", {"seat": seat, "player": player})


def invitations(visitor: Visitor) -> list[dict[str, Any]]:
    return list(visitor.shown("/me/invitations")["invitations"])


def test_a_kept_seat_is_an_invitation_that_is_accepted_in_one_call(house: House) -> None:
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    match = ann.open(seats=[None, None, {"player": bob.id}], visibility="private")
    invitation = {"match": match, "game": "high-card", "seat": 2, "visibility": "private"}
    by = {"id": ann.id, "name": "Ann", "kind": "human"}
    assert invitations(bob) == [{**invitation, "by": by, "created": ann.look(match)["created"]}]
    assert invitations(ann) == []
    ann.sit(match)
    path = f"/matches/{match}/invitations/accept"
    assert eve.post(path).status_code == 404
    assert refusal(ann.post(path)) == (409, "not-invited")
    first, second = bob.post(path, {"nonce": "ab" * 32}, key="k"), bob.post(path, {"nonce": "ab" * 32}, key="k")
    assert (first.status_code, first.json["seat"]) == (200, 2)
    assert second.json["receipt"] == first.json["receipt"]
    assert ann.events(match)[-1]["public"] == {"nonce": "ab" * 32, "seat": 2}
    assert invitations(bob) == []
    assert bob.post(path).json["code"] == "already-seated"
    assert bob.delete(f"/matches/{match}/seats").json["seat"] is None
    assert [one["match"] for one in invitations(bob)] == [match], "whoever leaves may accept again"
    assert bob.post(path).json["seat"] == 2
    bob.delete(f"/matches/{match}/seats")
    ann.post(f"/matches/{match}/abort")
    assert invitations(bob) == []


def test_invitations_come_by_pages_the_newest_first(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    opened = {ann.open(seats=[None, {"player": bob.id}]) for _ in range(3)}
    first = bob.get("/me/invitations", limit=2).json
    rest = bob.get("/me/invitations", limit=2, cursor=first["next"]).json
    assert (len(first["invitations"]), len(rest["invitations"]), rest["next"]) == (2, 1, None)
    assert {one["match"] for one in first["invitations"] + rest["invitations"]} == opened
    other = bob.get("/matches", limit=2).json["next"]
    for path, cursor in (("/me/invitations", "zzz"), ("/me/invitations", other), (f"/players/{bob.id}/matches", other)):
        assert bob.get(path, cursor=cursor).json["code"] == "malformed-cursor"
    for wanted in ({"cursor": first["next"]}, {"cursor": other, "since": "2020-01-01T00:00:00Z"}):
        assert bob.get("/matches", **wanted).json["code"] == "malformed-cursor", "it is ordered by other moments"


def test_who_declines_frees_the_seat_for_everybody_and_is_not_asked_again(house: House) -> None:
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    match = ann.open(seats=[None, {"player": bob.id}, None])
    bob.sit(match)
    assert refusal(bob.delete(f"/matches/{match}/invitations")) == (409, "already-seated")
    bob.delete(f"/matches/{match}/seats")
    known = eve.get(f"/matches/{match}").headers["ETag"]
    assert eve.post(f"/matches/{match}/seats", {"seat": 1}).json["code"] == "seat-reserved"
    assert bob.delete(f"/matches/{match}/invitations").status_code == 204
    now = eve.get(f"/matches/{match}", headers={"If-None-Match": known})
    assert (now.status_code, now.json["seats"][1]["reserved"], now.json["version"]) == (200, None, 3)
    assert invitations(bob) == []
    assert refusal(bob.delete(f"/matches/{match}/invitations")) == (409, "not-invited")
    assert refusal(invite(ann, match, 1, bob.id)) == (409, "has-declined")
    assert eve.post(f"/matches/{match}/seats", {"seat": 1}).status_code == 200
    bob.sit(match)
    assert bob.look(match)["seat"] == 0, "they may come all the same"


def test_a_private_match_is_unknown_to_who_has_declined_also_when_it_is_over(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    for is_over in (False, True):
        match = ann.open(seats=[None, {"player": bob.id}], visibility="private")
        if is_over:
            ann.post(f"/matches/{match}/abort")
        assert [one["id"] for one in bob.get("/matches", mine="true").json["matches"]] == [match]
        assert bob.delete(f"/matches/{match}/invitations").status_code == 204
        for answer in (bob.get(f"/matches/{match}"), bob.delete(f"/matches/{match}/invitations")):
            assert refusal(answer) == (404, "unknown-match")
        assert bob.get("/matches", mine="true").json["matches"] == []


def test_the_opener_gives_a_seat_anew(house: House) -> None:
    ann, bob, cid = house.player("Ann"), house.player("Bob"), house.player("Cid")
    match = ann.open(seats=[None, {"player": bob.id}], visibility="private")
    bob.delete(f"/matches/{match}/invitations")
    given = invite(ann, match, 1, cid.id)
    assert (given.status_code, given.json["receipt"]) == (200, None)
    assert given.json["seats"][1]["reserved"] == {"id": cid.id, "name": "Cid", "kind": "human"}
    assert [one["seat"] for one in invitations(cid)] == [1]
    assert invite(ann, match, 1, None).json["seats"][1]["reserved"] is None
    assert cid.get(f"/matches/{match}").status_code == 404, "taken back"
    assert invite(ann, match, 0, cid.id).status_code == 200
    cid.sit(match)
    ann.sit(match)
    assert ann.look(match)["status"] == "playing"


def test_a_seat_is_given_only_by_the_opener_before_the_start_and_only_if_it_is_free(house: House) -> None:
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    match = ann.open(seats=[None, None, {"bot": "random"}])
    assert invite(bob, match, 0, eve.id).json["code"] == "not-creator"
    for seat, player, code in ((0, "p_none", "unknown-player"), (3, bob.id, "unknown-seat"), (2, bob.id, "seat-taken")):
        assert invite(ann, match, seat, player).json["code"] == code
    assert invite(ann, match, 2, None).json["code"] == "seat-taken"
    assert invite(ann, match, 0, bob.id).status_code == 200
    assert invite(ann, match, 1, bob.id).json["code"] == "player-twice"
    assert invite(ann, match, 0, bob.id).status_code == 200, "as it is already"
    bob.sit(match)
    assert invite(ann, match, 1, bob.id).json["code"] == "player-twice"
    eve.sit(match)
    for visitor in (ann, bob):
        assert invite(visitor, match, 1, None).json["code"] in {"not-open", "not-creator"}


def test_nobody_puts_more_invitations_to_others_than_a_bound(house: House) -> None:
    over, (ann, bob) = house.table()
    house.operator.post(f"/matches/{over}/abort")
    first = ann.open(seats=[{"player": ann.id}, {"player": bob.id}])
    for _ in range(MOST_INVITED - 1):
        ann.open(seats=[None, {"player": bob.id}])
    free, seats = ann.open(seats=[{"player": ann.id}, None]), [None, {"player": bob.id}]
    before = len(house.service.recorder.matches())
    for refused in (
        ann.post("/matches", {"game": "high-card", "seats": seats}),
        ann.post(f"/matches/{over}/fork", {"version": ann.look(over)["version"] - 1, "seats": seats}),
        ann.post(f"/matches/{over}/rematch"),
        invite(ann, free, 1, bob.id),
    ):
        assert refusal(refused) == (409, "too-many-invitations")
    assert len(house.service.recorder.matches()) == before, "nothing of it was kept"
    bob.delete(f"/matches/{first}/invitations")
    assert invite(ann, free, 1, bob.id).status_code == 200
    assert bob.post(f"/matches/{over}/rematch").status_code == 201
    assert house.stranger.get("/limits").json["invitations"] == MOST_INVITED

"""Opening matches, and their seats: taken, left, found by link, kept for who is invited, and how often that goes."""

from __future__ import annotations

import itertools
from typing import Any

from replays.files.exports import fork_points
from service.matches.seats import A_PLAYER, A_SEAT, MOST_INVITED
from tests.service.house import Answer, House, Visitor, play_out, refusal
from tests.service.stored import rows


def test_a_match_is_opened_with_its_first_event(house: House) -> None:
    ann = house.player()
    answer = ann.post("/matches", {"game": "high-card", "seats": [None, None]})
    assert answer.status_code == 201
    opened = answer.json
    assert answer.headers["Location"] == f"/api/matches/{opened['id']}"
    assert (opened["status"], opened["version"], opened["seat"]) == ("open", 1, None)
    opening = opened["opening"]
    assert (opening["type"], opening["public"]["secret"], opening["secret"]) == ("match/Opened", None, {})
    assert opening["commits"]["secret"]["readers"] == []
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
    assert house.stranger.look(match)["seats"] == left.json["seats"]
    assert ann.delete(f"/matches/{match}/seats").json["code"] == "not-seated"
    ann.sit(match, nonce="ab" * 32)
    assert house.stranger.events(match)[-1]["public"] == {"nonce": "ab" * 32, "seat": 0}
    assert refusal(ann.post(f"/matches/{match}/seats", {"nonce": "cd" * 32})) == (409, "already-seated")
    second = bob.post(f"/matches/{match}/seats").json
    assert (second["status"], second["seat"], second["decision"]) == ("playing", 1, second["version"])
    assert ann.delete(f"/matches/{match}/seats").json["code"] == "not-open"


def test_a_taken_seat_is_taken_and_a_kept_one_waits_for_its_player(house: House) -> None:
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    match = ann.open(seats=[None, {"bot": "random"}, {"player": bob.id}])
    assert house.stranger.look(match)["seats"][2]["reserved"] == {"id": bob.id, "name": "Bob", "kind": "human"}
    assert refusal(ann.post(f"/matches/{match}/seats", {"seat": 2})) == (403, "seat-reserved")
    ann.sit(match, seat=0)
    assert refusal(eve.post(f"/matches/{match}/seats")) == (409, "no-free-seat")
    for seat in (0, 1):
        assert refusal(bob.post(f"/matches/{match}/seats", {"seat": seat})) == (409, "seat-taken")
    assert bob.post(f"/matches/{match}/seats").json["seat"] == 2


def link_of(visitor: Visitor, match: str) -> str:
    link = visitor.shown(f"/matches/{match}/link")
    assert link["url"].endswith(f"/api/matches/{match}?link={link['token']}")
    return str(link["token"])


def test_who_has_the_link_may_look_and_sit_and_nobody_else_finds_the_match(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open_with(visibility="link")
    token = link_of(ann, match)
    assert house.stranger.get(f"/matches/{match}").status_code == 404
    assert house.stranger.look(match, link=token)["visibility"] == "link"
    assert house.stranger.events(match, link=token)
    for visitor in (house.stranger, bob):
        assert visitor.get("/matches", link=token).json["matches"] == []
    assert [one["id"] for one in ann.get("/matches").json["matches"]] == [match]
    assert bob.post(f"/matches/{match}/seats").status_code == 404
    sat = bob.post(f"/matches/{match}/seats", link=token)
    assert (sat.status_code, sat.json["status"], sat.json["seat"]) == (200, "playing", 1)
    # whoever sits there needs no link
    play_out(match, [ann, bob])
    assert bob.look(match)["status"] == "finished"
    assert link_of(bob, match) == token
    assert house.stranger.get(f"/matches/{match}").status_code == 404


def test_who_leaves_a_seat_that_they_took_by_a_link_is_answered_with_the_match(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(visibility="link")
    assert bob.post(f"/matches/{match}/seats", link=link_of(ann, match)).status_code == 200
    left = bob.delete(f"/matches/{match}/seats")
    assert (left.status_code, [one["player"] for one in left.json["seats"]]) == (200, [None, None])
    assert bob.get(f"/matches/{match}").status_code == 404


def test_a_link_that_is_void_opens_nothing_that_a_process_remembers(house: House) -> None:
    ann = house.player("Ann")
    match = ann.open_with(visibility="link")
    token, bob = link_of(ann, match), house.player("Bob")
    assert bob.post(f"/matches/{match}/seats", link=token).status_code == 200
    ann.choose(match)
    assert house.stranger.get(f"/matches/{match}/moves", link=token).status_code == 200
    assert refusal(bob.post(f"/matches/{match}/link")) == (403, "not-opener")
    new = ann.post(f"/matches/{match}/link").json["token"]
    assert house.stranger.get(f"/matches/{match}", link=new).status_code == 200
    assert bob.look(match)["seat"] == 1
    for path in ("", "/moves"):
        assert refusal(house.stranger.get(f"/matches/{match}{path}", link=token)) == (404, "unknown-match")


def test_no_other_link_opens_it_and_no_other_match_has_one(house: House) -> None:
    ann = house.player()
    match, other = ann.open(visibility="link"), ann.open(visibility="link")
    token, private = link_of(ann, match), ann.open(visibility="private")
    for asked, said in ((match, ""), (match, token[:-2] + "xx"), (match, link_of(ann, other)), (private, token)):
        for path in ("", "/events", "/moves", "/at/1"):
            assert refusal(house.stranger.get(f"/matches/{asked}{path}", link=said)) == (404, "unknown-match")
    for without in (private, ann.open()):
        for answer in (ann.get(f"/matches/{without}/link"), ann.post(f"/matches/{without}/link")):
            assert refusal(answer) == (409, "no-link")


def test_mine_are_the_matches_that_one_opened_sits_in_or_is_awaited_in(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    opened, public, joined, _ = (who.open(visibility=how) for who in (ann, bob) for how in ("private", "public"))
    assert bob.post(f"/matches/{joined}/invitations", {"seat": 1, "player": ann.id}).status_code == 200
    assert {row["id"] for row in ann.get("/matches", mine=True).json["matches"]} == {opened, public, joined}
    assert ann.post(f"/matches/{joined}/invitations/accept").status_code == 200
    assert ann.delete(f"/matches/{joined}/seats").status_code == 200
    assert joined in {row["id"] for row in ann.get("/matches", mine=True).json["matches"]}, "the seat is kept again"
    assert ann.delete(f"/matches/{joined}/invitations").status_code == 204
    assert {row["id"] for row in ann.get("/matches", mine=True).json["matches"]} == {opened, public}


def test_a_fork_is_no_more_open_than_its_parent(house: House) -> None:
    wanted = ("public", "link", "private", None)
    refused = "parent-private"
    for visibility, expected in (
        ("public", ["public", "link", "private", "public"]),
        ("link", [refused, "link", "private", "link"]),
        ("private", [refused, refused, "private", "private"]),
    ):
        ann, bob = house.player("Ann"), house.player("Bob")
        match = ann.open_with(bob, seats=[None, {"player": bob.id}], visibility=visibility)
        house.operator.post(f"/matches/{match}/abort")
        version = fork_points(house.service.states.log(match))[0]
        body = {"version": version, "seats": [None, None]}
        answers = [ann.post(f"/matches/{match}/fork", {**body, "visibility": one}).json for one in wanted]
        assert [answer.get("code") or answer["visibility"] for answer in answers] == expected
        kept = answers[2]["id"]
        for path in ("", "/events", "/export", "/at/2", "/moves"):
            assert house.stranger.get(f"/matches/{kept}{path}").json["code"] == "unknown-match"


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
        assert refusal(refused) == (409, "seated-too-often")
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
    assert refusal(refused) == (409, "seats-taken-too-often")
    assert ann.look(match)["version"] == 1 + 2 * 2 * A_SEAT
    assert bob.post(f"/matches/{match}/seats").json["code"] == "seats-taken-too-often"
    assert ann.post(f"/matches/{match}/invitations", {"seat": 1, "player": bob.id}).status_code == 200
    bob.sit(match)
    ann.sit(match)
    assert house.stranger.look(match)["status"] == "playing"


def test_what_was_counted_is_forgotten_when_the_match_starts_or_ends(house: House) -> None:
    _, (_, bob) = house.table()
    ann = house.player()
    ended = ann.open_with(seats=[None, {"player": bob.id}])
    bob.delete(f"/matches/{ended}/invitations")
    ann.post(f"/matches/{ended}/abort")
    for table in ("sittings", "declined"):
        assert rows(house.service, f"SELECT * FROM {table}") == []


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

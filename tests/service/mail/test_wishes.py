"""What players want by mail, and how they end it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from service.mail.settings import next_digest
from service.mail.situation import MailTokens
from service.store.mailing import Wishes, bounce, wishes_of
from tests.service.house import Visitor
from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import text_of

LINK = re.compile(r"/api(/mail/unsubscribe/\S+)")


def put(house: MailHouse, player: object, body: object) -> object:
    return player.client.put("/api/me/mail", json=body, headers=player.headers)  # type: ignore[attr-defined]


def test_who_has_confirmed_no_address_wants_nothing(house: MailHouse) -> None:
    stranger = house.player("Stranger")
    answer = stranger.get("/me/mail")
    assert (answer.status_code, answer.json["code"]) == (409, "no-confirmed-address")


def test_what_is_wanted_is_changed_field_by_field(house: MailHouse) -> None:
    ann, box = house.addressed("Ann")
    assert ann.get("/me/mail").json == {
        "address": box.address,
        "on": True,
        "stopped": None,
        "lang": "en",
        "turns": "each",
        "news": True,
        "hour": 7,
        "zone": "UTC",
    }
    answer = put(house, ann, {"lang": "ja", "zone": "Asia/Tokyo"})
    assert answer.status_code == 200  # type: ignore[attr-defined]
    found = ann.get("/me/mail").json
    assert (found["lang"], found["zone"], found["turns"]) == ("ja", "Asia/Tokyo", "each")


def test_what_can_not_be_wanted_is_refused(house: MailHouse) -> None:
    ann, _ = house.addressed("Ann")
    for body in ({"turns": "some"}, {"hour": 24}, {"on": 1}, {"zone": "Mars/Olympus"}, {"zone": "../UTC"}, {"x": 1}):
        answer = put(house, ann, body)
        assert answer.status_code == 422, body  # type: ignore[attr-defined]


def test_who_has_ended_their_mails_ends_them_for_the_same_reason_until_they_want_them(house: MailHouse) -> None:
    ann, box = house.addressed("Ann")
    assert put(house, ann, {"on": False}).json["stopped"] == "unsubscribed"  # type: ignore[attr-defined]
    assert put(house, ann, {"on": True}).json["on"]  # type: ignore[attr-defined]
    for _ in range(3):
        house.service.recorder.write([bounce(ann.id, box.address)])
    token = MailTokens(house.service.signer).unsubscribe(ann.id)
    assert house.app.test_client().post(f"/api/mail/unsubscribe/{token}").status_code == 200
    assert put(house, ann, {"on": False}).json["stopped"] == "bounced"  # type: ignore[attr-defined]
    found = wishes_of(house.service.recorder, ann.id)
    assert found is not None
    assert found.bounces == 3


def test_a_digest_is_due_for_who_wants_one_and_for_nobody_else(house: MailHouse) -> None:
    ann, _ = house.addressed("Ann")
    said: tuple[dict[str, object], ...] = ({}, {"turns": "digest"}, {"on": False}, {"on": True}, {"turns": "none"})
    for body, is_due in zip(said, (False, True, False, True, False), strict=True):
        assert put(house, ann, body).status_code == 200  # type: ignore[attr-defined]
        found = wishes_of(house.service.recorder, ann.id)
        assert found is not None
        assert bool(found.digest) == is_due, body


def test_what_is_wanted_by_mail_is_looked_at_and_changed_by_who_may(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()

    def holder(*scopes: str) -> Visitor:
        token = ann.post("/me/tokens", {"name": "script", "scopes": scopes}).json["token"]
        return Visitor(ann.client, token, ann.id)

    for who, looks, changes in (
        (house.stranger, 401, 401),
        (holder("match:create"), 403, 403),
        (holder("match:read"), 200, 403),
        (holder("match:play"), 200, 200),
    ):
        assert who.get("/me/mail").status_code == looks
        assert put(house, who, {"hour": 8}).status_code == changes  # type: ignore[attr-defined]
        hushed = who.client.put(f"/api/me/mail/quiet/{match}", headers=who.headers)
        assert hushed.status_code == (204 if changes == 200 else changes)


def test_one_click_ends_all_mails_and_looking_at_the_page_does_not(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    house.send()
    mail = boxes[0].mails[0]
    link = str(mail["List-Unsubscribe"]).strip("<>")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = link.removeprefix("https://play.test/api")
    page = house.stranger.get(path)
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert "<form" in page.text
    assert players[0].get("/me/mail").json["on"]
    done = house.app.test_client().post(f"/api{path}", data={"List-Unsubscribe": "One-Click"})
    assert done.status_code == 200
    assert players[0].get("/me/mail").json["stopped"] == "unsubscribed"
    assert players[1].get("/me/mail").json["on"]
    boxes[0].unread()
    players[1].open("high-card", [None, {"player": players[0].id}])
    players[1].move(match, players[1].moves(match)["moves"][0]["id"])
    house.send()
    assert boxes[0].unread() == []
    assert put(house, players[0], {"on": True}).json["on"]  # type: ignore[attr-defined]


def test_a_link_ends_the_mails_of_its_match_alone(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    house.send()
    mail = boxes[0].unread()[0]
    link = LINK.search(text_of(mail))
    assert link is not None
    assert house.app.test_client().post(f"/api{link[1]}").status_code == 200
    assert players[0].get("/me/mail").json["on"]
    players[1].move(match, players[1].moves(match)["moves"][0]["id"])
    players[0].move(match, players[0].moves(match)["moves"][0]["id"])
    house.send()
    assert boxes[0].unread() == []
    second = players[0].open()
    players[0].sit(second)
    players[1].sit(second)
    house.send()
    assert {str(one["Subject"])[:9] for one in boxes[0].unread()} == {"It begins", "Your turn"}


def test_a_match_can_be_hushed_and_heard_again(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    path = f"/api/me/mail/quiet/{match}"
    assert players[0].client.put(path, headers=players[0].headers).status_code == 204
    house.send()
    assert boxes[0].unread() == []
    assert players[0].client.delete(path, headers=players[0].headers).status_code == 204
    assert players[0].client.put("/api/me/mail/quiet/m_none", headers=players[0].headers).status_code == 404


def test_a_changed_link_is_refused(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    house.send()
    path = str(boxes[0].mails[0]["List-Unsubscribe"]).strip("<>").removeprefix("https://play.test")
    for wrong in (f"{path}x", f"{path[:-1]}", path.replace("unsubscribe/", "unsubscribe/x"), "/api/mail/unsubscribe/x"):
        assert house.app.test_client().post(wrong).status_code == 404, wrong


def test_the_digest_comes_at_the_hour_of_the_zone_also_when_clocks_change() -> None:
    wishes = Wishes(
        player="p",
        address="a@b",
        lang="en",
        turns="digest",
        news=True,
        hour=7,
        zone="Europe/Berlin",
        digest="",
        stopped="",
        bounces=0,
    )
    summer = datetime(2026, 10, 24, 5, 0, tzinfo=UTC)
    assert next_digest(wishes, summer) == "2026-10-25T06:00:00.000Z"
    before = datetime(2026, 10, 24, 4, 59, 59, 999_000, tzinfo=UTC)
    assert next_digest(wishes, before) == "2026-10-24T05:00:00.000Z"


def test_an_address_that_refuses_for_good_three_times_is_written_to_no_more(house: MailHouse) -> None:
    ann, box = house.addressed("Ann")
    for times in range(3):
        assert ann.get("/me/mail").json["on"], times
        house.service.recorder.write([bounce(ann.id, box.address)])
    assert ann.get("/me/mail").json["stopped"] == "bounced"
    put(house, ann, {"on": True})
    found = wishes_of(house.service.recorder, ann.id)
    assert found is not None
    assert (found.stopped, found.bounces) == ("", 0)


def test_whoever_invites_again_and_again_fills_nobodys_mailbox(house: MailHouse) -> None:
    bob, box = house.addressed("Bob")
    eve, ann = house.player("Eve"), house.player("Ann")
    for _ in range(8):
        eve.open(seats=[None, {"player": bob.id}])
    house.send()
    assert len(box.unread()) == 5
    eve.open(seats=[None, {"player": bob.id}])
    ann.open(seats=[None, {"player": bob.id}])
    house.send()
    assert len(box.unread()) == 1, "somebody else's still comes"
    assert len(bob.get("/me/invitations").json["invitations"]) == 10, "and all of them stand on the pages"


def test_however_many_invite_a_mailbox_takes_so_many_in_a_day(house: MailHouse) -> None:
    bob, box = house.addressed("Bob")
    for number in range(6):
        somebody = house.player(f"Player {number}")
        for _ in range(4):
            somebody.open(seats=[None, {"player": bob.id}])
    house.send()
    assert len(box.unread()) == 20


def test_of_a_seat_that_is_given_back_and_forth_a_mailbox_hears_once(house: MailHouse) -> None:
    (bob, box), (cyd, other) = house.addressed("Bob"), house.addressed("Cyd")
    eve = house.player("Eve")
    match = eve.open(seats=[None, None])
    for _ in range(3):
        for player in (bob, cyd):
            assert eve.post(f"/matches/{match}/invitations", {"seat": 1, "player": player.id}).status_code == 200
            house.send()
    assert (len(box.unread()), len(other.unread())) == (1, 1)

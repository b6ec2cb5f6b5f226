"""What an operator says of mail and what a doctor finds of it, what players want by mail, and how they end it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from service.config import Config
from service.mail.sending import Unreachable, connected
from service.mail.settings import Relay, Wishing, next_digest, place_of, relay_of
from service.mail.situation import MailTokens
from service.run.doctor import surroundings
from service.run.doctor.report import Severity
from service.store.mailing import Wishes, bounce
from tests.service.accounts.insiders import leave
from tests.service.mail.conftest import MailHouse, against_bot, put
from tests.service.mail.mailbox import PostOffice, text_of
from tests.service.stored import change, rows

PASSWORD = "correct-horse"


def server(url: str) -> Relay:
    relay = relay_of(Config(smtp=url, mail_from="a@b.test"))
    assert relay is not None
    return relay


def test_a_server_is_named_with_user_password_and_port() -> None:
    relay = server("smtp://ann%40a.test:p%3Aq%2F@mail.test:2525")
    assert relay == Relay("mail.test", 2525, is_tls=False, user="ann@a.test", password="p:q/")
    assert "p:q/" not in relay.name
    assert server("smtps://mail.test").port == 465
    assert server("smtp://[::1]").is_near
    assert place_of("[::1]:24") == ("::1", 24)
    assert place_of(":24") == ("", 24)


def test_nothing_is_sent_without_a_server_and_a_sender_and_no_password_is_shown() -> None:
    for said in (Config(), Config(smtp=f"smtp://ann:{PASSWORD}@mail.test"), Config(mail_from="a@b.test")):
        assert relay_of(said) is None
        assert PASSWORD not in repr(said)


def test_a_password_is_not_sent_in_the_open_to_a_machine_elsewhere(office: PostOffice) -> None:
    relay = server(f"smtp://ann:{PASSWORD}@0.0.0.0:{office.port}")
    with pytest.raises(Unreachable, match="offers no encryption") as found, connected(relay, 5.0):
        pass
    assert PASSWORD not in str(found.value)


def found_of(config: Config) -> list[tuple[Severity, str]]:
    return [(one.level, one.what) for one in surroundings.examine_mail(config)]


def test_a_doctor_says_what_is_missing_and_whether_the_server_answers(tmp_path: Path, office: PostOffice) -> None:
    bare = Config(data=tmp_path)
    assert found_of(bare) == [(Severity.GOOD, "none is sent: no server is named")]
    half = replace(bare, smtp=office.url)
    assert found_of(half) == [(Severity.FAULT, "no mail is sent without FOLDTABLE_MAIL_FROM")]
    sent = replace(half, mail_from="table@play.test", public_url="https://play.test")
    assert found_of(sent) == [(Severity.GOOD, f"127.0.0.1, port {office.port} takes mails")]
    heard = replace(sent, mail_listen="127.0.0.1:24")
    assert found_of(heard)[0] == (Severity.FAULT, "mail is received, but replies have no domain")
    one_way = replace(sent, mail_domain="play.test")
    assert found_of(one_way)[0][0] == Severity.WARNING
    away = replace(sent, smtp=f"smtp://ann:{PASSWORD}@127.0.0.1:1")
    level, what = found_of(away)[0]
    assert level == Severity.FAULT
    assert re.search("does not answer", what)
    assert PASSWORD not in what
    assert found_of(replace(sent, public_url=""))[0][0] == Severity.WARNING


LINK = re.compile(r"/api(/mail/unsubscribe/\S+)")


def test_what_is_wanted_is_changed_field_by_field_and_what_can_not_be_is_refused(house: MailHouse) -> None:
    ann, box = house.addressed()
    wanted = {"address": box.address, "on": True, "stopped": None, "lang": "en"}
    wanted |= {"turns": "each", "news": True, "hour": 7, "zone": "UTC", "quiet": []}
    assert ann.get("/me/mail").json == wanted
    assert put(ann, lang="ja", zone="Asia/Tokyo").status_code == 200
    for body in ({"turns": "some"}, {"hour": 24}, {"on": 1}, {"zone": "Mars/Olympus"}, {"zone": "../UTC"}, {"x": 1}):
        assert put(ann, **body).status_code == 422, body
    assert ann.get("/me/mail").json == wanted | {"lang": "ja", "zone": "Asia/Tokyo"}


def test_who_has_ended_their_mails_ends_them_for_the_same_reason_until_they_want_them(house: MailHouse) -> None:
    ann, box = house.addressed()
    assert put(ann, on=False).json["stopped"] == "unsubscribed"
    assert put(ann, on=True).json["on"]
    for _ in range(3):
        house.service.recorder.write([bounce(ann.id, box.address)])
    token = MailTokens(house.service.signer).unsubscribe(ann.id)
    assert house.stranger.post(f"/mail/unsubscribe/{token}").status_code == 200
    assert put(ann, on=False).json["stopped"] == "bounced"
    assert house.wishes(ann).bounces == 3
    put(ann, on=True)
    assert (house.wishes(ann).stopped, house.wishes(ann).bounces) == ("", 0)


def test_a_change_takes_nothing_back_that_was_changed_at_the_same_moment(
    house: MailHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, box = house.addressed()
    changed = Wishing._changed
    others: list[dict[str, Any]] = [{"hour": 3, "turns": "digest"}, {"on": False}, {}]

    def meanwhile(wishing: Wishing, before: Wishes, said: dict[str, Any]) -> Wishes:
        after = changed(wishing, before, said)
        if said == {"lang": "ja"} and (other := others.pop(0)):
            put(ann, **other)
            house.service.recorder.write([bounce(ann.id, box.address)])
        return after

    monkeypatch.setattr(Wishing, "_changed", meanwhile)
    assert put(ann, lang="ja").status_code == 200
    found = house.wishes(ann)
    assert (found.lang, found.turns, found.hour, found.stopped) == ("ja", "digest", 3, "unsubscribed")
    assert (found.bounces, found.digest) == (2, "")


def test_a_digest_is_due_for_who_wants_one_and_for_nobody_else(house: MailHouse) -> None:
    ann, _ = house.addressed()
    bodies: tuple[dict[str, object], ...] = ({}, {"turns": "digest"}, {"on": False}, {"on": True}, {"turns": "none"})
    for body, is_due in zip(bodies, (False, True, False, True, False), strict=True):
        assert put(ann, **body).status_code == 200
        assert bool(house.wishes(ann).digest) == is_due, body


def test_a_digest_that_is_due_is_sent_though_its_player_changes_something_before(
    house: MailHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = house.addressed()
    put(ann, turns="digest")
    changed, due = Wishing._changed, "2020-01-01T07:00:00.000Z"
    change(house.service, "UPDATE mailing SET digest = :due", due=due)
    assert put(ann, hour=3).status_code == 200
    assert house.wishes(ann).digest == due

    def meanwhile(wishing: Wishing, before: Wishes, said: dict[str, Any]) -> Wishes:
        after = changed(wishing, before, said)
        house.channel.open()
        return after

    monkeypatch.setattr(Wishing, "_changed", meanwhile)
    assert put(ann, hour=4).status_code == 200
    assert house.wishes(ann).digest > due, "it is posted, and due once a day"


def test_one_click_ends_all_mails_and_looking_at_the_page_does_not(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    house.send()
    mail = boxes[0].unread()[0]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = str(mail["List-Unsubscribe"]).strip("<>").removeprefix("https://play.test/api")
    page = house.stranger.get(path)
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert "<form" in page.text
    assert "width=device-width" in page.text
    for wrong in (f"{path}x", path[:-1], path.replace("unsubscribe/", "unsubscribe/x"), "/mail/unsubscribe/x"):
        assert house.stranger.post(wrong).json["code"] == "unknown-link", wrong
        for method in ("GET", "POST"):
            read = house.app.test_client().open(
                f"/api{wrong}", method=method, headers={"Accept": "text/html,*/*;q=0.8"}
            )
            assert (read.status_code, read.mimetype) == (404, "text/html"), wrong
            assert "Copy all of it from the mail." in read.text
    assert players[0].get("/me/mail").json["on"]
    done = house.app.test_client().post(f"/api{path}", data={"List-Unsubscribe": "One-Click"})
    assert done.status_code == 200
    assert "in your settings" in done.text
    assert '<a href="/settings">' in done.text
    assert players[0].get("/me/mail").json["stopped"] == "unsubscribed"
    assert players[1].get("/me/mail").json["on"]
    players[1].open("high-card", [None, {"player": players[0].id}])
    players[1].choose(match)
    house.send()
    assert boxes[0].unread() == []


def test_the_mails_of_a_match_alone_are_ended_by_its_link_or_on_the_web(house: MailHouse) -> None:
    match, (ann, bob), boxes = house.laid()
    quiet = f"/me/mail/quiet/{match}"
    assert bob.put(quiet).status_code == 204
    house.send()
    assert boxes[1].unread() == []
    link = LINK.search(text_of(boxes[0].unread()[0]))
    assert link is not None
    assert "Those of other matches still come" in house.stranger.post(link[1]).text
    assert ann.get("/me/mail").json["on"]
    bob.choose(match)
    assert bob.delete(quiet).status_code == 204
    ann.choose(match)
    # chance may have asked the first alone, who is left with a pair
    while not bob.moves(match)["moves"]:
        assert ann.choose(match).status_code == 200
    house.send()
    assert [box.subjects() for box in boxes] == [[], ["Your turn"]]
    against_bot(ann)
    house.send()
    assert boxes[0].subjects() == ["It begins", "Your turn"]
    assert bob.put("/me/mail/quiet/m_none").status_code == 404
    assert leave(ann).status_code == 204
    assert house.stranger.post(link[1]).status_code == 200
    assert rows(house.service, "SELECT * FROM quiet") == [], "of who is erased nothing stays"


def test_the_digest_comes_at_the_hour_of_the_zone_also_when_clocks_change() -> None:
    said = {"address": "a@b", "lang": "en", "turns": "digest", "news": True, "hour": 7, "digest": "", "stopped": ""}
    wishes = Wishes(player="p", zone="Europe/Berlin", bounces=0, **said)  # type: ignore[arg-type]
    summer = datetime(2026, 10, 24, 5, 0, tzinfo=UTC)
    assert next_digest(wishes, summer) == "2026-10-25T06:00:00.000Z"
    before = datetime(2026, 10, 24, 4, 59, 59, 999_000, tzinfo=UTC)
    assert next_digest(wishes, before) == "2026-10-24T05:00:00.000Z"


def test_a_mailbox_takes_so_many_invitations_from_one_and_from_all(house: MailHouse) -> None:
    bob, box = house.addressed("Bob")
    for number, counts in ((0, (8, 5)), (1, (1, 1)), (2, (8, 5)), (3, (8, 5)), (4, (8, 4))):
        inviter, (invitations, mails) = house.player(f"Player {number}"), counts
        for _ in range(invitations):
            inviter.open(seats=[None, {"player": bob.id}])
        house.send()
        assert len(box.unread()) == mails, number
    assert len(bob.get("/me/invitations", limit=50).json["invitations"]) == 33, "and all of them stand on the pages"


def test_of_a_seat_that_is_given_back_and_forth_a_mailbox_hears_once(house: MailHouse) -> None:
    (bob, box), (cyd, other) = house.addressed("Bob"), house.addressed("Cyd")
    eve = house.player("Eve")
    match = eve.open(seats=[None, None])
    for _ in range(3):
        for player in (bob, cyd):
            assert eve.post(f"/matches/{match}/invitations", {"seat": 1, "player": player.id}).status_code == 200
            house.send()
    assert (len(box.unread()), len(other.unread())) == (1, 1)

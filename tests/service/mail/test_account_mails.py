"""From sign-up to farewell: an address is confirmed by the link that came there, and no sooner told of matches."""

from __future__ import annotations

import re

import pytest

from events.store import Statement
from service import clock
from service.store import DeliveryTable, Letter, mailing
from tests.service.accounts.test_farewell import leave
from tests.service.house import Visitor
from tests.service.mail.conftest import Clock, MailHouse, against_bot
from tests.service.mail.mailbox import Mailbox, text_of

WORD, OTHER_WORD = "correct horse battery", "another horse"
LINK = re.compile(r"https://play\.test(/account/\w+\?token=([\w.-]+))")


def test_an_account_is_written_to_from_the_link_that_confirms_its_address_until_it_is_deleted(house: MailHouse) -> None:
    address = "newcomer@people.test"
    signed = {"name": "Ann", "login": "ann", "password": WORD, "email": address}
    answer = house.stranger.post("/players", signed)
    ann = Visitor(house.app.test_client(), answer.json["token"], answer.json["id"])
    box = Mailbox(house.office, address, house.port)

    def link() -> re.Match[str]:
        """Open the link in the one mail that has come."""
        house.send()
        (mail,) = box.unread()
        match = LINK.search(text_of(mail))
        assert match is not None
        assert house.app.test_client().get(match[1]).status_code == 200
        return match

    against_bot(ann)
    confirm = link()
    assert ann.get("/me/mail").json["code"] == "no-confirmed-address"
    done = house.app.test_client().post("/api/email/confirmation?lang=ja", json={"token": confirm[2]})
    assert done.status_code == 200
    wanted = ann.get("/me/mail").json
    assert (wanted["address"], wanted["lang"]) == (address, "ja")
    against_bot(ann)
    house.send()
    assert len(box.unread()) == 2, "a beginning and a turn"

    house.stranger.post("/recovery", {"email": address})
    assert house.app.test_client().post(link()[1], data={"password": OTHER_WORD}).status_code == 200
    house.send()
    assert len(box.unread()) == 1, "that it was changed"
    assert ann.get("/me").status_code == 401
    token = house.stranger.post("/sessions", {"login": "ann", "password": OTHER_WORD}).json["token"]
    again = Visitor(ann.client, token, ann.id)
    against_bot(again)
    assert leave(again, password=OTHER_WORD).status_code == 204
    house.send()
    assert box.unread() == []
    for table in ("mailing", "deliveries"):
        sql = f"SELECT 1 FROM {table} WHERE player = :player"
        assert house.service.recorder.find(Statement(sql, {"player": ann.id})) == []


LETTERS = [("confirm", "ja"), ("recover", "en"), ("password-changed", "ja"), ("address-changed", "xx")]


@pytest.mark.parametrize(("kind", "lang"), LETTERS)
def test_letters_about_an_account_go_to_the_address_that_they_name(house: MailHouse, kind: str, lang: str) -> None:
    address = f"{kind}@people.test"
    before, at = len(house.office.mails(address)), clock.stamp(clock.now())
    letter = Letter(id=f"m_{kind}", kind=kind, player="p_somebody", address=address, lang=lang, at=at)
    house.service.recorder.write([mailing.post(letter)])
    house.loop(Clock(), link=lambda letter: f"https://play.test/account/{letter.kind}").look()
    (mail,) = house.office.mails(address)[before:]
    has_link = f"https://play.test/account/{kind}" in text_of(mail)
    assert has_link == (kind in {"confirm", "recover"})
    assert mail["List-Unsubscribe"] is None
    assert mail["Content-Language"] == ("ja" if lang == "ja" else "en")


def test_a_link_that_is_good_for_nothing_any_more_is_not_sent(house: MailHouse) -> None:
    at = clock.stamp(clock.now())
    letter = Letter(id="m_x", kind="confirm", player="p_somebody", address="late@people.test", lang="en", at=at)
    house.service.recorder.write([mailing.post(letter)])
    house.mail.loop.look()
    assert house.office.mails("late@people.test") == []
    assert DeliveryTable(house.service.recorder).find("m_x") is None

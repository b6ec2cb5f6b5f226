"""Letters about an account, and from when on an address is told of matches."""

from __future__ import annotations

import re

import pytest

from tests.service.accounts.insiders import entered
from tests.service.mail.conftest import Clock, MailHouse, against_bot
from tests.service.mail.mailbox import Mailbox, text_of

LINK = re.compile(r"https://play\.test(/account/\w+\?token=([\w.-]+))")


def test_an_address_is_confirmed_by_the_link_that_came_there_and_told_of_matches_from_then_on(house: MailHouse) -> None:
    address = "newcomer@people.test"
    ann = entered(house, house.stranger.post("/players", {"name": "Ann", "email": address}))
    box = Mailbox(house.office, address, house.port)
    against_bot(ann)
    house.send()
    (mail,) = box.unread()
    link = LINK.search(text_of(mail))
    assert link is not None
    assert house.app.test_client().get(link[1]).status_code == 200
    assert ann.get("/me/mail").json["code"] == "no-confirmed-address"
    assert house.stranger.post("/email/confirmation", {"token": link[2]}, lang="ja").status_code == 200
    wanted = ann.get("/me/mail").json
    assert (wanted["address"], wanted["lang"]) == (address, "ja")
    against_bot(ann)
    house.send()
    assert len(box.unread()) == 2, "a beginning and a turn"


LETTERS = [("confirm", "ja"), ("recover", "en"), ("password-changed", "ja"), ("address-changed", "xx")]


@pytest.mark.parametrize(("kind", "lang"), LETTERS)
def test_letters_about_an_account_go_to_the_address_that_they_name(house: MailHouse, kind: str, lang: str) -> None:
    address = f"{kind}@people.test"
    before = len(house.office.mails(address))
    house.post(kind, address=address, lang=lang)
    house.loop(Clock(), link=lambda letter: f"https://play.test/account/{letter.kind}").look()
    (mail,) = house.office.mails(address)[before:]
    has_link = f"https://play.test/account/{kind}" in text_of(mail)
    assert has_link == (kind in {"confirm", "recover"})
    assert mail["List-Unsubscribe"] is None
    assert mail["Content-Language"] == ("ja" if lang == "ja" else "en")


def test_a_link_that_is_good_for_nothing_any_more_is_not_sent(house: MailHouse) -> None:
    house.post("confirm", address="late@people.test")
    house.mail.loop.look()
    assert house.office.mails("late@people.test") == []
    assert house.waiting() is None

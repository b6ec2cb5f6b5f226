"""From sign-up to the first mail about a match: an address is confirmed by the link that came there, and no sooner."""

from __future__ import annotations

import re
from email.message import EmailMessage

from tests.service.accounts.test_farewell import leave
from tests.service.house import Visitor
from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import Mailbox, text_of

WORD = "correct horse battery"
LINK = re.compile(r"https://play\.test(/account/\w+\?token=[\w.-]+)")


def newcomer(house: MailHouse, address: str) -> tuple[Visitor, Mailbox]:
    """Somebody who has signed up and looks at their mail."""
    answer = house.stranger.post("/players", {"name": "Ann", "login": "ann", "password": WORD, "email": address})
    assert answer.status_code == 201, answer.json
    player = Visitor(house.app.test_client(), answer.json["token"], answer.json["id"])
    return player, Mailbox(house.office, address, house.port)


def sent(house: MailHouse, box: Mailbox) -> EmailMessage:
    """The one mail that has come."""
    house.send()
    return box.next()


def follow(house: MailHouse, mail: EmailMessage, **said: str) -> None:
    """Open the link, and press the button."""
    found = LINK.search(text_of(mail))
    assert found is not None, text_of(mail)
    page = house.app.test_client()
    assert page.get(found[1]).status_code == 200
    assert page.post(found[1], data=said).status_code == 200


def test_nothing_but_the_link_comes_before_it_is_followed_and_matches_come_after(house: MailHouse) -> None:
    ann, box = newcomer(house, "ann.first@people.test")
    bob = house.player("Bob")
    confirm = sent(house, box)
    early = ann.open("high-card", [None, None])
    for player in (ann, bob):
        player.sit(early)
    house.send()
    assert box.unread() == []
    follow(house, confirm)
    late = ann.open("high-card", [None, None])
    for player in (ann, bob):
        player.sit(late)
    house.send()
    assert box.unread() != []
    assert ann.get("/me/mail").json["address"] == "ann.first@people.test"


def test_a_new_password_comes_by_mail_and_whoever_goes_is_written_to_no_more(house: MailHouse) -> None:
    ann, box = newcomer(house, "ann.second@people.test")
    follow(house, sent(house, box))
    house.stranger.post("/recovery", {"email": "ann.second@people.test"})
    follow(house, sent(house, box), password="another horse")
    assert sent(house, box)["Subject"], "that it was changed"
    assert ann.get("/me").status_code == 401
    token = house.stranger.post("/sessions", {"login": "ann", "password": "another horse"}).json["token"]
    again = Visitor(ann.client, token, ann.id)
    bob = house.player("Bob")
    match = again.open("high-card", [None, None])
    for player in (again, bob):
        player.sit(match)
    assert leave(again, password="another horse").status_code == 204
    house.send()
    assert box.unread() == []

"""A seat that is kept for somebody is taken or declined by mail, and the reply brings a nonce."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest

from tests.service.clocks.timing import audit
from tests.service.house import Visitor, play_out
from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import Mailbox, address_of, hand_in, reply_to, text_of
from tests.service.mail.test_replies import OK, answers
from tests.service.mail.test_sending import another


def invited(house: MailHouse, lang: str = "en", **more: Any) -> tuple[str, Visitor, Visitor, Mailbox, EmailMessage]:
    """A match with a seat for Bob, who was told; Ann sits on the other one."""
    ann, _ = house.addressed("Ann")
    bob, box = house.addressed("Bob", lang)
    match = ann.open(seats=[None, {"player": bob.id}], **more)
    ann.sit(match, seat=0)
    house.send()
    return match, ann, bob, box, box.unread()[0]


@pytest.mark.parametrize(
    ("lang", "said", "visibility"), [("en", "Yes, please!", "public"), ("ja", "はい、参加します。", "private")]
)
def test_a_seat_is_taken_by_mail_and_the_match_begins(house: MailHouse, lang: str, said: str, visibility: str) -> None:
    match, ann, bob, box, mail = invited(house, lang, visibility=visibility)
    assert "POST" not in text_of(mail)
    assert box.reply(mail, said) == OK
    assert ann.look(match)["status"] == "playing"
    assert bob.look(match)["seat"] == 1
    house.send()
    told = [text_of(one) for one in box.unread()]
    assert any(one.startswith("席に着きました。" if lang == "ja" else "You have taken your seat.") for one in told)


@pytest.mark.parametrize(("lang", "said"), [("en", "no thanks"), ("ja", "辞退します")])
def test_an_invitation_is_declined_by_mail(house: MailHouse, lang: str, said: str) -> None:
    match, ann, bob, box, mail = invited(house, lang, visibility="private")
    assert box.reply(mail, said) == OK
    assert ann.look(match)["seats"][1]["reserved"] is None
    assert bob.get(f"/matches/{match}").status_code == 404
    house.send()
    (answer,) = box.unread()
    assert text_of(answer).startswith("辞退しました。" if lang == "ja" else "You have declined.")
    again = ann.post(f"/matches/{match}/invitations", {"seat": 1, "player": bob.id})
    assert again.json["code"] == "has-declined"


def test_what_could_mean_both_is_asked_back_with_the_list_and_then_answered(house: MailHouse) -> None:
    match, _, bob, box, mail = invited(house)
    for said in ("yes or no?", "yes\nno", "Hi, yes", "maybe"):
        assert box.reply(mail, said) == OK
        assert bob.look(match)["seat"] is None, said
    house.send()
    (asked,) = box.unread()
    assert "could be read in more than one way" in text_of(asked)
    assert "1. Take the seat\n2. Decline" in text_of(asked)
    assert box.reply(asked, "1") == OK
    assert bob.look(match)["seat"] == 1


def test_the_nonce_is_made_of_the_mail_that_its_writer_has(house: MailHouse) -> None:
    match, ann, bob, box, mail = invited(house, options={"rounds": 1})
    opened = ann.events(match)[0]["hash"]
    assert opened in text_of(mail) or ann.events(match)[1]["hash"] in text_of(mail), "what the nonce can't change"
    reply = reply_to(mail, box.address, "yes\nfive crows, four ducks")
    assert hand_in(box.port, box.address, address_of(mail), reply.as_bytes()) == OK
    made_of = f"{reply['Message-ID']}\nyes\nfive crows, four ducks"
    nonce = hashlib.sha256(made_of.encode()).hexdigest()
    taken = [one for one in bob.events(match) if one["type"] == "match/SeatTaken"]
    assert taken[-1]["public"] == {"seat": 1, "nonce": nonce}
    house.send()
    told = next(text_of(one) for one in box.unread() if "You have taken" in text_of(one))
    assert f"Your nonce is {nonce}" in told
    assert made_of in told
    play_out(match, [ann, bob])
    report = audit(house, match)
    assert (report.chance, report.last_nonce) == ("seats", 1)


def test_a_mail_without_a_name_brings_no_nonce_and_is_told_so(house: MailHouse) -> None:
    match, _, bob, box, mail = invited(house)
    reply = reply_to(mail, box.address, "yes")
    del reply["Message-ID"]
    assert hand_in(box.port, box.address, address_of(mail), reply.as_bytes()) == OK
    taken = [one for one in bob.events(match) if one["type"] == "match/SeatTaken"]
    assert taken[-1]["public"] == {"seat": 1, "nonce": ""}
    house.send()
    assert any("it brought no nonce" in text_of(one) for one in box.unread())


def test_the_same_mail_twice_seats_once_and_is_answered_once(house: MailHouse) -> None:
    match, ann, _, box, mail = invited(house)
    for _ in range(2):
        assert box.reply(mail, "yes") == OK
    events = len(ann.events(match))
    assert box.reply(mail, "yes, again") == OK
    assert len(ann.events(match)) == events
    house.send()
    assert sum("You have taken" in text_of(one) for one in box.mails) == 1
    assert sum("You sit there already." in text_of(one) for one in box.mails) == 1


def test_only_who_is_invited_can_answer_and_only_while_they_are(house: MailHouse) -> None:
    match, ann, bob, box, mail = invited(house)
    assert box.reply(mail, "yes", sender="thief@elsewhere.test") == OK
    assert bob.look(match)["seat"] is None
    assert ann.post(f"/matches/{match}/invitations", {"seat": 1, "player": None}).status_code == 200
    assert box.reply(mail, "yes")[0] == 550
    eve, other = house.addressed("Eve")
    assert ann.post(f"/matches/{match}/invitations", {"seat": 1, "player": eve.id}).status_code == 200
    assert box.reply(mail, "yes")[0] == 550, "the seat is kept for somebody else"
    house.send()
    assert other.reply(other.unread()[0], "yes") == OK
    assert box.reply(mail, "yes")[0] == 550, "and taken by them"
    assert bob.look(match)["seat"] is None


def test_an_invitation_to_a_match_that_is_over_is_told_so(house: MailHouse) -> None:
    match, ann, _, box, mail = invited(house)
    assert ann.post(f"/matches/{match}/abort").status_code == 200
    assert box.reply(mail, "yes") == OK
    assert "has begun without you, or is over" in answers(house, box)[0]


def test_an_invitation_that_was_answered_elsewhere_is_not_sent(house: MailHouse) -> None:
    ann, _ = house.addressed("Ann")
    bob, box = house.addressed("Bob")
    match = ann.open(seats=[None, {"player": bob.id}, None])
    house.follow()
    bob.sit(match, seat=1)
    house.send()
    assert box.unread() == []


def test_an_invitation_in_a_digest_has_an_address_of_its_own(house: MailHouse) -> None:
    ann, _ = house.addressed("Ann")
    bob, box = house.addressed("Bob")
    bob.client.put("/api/me/mail", json={"turns": "digest"}, headers=bob.headers)
    match = ann.open(seats=[None, {"player": bob.id}])
    gone = ann.open(seats=[None, {"player": bob.id}])
    house.send()
    assert ann.post(f"/matches/{gone}/invitations", {"seat": 1, "player": None}).status_code == 200
    another(house.service, timedelta(days=1)).loop.look()
    (mail,) = box.unread()
    assert gone not in text_of(mail), "it stands no longer"
    (to,) = [word.removeprefix("mailto:") for word in text_of(mail).split() if word.startswith("mailto:play+")]
    reply = EmailMessage()
    reply["From"] = box.address
    reply.set_content("yes")
    assert hand_in(house.port, box.address, to, reply.as_bytes()) == OK
    assert bob.look(match)["seat"] == 1

"""A seat that is kept for somebody is taken or declined by mail, and the reply brings a nonce."""

from __future__ import annotations

import hashlib
from email.message import EmailMessage
from typing import Any

import pytest

from service.store import mailing
from tests.service.clocks.timing import audit
from tests.service.house import Visitor, play_out
from tests.service.mail.conftest import Killed, MailHouse, put
from tests.service.mail.mailbox import OK, Mailbox, address_of, addresses_in, hand_in, reply_to, text_of
from tests.service.mail.test_replies import answers


def invited(house: MailHouse, lang: str = "en", **more: Any) -> tuple[str, Visitor, Visitor, Mailbox, EmailMessage]:
    """A match with a seat for Bob, who was told; Ann sits on the other one."""
    ann, (bob, box) = house.player("Ann"), house.addressed("Bob", lang)
    match = ann.open(seats=[None, {"player": bob.id}], **more)
    ann.sit(match, seat=0)
    house.send()
    (mail,) = box.unread()
    return match, ann, bob, box, mail


@pytest.mark.parametrize(
    ("lang", "said", "visibility", "answer", "clock", "time"),
    [
        ("en", "Yes, please!", "public", "You have taken your seat.", None, "Time: no clock."),
        (
            "ja",
            "はい、参加します。",
            "private",
            "席につきました。",
            {"preset": "day"},
            "持ち時間：一手1日、予備時間3日。",
        ),
        (
            "en",
            "no thanks",
            "private",
            "You have declined.",
            {"preset": "day"},
            "Time: a day a move, and 3 days to spare.",
        ),
        ("ja", "辞退します", "private", "辞退しました。", None, "持ち時間：時間制限なし。"),
    ],
)
def test_a_seat_is_taken_or_declined_by_mail(
    house: MailHouse, lang: str, said: str, visibility: str, answer: str, clock: Any, time: str
) -> None:
    match, ann, bob, box, mail = invited(house, lang, visibility=visibility, clock=clock)
    assert time in text_of(mail)
    assert f"https://play.test/matches/{match}" in text_of(mail)
    assert "POST" not in text_of(mail)
    assert box.reply(mail, said) == OK
    house.send()
    assert any(text_of(mail).startswith(answer) for mail in box.unread())
    if ann.look(match)["status"] == "playing":
        assert bob.look(match)["seat"] == 1
        assert "seat" in answer or "席" in answer
        return
    assert ann.look(match)["seats"][1]["reserved"] is None
    assert bob.get(f"/matches/{match}").status_code == 404
    again = ann.post(f"/matches/{match}/invitations", {"seat": 1, "player": bob.id})
    assert again.json["code"] == "has-declined"


def test_what_could_mean_both_is_asked_back_with_the_list_and_then_answered(house: MailHouse) -> None:
    match, _, bob, box, mail = invited(house)
    for said in ("yes or no?", "maybe"):
        assert box.reply(mail, said) == OK
        assert bob.look(match)["seat"] is None, said
    house.send()
    (asked,) = box.unread()
    assert "could be read in more than one way" in text_of(asked)
    assert "1. Take the seat\n2. Decline" in text_of(asked)
    assert box.reply(asked, "1") == OK
    assert bob.look(match)["seat"] == 1


@pytest.mark.parametrize("is_named", [True, False])
def test_the_nonce_is_made_of_the_mail_that_its_writer_has(house: MailHouse, is_named: bool) -> None:
    match, ann, bob, box, mail = invited(house, options={"rounds": 1})
    events = ann.events(match)
    assert any(event["hash"] in text_of(mail) for event in events[:2]), "what the nonce can't change"
    reply = reply_to(mail, box.address, "yes\nfive crows, four ducks")
    made_of = f"{reply['Message-ID']}\nyes\nfive crows, four ducks"
    nonce = hashlib.sha256(made_of.encode()).hexdigest() if is_named else ""
    if not is_named:
        del reply["Message-ID"]
    assert hand_in(box.port, box.address, address_of(mail), reply.as_bytes()) == OK
    taken = [event["public"] for event in bob.events(match) if event["type"] == "match/SeatTaken"]
    assert taken[-1] == {"seat": 1, "nonce": nonce}
    house.send()
    told = next(text_of(mail) for mail in box.unread() if "You have taken" in text_of(mail))
    for part in (f"Your nonce is {nonce}", made_of) if is_named else ("it brought no nonce",):
        assert part in told
    if is_named:
        play_out(match, [ann, bob])
        report = audit(house, match)
        assert (report.chance, report.last_nonce) == ("seats", 1)


def test_the_same_mail_twice_seats_once_and_is_answered_once(house: MailHouse) -> None:
    match, ann, _, box, mail = invited(house)
    for _ in range(2):
        assert box.reply(mail, "yes") == OK
    events = len(ann.events(match))
    assert box.reply(mail, "yes, again") == OK
    assert len(ann.events(match)) == events
    house.send()
    for answer in ("You have taken", "You sit there already."):
        assert sum(answer in text_of(mail) for mail in box.mails) == 1


def test_the_nonce_of_a_mail_that_took_a_seat_is_told_though_the_process_ended_before_it_answered(
    house: MailHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, _, bob, box, mail = invited(house)
    monkeypatch.setattr(mailing, "post", Killed())
    assert box.reply(mail, "yes")[0] == 451
    assert bob.look(match)["seat"] == 1
    assert box.reply(mail, "yes") == OK
    house.send()
    (answer,) = [text for text in map(text_of, box.unread()) if "You have taken" in text]
    assert "Your nonce is" in answer


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


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_the_same_mail_twice_declines_once_and_is_answered_once(house: MailHouse, visibility: str) -> None:
    match, ann, bob, box, mail = invited(house, visibility=visibility)
    for _ in range(2):
        assert box.reply(mail, "no") == OK
    eve = house.player("Eve")
    assert ann.post(f"/matches/{match}/invitations", {"seat": 1, "player": eve.id}).status_code == 200
    assert box.reply(mail, "no") == OK, "also while the seat is kept for somebody else"
    assert ann.look(match)["seats"][1]["reserved"]["id"] == eve.id
    house.send()
    assert sum("You have declined" in text_of(mail) for mail in box.mails) == 1
    answers(house, box)
    assert box.reply(mail, "yes") == OK
    why = "No seat of this match is kept for you." if visibility == "public" else "There is no match"
    assert why in answers(house, box)[0]
    assert bob.id not in str(ann.look(match)["seats"])


def test_an_invitation_to_a_match_that_is_over_is_told_so(house: MailHouse) -> None:
    match, ann, _, box, mail = invited(house)
    assert ann.post(f"/matches/{match}/abort").status_code == 200
    assert box.reply(mail, "yes") == OK
    assert "has begun without you, or is over" in answers(house, box)[0]


@pytest.mark.parametrize("turns", ["each", "digest"])
def test_an_invitation_that_was_withdrawn_before_it_was_told_is_told_when_it_is_made_again(
    house: MailHouse, turns: str
) -> None:
    ann, (bob, box) = house.player("Ann"), house.addressed("Bob")
    put(bob, turns=turns)
    match, other = ann.open(), ann.open(seats=[None, {"player": bob.id}])
    seat = {"seat": 1, "player": bob.id}
    for said in (seat, {**seat, "player": None}):
        assert ann.post(f"/matches/{match}/invitations", said).status_code == 200

    def told(days: int) -> str:
        house.send()
        house.after(days=days)
        return "\n".join(map(text_of, box.unread()))

    first = told(1)
    assert other in first
    assert match not in first
    assert ann.post(f"/matches/{match}/invitations", seat).status_code == 200
    assert match in told(2)
    for said in ({**seat, "player": None}, seat):
        assert ann.post(f"/matches/{match}/invitations", said).status_code == 200
    assert match not in told(3), "it was told, and the mail is still valid"


def test_an_invitation_in_a_digest_has_an_address_of_its_own(house: MailHouse) -> None:
    ann, (bob, box) = house.player("Ann"), house.addressed("Bob")
    put(bob, turns="digest")
    match, gone = (ann.open(seats=[None, {"player": bob.id}]) for _ in range(2))
    house.send()
    assert ann.post(f"/matches/{gone}/invitations", {"seat": 1, "player": None}).status_code == 200
    house.after(days=1)
    (mail,) = box.unread()
    assert gone not in text_of(mail), "it stands no longer"
    (to,) = addresses_in(text_of(mail))
    assert box.write(to, "yes") == OK
    assert bob.look(match)["seat"] == 1

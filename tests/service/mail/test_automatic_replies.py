"""Programs that answer mails by themselves and do not say so: they move nothing, and are not answered without end."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from service.mail.incoming import hear
from service.mail.reading import NO, YES, meant
from tests.service.mail.conftest import MailHouse, move
from tests.service.mail.mailbox import hand_in

AWAY = (
    "Hi,\n\nI am out of the office until December 3 and will have limited access to email.\n"
    "For urgent matters call +49 30 1234567.\n\nBest,\nAnn\n"
)
COVERED = "3 people cover for me: see the list.\n\n____________\nFrom: Foldtable\nSent: Monday\n\nYour moves:\n1. one\n"
JAPANESE = (
    "お世話になっております。\n\nただいま夏季休暇をいただいております。\n8月16日以降に順次ご返信いたします。\n"
    "お急ぎの場合は03-1234-5678までご連絡ください。\n\n田中\n"
)
PROGRAMS = {
    "gmail": ("Re: Your turn", AWAY, "utf-8"),
    "exchange, renamed": ("RE: Your turn", COVERED, "utf-8"),
    "japanese": ("Re: あなたの番です", JAPANESE, "iso-2022-jp"),
}
"""The subjects, texts and charsets of automatic replies that nothing but their text shows to be automatic."""


def reply_of(name: str, sender: str, message_id: str) -> bytes:
    subject, body, charset = PROGRAMS[name]
    reply = EmailMessage()
    reply["From"] = f"Somebody <{sender}>"
    reply["Subject"] = subject
    reply["Message-ID"] = message_id
    reply.set_content(body, charset=charset)
    return reply.as_bytes()


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_automatic_reply_that_is_not_recognised_names_no_move_and_no_answer(name: str) -> None:
    mail = hear(reply_of(name, "ann@people.test", "<a@people.test>"), "ann@people.test")
    assert not mail.is_automatic
    moves = [(f"m-{number}", f"Move {number}") for number in range(1, 20)]
    seat = (("accept", "Take the seat"), ("decline", "Decline"))
    also = {**dict.fromkeys(YES, "accept"), **dict.fromkeys(NO, "decline")}
    assert (meant(mail.text, moves).id, meant(mail.text, seat, also).id) == (None, None)


@pytest.mark.parametrize("sender", ["", "ann@elsewhere.test"], ids=["the player's", "of a second mailbox"])
def test_a_program_that_answers_each_mail_is_asked_back_once_a_decision(house: MailHouse, sender: str) -> None:
    """A program at the player's own address, or at one to which the player's mail is passed on."""
    match, (ann, bob), (box, _) = house.laid()
    version, counts = ann.look(match)["version"], []
    for _ in range(3):
        house.send()
        counts.append(len(mails := box.unread()))
        for number, mail in enumerate(mails):
            raw = reply_of("gmail", sender or box.address, f"<{len(counts)}.{number}@people.test>")
            for to in (str(mail["Reply-To"] or mail["From"]).rpartition("<")[2].rstrip(">"), mail["X-Envelope-From"]):
                hand_in(box.port, sender or box.address, to, raw)
    assert counts == [2, 1, 0], "the beginning and a turn, the question back, and nothing more"
    assert ann.look(match)["version"] == version
    move(bob, match)
    house.send()
    assert box.unread() == [], "the decision is the same"

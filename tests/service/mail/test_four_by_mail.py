"""Four people in two mail programs play Terraformers to its end, and nothing but mails passes."""

from __future__ import annotations

import random
from email.message import EmailMessage

import pytest

from tests.service.clocks.timing import audit
from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import MOVE as NUMBERED
from tests.service.mail.mailbox import OK, Mailbox, address_of, hand_in, page_of, reply_to, text_of

pytestmark = [pytest.mark.faults, pytest.mark.sqlite]

TURN = ("Your turn", "あなたの番です")


def as_page(mail: EmailMessage, sender: str, number: int) -> EmailMessage:
    """A page and no text."""
    reply = reply_to(mail, sender, "")
    reply.set_content(
        f'<html><body><div dir="auto">{number}</div><br><div class="gmail_quote"><div class="gmail_attr">On Sunday:'
        f"</div><blockquote>{page_of(mail)}</blockquote></div></body></html>",
        subtype="html",
    )
    return reply


def played(box: Mailbox, mail: EmailMessage, draw: random.Random, *, is_page: bool) -> None:
    numbered = text_of(mail).partition("選べる手:" if mail["Content-Language"] == "ja" else "Your moves:")[2]
    number = draw.randrange(len(NUMBERED.findall(numbered))) + 1
    if is_page:
        answer = hand_in(box.port, box.address, address_of(mail), as_page(mail, box.address, number).as_bytes())
    else:
        answer = box.reply(mail, f"{number}\n\n-- \nSent from somewhere")
    assert answer == OK


@pytest.mark.soak
def test_four_play_terraformers_to_its_end_by_mail_alone(house: MailHouse) -> None:
    both = [house.addressed(f"Player {seat}", "ja" if seat == 3 else "en") for seat in range(4)]
    players = [player for player, _ in both]
    match = players[0].open_with(*players[1:], game="terraformers")
    draw = random.Random(11)
    made = 0
    while players[0].look(match)["status"] == "playing":
        house.send()
        before = made
        for seat, (_, box) in enumerate(both):
            for mail in box.unread():
                if str(mail["Subject"]).startswith(TURN):
                    played(box, mail, draw, is_page=seat % 2 == 1)
                    made += 1
        assert made > before, "nobody was written to"
    house.send()
    assert players[0].look(match)["status"] == "finished"
    assert all("play.test" in str(box.unread()[-1]["Message-ID"]) for _, box in both)
    audit(house, match)

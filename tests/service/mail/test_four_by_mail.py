"""Four people in four mail programs play Terraformers to its end, and nothing but mails passes."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from freezegun import freeze_time

from events.store import Statement
from tests.service.clocks.timing import audit, bots_play, fire, kinds
from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import MOVE as NUMBERED
from tests.service.mail.mailbox import Mailbox, address_of, hand_in, page_of, reply_to, text_of

pytestmark = [pytest.mark.faults, pytest.mark.sqlite]

TURN = ("Your turn", "あなたの番です")
Program = Callable[[EmailMessage, str, int, str], EmailMessage]
"""How a reply is written: to a mail, from an address, with a number or that move's text."""


def above(mail: EmailMessage, sender: str, number: int, text: str) -> EmailMessage:
    """The number above the mail that is quoted, and a signature."""
    return reply_to(mail, sender, f"{number}\n\n-- \nSent from somewhere")


def below(mail: EmailMessage, sender: str, number: int, text: str) -> EmailMessage:
    """The mail that is quoted above the number."""
    reply = reply_to(mail, sender, "")
    quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
    reply.set_content(f"On Sun, 22 Nov 2026 at 12:00, Foldtable <{address_of(mail)}>\nwrote:\n{quoted}\n\n#{number}.\n")
    return reply


def as_page(mail: EmailMessage, sender: str, number: int, text: str) -> EmailMessage:
    """A page and no text."""
    reply = reply_to(mail, sender, "")
    reply.set_content(
        f'<html><body><div dir="auto">{number}</div><br><div class="gmail_quote"><div class="gmail_attr">On Sunday:'
        f"</div><blockquote>{page_of(mail)}</blockquote></div></body></html>",
        subtype="html",
    )
    return reply


def in_words(mail: EmailMessage, sender: str, number: int, text: str) -> EmailMessage:
    """The move's text, in Shift_JIS, or its number in wide digits where that can't be written so."""
    reply = reply_to(mail, sender, "")
    said = f"{text}\n\n2026年11月22日(日) 12:00 Foldtable <x@play.test>:\n> 前のメール\n"
    try:
        reply.set_content(said, charset="shift_jis", cte="base64")
    except UnicodeEncodeError:
        wide = str(number).translate(str.maketrans("0123456789", "０１２３４５６７８９"))
        reply.set_content(f"{wide}番\n")
    return reply


def played(box: Mailbox, mail: EmailMessage, program: Program, draw: random.Random) -> None:
    said = text_of(mail)
    head = "あなたの番" if "選べる手:" in said else ""
    numbered = said.partition("選べる手:" if head else "Your moves:")[2]
    moves = [text for _, text in NUMBERED.findall(numbered)]
    number = draw.randrange(len(moves)) + 1
    reply = program(mail, box.address, number, moves[number - 1])
    assert hand_in(box.port, box.address, address_of(mail), reply.as_bytes())[0] == 250


@pytest.mark.soak
def test_four_play_terraformers_to_its_end_by_mail_alone(house: MailHouse) -> None:
    programs: list[Program] = [above, below, as_page, in_words]
    both = [house.addressed(f"Player {seat}", "ja" if seat == 3 else "en") for seat in range(4)]
    players = [player for player, _ in both]
    match = players[0].open("terraformers", [None] * 4)
    for player in players:
        player.sit(match)
    draw = random.Random(11)
    made = 0
    while players[0].look(match)["status"] == "playing":
        house.send()
        before = made
        for (_, box), program in zip(both, programs, strict=True):
            for mail in box.unread():
                if str(mail["Subject"]).startswith(TURN):
                    played(box, mail, program, draw)
                    made += 1
        assert made > before, "nobody was written to"
    house.send()
    assert players[0].look(match)["status"] == "finished"
    assert all("play.test" in str(box.unread()[-1]["Message-ID"]) for _, box in both)
    audit(house, match)


START = datetime(2126, 3, 4, 12, tzinfo=UTC)
DAILY = {"allowance": "P1D", "bank": "PT0S", "defaults": 2}
VANISHED, AWAY = 1, 2


class Days:
    """A match by the clock among four, and the days that pass while nobody writes."""

    def __init__(self, house: MailHouse) -> None:
        self.house, self.now = house, START
        with freeze_time(START):
            both = [house.addressed(f"Player {seat}", "ja" if seat == 3 else "en") for seat in range(4)]
            self.players, self.boxes = [player for player, _ in both], [box for _, box in both]
            fire(house)
            self.match = self.players[0].open("terraformers", [None] * 4, clock=DAILY)
            for player in self.players:
                player.sit(self.match)
        self.made = [0] * 4
        self.until = START

    def look(self) -> dict[str, Any]:
        return self.players[0].look(self.match)

    def is_silent(self, seat: int) -> bool:
        """Whether they read no mail now."""
        return (seat == VANISHED and self.made[seat] >= 3) or (seat == AWAY and self.now < self.until)

    def write(self, programs: list[Program], draw: random.Random) -> int:
        """Everybody who is there replies: how many replies."""
        before = sum(self.made)
        with freeze_time(self.now):
            self.house.send()
            for seat, (box, program) in enumerate(zip(self.boxes, programs, strict=True)):
                for mail in [] if self.is_silent(seat) else box.unread():
                    if str(mail["Subject"]).startswith(TURN):
                        played(box, mail, program, draw)
                        self.made[seat] += 1
            if self.made[AWAY] >= 3 and self.until == START:
                told = self.players[AWAY].post("/me/vacation", {"days": 3}).json["until"]
                self.until = datetime.fromisoformat(told)
            return sum(self.made) - before + bots_play(self.house, self.match)

    def wait(self) -> None:
        """Until something is due, or somebody is to be reminded, or is back."""
        due = [datetime.fromisoformat(one["due"]) for one in self.look()["deadlines"]]
        found = [*due, *(one - timedelta(hours=4) for one in due)]
        back = [self.until] if self.until > self.now else []
        self.now = min(one for one in (*found, *back) if one > self.now) + timedelta(seconds=1)
        self.house.service.recorder.write([Statement("DELETE FROM pulse")])
        with freeze_time(self.now):
            fire(self.house, self.match)


@pytest.mark.soak
def test_one_who_vanishes_and_one_who_is_away_keep_nobody_from_the_end(house: MailHouse) -> None:
    days, draw = Days(house), random.Random(5)
    programs: list[Program] = [above, below, as_page, in_words]
    for _ in range(2000):
        if days.look()["status"] != "playing":
            break
        if not days.write(programs, draw):
            days.wait()
    with freeze_time(days.now):
        house.send()
    assert days.look()["status"] == "finished"
    assert days.now > START + timedelta(days=3)
    told = kinds(house, days.match)
    assert {"SeatHandedOver", "DeadlineExtended"} <= set(told)
    assert days.made[AWAY] > 3, "who was away has played on"
    subjects = [str(mail["Subject"]) for mail in days.boxes[VANISHED].unread()]
    assert any(said.startswith("Time is running out") for said in subjects)
    assert subjects[-1].startswith("It is over")
    audit(house, days.match)

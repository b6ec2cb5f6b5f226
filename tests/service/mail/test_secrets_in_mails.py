"""What mails tell: nothing that their reader could not ask for, and to nobody that somebody else was asked."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from events.chain import Stored
from events.store import Statement
from tests.service.house import Visitor, build, step
from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import Mailbox, page_of, text_of
from tests.service.matches.test_secrecy import dealt_otherwise, questions, rewritten

pytestmark = pytest.mark.sqlite

MASKED = re.compile(r"[0-9a-f]{64}|(play|bounce)\+[a-z2-7]+")
"""Hashes commit to what is hidden, and addresses are signed."""


def mails_of(box: Mailbox) -> list[list[str]]:
    """All that has come there, but for when, and for what stands for hidden cards in no readable way."""
    found = []
    for mail in box.unread():
        heads = [f"{name}: {value}" for name, value in mail.items() if name != "Date"]
        found.append([MASKED.sub("*", said) for said in (*heads, text_of(mail), page_of(mail))])
    return sorted(found)


def beside(house: MailHouse, target: Path, log: list[Stored]) -> MailHouse:
    """The same house on a copy of its store, with these events in place of its own."""
    rewritten(house, target, log)
    return MailHouse(build(replace(house.service.config, data=target)), house.office, house.port)


@pytest.mark.parametrize("seat", [0, 2])
def test_two_logs_that_differ_in_hidden_cards_send_the_same_mails(house: MailHouse, tmp_path: Path, seat: int) -> None:
    match, players, boxes = house.laid(seats=3)
    log = dealt_otherwise(house.service.states.log(match), seat)
    other = beside(house, tmp_path / "other", log)
    try:
        told = []
        for there in (house, other):
            there.send()
            mails = mails_of(boxes[seat])
            movers = [players[seat], next(player for player in players if player is not players[seat])]
            for mover in movers:
                visitor = there.again(mover)
                assert visitor.choose(match).status_code == 200
            there.send()
            told.append(mails + mails_of(boxes[seat]))
        assert told[0] == told[1]
        assert len(told[0]) >= 2
        for number in {0, 1, 2} - {seat}:
            assert len(mails_of(boxes[number])) >= 2, "the others were told something too"
    finally:
        other.service.close()


def opened(house: MailHouse, match: str, players: list[Visitor], draw: random.Random) -> list[bool]:
    """Play until a window opens in which some are asked and others are not: who is."""
    for _ in range(2000):
        if house.stranger.look(match)["sealed"]:
            asked = [player.look(match)["decision"] is not None for player in players]
            if any(asked) and not all(asked):
                return asked
        assert step(match, draw.sample(players, len(players)), draw)
    raise AssertionError("no window")


def test_under_seal_who_is_asked_is_written_to_and_nobody_can_tell(house: MailHouse) -> None:
    match, players, boxes = house.laid("three-magic", 3)
    asked = opened(house, match, players, random.Random(7))
    house.send()
    for box in boxes:
        box.unread()
    # from here on: the same window, noted and sent anew
    for table in ("deliveries", "positions"):
        sql = f"DELETE FROM {table} WHERE partition = :partition"
        house.service.recorder.write([Statement(sql, {}, match)])
    others = [player for player, is_asked in zip(players, asked, strict=True) if not is_asked]
    before = [[one.data for one in questions(other, match, 20, 1)] for other in (*others, house.stranger)]
    with capture_logs() as logs:
        house.send()
    after = [[one.data for one in questions(other, match, 20, 1)] for other in (*others, house.stranger)]
    assert before == after
    assert [line for line in logs if line["log_level"] != "debug"] == []
    turns = [[mail for mail in box.unread() if "Your turn" in str(mail["Subject"])] for box in boxes]
    assert [bool(one) for one in turns] == asked
    for mails in turns:
        for mail in mails:
            assert "goes under seal" in text_of(mail)

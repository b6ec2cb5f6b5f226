"""A match that is played by mail, from the first turn to the end."""

from __future__ import annotations

import random

from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import moves_of


def test_a_match_is_played_by_mail_alone_to_its_end(house: MailHouse) -> None:
    match, players, boxes = house.laid(options={"rounds": 1})
    draw = random.Random(3)
    subjects: list[str] = []
    for _ in range(60):
        house.send()
        for box in boxes:
            for mail in box.unread():
                subjects.append(str(mail["Subject"]).partition(":")[0])
                if subjects[-1] == "Your turn":
                    number = draw.randrange(len(moves_of(mail))) + 1
                    assert box.reply(mail, str(number)) == (250, "2.0.0 ok")
        if players[0].look(match)["status"] == "finished":
            break
    house.send()
    subjects += (last := [str(mail["Subject"]) for box in boxes for mail in box.unread()])
    assert sum(said.startswith("It is over") for said in last) == 2
    assert subjects.count("It begins") == 2
    assert sum(said.startswith("Re: High Card") for said in subjects) >= 1

"""What a mail has moved is answered with a receipt that an audit reads."""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from replays.checking.audit import audit
from replays.commands.checking import read_held
from service.store import mailing
from tests.service.house import Visitor, games, set_aside
from tests.service.mail.conftest import Killed, MailHouse
from tests.service.mail.mailbox import OK, Mailbox, text_of

pytestmark = pytest.mark.sqlite


def receipts_of(mails: list[EmailMessage], folder: Path) -> list[Path]:
    """The files that came with the mails, saved."""
    found = []
    for mail in mails:
        for part in mail.iter_attachments():
            name = part.get_filename()
            assert name is not None
            assert name in text_of(mail)
            file = folder / name
            file.write_bytes(part.get_payload(decode=True))  # type: ignore[arg-type]
            found.append(file)
    return found


def faults(match: str, player: Visitor, *receipts: Path) -> tuple[str, ...]:
    """What an audit finds that reads these files."""
    log = player.export(match)
    held = [one for file in receipts for one in read_held(file)]
    assert len(held) == len(receipts)
    return tuple(one.reason for one in audit(log, games(), held=held).failures)


def moved(house: MailHouse, box: Mailbox, mail: EmailMessage) -> list[EmailMessage]:
    """What comes of the first move of the list."""
    assert box.reply(mail, "1") == OK
    house.send()
    return box.unread()


def test_every_mail_that_moved_something_is_answered_with_a_receipt(house: MailHouse, tmp_path: Path) -> None:
    match, players, boxes = house.laid("terraformers")
    begins = next(seat for seat, player in enumerate(players) if player.moves(match)["moves"])
    turn, files = house.turn(boxes[begins]), []
    for number in range(3):
        mails = moved(house, boxes[begins], turn)
        files += receipts_of(mails, tmp_path)
        assert len(files) == number + 1
        following = [mail for mail in mails if str(mail["Subject"]).startswith("Your turn")]
        assert number or following, "a move has led to the next question"
        if not following:
            break
        (turn,) = mails  # the receipt and the next question are one mail
    assert faults(match, players[0], *files) == ()
    files[-1].write_text(json.dumps(json.loads(files[-1].read_text()) | {"hash": "0" * 64}))
    assert faults(match, players[0], *files) != (), "it is held against the log"


def test_an_answer_under_seal_has_its_receipt(house: MailHouse, tmp_path: Path) -> None:
    match, players, boxes = house.laid("high-card", 3, pack="flat")
    set_aside(match, players)
    turn = house.turn(boxes[0])
    assert all(box.unread() for box in boxes[1:])
    mails = moved(house, boxes[0], turn)
    assert "lies under seal" in text_of(mails[0])
    assert [box.unread() for box in boxes[1:]] == [[], []], "nobody else is told"
    (file,) = receipts_of(mails, tmp_path)
    assert json.loads(file.read_text())["stream"] == f"{match}/seat:0"
    assert faults(match, players[0], file) == ()
    wrong = json.loads(file.read_text()) | {"version": 2}
    file.write_text(json.dumps(wrong))
    assert faults(match, players[0], file) != ()


def test_a_seat_that_is_taken_and_the_invitation_before_it_have_receipts(house: MailHouse, tmp_path: Path) -> None:
    bob, box = house.addressed("Bob")
    match = house.player().open(seats=[None, {"player": bob.id}])
    house.send()
    invitation = box.unread()
    assert box.reply(invitation[0], "yes") == OK
    house.send()
    files = receipts_of(invitation + box.unread(), tmp_path)
    assert [json.loads(file.read_text())["version"] for file in files] == [1, 2]
    assert faults(match, bob, *files) == ()


@pytest.mark.parametrize(("game", "how"), [("terraformers", {}), ("high-card", {"seats": 3, "pack": "flat"})])
def test_a_mail_that_moved_something_is_answered_once_though_the_process_ended_before_it_answered(
    game: str, how: dict[str, Any], house: MailHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, players, boxes = house.laid(game, **how)
    if how:
        set_aside(match, players)
    asked = next(seat for seat, player in enumerate(players) if player.moves(match)["moves"])
    box, turn = boxes[asked], house.turn(boxes[asked])
    decision = players[asked].look(match)["decision"]
    monkeypatch.setattr(mailing, "post", Killed())
    assert box.reply(turn, "1")[0] == 451, "to be sent again"
    assert players[asked].look(match)["decision"] != decision
    for times in (1, 0, 0):
        assert box.reply(turn, "1") == OK
        house.send()
        answers = [mail for mail in box.unread() if "In-Reply-To" in mail]
        assert len(answers) == times
        if answers:
            assert faults(match, players[asked], *receipts_of(answers, tmp_path)) == ()
            assert text_of(answers[0]).startswith(("Your move was made: ", "Your answer lies under seal: "))

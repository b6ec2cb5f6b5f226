"""Replies: the number is the move; whatever is no move gets a clear answer, and changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from freezegun import freeze_time

from events.store import Statement
from service.limits import Asking
from service.mail.answering import MOST
from service.mail.situation import MailTokens
from service.store import mailing
from tests.service.accounts.insiders import leave
from tests.service.house import each
from tests.service.mail.conftest import MailHouse, against_bot
from tests.service.mail.mailbox import OK, UNKNOWN, Mailbox, address_of, hand_in, moves_of, reply_to, text_of
from tests.service.matches.test_offers import passed


def answers(house: MailHouse, box: Mailbox) -> list[str]:
    """What came back, by its first line."""
    house.send()
    return [text_of(mail).splitlines()[0] for mail in box.unread() if str(mail["Subject"]).startswith("Re: ")]


class Asked:
    """A match whose first player is asked by mail."""

    def __init__(self, house: MailHouse, **more: object) -> None:
        self.house = house
        self.match, self.players, self.boxes = house.laid(**more)  # type: ignore[arg-type]
        self.player, self.box = self.players[0], self.boxes[0]
        self.mail = house.turn(self.box)
        self.before = self.version

    @property
    def version(self) -> int:
        return int(self.player.look(self.match)["version"])

    def reply(self, text: str, sender: str = "") -> list[str]:
        """Reply so to the first mail: what is answered."""
        assert self.box.reply(self.mail, text, sender=sender) == OK
        return answers(self.house, self.box)


@pytest.fixture
def asked(house: MailHouse) -> Asked:
    return Asked(house)


def test_the_number_is_the_move_and_a_decision_is_answered_once_whoever_repeats_it(asked: Asked) -> None:
    legal = [move["text"] for move in asked.player.moves(asked.match)["moves"]]
    assert moves_of(asked.mail) == legal
    assert asked.reply("2") == [f"Your move was made: {legal[1]}"]
    assert asked.player.look(asked.match)["decision"] is None
    after = asked.version
    assert asked.reply("2") == [], "the same mail again, as a server sends it that heard no answer"
    (answer,) = asked.reply("1")
    assert answer.startswith("That decision is no longer open")
    assert asked.version == after


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("99", 'There is no such move: "99".'),
        ("cheese" * 20, f'There is no such move: "{("cheese" * 20)[:80]}".'),
        ("", "Your mail says nothing that could be a move."),
        ("zone Mars/Olympus", "There is no time zone 'Mars/Olympus'."),
        ("1 or 2", 'Your reply "1 or 2" could be read in more than one way'),
    ],
)
def test_what_is_no_move_is_answered_and_changes_nothing(asked: Asked, said: str, answer: str) -> None:
    box = asked.box
    assert box.reply(asked.mail, said) == OK
    assert asked.version == asked.before
    asked.house.send()
    (mail,) = box.unread()
    assert text_of(mail).startswith(answer)
    assert "Nothing was changed" in text_of(mail)
    assert str(mail["In-Reply-To"]) == str(reply_to(asked.mail, box.address, said)["Message-ID"])
    assert mail["Auto-Submitted"] == "auto-replied"
    assert box.reply(mail, "1") == OK, "the answer can be answered"
    assert asked.version != asked.before


def test_an_address_is_good_in_any_case_of_its_letters_and_as_it_was_made(asked: Asked) -> None:
    address, box = address_of(asked.mail), asked.box
    local, _, domain = address.partition("@")
    for name in (local, str(asked.mail["X-Envelope-From"]).partition("@")[0]):
        assert len(name) <= 64
    raw = reply_to(asked.mail, box.address, "1").as_bytes()
    swapped = local[:-1] + ("a" if local[-1] != "a" else "b")
    wrong = [f"{swapped}@{domain}", f"{local}@elsewhere.test", f"play@{domain}", f"{local[:20]}@{domain}"]
    for to in [*wrong, f"bounce+{local[5:]}@{domain}", f"postmaster@{domain}", f"play+{'a' * 53}@{domain}"]:
        assert hand_in(box.port, box.address, to, raw) == UNKNOWN, to
    assert asked.version == asked.before
    assert hand_in(box.port, box.address, address.upper(), raw, lmtp=True) == OK
    assert asked.version != asked.before


def test_machines_get_no_answer_and_make_no_move(asked: Asked) -> None:
    box, to = asked.box, address_of(asked.mail)
    for said in ("1", "I am away until Monday"):
        reply = reply_to(asked.mail, box.address, said)
        reply["Auto-Submitted"] = "auto-replied"
        assert hand_in(box.port, box.address, to, reply.as_bytes()) == OK
    # nor does what can't be answered, or what could be from two
    assert hand_in(box.port, "", to, reply_to(asked.mail, box.address, "1").as_bytes()) == OK
    assert asked.version == asked.before
    assert answers(asked.house, box) == []


def test_a_match_that_is_over_is_said(asked: Asked) -> None:
    each(asked.players, asked.match, "abort")
    assert "That match is over. Nothing was changed." in asked.reply("1")


@pytest.mark.parametrize("sender", ["thief@elsewhere.test", "the other player"])
def test_a_decision_is_asked_back_once_and_the_player_is_told_once_of_a_stranger_s_mails(
    asked: Asked, sender: str
) -> None:
    sender = asked.boxes[1].address if " " in sender else sender
    asked.house.office.mails(sender)
    told = [line for number in range(3) for line in asked.reply(f"{number}", sender=sender)]
    assert len(told) == 1
    assert f"came from {sender}" in told[0]
    assert [len(asked.reply(f"no {number + 50}")) for number in range(3)] == [1, 0, 0]
    assert asked.version == asked.before
    assert not [mail for mail in asked.house.office.mails(sender) if str(mail["Subject"]).startswith("Re:")]
    assert len(asked.reply("1")) == 1, "what moves is always answered"
    assert asked.version != asked.before


def test_past_the_day_s_answers_only_what_moves_is_answered(asked: Asked) -> None:
    for _ in range(MOST):
        assert asked.house.mail.answering._may_answer(asked.player.id)
    assert asked.reply("no") == []
    assert len(asked.reply("1")) == 1


@pytest.mark.parametrize(
    "said", ["*zone Asia/Tokyo*", "Time zone: Asia/Tokyo", "タイムゾーン：Asia/Tokyo", "Hi,\nzone Asia/Tokyo"]
)
def test_a_player_says_by_mail_by_which_clocks_they_live(asked: Asked, said: str) -> None:
    due = "UPDATE decisions SET due = '2026-12-24T20:30:00.000Z' WHERE partition = :partition"
    asked.house.service.recorder.write([Statement(due, {}, asked.match)])
    assert asked.box.reply(asked.mail, said) == OK
    assert asked.player.get("/me/mail").json["zone"] == "Asia/Tokyo"
    asked.house.send()
    mail = asked.box.unread()[0]
    assert text_of(mail).startswith("Times are told by the clocks of Asia/Tokyo from now on.")
    assert "Answer by 2026-12-25 05:30 (Asia/Tokyo)." in text_of(mail)
    assert "UTC" not in text_of(mail)
    assert asked.box.reply(mail, "1") == OK
    assert asked.version != asked.before


def test_a_seat_that_was_passed_on_is_moved_by_no_mail_to_who_had_it(asked: Asked) -> None:
    house, mail = asked.house, asked.mail
    eve, box = house.addressed("Eve")
    passed(house, asked.match, asked.players, 0, eve)
    before = eve.look(asked.match)["version"]
    assert asked.box.reply(mail, "1") == UNKNOWN
    raw = reply_to(mail, box.address, "1").as_bytes()
    assert hand_in(box.port, box.address, address_of(mail), raw) == UNKNOWN, "nor is it theirs who has it now"
    assert eve.look(asked.match)["version"] == before
    assert box.reply(house.turn(box), "1") == OK
    assert eve.look(asked.match)["version"] != before
    assert asked.box.unread() == [], "who had it is written to no more"


@pytest.mark.parametrize("is_erased", [True, False])
def test_a_reply_to_who_has_no_address_any_more_comes_back(asked: Asked, *, is_erased: bool) -> None:
    answer = leave(asked.player) if is_erased else asked.player.post("/me/email", {"email": None})
    assert answer.status_code in {200, 204}
    assert asked.box.reply(asked.mail, "1") == UNKNOWN
    assert answers(asked.house, asked.box) == []


@pytest.mark.parametrize(
    ("address", "writer"),
    [
        ("ann@bücher.test", "ann@bücher.test"),
        ("ann@bücher.test", "ann@xn--bcher-kva.test"),
        ("änn@bücher.test", "änn@xn--bcher-kva.test"),
    ],
)
def test_an_address_with_other_letters_is_written_to_as_it_is_and_answers(
    house: MailHouse, address: str, writer: str
) -> None:
    ann, sent = house.addressed()[0], address.replace("bücher", "xn--bcher-kva")
    named = Statement("UPDATE players SET email = :email WHERE id = :id", {"email": address, "id": ann.id})
    house.service.recorder.write([named, mailing.confirm(ann.id, address, "en", "")])
    match = against_bot(ann)
    mail, before = house.turn(Mailbox(house.office, sent, house.port)), ann.look(match)["version"]
    (to,) = [value for name, value in mail.raw_items() if name == "To"]
    assert to.encode("ascii", "surrogateescape").decode() == sent, "as no encoded word"
    raw = f"From: Ann <{writer}>\n\n1\n".encode()
    assert hand_in(house.port, "ann@people.test", address_of(mail), raw) == OK
    assert ann.look(match)["version"] != before


def test_a_number_of_another_list_does_not_count(asked: Asked) -> None:
    player, box, tokens = asked.player, asked.box, MailTokens(asked.house.service.signer)
    legal = player.moves(asked.match)
    ids = [move["id"] for move in legal["moves"]]
    same, other = (tokens.reply(player.id, asked.match, 0, legal["decision"], moves) for moves in (ids, ids[::-1]))
    assert address_of(asked.mail) == f"play+{same}@play.test"
    raw = reply_to(asked.mail, box.address, "1")
    del raw["To"]
    assert hand_in(box.port, box.address, f"play+{other}@play.test", raw.as_bytes()) == OK
    assert asked.version == asked.before
    assert answers(asked.house, box)[0].startswith("The moves are others now")


def test_a_move_by_mail_is_limited_as_any_other(asked: Asked) -> None:
    with freeze_time(datetime.now(UTC)):
        asked.house.service.limits.count(("moves",), Asking(account=asked.player.id), 1e9)
        assert "moves-by-account" in asked.reply("1")[0]
    assert asked.version == asked.before

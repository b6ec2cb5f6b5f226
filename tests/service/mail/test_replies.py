"""Replies that are no move: each gets a clear answer, and changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from freezegun import freeze_time

from service.limits import Asking
from service.mail.answering import MOST
from tests.service.house import Visitor
from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import Mailbox, address_of, hand_in, moves_of, reply_to, text_of

OK = (250, "2.0.0 ok")
UNKNOWN = (550, "5.1.1 nobody has this address, or it is good no longer")


def turn_of(house: MailHouse, box: Mailbox) -> EmailMessage:
    house.send()
    return next(mail for mail in reversed(box.unread()) if "Your turn" in str(mail["Subject"]))


def answers(house: MailHouse, box: Mailbox) -> list[str]:
    """What came back, by its first line."""
    house.send()
    return [text_of(mail).splitlines()[0] for mail in box.unread() if str(mail["Subject"]).startswith("Re: ")]


def versions(match: str, players: list[Visitor]) -> list[int]:
    return [int(player.look(match)["version"]) for player in players]


def test_the_number_is_the_move(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    legal = players[0].moves(match)["moves"]
    assert moves_of(mail) == [one["text"] for one in legal]
    assert boxes[0].reply(mail, "2") == OK
    assert players[0].look(match)["decision"] is None
    said = answers(house, boxes[0])
    assert said == [f"Your move was made: {legal[1]['text']}"]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("99", 'There is no such move: "99".'),
        ("0", 'There is no such move: "0".'),
        ("-1", 'There is no such move: "-1".'),
        ("I like cheese", 'There is no such move: "I like cheese".'),
        ("", "Your mail says nothing that could be a move."),
        ("-- \nSomebody", "Your mail says nothing that could be a move."),
        ("1 and then 2", 'There is no such move: "1 and then 2".'),
    ],
)
def test_what_is_no_move_is_answered_and_changes_nothing(house: MailHouse, said: str, answer: str) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    before = versions(match, players)
    assert boxes[0].reply(mail, said) == OK
    assert versions(match, players) == before
    house.send()
    told = boxes[0].unread()
    assert len(told) == 1
    assert text_of(told[0]).startswith(answer)
    assert "Nothing was changed" in text_of(told[0])
    assert str(told[0]["In-Reply-To"]) == str(reply_to(mail, boxes[0].address, said)["Message-ID"])
    assert told[0]["Auto-Submitted"] == "auto-replied"
    assert boxes[0].reply(told[0], "1") == OK, "the answer can be answered"
    assert versions(match, players) != before


def test_a_decision_is_answered_once_whoever_repeats_it(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    assert boxes[0].reply(mail, "1") == OK
    after = versions(match, players)
    assert boxes[0].reply(mail, "1") == OK, "the same mail again, as a server sends it that heard no answer"
    assert versions(match, players) == after
    assert len(answers(house, boxes[0])) == 1
    assert boxes[0].reply(mail, "2") == OK, "another mail to the same address"
    assert versions(match, players) == after
    assert answers(house, boxes[0])[0].startswith("That decision is no longer open")


def test_a_mail_from_elsewhere_changes_nothing_and_is_told_to_the_player(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    before = versions(match, players)
    assert boxes[0].reply(mail, "1", sender="thief@elsewhere.test") == OK
    assert versions(match, players) == before
    assert "came from thief@elsewhere.test" in answers(house, boxes[0])[0]
    assert house.office.mails("thief@elsewhere.test") == []


def test_another_player_can_not_use_the_address(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    before = versions(match, players)
    assert boxes[1].reply(mail, "1") == OK
    assert versions(match, players) == before
    assert "came from" in answers(house, boxes[0])[0]
    assert "Somebody" not in str(boxes[1].unread())


def test_an_address_that_was_changed_is_refused_at_the_door(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    address = address_of(mail)
    local, _, domain = address.partition("@")
    raw = reply_to(mail, boxes[0].address, "1").as_bytes()
    swapped = local[:-1] + ("a" if local[-1] != "a" else "b")
    wrong = [f"{swapped}@{domain}", f"{local}@elsewhere.test", f"play@{domain}", f"{local[:20]}@{domain}"]
    for to in [*wrong, f"bounce+{local[5:]}@{domain}", f"postmaster@{domain}", f"play+{'a' * 53}@{domain}"]:
        assert hand_in(boxes[0].port, boxes[0].address, to, raw) == UNKNOWN, to


def test_servers_that_fold_the_case_of_an_address_do_no_harm(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    before = versions(match, players)
    raw = reply_to(mail, boxes[0].address, "1").as_bytes()
    assert hand_in(boxes[0].port, boxes[0].address, address_of(mail).upper(), raw, lmtp=True) == OK
    assert versions(match, players) != before


def test_the_part_of_an_address_before_the_at_is_as_long_as_it_may_be(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    for address in (address_of(mail), str(mail["X-Envelope-From"])):
        assert len(address.partition("@")[0]) <= 64


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Auto-Submitted", "auto-replied"),
        ("Auto-Submitted", "auto-generated (vacation)"),
        ("Precedence", "bulk"),
        ("Precedence", "auto_reply"),
        ("List-Id", "<people.test>"),
        ("X-Loop", "foldtable"),
        ("X-Autoreply", "yes"),
    ],
)
def test_machines_get_no_answer_and_make_no_move(house: MailHouse, name: str, value: str) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    before = versions(match, players)
    for said in ("1", "I am away until Monday"):
        reply = reply_to(mail, boxes[0].address, said)
        reply[name] = value
        assert hand_in(boxes[0].port, boxes[0].address, address_of(mail), reply.as_bytes()) == OK
    assert versions(match, players) == before
    assert answers(house, boxes[0]) == []


def test_a_mail_that_can_not_be_answered_is_a_machine_s(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    before = versions(match, players)
    raw = reply_to(mail, boxes[0].address, "1").as_bytes()
    assert hand_in(boxes[0].port, "", address_of(mail), raw) == OK
    assert versions(match, players) == before


def test_a_match_that_is_over_is_said(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    for player in players:
        player.post(f"/matches/{match}/abort", {})
    assert boxes[0].reply(mail, "1") == OK
    assert "That match is over. Nothing was changed." in answers(house, boxes[0])


def test_answers_have_an_end(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    for number in range(MOST + 3):
        assert boxes[0].reply(mail, f"no {number}") == OK
    assert len(answers(house, boxes[0])) == MOST


def test_an_answer_in_japanese(house: MailHouse) -> None:
    ann, box = house.addressed("アン", "ja")
    match = ann.open("high-card", [None, {"bot": "greedy"}])
    ann.sit(match)
    house.send()
    mail = next(one for one in box.unread() if "あなたの番です" in str(one["Subject"]))
    assert "最初の行に書いて返信してください" in text_of(mail)
    assert box.reply(mail, "９９") == OK
    house.send()
    assert text_of(box.unread()[0]).startswith("そのような手はありません：「99」。")
    assert box.reply(mail, "１番") == OK
    house.send()
    assert any(text_of(one).startswith(("手を指しました", "答えを封印しました")) for one in box.unread())


def test_a_move_by_mail_counts_as_any_other(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    limits = house.service.limits
    with freeze_time(datetime.now(UTC)):
        limits.count_operation("makeMove", Asking(account=players[0].id))
        before = limits.standings(("moves",), Asking(account=players[0].id))
        assert boxes[0].reply(mail, "2") == OK
        (left,) = limits.standings(("moves",), Asking(account=players[0].id))
        assert left.left == before[0].left - 1
        limits.count(("moves",), Asking(account=players[1].id), 1e9)
        mail = turn_of(house, boxes[1])
        assert boxes[1].reply(mail, "1") == OK
        assert "moves-by-account" in answers(house, boxes[1])[0]
    assert players[1].moves(match)["moves"], "it was not made"

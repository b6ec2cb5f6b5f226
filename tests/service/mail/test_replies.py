"""Replies that are no move: each gets a clear answer, and changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from freezegun import freeze_time

from service.deeds import TABLE
from service.limits import Asking
from service.mail.answering import MOST
from service.mail.situation import MailTokens
from tests.service.house import Visitor
from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import Mailbox, address_of, hand_in, moves_of, reply_to, text_of
from tests.service.matches.test_offers import passed

OK = (250, "2.0.0 ok")
UNKNOWN = (550, "5.1.1 nobody has this address, or it is no longer valid")


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
        ("cheese" * 20, f'There is no such move: "{("cheese" * 20)[:80]}".'),
        ("", "Your mail says nothing that could be a move."),
        ("1 or 2", 'Your reply "1 or 2" could be read in more than one way'),
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


def test_machines_get_no_answer_and_make_no_move(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    before = versions(match, players)
    for said in ("1", "I am away until Monday"):
        reply = reply_to(mail, boxes[0].address, said)
        reply["Auto-Submitted"] = "auto-replied"
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


def test_a_decision_is_asked_back_once(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    for number in range(5):
        assert boxes[0].reply(mail, f"no {number + 50}") == OK
        assert len(answers(house, boxes[0])) == int(number == 0)
    assert boxes[0].reply(mail, "1") == OK
    assert players[0].look(match)["decision"] is None
    assert len(answers(house, boxes[0])) == 1, "what moves is always answered"


def test_a_stranger_uses_up_no_answer_of_the_player_s(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    for number in range(3):
        assert boxes[0].reply(mail, f"{number}", sender="thief@elsewhere.test") == OK
    assert len(answers(house, boxes[0])) == 1
    assert boxes[0].reply(mail, "no") == OK
    assert len(answers(house, boxes[0])) == 1


def test_mails_that_change_nothing_are_answered_so_many_times_a_day(house: MailHouse) -> None:
    ann, box = house.addressed("Ann")
    other, _ = house.addressed("Other")
    mails = []
    for _ in range(MOST + 3):
        match = ann.open()
        ann.sit(match)
        other.sit(match)
        mails.append(turn_of(house, box))
    for mail in mails:
        assert box.reply(mail, "no") == OK
    assert len(answers(house, box)) == MOST
    assert box.reply(mails[-1], "1") == OK
    assert len(answers(house, box)) == 1, "a move is answered all the same"


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
    assert any(text_of(one).startswith(("手を受けつけました", "答えを封印しました")) for one in box.unread())


def test_a_mail_to_two_tables_answers_neither(house: MailHouse) -> None:
    ann, box = house.addressed("Ann")
    bob, _ = house.addressed("Bob")
    matches, mails = [], []
    for _ in range(2):
        matches.append(ann.open())
        ann.sit(matches[-1])
        bob.sit(matches[-1])
        mails.append(turn_of(house, box))
    for field in ("To", "Cc"):
        reply = reply_to(mails[0], box.address, "1")
        both = f"Table <{address_of(mails[0]).upper()}>, {address_of(mails[1])}"
        del reply[field]
        reply[field] = both
        for mail in mails:
            assert hand_in(box.port, box.address, address_of(mail), reply.as_bytes()) == OK
    assert all(ann.look(match)["decision"] is not None for match in matches)
    said = answers(house, box)
    assert len(said) == 2
    assert all(one.startswith("Your mail went to reply addresses of several decisions") for one in said)
    assert box.reply(mails[0], "1") == OK
    assert ann.look(matches[0])["decision"] is None


@pytest.mark.parametrize("said", ["*zone Asia/Tokyo*", "Time zone: Asia/Tokyo", "タイムゾーン：Asia/Tokyo"])
def test_a_player_says_by_mail_by_which_clocks_they_live(house: MailHouse, said: str) -> None:
    match, players, boxes = house.laid(clock={"allowance": "P1D"})
    mail = turn_of(house, boxes[0])
    assert "(UTC)" in text_of(mail)
    assert 'reply with a line like "zone Europe/Berlin"' in text_of(mail)
    before = versions(match, players)
    assert boxes[0].reply(mail, said) == OK
    assert versions(match, players) == before
    assert players[0].get("/me/mail").json["zone"] == "Asia/Tokyo"
    house.send()
    (told,) = boxes[0].unread()
    assert text_of(told).startswith("Times are told by the clocks of Asia/Tokyo from now on.")
    assert "(Asia/Tokyo)" in text_of(told)
    assert "UTC" not in text_of(told)
    assert boxes[0].reply(told, "1") == OK
    assert versions(match, players) != before


def test_a_zone_that_is_none_is_refused(house: MailHouse) -> None:
    _, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    assert boxes[0].reply(mail, "zone Mars/Olympus") == OK
    assert players[0].get("/me/mail").json["zone"] == "UTC"
    assert "Mars/Olympus" in answers(house, boxes[0])[0]


def test_a_seat_that_was_passed_on_is_moved_by_no_mail_to_who_had_it(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    eve, box = house.addressed("Eve")
    mail = turn_of(house, boxes[0])
    passed(house, match, players, 0, eve)
    before = eve.look(match)["version"]
    assert boxes[0].reply(mail, "1") == UNKNOWN
    raw = reply_to(mail, box.address, "1").as_bytes()
    assert hand_in(box.port, box.address, address_of(mail), raw) == UNKNOWN, "nor is it theirs who has it now"
    assert eve.look(match)["version"] == before
    assert box.reply(turn_of(house, box), "1") == OK
    assert eve.look(match)["version"] != before


def test_who_had_a_seat_is_written_to_no_more(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    eve, box = house.addressed("Eve")
    house.follow()
    passed(house, match, players, 0, eve)
    house.mail.loop.look()
    assert boxes[0].unread() == [], "what was noted for them is not told"
    house.send()
    assert boxes[0].unread() == []
    assert any("Your turn" in str(one["Subject"]) for one in box.unread())


def test_a_number_of_another_list_does_not_count(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    house.send()
    seen = players[0].moves(match)
    ids = [one["id"] for one in seen["moves"]]
    tokens = MailTokens(house.service.signer)
    other = tokens.reply(players[0].id, match, 0, seen["decision"], ids[::-1])
    same = tokens.reply(players[0].id, match, 0, seen["decision"], ids)
    mail = next(one for one in boxes[0].unread() if "Your turn" in str(one["Subject"]))
    assert address_of(mail) == f"play+{same}@play.test"
    before = versions(match, players)
    raw = reply_to(mail, boxes[0].address, "1")
    del raw["To"]
    assert hand_in(boxes[0].port, boxes[0].address, f"play+{other}@play.test", raw.as_bytes()) == OK
    assert versions(match, players) == before
    assert answers(house, boxes[0])[0].startswith("The moves are others now")


def test_a_move_by_mail_counts_as_any_other(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    mail = turn_of(house, boxes[0])
    limits = house.service.limits
    with freeze_time(datetime.now(UTC)):
        limits.count(TABLE["makeMove"].limits, Asking(account=players[0].id))
        before = limits.standings(("moves",), Asking(account=players[0].id))
        assert boxes[0].reply(mail, "2") == OK
        (left,) = limits.standings(("moves",), Asking(account=players[0].id))
        assert left.left == before[0].left - 1
        limits.count(("moves",), Asking(account=players[1].id), 1e9)
        mail = turn_of(house, boxes[1])
        assert boxes[1].reply(mail, "1") == OK
        assert "moves-by-account" in answers(house, boxes[1])[0]
    assert players[1].moves(match)["moves"], "it was not made"

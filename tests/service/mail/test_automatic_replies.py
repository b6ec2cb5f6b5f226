"""Programs that answer mails by themselves and do not say so: they move nothing, and are not answered without end."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage

import pytest

from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import Mailbox, hand_in, text_of

Program = Callable[[EmailMessage, str], EmailMessage]


def answer_of(mail: EmailMessage, sender: str, subject: str, body: str, charset: str = "utf-8") -> EmailMessage:
    """As such programs write: to whom Reply-To names, else From; without any field that says what it is."""
    reply = EmailMessage()
    reply["From"] = f"Somebody <{sender}>"
    reply["To"] = str(mail["Reply-To"] or mail["From"])
    reply["Subject"] = subject
    reply["In-Reply-To"] = str(mail["Message-ID"])
    reply["Message-ID"] = f"<auto.{abs(hash(str(mail['Message-ID'])))}.{len(body)}@people.test>"
    reply.set_content(body, charset=charset)
    return reply


def gmail(mail: EmailMessage, sender: str) -> EmailMessage:
    body = (
        "Hi,\n\nI am out of the office until December 3 and will have limited access to email.\n"
        "For urgent matters call +49 30 1234567.\n\nBest,\nAnn\n"
    )
    return answer_of(mail, sender, f"Re: {mail['Subject']}", body)


def exchange(mail: EmailMessage, sender: str) -> EmailMessage:
    reply = answer_of(
        mail, sender, f"Automatic reply: {mail['Subject']}", "I am on annual leave.\n\nKind regards\nAnn\n"
    )
    reply.add_alternative("<html><body><div>I am on annual leave.</div></body></html>", subtype="html")
    return reply


def exchange_renamed(mail: EmailMessage, sender: str) -> EmailMessage:
    """With a subject of the user's own, and the mail below it as Outlook quotes."""
    body = (
        "3 people cover for me: see the list.\n\n________________________________\n"
        f"From: Foldtable\nSent: Monday\nSubject: {mail['Subject']}\n\n{text_of(mail)}"
    )
    return answer_of(mail, sender, f"RE: {mail['Subject']}", body)


def japanese(mail: EmailMessage, sender: str) -> EmailMessage:
    body = (
        "お世話になっております。\n\nただいま夏季休暇をいただいております。\n8月16日以降に順次ご返信いたします。\n"
        "お急ぎの場合は03-1234-5678までご連絡ください。\n\n田中\n"
    )
    return answer_of(mail, sender, f"Re: {mail['Subject']}", body, "iso-2022-jp")


def japanese_named(mail: EmailMessage, sender: str) -> EmailMessage:
    return answer_of(
        mail, sender, "【自動返信】夏季休暇のお知らせ", "はい、こちらは自動応答です。\n1営業日以内にご返信します。\n"
    )


SILENT = {"exchange": exchange, "japanese, named": japanese_named}
"""Those that are known by their subjects."""

PROGRAMS: dict[str, Program] = {
    **SILENT,
    "gmail": gmail,
    "exchange, renamed": exchange_renamed,
    "japanese": japanese,
}


def played_against(house: MailHouse, box: Mailbox, program: Program, sender: str = "") -> int:
    """Each mail to the box is answered at once, and so is what comes of that: how many mails came in all."""
    count = 0
    for _ in range(30):
        house.send()
        mails = box.unread()
        if not mails:
            return count
        count += len(mails)
        for mail in mails:
            reply = program(mail, sender or box.address)
            to = str(mail["Reply-To"] or mail["From"]).rpartition("<")[2].rstrip(">")
            hand_in(box.port, sender or box.address, to, reply.as_bytes())
            hand_in(box.port, sender or box.address, str(mail["X-Envelope-From"]), reply.as_bytes())
    raise AssertionError("a loop")


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_program_that_answers_by_itself_is_asked_back_once_a_decision(house: MailHouse, name: str, lang: str) -> None:
    ann, box = house.addressed("Ann", lang)
    bob, _ = house.addressed("Bob")
    match = ann.open(seats=[None, None])
    ann.sit(match)
    bob.sit(match)
    before = ann.look(match)["version"]
    asked = 0 if name in SILENT else 1
    assert played_against(house, box, PROGRAMS[name]) == 2 + asked, "it begins, a turn, and the question back"
    assert ann.look(match)["version"] == before
    assert bob.move(match, bob.moves(match)["moves"][0]["id"]).status_code == 200
    assert played_against(house, box, PROGRAMS[name]) == 0, "the decision is the same"


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_invitation_is_not_answered_by_a_program(house: MailHouse, name: str) -> None:
    ann, _ = house.addressed("Ann")
    bob, box = house.addressed("Bob")
    match = ann.open(seats=[None, {"player": bob.id}])
    assert played_against(house, box, PROGRAMS[name]) == (1 if name in SILENT else 2)
    seat = ann.look(match)["seats"][1]
    assert (seat["player"], seat["reserved"]["id"]) == (None, bob.id)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_behind_another_address_ends_too(house: MailHouse, name: str) -> None:
    """Mail that is passed on to a second mailbox is answered from there: each answer is a stranger's."""
    match, players, boxes = house.laid()
    before = players[0].look(match)["version"]
    count = played_against(house, boxes[0], PROGRAMS[name], "ann@elsewhere.test")
    assert count == (2 if name in SILENT else 3)
    assert players[0].look(match)["version"] == before


def test_a_long_absence_costs_one_question_a_decision_and_so_many_a_day(house: MailHouse) -> None:
    ann, box = house.addressed("Ann")
    bob, _ = house.addressed("Bob")
    sent = 0
    for _ in range(25):
        match = ann.open(seats=[None, None])
        ann.sit(match)
        bob.sit(match)
        sent += played_against(house, box, gmail)
    assert sent == 2 * 25 + 20

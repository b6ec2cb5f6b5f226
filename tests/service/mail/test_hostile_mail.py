"""Whatever is sent to the door, it stays open, and nothing is done."""

from __future__ import annotations

import email
import random
import re
import smtplib
import socket
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from time import thread_time

import pytest

from service.mail.incoming import CONNECTIONS, MOST, Hostile, hear
from service.mail.paper import Block, Sheet, enveloped
from service.mail.reading import meant
from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import OK, address_of, hand_in, reply_to, text_of

MOVES = [("a", "Alpha")] * 100

LONG = 5.0
"""Seconds of work within which anything is read; nothing takes a tenth of it."""


def nested(depth: int) -> bytes:
    """Parts in parts in parts."""
    head = b"From: a@b\r\nMIME-Version: 1.0\r\n"
    for level in range(depth):
        head += b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (level, level)
    return head + b"Content-Type: text/plain\r\n\r\n1\r\n"


HOSTILE = {
    "nested": nested(5000),
    "nested a little": nested(39),
    "many parts": b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n' + b"--x\r\n\r\n1\r\n" * 50_000,
    "a long header": b"From: " + b"(" * 60_000 + b"\r\n\r\n1",
    "many continued lines": b"Subject: a\r\n" + b" x\r\n" * 300 + b"\r\n1",
    "no head": b"\r\n\r\n1",
    "nothing": b"",
    "nothing but zeros": b"\0" * 5000,
    "bad base64": b"From: a@b\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!===\xff" + b"A" * 9999,
    "bad quoted-printable": b"From: a@b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=ZZ=\r\n=",
    "uuencode": b"From: a@b\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\nbegin 666 a\r\nM\xff\xff\r\n",
    "an endless boundary": b'Content-Type: multipart/mixed; boundary="' + b"a" * 50_000 + b'"\r\n\r\n--',
    "a boundary that is none": b'Content-Type: multipart/alternative; boundary="\xff\x00"\r\n\r\n1',
    "encoded words": b"From: " + b"=?utf-8?q?" * 5000 + b"\r\n\r\n1",
    "continued parameters": b"Content-Type: text/plain; "
    + b"; ".join(b"charset*%d*=%%ff" % n for n in range(900))
    + b"\r\n\r\n1",
    "an address of brackets": b"From: " + b"<" * 30_000 + b"\r\n\r\n1",
    "an address of quotes": b'From: "' + b'\\"' * 30_000 + b"\r\n\r\n1",
    "groups of addresses": b"From: " + b"a:" * 30_000 + b"\r\n\r\n1",
    "a page of brackets": b"Content-Type: text/html\r\n\r\n" + b"<" * 500_000,
    "a page of comments": b"Content-Type: text/html\r\n\r\n" + b"<!--" * 120_000,
    "a page of elements": b"Content-Type: text/html\r\n\r\n" + b"<div>" * 100_000,
    "a page of attributes": b"Content-Type: text/html\r\n\r\n<a " + b'a="' * 100_000,
    "a page of beginnings": b"Content-Type: text/html\r\n\r\n" + b"<a " * 30_000,
    "a page of beginnings and signs": b"Content-Type: text/html\r\n\r\n" + b"<a/" * 30_000,
    "a page of values": b"Content-Type: text/html\r\n\r\n" + b"<a b=c" * 20_000,
    "a page of sections": b"Content-Type: text/html\r\n\r\n" + b"<![>" * 20_000,
    "a page of entities": b"Content-Type: text/html\r\n\r\n" + b"&#9999999999;&" * 60_000,
    "quotes without end": b"From: a@b\r\n\r\n" + b"> " * 200_000,
    "lines without end": b"From: a@b\r\n\r\n" + b"\r\n" * 400_000,
    "one long line": b"From: a@b\r\n\r\n" + b"a:" * 400_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hostile_is_read_soon_or_refused(name: str) -> None:
    begun = thread_time()
    try:
        heard = hear(HOSTILE[name][:MOST], "a@b")
    except Hostile:
        pass
    else:
        meant(heard.text, MOVES)
    assert thread_time() - begun < LONG


def test_whatever_is_drawn_by_chance_is_read_or_refused() -> None:
    draw = random.Random(12)
    whole = EmailMessage()
    whole["From"] = "a@b"
    whole.set_content("1\n")
    whole.add_alternative("<p>1</p>", subtype="html")
    raw = whole.as_bytes()
    for _ in range(400):
        changed = bytearray(raw)
        for _ in range(draw.randrange(1, 12)):
            at = draw.randrange(len(changed))
            changed[at : at + draw.randrange(3)] = bytes(draw.randrange(256) for _ in range(draw.randrange(4)))
        try:
            meant(hear(bytes(changed), "a@b").text, MOVES)
        except Hostile:
            continue


def test_hostile_mails_leave_the_door_open_and_the_match_as_it_was(house: MailHouse) -> None:
    match, players, (box, _) = house.laid()
    mail = house.turn(box)
    before = [player.look(match)["version"] for player in players]
    for name in ("nested", "many parts", "nothing but zeros", "a long header", "bad base64", "a page of comments"):
        assert hand_in(box.port, box.address, address_of(mail), HOSTILE[name])[0] in {250, 500, 552, 554}, name
    assert [player.look(match)["version"] for player in players] == before
    assert box.reply(mail, "1") == OK
    assert players[0].look(match)["version"] != before[0]


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"A" * 100_000,
        b"EHLO x\r\nMAIL FROM:<a@b> SIZE=99999999999\r\n",
        b"EHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<" + b"a" * 400 + b"@play.test>\r\n",
        b"LHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<play+@play.test>\r\nRCPT TO:<\xff\xfe>\r\nDATA\r\n",
        b"DATA\r\nRCPT TO:<a@b>\r\nMAIL FROM:<>\r\nAUTH PLAIN AGEAYg==\r\nVRFY root\r\nEXPN x\r\nHELP\r\n",
    ],
)
def test_whatever_is_said_at_the_door_it_stays_open(house: MailHouse, said: bytes) -> None:
    with socket.create_connection(("127.0.0.1", house.port), timeout=5) as line:
        line.recv(1000)
        try:
            line.settimeout(0.5)
            line.sendall(said)
            line.recv(1000)
        except OSError:
            pass
    code, _ = hand_in(house.port, "a@b.test", "nobody@play.test", b"1")
    assert code == 550


def test_who_is_silent_on_many_lines_shuts_out_nobody_else(house: MailHouse) -> None:
    def call(peer: str) -> socket.socket:
        line = socket.create_connection(("127.0.0.1", house.port), timeout=5, source_address=(peer, 0))
        lines.callback(line.close)
        return line

    with ExitStack() as lines:
        friend = call("127.0.0.3")
        assert friend.recv(1000).startswith(b"220")
        silent = [call("127.0.0.2") for _ in range(CONNECTIONS)]
        assert silent[-1].recv(1000).startswith(b"220")
        assert hand_in(house.port, "a@b.test", "nobody@play.test", b"1")[0] == 550
        friend.sendall(b"NOOP\r\n")
        assert friend.recv(1000).startswith(b"250"), "who has few lines keeps them"
        # hung up on, perhaps before it was greeted: a line that stays would run into its timeout
        assert all(said.startswith(b"220") for said in iter(lambda: silent[0].recv(1000), b""))


def test_a_mail_goes_to_one_addressee(house: MailHouse) -> None:
    _, _, (box, _) = house.laid()
    address = address_of(house.turn(box))
    with closing(smtplib.LMTP("127.0.0.1", house.port)) as client:
        client.ehlo_or_helo_if_needed()
        client.mail("a@b.test")
        assert [client.rcpt(address)[0] for _ in range(2)] == [250, 452]


def test_nobody_injects_a_header_by_a_message_id(house: MailHouse) -> None:
    _, _, (box, _) = house.laid()
    mail = house.turn(box)
    raw = reply_to(mail, box.address, "no").as_bytes()
    wrong = re.sub(rb"(?m)^Message-ID.*$", b"Message-ID: <a@b>\n Bcc: victim@people.test", raw, count=1)
    assert hand_in(box.port, box.address, address_of(mail), wrong) == OK
    house.send()
    (answer,) = box.unread()
    assert answer["Bcc"] is None
    assert house.office.mails("victim@people.test") == []


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", ["Ann\r\nBcc: victim@people.test", "Ann\n\nBcc", "アン\u2028Bcc: x", "\x00\x1b[2J"])
def test_a_subject_is_one_line_whatever_a_name_holds(name: str, lang: str) -> None:
    sheet = Sheet(f"Your turn ({name})", (Block(lines=("1",)),))
    to = {"name": "a", "sender": "table@play.test", "to": "ann@people.test", "domain": "play.test"}
    raw = enveloped(sheet, lang, datetime.now(UTC), **to)
    found = email.message_from_bytes(raw, policy=policy.default)
    assert found["Bcc"] is None
    assert found["Content-Language"] == lang
    assert "1" in text_of(found)
    assert re.search("[\\x00-\\x1f]", str(found["Subject"])) is None

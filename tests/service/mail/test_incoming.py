"""Who a mail is from, and whether a person wrote it: read strictly, or not at all."""

from __future__ import annotations

import tomllib
from base64 import b64encode
from contextlib import suppress
from email.header import Header
from pathlib import Path

import pytest

from service.mail.incoming import Hostile, as_sent, hear
from service.mail.reading import LINE, own_lines

ANN = "ann@x.test"


def sender_of(*fields: str) -> str:
    head = "".join(f"{field}\r\n" for field in fields)
    try:
        return hear(f"{head}Subject: Re: x\r\n\r\n1\r\n".encode(), ANN).sender
    except Hostile:
        return ""


SENDERS = tomllib.loads(Path(__file__).with_name("senders.toml").read_text(encoding="utf-8"))
LONG = (f"{'a' * 2000} <ann@x.test>", "<" * 900, "a:" * 400)
FROM = [(said, sender) for sender, rows in SENDERS.items() for said in rows] + [(said, "nobody") for said in LONG]


@pytest.mark.parametrize(("said", "sender"), FROM)
def test_a_mail_is_from_its_one_mailbox_and_else_from_nobody(said: str, sender: str) -> None:
    assert (sender_of(f"From: {said}") or "nobody") == sender


def mail_of(*head: str, text: str = "1", lines: int = 0) -> bytes:
    """A mail with these lines as its head, and as many more of no meaning."""
    return "".join(f"{line}\r\n" for line in (*head, *["X: y"] * lines, "", text)).encode()


BOUNDS = {
    "bytes of a mail": (lambda more: mail_of("A: b", text="1" * ((1 << 20) - 10 + more))),
    "bytes of a head": (lambda more: mail_of("A: " + "b" * ((1 << 16) - 3 + more))),
    "lines of a head": (lambda more: mail_of(lines=501 + more)),
    "parts": (lambda more: mail_of("Content-Type: multipart/x", text=" boundary" * (39 + more))),
    "borders": (lambda more: mail_of("A: b", text="\n--" * (300 + more))),
}
"""Mails that are as large as they may be with 0, and too large with 1."""


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_mail_is_read_up_to_each_bound_and_refused_beyond_it(bound: str) -> None:
    assert hear(BOUNDS[bound](0), ANN).sender == ""
    with pytest.raises(Hostile):
        hear(BOUNDS[bound](1), ANN)


def test_a_line_is_cut_after_its_signs_were_made_narrow() -> None:
    assert own_lines("ﷺ" * 300)[0] == ("صلى الله عليه وسلم" * 300)[:LINE].strip()


@pytest.mark.parametrize("more", [0, 1])
def test_of_what_is_long_so_much_is_looked_at(more: int) -> None:
    name = "a" * (1000 - len(" <ann@x.test>") + more)
    assert sender_of(f"From: {name} <ann@x.test>") == ("" if more else ANN)
    away = "=?utf-8?q?" + "_" * (400 - len("=?utf-8?q??= vacation") + more) + "?= vacation"
    assert hear(mail_of(f"Subject: {away}"), ANN).is_automatic is not bool(more)
    assert len(hear(mail_of("A: b", text="1" * ((1 << 16) + more)), ANN).text) == 1 << 16
    assert len(hear(mail_of("Message-ID: " + "i" * (500 + more)), ANN).id) == 500


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("Ann@People.test", "Ann@People.test"),
        ("änn@bücher.test", "änn@xn--bcher-kva.test"),
        ("ann@Bücher.test", "ann@xn--bcher-kva.test"),
        ("ann@bu\u0308cher.test", "ann@xn--bcher-kva.test"),
        ("ann@例え.jp", "ann@xn--r8jz45g.jp"),
        ("ann@straße.test", "ann@straße.test"),
        (f"ann@{'ü' * 64}.test", f"ann@{'ü' * 64}.test"),
        ("ann@people..test", "ann@people..test"),
        ("", ""),
    ],
)
def test_an_address_is_sent_in_ascii_where_that_is_the_same_domain(address: str, sent: str) -> None:
    assert as_sent(address) == sent


def test_what_the_library_of_mails_fails_over_is_refused() -> None:
    with pytest.raises(Hostile, match=r"^\w+Error$"):
        hear(mail_of('From: "'), ANN)


@pytest.mark.parametrize("said", [",\r\n .a@;é,)]", '>=?utf-8?q?=?us-ascii?b?\r\n ,.: ">'])
def test_what_the_library_of_mails_fails_over_up_to_python_3_12_names_no_sender(said: str) -> None:
    with suppress(Hostile):
        assert hear(mail_of(f"From: {said}"), ANN).sender == ""


def test_a_quoted_part_is_not_cut() -> None:
    assert sender_of('From: "ann@x.test <"@evil.test') != ANN


def test_no_field_but_from_says_who_wrote_and_two_of_it_say_nothing() -> None:
    others = [f"{name}: ann@x.test" for name in ("Sender", "Reply-To", "Return-Path", "Resent-From", "X-From", "To")]
    assert sender_of(*others) == ""
    assert sender_of("From: eve@evil.test", *others) == "eve@evil.test"
    assert sender_of("From: ann@x.test", "From: eve@evil.test") == ""
    assert sender_of("From: ann@x.test", "from: ann@x.test") == ""
    assert sender_of("From : ann@x.test", "From: eve@evil.test") in {"", "eve@evil.test"}


def encoded(subject: str, charset: str = "iso-2022-jp") -> str:
    return Header(subject, charset).encode()


AUTOMATIC = ["Out of Office", "Automatic reply: Your turn", "AUTO: Re: Your turn", "Auto-Reply: Re: x", "Autoreply"]
AUTOMATIC += ["Out of the office until Monday", encoded("自動返信：あなたの番です"), encoded("不在のお知らせ")]
AUTOMATIC += [encoded("【自動応答】Re: x", "utf-8"), encoded("Réponse automatique", "utf-8")]
MACHINES = [
    ("Auto-Submitted: no", "Auto-Submitted: auto-replied"),
    ("Auto-Submitted: AUTO-REPLIED (vacation)",),
    ("Precedence: normal", "Precedence: Bulk"),
    ("Precedence: auto_reply",),
    ("Return-Path: <>",),
    ("Return-Path: <ann@x.test>", "Return-Path: < >"),
    ("List-Id: <people.test>",),
    ("X-Autoreply: yes",),
    ("X-Loop: other", "X-Loop: foldtable"),
    *((f"Subject: {subject}",) for subject in AUTOMATIC),
]
PEOPLE = [
    (),
    ("Auto-Submitted: no",),
    ("Auto-Submitted: no (typed)", "Precedence: normal", "Return-Path: <ann@x.test>"),
    ("Subject: Re: Your turn: High Card (Out of Office)",),
    ("Subject: =?utf-8?q?Re=3A_Out?=",),
    ("Subject: =?nonsense?b?%%%?=",),
]


@pytest.mark.parametrize("fields", [*MACHINES, *PEOPLE])
def test_a_machine_is_known_by_any_of_its_fields(fields: tuple[str, ...]) -> None:
    assert hear(mail_of("From: ann@x.test", *fields), ANN).is_automatic == (fields in MACHINES)


def report(*blocks: str) -> bytes:
    """What another server says became of a mail to several (RFC 3464)."""
    told = "".join(f"\r\nFinal-Recipient: rfc822; x@people.test\r\n{block}\r\n" for block in blocks)
    return (
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        f"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; people.test\r\n{told}\r\n--b--\r\n"
    ).encode()


def test_an_address_is_refused_for_good_only_where_all_of_the_report_says_so() -> None:
    gone, here = "Action: failed\r\nStatus: 5.1.1", "Action: delivered\r\nStatus: 2.0.0"
    others = (here, "Action: failed\r\nStatus: 4.2.2", "Action: delayed\r\nStatus: 5.1.1", "Action: delivered")
    for blocks in ((gone,), (gone, gone)):
        assert hear(report(*blocks), "").is_refusal, blocks
    for other in (*others, "Action: failed", "Status: 5.1.1", "Status: 2.0.0"):
        for blocks in ((other,), (gone, other), (other, gone)):
            assert not hear(report(*blocks), "").is_refusal, blocks
    for raw in (report(), b"Content-Type: multipart/report\r\n\r\n", report(gone).replace(b"t/report", b"t/mixed")):
        assert not hear(raw, "").is_refusal


def text_in(*parts: str) -> str:
    """What a mail of these parts says: each is its type, and what it holds after an empty line."""
    told = "".join(f"--b\r\nContent-Type: {part}\r\n" for part in parts)
    head = 'From: ann@x.test\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
    return hear(f"{head}{told}--b--\r\n".replace("\n\n", "\r\n\r\n").encode(), ANN).text.strip()


FILE = "text/plain\r\nContent-Disposition: attachment; filename=a.txt\n\n9"
FILED = "text/plain\r\nContent-Disposition: inline; filename=a.txt\n\n9"
LETTER = "message/rfc822\n\nFrom: ann@x.test\n\n9"
FILES = 'multipart/mixed; boundary="c"\r\nContent-Disposition: attachment\n\n--c\n\n9\r\n--c--'
BOTH = 'multipart/alternative; boundary="c"\n\n--c\r\nContent-Type: text/html\n\n<p>9</p>\r\n--c\n\n1\r\n--c--'
WITHIN = 'multipart/related; boundary="c"\n\n--c\r\nContent-Type: {}\n\n9\r\n--c--'


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ((FILE, "text/plain\n\n1"), "1"),
        (("text/plain\n\n", "text/plain\n\n1"), "1"),
        (("text/plain\n\n1", "text/plain\n\n2"), "1"),
        (("text/html\n\n<p>2</p>", "text/plain\n\n1"), "2"),
        ((BOTH,), "1"),
        (("text/calendar\n\n9", "text/plain\n\n1"), "1"),
        (("image/png\n\n9", "text/plain\n\n1"), "1"),
        ((WITHIN.format("image/png"), "text/plain\n\n1"), "1"),
        ((WITHIN.format("text/plain"), "text/plain\n\n1"), "9"),
        (("text/html\n\n<p>2</p>", "text/html\n\n<p>3</p>"), "2"),
        (("text/plain\n\n", "text/html\n\n<p>2</p>"), "2"),
        *(((each,), "") for each in (FILE, FILED, LETTER, FILES)),
        *((("text/html\n\n<p>2</p>", each), "2") for each in (FILE, FILED, LETTER, FILES)),
        *((("text/plain\n\n", each), "") for each in (FILE, FILED, LETTER, FILES)),
        (("image/png\n\n9",), ""),
    ],
)
def test_a_mail_says_what_the_first_text_says_that_its_writer_wrote(parts: tuple[str, ...], said: str) -> None:
    assert text_in(*parts) == said


NAMED = [("x-sjis", "cp932"), ("Windows-31J", "cp932"), ("Shift_JIS", "cp932"), ("x-euc-jp", "euc-jp")]
CHARSETS = ["utf-8", "iso-2022-jp", "shift_jis", "euc-jp", "utf-16", "utf-16le", "utf-16be"]


@pytest.mark.parametrize(("charset", "codec"), [*NAMED, *((charset, charset) for charset in CHARSETS)])
def test_a_text_is_read_in_its_charset(charset: str, codec: str) -> None:
    head = f"Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: base64\r\n\r\n".encode()
    said = "①はい" if codec == "cp932" else "はい"
    assert hear(head + b64encode(said.encode(codec)), ANN).text == said


NO_CHARSETS = ("utf-7", "rot13", "none", "punycode", "idna", "zlib", "unicode_escape", "undefined", "x" * 500, "\xff")


@pytest.mark.parametrize("charset", NO_CHARSETS)
def test_a_text_that_names_no_charset_in_which_texts_are_written_is_read_sign_by_sign(charset: str) -> None:
    raw = f"Content-Type: text/plain; charset={charset}\r\n\r\n+AGE-".encode("latin-1")
    assert hear(raw, ANN).text == "+AGE-"

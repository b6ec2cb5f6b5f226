"""What comes by mail: who it is from and whether a person wrote it, read strictly; what it means, never by a guess."""

from __future__ import annotations

import tomllib
from base64 import b64encode
from contextlib import suppress
from email.header import Header
from pathlib import Path
from typing import Any

import pytest

from service.mail import reading
from service.mail.incoming import Hostile, as_sent, hear
from service.mail.reading import LINE, Meant, meant, own_lines, text_of_html

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


JIS = b"\x1b$B-#$G$9!#|b66\x1b(B 3\r\n\x1b(I:]\x1b(J3\x1b$B"
"""As mail programs write ISO-2022-JP, with signs that are not of that standard; at its end the sign of a set alone."""


def test_a_text_in_iso_2022_jp_may_have_the_signs_that_programs_write_in_it_beyond_the_standard() -> None:
    head = b"Content-Type: text/plain; charset=ISO-2022-JP\r\n\r\n"
    assert hear(head + JIS, ANN).text == "③です。髙橋 3\r\nｺﾝ3"


NO_CHARSETS = ("utf-7", "rot13", "none", "punycode", "idna", "zlib", "unicode_escape", "undefined", "x" * 500, "\xff")


@pytest.mark.parametrize("charset", NO_CHARSETS)
def test_a_text_that_names_no_charset_in_which_texts_are_written_is_read_sign_by_sign(charset: str) -> None:
    raw = f"Content-Type: text/plain; charset={charset}\r\n\r\n+AGE-".encode("latin-1")
    assert hear(raw, ANN).text == "+AGE-"


# As people write


MOVES = (("a-1", "Alpha"), ("b-2", "Beta: x"), ("c", "Draw a card"), ("d", "Pass"))
THIRD, LAST = "c", "d"

TABLE: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("replies.toml").read_text(encoding="utf-8"))


def said_in(section: str, meant: str) -> list[str]:
    """The replies of the table that mean this, each with what programs put below it."""
    return [said.format_map(TABLE["below"]) for said in TABLE[section][meant]]


@pytest.mark.parametrize("said", [said for how in ("third", "greeted", "below") for said in said_in("moves", how)])
def test_a_move_is_read_as_people_write_it(said: str) -> None:
    assert meant(said, MOVES).id == THIRD


@pytest.mark.parametrize("number", range(1, len(MOVES) + 1))
def test_each_number_of_the_list_is_its_move_with_and_without_its_words(number: int) -> None:
    id, text = MOVES[number - 1]
    assert meant(str(number), MOVES).id == meant(f"{number}. {text}", MOVES).id == id


@pytest.mark.parametrize("said", said_in("moves", "two"))
def test_what_could_mean_two_things_means_none_and_is_asked_back(said: str) -> None:
    found = meant(said, MOVES)
    assert (found.id, found.is_unclear) == (None, True)


@pytest.mark.parametrize("said", said_in("moves", "none"))
def test_what_names_no_move_means_none(said: str) -> None:
    assert meant(said, MOVES) == Meant(said, None)


@pytest.mark.parametrize("said", said_in("moves", "empty"))
def test_a_reply_that_says_nothing_says_nothing(said: str) -> None:
    assert meant(said, MOVES) == Meant("", None)


def test_a_number_that_another_move_is_called_by_is_asked_back_unless_it_is_marked() -> None:
    moves = (("bid-2", "2"), ("bid-3", "3"), ("take-1", "Take 1"))
    for said in ("2", "Take 1", "２", "*2*"):
        assert meant(said, moves) == Meant(meant(said, moves).line, None, is_unclear=True), said
    assert meant("#2", moves).id == meant("No. 2", moves).id == meant("2番", moves).id == "bid-3"
    called = (("a", "2番"), ("b", "Beta"), ("c", "#2"), ("d", "No. 2"))
    assert meant("#2", called).id == meant("No. 2", called).id == meant("2番", called).id == "b"
    assert meant("bid-2", moves).id == "bid-2"
    assert meant("3", (("bid-2", "2"), ("bid-4", "4"), ("bid-3", "3"))).id == "bid-3", "both mean the same"


SEAT = (("accept", "Take the seat"), ("decline", "Decline"))
ALSO = {**dict.fromkeys(reading.YES, "accept"), **dict.fromkeys(reading.NO, "decline")}


@pytest.mark.parametrize(
    ("said", "id"), [(said, id) for id in TABLE["invitation"] for said in said_in("invitation", id)]
)
def test_an_invitation_is_answered_in_words_or_by_number(said: str, id: str) -> None:
    assert (meant(said, SEAT, ALSO).id or "none") == id


@pytest.mark.parametrize("said", TABLE["away"].values(), ids=TABLE["away"].keys())
def test_an_automatic_reply_that_only_its_text_shows_names_no_move_and_no_answer(said: str) -> None:
    moves = [(f"m-{number}", f"Move {number}") for number in range(1, 20)]
    assert (meant(said, moves).id, meant(said, SEAT, ALSO).id) == (None, None)


@pytest.mark.parametrize("greeting", ["Hi?", "Hello to all of you at the big table,", "こんにちは、パス"])
def test_what_asks_or_is_long_or_names_a_move_is_no_greeting(greeting: str) -> None:
    moves = (("draw", "引く"), ("pass", "パス"))
    assert meant("こんにちは、\n1", moves).id == "draw"
    assert meant(f"{greeting}\n1", moves).id is None


def test_what_says_yes_or_no_beside_other_words_is_asked_back() -> None:
    assert meant("yes, but not now", SEAT, ALSO) == Meant("yes, but not now", None, is_unclear=True)
    assert meant("but not now", SEAT, ALSO) == Meant("but not now", None)


OTHERS = "as I said\n"


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        ((f"{' ' * 299}3", THIRD), (f"{' ' * 300}3", None)),
        (("\n" * 1999 + "3", THIRD), ("\n" * 2000 + "3", None)),
        ((f"3\n{OTHERS * 198}4", None), (f"3\n{OTHERS * 199}4", THIRD)),
        (("On 3/11/26\nat noon Ann\nwrote:\n> 4\n\n3", THIRD), ("On 3/11/26\nat noon\nI\nwrote:\n> 4\n\n3", None)),
    ],
    ids=["signs of a line", "lines", "lines of one's own", "lines before a quotation"],
)
def test_so_much_of_a_reply_is_looked_at_and_no_more(
    within: tuple[str, str | None], beyond: tuple[str, str | None]
) -> None:
    for said, id in (within, beyond):
        assert meant(said, MOVES).id == id


@pytest.mark.parametrize(("page", "line"), TABLE["html"]["pages"])
def test_a_mail_of_html_alone_is_read(page: str, line: str) -> None:
    assert meant(text_of_html(page), MOVES).line == line

"""A mail that came in, read as far as it is needed: who wrote it, whether a person did, and what it says.

Whatever somebody sends is bounded before it is taken apart, and nothing in it is believed but a signed address.
"""

from __future__ import annotations

import codecs
import re
from email.errors import InvalidHeaderDefect, MessageError
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32, default
from hashlib import sha256

import msgspec

from service.mail.html_text import text_of_html

MOST = 1 << 20
"""Bytes of a mail."""

HEAD = 1 << 16
HEADERS = 500
PARTS = 40
"""Bytes and lines of its head, and parts of its body, at most."""

BORDERS = 300
"""Lines that could begin a part, at most."""

TEXT = 1 << 16
"""Bytes of a text that are looked at: what counts stands at its beginning."""

MAILBOX, SUBJECT = 1000, 400
"""Characters of From and of Subject, at most."""

LOOP = "foldtable"
"""What our own mails say in X-Loop."""

_MANY = re.compile(rb"boundary|multipart/|message/", re.IGNORECASE)
_BULK = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
_AUTOMATIC = ("List-Id", "List-Unsubscribe", "X-Autoreply", "X-Autorespond", "X-Auto-Reply", "Feedback-ID")
_AWAY = re.compile(
    r"(out of (the )?office|automatic reply|auto(matic)?[- ]?(reply|response|answer)|auto:|(on )?vacation|away from"
    r"|abwesen|automatische antwort|réponse automatique|absence|respuesta automática"
    r"|自動応答|自動返信|自動送信|不在|休暇|【(自動|不在|休暇))"
)
"""How subjects begin that answer by themselves, whatever their heads lack."""

_TABLE = re.compile(r"play\+[a-z2-7]{20,60}(?=@)")
_ROUTE = re.compile(r"<\s*@")
_CHARSETS = re.compile(
    r"ascii|utf-8(-sig)?|utf-16|iso8859-\d+|cp\d+|koi8-[ru]|iso2022_jp(_\w+)?|shift_jis(x0213|_2004)?|cp932|euc_\w+"
    r"|gb2312|gbk|gb18030|big5(hkscs)?|mac-\w+"
)
"""Of the codecs that Python has those in which texts are written; others compute for long, or are no text at all."""


class Hostile(ValueError):
    """It is not made as mails are made, and is not read."""


class Failure(msgspec.Struct, frozen=True):
    """What another server says became of a mail of ours (RFC 3464)."""

    is_hard: bool
    """For good: the address takes none."""


class IncomingMail(msgspec.Struct, frozen=True):
    """What was read of it."""

    id: str
    """Its own Message-ID, or what stands for it."""
    sender: str
    """The one address in From, in lower case; "" where it is not one mailbox and nothing else."""
    tables: frozenset[str]
    """What stands before the @ in those addresses of ours that To and Cc name, in lower case."""
    is_automatic: bool
    """Whether a machine wrote it."""
    text: str
    failure: Failure | None


def hear(raw: bytes, envelope_from: str | None) -> IncomingMail:
    """Read a mail. Raises Hostile."""
    _check(raw)
    try:
        mail = BytesParser(policy=compat32).parsebytes(raw)
        parts = _leaves(mail)
        failure = _failure(mail, parts)
        text = "" if failure else _text(parts)
        named = _plain(mail.get("Message-ID")).strip()
        is_automatic = not (envelope_from or "").strip("<> ") or _is_automatic(mail)
        return IncomingMail(
            id=named[:500] or sha256(raw).hexdigest(),
            sender=_sender(mail),
            tables=_tables(mail),
            is_automatic=is_automatic,
            text=text,
            failure=failure,
        )
    except (MessageError, RecursionError, ValueError, LookupError, TypeError, AttributeError, IndexError) as error:
        # the library is not made for everything that can be sent
        raise Hostile(type(error).__name__) from error


def _check(raw: bytes) -> None:
    if len(raw) > MOST:
        raise Hostile("too large")
    head = re.search(rb"\r?\n\r?\n", raw)
    end = head.start() if head else len(raw)
    if end > HEAD:
        raise Hostile("a head without end")
    if raw.count(b"\n", 0, end) > HEADERS:
        raise Hostile("too many headers")
    if sum(1 for _ in _MANY.finditer(raw)) > PARTS or raw.count(b"\n--") > BORDERS:
        raise Hostile("too many parts")


def _plain(said: object) -> str:
    return " ".join(str(said or "").split())


def _sender(mail: Message) -> str:
    """The address in From. Whatever two programs could read in two ways is nobody's: two fields, two mailboxes, a
    group, an address in place of a name.
    """
    fields = [value for name, value in mail.raw_items() if name.lower() == "from"]
    if len(fields) != 1 or len(fields[0]) > MAILBOX:
        return ""
    said = " ".join(fields[0].encode("ascii", "surrogateescape").decode("utf-8", "replace").split())
    found = default.header_factory("From", said)
    is_one = len(found.groups) == len(found.addresses) == 1 and found.groups[0].display_name is None
    # the library mends what it finds to be wrong, and says so
    is_wrong = any(isinstance(defect, InvalidHeaderDefect) for defect in found.defects) or _ROUTE.search(said)
    return str(found.addresses[0].addr_spec).lower() if is_one and not is_wrong else ""


def _subject(mail: Message) -> str:
    """In lower case, its encoded words read."""
    fields = [value for name, value in mail.raw_items() if name.lower() == "subject"]
    return _plain(default.header_factory("Subject", _plain("".join(fields))[:SUBJECT])).lower()


def _tables(mail: Message) -> frozenset[str]:
    said = " ".join(_plain(value) for name in ("To", "Cc") for value in mail.get_all(name, []))
    return frozenset(_TABLE.findall(said.lower()))


def _is_automatic(mail: Message) -> bool:
    """Whether a machine wrote it: an answer to it would be one to an answer (RFC 3834)."""

    def all_of(name: str) -> list[str]:
        return [_plain(value).lower() for value in mail.get_all(name, [])]

    return (
        any(value.partition(";")[0].partition("(")[0].strip() != "no" for value in all_of("Auto-Submitted"))
        or not _BULK.isdisjoint(all_of("Precedence"))
        or any(name in mail for name in _AUTOMATIC)
        or any(value.startswith(LOOP) for value in all_of("X-Loop"))
        or any("<>" in "".join(value.split()) for value in all_of("Return-Path"))
        or _AWAY.match(_subject(mail)) is not None
        or mail.get_content_type() in {"multipart/report", "message/delivery-status"}
    )


def _leaves(mail: Message) -> list[Message]:
    """Its parts that have none, from the first on."""
    found: list[Message] = []
    waiting = [mail]
    while waiting:
        part = waiting.pop(0)
        inner = part.get_payload()
        if part.get_content_type() == "message/delivery-status" or not isinstance(inner, list):
            found.append(part)
        else:
            waiting[:0] = [one for one in inner if isinstance(one, Message)]
    return found


def _failure(mail: Message, parts: list[Message]) -> Failure | None:
    """What became of a mail of ours, if this is another server's report of it."""
    if mail.get_content_type() != "multipart/report":
        return None
    for part in parts:
        if part.get_content_type() == "message/delivery-status":
            blocks = part.get_payload()
            told = [one for one in blocks if isinstance(one, Message)] if isinstance(blocks, list) else []
            hard = [
                _plain(one.get("Action")).lower() == "failed" and _plain(one.get("Status")).startswith("5.")
                for one in told
                if "Action" in one or "Status" in one
            ]
            if hard:
                return Failure(is_hard=all(hard))
    return Failure(is_hard=False)


def _text(parts: list[Message]) -> str:
    """What it says: its first text that says anything, else its first page's text."""
    texts = [part for part in parts if part.get_content_maintype() == "text" and not _is_attached(part)]
    for part in texts:
        if part.get_content_type() != "text/html" and (said := _decoded(part)).strip():
            return said
    pages = [part for part in texts if part.get_content_type() == "text/html"]
    return text_of_html(_decoded(pages[0])) if pages else ""


def _is_attached(part: Message) -> bool:
    return _plain(part.get("Content-Disposition")).lower().startswith("attachment")


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    raw = payload[:TEXT] if isinstance(payload, bytes) else b""
    return raw.decode(_charset(part), errors="replace").replace("\0", "")


def _charset(part: Message) -> str:
    """The codec of its text: one in which texts are written, or one that reads anything."""
    try:
        said = str(part.get_content_charset("utf-8"))
        name = codecs.lookup(said[:40]).name
    except (LookupError, ValueError, TypeError):
        return "latin-1"
    return name if _CHARSETS.fullmatch(name) else "latin-1"

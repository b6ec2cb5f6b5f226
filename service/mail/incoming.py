"""Takes mail in by LMTP or SMTP on one port, and reads who wrote it, whether a person did, and its text.

Anybody may send anything, so the size of every command, line, mail and part is checked before it is parsed. Nothing in
a mail is believed but a signed address. A mail that can't be read is refused, nothing that a client sends stops the
listener, and it relays nothing.
"""

from __future__ import annotations

import asyncio
import codecs
import logging
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.errors import InvalidHeaderDefect, MessageError
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32, default
from functools import partial
from hashlib import sha256
from threading import Thread
from typing import Any
from unicodedata import normalize

import msgspec
from aiosmtpd.smtp import SMTP, syntax

from service.limits import Addresses, Holders
from service.mail.reading import text_of_html

MOST = 1 << 20
"""The most bytes of a mail."""

HEAD = 1 << 16
HEADERS = 500
PARTS = 40
"""The most bytes and lines of a mail's head, and the most parts of its body."""

BORDERS = 300
"""The most lines that could begin a part."""

TEXT = 1 << 16
"""The most bytes of a text that are read: the answer is at its beginning."""

MAILBOX, SUBJECT = 1000, 400
"""The most characters of From and of Subject."""

LOOP = "foldtable"
"""The value of X-Loop in mails of this service."""

_MANY = re.compile(rb"boundary|multipart/|message/", re.IGNORECASE)
_BULK = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
_AUTOMATIC = ("List-Id", "List-Unsubscribe", "X-Autoreply", "X-Autorespond", "X-Auto-Reply", "Feedback-ID")
_AWAY = re.compile(
    r"(out of (the )?office|automatic reply|auto(matic)?[- ]?(reply|response|answer)|auto:|(on )?vacation|away from"
    r"|abwesen|automatische antwort|réponse automatique|absence|respuesta automática"
    r"|自動応答|自動返信|自動送信|不在|休暇|【(自動|不在|休暇))"
)
"""The beginnings of subjects of automatic replies, for those whose headers do not say it."""

_TABLE = re.compile(r"play\+[a-z2-7]{20,60}(?=@)")
_ROUTE = re.compile(r"<\s*@")
_CHARSETS = re.compile(
    r"ascii|utf-8(-sig)?|utf-16(-[bl]e)?|iso8859-\d+|cp\d+|koi8-[ru]|iso2022_jp(_\w+)?|shift_jis(x0213|_2004)?"
    r"|euc_\w+|gb2312|gbk|gb18030|big5(hkscs)?|mac-\w+"
)
"""The codecs of Python in which texts are written. Others take long to compute, or are not for text at all."""

_NAMED = {
    **dict.fromkeys(("shift_jis", "shift-jis", "x-sjis", "sjis", "windows-31j"), "cp932"),
    "x-euc-jp": "euc_jp",
}
"""By a charset's name, the codec that reads what programs write under it, where Python has another one or none."""


class Hostile(ValueError):
    """The mail has not the form of a mail, so it is not read."""


class IncomingMail(msgspec.Struct, frozen=True):
    """A mail that came in, as far as it was read."""

    id: str
    """The Message-ID, or a digest of the mail if it has none."""
    sender: str
    """The address in From, in lower case; "" if From is not exactly one mailbox."""
    tables: frozenset[str]
    """The local parts of the reply addresses of this service in To and Cc, in lower case."""
    is_automatic: bool
    """Whether a machine wrote it."""
    is_refusal: bool
    """Whether another server reports by it that a mail of this service was refused for good (RFC 3464)."""
    text: str


_JIS = re.compile(rb"\x1b(?:\$[@B](?P<wide>[!-~]*)|[(]I(?P<narrow>[!-_]*)|[(][BJ])")
"""A text in one set of signs of ISO-2022-JP. Programs write the signs of CP932 in it that are not of that standard."""


def hear(raw: bytes, envelope_from: str | None) -> IncomingMail:
    """Read a mail. Raises Hostile."""
    _check(raw)
    try:
        mail = BytesParser(policy=compat32).parsebytes(raw)
        named = _plain(mail.get("Message-ID")).strip()
        is_automatic = not (envelope_from or "").strip("<> ") or _is_automatic(mail)
        return IncomingMail(
            id=named[:500] or sha256(raw).hexdigest(),
            sender=_sender(mail),
            tables=_tables(mail),
            is_automatic=is_automatic,
            is_refusal=_is_refusal(mail),
            text=_text(mail),
        )
    except (MessageError, AssertionError, RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
        # the library raises all of these for mails that are broken on purpose
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
    """Return the address in From; "" if two programs could read From in two ways, as if it names two mailboxes."""
    fields = [value for name, value in mail.raw_items() if name.lower() == "from"]
    if len(fields) != 1 or len(fields[0]) > MAILBOX:
        return ""
    value = " ".join(fields[0].encode("ascii", "surrogateescape").decode("utf-8", "replace").split())
    header = default.header_factory("From", value)
    is_one = len(header.groups) == len(header.addresses) == 1 and header.groups[0].display_name is None
    # the library repairs what is wrong, and lists it as defects
    is_wrong = any(isinstance(defect, InvalidHeaderDefect) for defect in header.defects) or _ROUTE.search(value)
    return str(header.addresses[0].addr_spec).lower() if is_one and not is_wrong else ""


def as_sent(address: str) -> str:
    """Return the address with its domain in ASCII, as every mail server takes it; unchanged if it has no such form."""
    local, at, domain = address.rpartition("@")
    with suppress(UnicodeError):
        plain = domain.encode("idna").decode()
        # ß and some other letters become others, whose domain may be somebody else's
        if plain.encode().decode("idna").lower() == normalize("NFKC", domain).lower():
            return f"{local}{at}{plain}"
    return address


def _subject(mail: Message) -> str:
    """Return the subject in lower case, with its encoded words decoded."""
    fields = [value for name, value in mail.raw_items() if name.lower() == "subject"]
    return _plain(default.header_factory("Subject", _plain("".join(fields))[:SUBJECT])).lower()


def _tables(mail: Message) -> frozenset[str]:
    receivers = " ".join(_plain(value) for name in ("To", "Cc") for value in mail.get_all(name, []))
    return frozenset(_TABLE.findall(receivers.lower()))


def _is_automatic(mail: Message) -> bool:
    """Return whether a machine wrote the mail: then it must not be answered (RFC 3834)."""

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


def _is_refusal(mail: Message) -> bool:
    """Return whether the mail is a report (RFC 3464) that says of all addresses that they take no mail."""
    if mail.get_content_type() != "multipart/report":
        return False
    for part in mail.walk():
        if part.get_content_type() == "message/delivery-status":
            hard = [
                _plain(block.get("Action")).lower() == "failed" and _plain(block.get("Status")).startswith("5.")
                for block in part.walk()
                if block is not part and ("Action" in block or "Status" in block)
            ]
            if hard:
                return all(hard)
    return False


def _text(mail: Message) -> str:
    """Return what the mail's writer wrote: the first text in it that is not empty."""
    return next((text for text in _texts(mail) if text.strip()), "")


def _texts(part: Message) -> Iterator[str]:
    """Yield the texts of the part in their order, of alternatives the plain text first.

    A file, or another mail within this one, is passed over with all that it contains: the writer attached it, and did
    not write it as an answer.
    """
    kind, placed = part.get_content_type(), _plain(part.get("Content-Disposition")).lower()
    if placed.startswith("attachment") or "filename" in placed:
        return
    if kind.startswith("multipart/"):
        inner = [each for each in part.get_payload() if isinstance(each, Message)]
        if kind == "multipart/alternative":
            inner.sort(key=lambda each: each.get_content_type() != "text/plain")
        for each in inner:
            yield from _texts(each)
    elif kind == "text/plain":
        yield _decoded(part)
    elif kind == "text/html":
        yield text_of_html(_decoded(part))


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    raw, charset = payload[:TEXT] if isinstance(payload, bytes) else b"", _charset(part)
    if charset == "iso2022_jp":
        raw, charset = _JIS.sub(_in_cp932, raw), "cp932"
    return raw.decode(charset, errors="replace").replace("\0", "")


def _in_cp932(found: re.Match[bytes]) -> bytes:
    if found["narrow"]:
        return bytes([sign + 0x80 for sign in found["narrow"]])
    there = bytearray()
    for row, cell in zip(*[iter(found["wide"] or b"")] * 2, strict=False):
        half, is_second = divmod(row - 0x21, 2)
        there += bytes([half + (0x81 if half < 31 else 0xC1), cell + (0x7E if is_second else 0x1F + (cell > 0x5F))])
    return bytes(there)


def _charset(part: Message) -> str:
    """Return the codec of a part's text: the one that it names if texts are written in it, else one that reads all."""
    try:
        said = str(part.get_content_charset("utf-8"))[:40]
        name = codecs.lookup(_NAMED.get(said, said)).name
    except (LookupError, ValueError, TypeError):
        return "latin-1"
    return name if _CHARSETS.fullmatch(name) else "latin-1"


CONNECTIONS = 100
"""The most open connections. One more closes the connection that was silent longest, of the address that has most."""

ADDRESSES = Addresses((), ())
"""Finds out which address holds a connection."""


class _Both(SMTP):
    """One connection, which speaks LMTP or SMTP: with one addressee for each mail, both answer a mail with one line."""

    def __init__(self, callers: Holders[_Both], *args: Any, **more: Any) -> None:
        """`callers`: all connections by the address that holds them, those first that have been silent longest."""
        super().__init__(*args, **more)
        self._callers = callers
        self._holder = ""

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, arg: str) -> None:  # aiosmtpd's name
        """Answer LMTP's greeting."""
        await self.smtp_EHLO(arg)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        peer = transport.get_extra_info("peername")
        self._holder = ADDRESSES.holder(str(peer[0]) if peer else "")
        super().connection_made(transport)
        self._callers.hold(self._holder, self)
        for caller in self._callers.relieve(CONNECTIONS):
            assert isinstance(caller.transport, asyncio.Transport), "it is connected"
            caller.transport.abort()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        self._callers.let_go(self)
        self._callers.hold(self._holder, self)
        super().data_received(data)

    def connection_lost(self, error: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._callers.let_go(self)
        super().connection_lost(error)


class MailListener:
    """Listens on a separate thread."""

    def __init__(self, handler: object, host: str, port: int, domain: str) -> None:
        """Start to listen. Raises OSError if it can't listen there.

        `handler`: what aiosmtpd calls for each addressee and each mail (`service.mail.answering.MailReceiver`).
        """
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._loop = self._runner.get_loop()
        # few mails are read at once
        self._loop.set_default_executor(ThreadPoolExecutor(4, thread_name_prefix="mail"))
        callers: Holders[_Both] = Holders()
        protocol = partial(
            _Both,
            callers,
            handler,
            data_size_limit=MOST,
            enable_SMTPUTF8=True,
            hostname=domain,
            ident="foldtable",
            timeout=20.0,
            loop=self._loop,
        )
        for name in ("mail.log", "mail.debug"):
            # aiosmtpd would log who wrote to whom
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._server = self._runner.run(self._loop.create_server(protocol, host or None, port))
        except BaseException:
            self._runner.close()
            raise
        self.port = int(self._server.sockets[0].getsockname()[1])
        self._thread = Thread(target=self._loop.run_forever, name="mail-listener")
        self._thread.start()

    def close(self) -> None:
        """Stop listening, close all connections, and finish the mails that are being read."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._server.close()
        self._runner.close()

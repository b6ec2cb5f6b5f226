"""Makes a mail from a sheet: its headers, its two forms, and the bytes that are sent."""

from __future__ import annotations

from datetime import datetime
from email.charset import BASE64, QP, Charset
from email.generator import BytesGenerator
from email.header import Header
from email.message import Message
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.policy import compat32
from email.utils import format_datetime, formataddr
from io import BytesIO

import msgspec

from domain.game import Lang
from service.mail.incoming import LOOP
from service.mail.sheet import Attached, Sheet, page, plain

NAME = "Foldtable"


class Cover(msgspec.Struct, frozen=True, kw_only=True):
    """The values for a mail's headers."""

    id: str
    """The name of the mail, the same each time that it is sent."""
    thread: str = ""
    """The name of the thread that it belongs to; "" for none."""
    answers: str = ""
    """The Message-ID of the mail that it answers; "" for none."""
    sender: str
    reply: str = ""
    """The address to which answers go; "" for the sender."""
    to: str
    domain: str
    """The domain at the end of Message-IDs."""
    quit: str = ""
    """The link that ends such mails with one click (RFC 8058); "" for none."""


def enveloped(sheet: Sheet, cover: Cover, lang: Lang, now: datetime) -> bytes:
    """Return the bytes of the mail."""
    body = _body(sheet, lang)
    mail = body if not sheet.attached else _with_files(body, sheet.attached)
    mail.policy = compat32
    kind = "auto-replied" if cover.answers else "auto-generated"
    names = [f"<{cover.thread}@{cover.domain}>"] if cover.thread else []
    if cover.answers:
        names.append(cover.answers)
    headers = {
        "From": formataddr((NAME, cover.sender)),
        "To": cover.to,
        "Subject": _subject(sheet.subject),
        "Date": format_datetime(now),
        "Message-ID": f"<{cover.id}@{cover.domain}>",
        "Reply-To": formataddr((NAME, cover.reply)) if cover.reply else "",
        "In-Reply-To": names[-1] if names else "",
        "References": " ".join(names),
        "Auto-Submitted": kind,
        "X-Auto-Response-Suppress": "All",
        "X-Loop": LOOP,
        "List-Unsubscribe": f"<{cover.quit}>" if cover.quit else "",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" if cover.quit else "",
        "Content-Language": lang,
        "MIME-Version": "1.0",
    }
    for name, value in headers.items():
        if value:
            mail[name] = value
    # boundaries are made of the mail's name, so that a mail that is sent again has the same bytes
    body.set_boundary(f"={cover.id}=")
    if mail is not body:
        mail.set_boundary(f"={cover.id}+=")
    return _bytes(mail)


def _body(sheet: Sheet, lang: Lang) -> MIMEMultipart:
    """Return the part with the text in both forms."""
    body = MIMEMultipart("alternative")
    del body["MIME-Version"]
    body.attach(_part("plain", plain(sheet), lang))
    body.attach(_part("html", page(sheet, lang), lang))
    return body


def _with_files(body: Message, files: tuple[Attached, ...]) -> MIMEMultipart:
    mixed = MIMEMultipart("mixed")
    del mixed["MIME-Version"]
    mixed.attach(body)
    for file in files:
        part = MIMENonMultipart("application", "json")
        del part["MIME-Version"]
        part["Content-Disposition"] = f'attachment; filename="{file.name}"'
        part.set_payload(file.text)
        mixed.attach(part)
    return mixed


def _subject(text: str) -> str:
    """Return the subject, in encoded words of the allowed length if it is not ASCII."""
    line = _line(text)
    return line if line.isascii() else Header(line, "utf-8", header_name="Subject").encode(linesep="\r\n")


def _line(text: str) -> str:
    """Return the text on one line: a name may contain control characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _part(kind: str, text: str, lang: Lang) -> MIMENonMultipart:
    charset = Charset("utf-8")
    charset.body_encoding = BASE64 if lang == "ja" else QP
    part = MIMENonMultipart("text", kind, charset="utf-8")
    del part["MIME-Version"]
    part.set_payload(text, charset)
    return part


def _bytes(mail: Message) -> bytes:
    made = BytesIO()
    # not folded: lines of headers may have 998 characters, and some programs don't read a link that is folded
    policy = compat32.clone(linesep="\r\n", max_line_length=None)
    BytesGenerator(made, mangle_from_=False, policy=policy).flatten(mail)
    return made.getvalue()

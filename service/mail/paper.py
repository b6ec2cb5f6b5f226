"""Makes a mail from a sheet: its headers, its two forms (plain text, and an HTML page with the table drawn), its bytes.

The page loads nothing: the table is boxes and tiles with inline styles. Only the scene that the reader's seat sees is
drawn, without ids.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from email.charset import BASE64, QP, Charset
from email.header import Header
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.policy import compat32
from email.utils import format_datetime, formataddr
from functools import cache
from itertools import groupby
from pathlib import Path

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from domain.game import Lang, Maybe, Seat
from domain.scene import Look, Piece, Scene, Tone, Zone
from domain.telling import legend
from service.mail.incoming import LOOP, as_sent
from service.mail.reading import NAME

LOOKS = {
    Look.NEW: "outline:2px solid #b25e00",
    Look.SPENT: "opacity:.55",
    Look.BLOCKED: "text-decoration:line-through",
    Look.RAISED: "border-bottom:3px solid #b25e00",
    Look.BRIGHT: "outline:2px solid #d9a400",
}
"""The styles of the marks that are drawn; all others are written on the piece."""

_URL_AT_END = re.compile("(.*：|.* |)((?:https://|http://|mailto:)[^ ]*)", re.DOTALL)


class DrawnTable(msgspec.Struct, frozen=True):
    """A scene, with the colours and names that it is drawn with."""

    scene: Scene
    tones: tuple[Tone, ...]
    names: tuple[str, ...]
    """The names of the seats, in their order."""

    @property
    def boxes(self) -> Sequence[tuple[Maybe[Seat], Sequence[Zone]]]:
        """The zones that are drawn in one box: the shared ones, or a seat's."""
        return [(seat, tuple(zones)) for seat, zones in groupby(self.scene.zones, key=lambda zone: zone.seat)]

    @property
    def colours(self) -> dict[str, str]:
        """The colours by the names of their tones."""
        return {tone.name: tone.light for tone in self.tones}


def _words(piece: Piece) -> str:
    """Return what is written small on a piece: what is printed on it, and the marks that are not drawn."""
    # the legend explains a card by its name
    words = [piece.title] if piece.text and piece.label else []
    words += [f"{fact.title} {fact.value}" for fact in piece.facts]
    words += [mark.title for mark in piece.marks if mark.look not in LOOKS]
    return ", ".join(words)


def _link(line: str) -> tuple[str, str]:
    """Return the line before its URL, and the URL, if that is its last word or follows its last "："; else ""."""
    match = _URL_AT_END.fullmatch(line)
    return (match[1], match[2]) if match else (line, "")


@cache
def _environment() -> Environment:
    made = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined)
    made.globals["looks"] = LOOKS
    made.filters.update(legend=legend, link=_link, words=_words)
    return made


class StandingLine(msgspec.Struct, frozen=True):
    """The points and the place of a seat."""

    name: str
    points: int
    place: int
    is_reader: bool


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a mail: a heading, and its content."""

    head: str = ""
    said: tuple[str, ...] = ()
    """Sentences that end in no link. A name in them that looks like one must not become one."""
    lines: tuple[str, ...] = ()
    """Further sentences; a URL at the end of one becomes a link."""
    listed: tuple[str, ...] = ()
    """Things that happened."""
    is_linked: bool = False
    """Whether these end in links. A name at their end that looks like one must not become one."""
    numbered: tuple[str, ...] = ()
    """The choices, numbered from 1."""
    told: str = ""
    """The table in words, for the plain text."""
    table: DrawnTable | None = None
    """The table, to be drawn on the page."""
    players: tuple[StandingLine, ...] = ()
    """The standings, for the page."""


class Attached(msgspec.Struct, frozen=True):
    """A file that comes with a mail: JSON, in ASCII."""

    name: str
    text: str


class Sheet(msgspec.Struct, frozen=True):
    """A mail's content."""

    subject: str
    blocks: tuple[Block, ...]
    foot: tuple[str, ...] = ()
    attached: tuple[Attached, ...] = ()


def plain(sheet: Sheet) -> str:
    """Return the sheet as plain text."""
    parts = ["\n".join(_plain(block)) for block in sheet.blocks]
    foot = "\n".join(("-- ", *sheet.foot)) if sheet.foot else ""
    return "\n\n".join(part for part in (*parts, foot) if part) + "\n"


def _plain(block: Block) -> list[str]:
    width = len(str(len(block.numbered)))
    return [
        *([f"{block.head}:"] if block.head else []),
        *block.said,
        *block.lines,
        *(f"- {line}" for line in block.listed),
        *([block.told] if block.told else []),
        *(f"{number:>{width}}. {line}" for number, line in enumerate(block.numbered, 1)),
    ]


def page(sheet: Sheet, lang: Lang) -> str:
    """Return the sheet as an HTML page."""
    return _environment().get_template("page.html.j2").render(sheet=sheet, lang=lang) + "\n"


def enveloped(
    sheet: Sheet,
    lang: Lang,
    now: datetime,
    *,
    name: str,
    sender: str,
    to: str,
    domain: str,
    thread: str = "",
    answers: str = "",
    reply: str = "",
    quit: str = "",
) -> bytes:
    """Return the bytes of the mail.

    Shape:   `name`, `thread`: of the mail and its thread, the same each time that it is sent; `domain`: of Message-IDs;
             `answers`: the Message-ID that it answers; `reply`: where answers go, "" for the sender; `quit`: the link
             that ends such mails with one click (RFC 8058).
    """
    mail, body = _parts(sheet, lang)
    names = [*([f"<{thread}@{domain}>"] if thread else []), *([answers] if answers else [])]
    headers = {
        "From": formataddr((NAME, sender)),
        # an address is no text that could be encoded: it is written as it is, in UTF-8 (RFC 6532)
        "To": as_sent(to).encode().decode("ascii", "surrogateescape"),
        "Subject": _subject(sheet.subject),
        "Date": format_datetime(now),
        "Message-ID": f"<{name}@{domain}>",
        "Reply-To": formataddr((NAME, reply)) if reply else "",
        "In-Reply-To": names[-1] if names else "",
        "References": " ".join(names),
        "Auto-Submitted": "auto-replied" if answers else "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-Loop": LOOP,
        **({"List-Unsubscribe": f"<{quit}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"} if quit else {}),
        "Content-Language": lang,
        "MIME-Version": "1.0",
    }
    for header in filter(headers.get, headers):
        mail[header] = headers[header]
    # boundaries are made of the mail's name, so that a mail that is sent again has the same bytes
    mail.set_boundary(f"={name}+=")
    body.set_boundary(f"={name}=")
    # not folded: lines of headers may have 998 characters, and some programs don't read a link that is folded
    return mail.as_bytes(policy=compat32.clone(linesep="\r\n", max_line_length=None))


def _parts(sheet: Sheet, lang: Lang) -> tuple[MIMEMultipart, MIMEMultipart]:
    """Return the whole mail without its headers, and its part with the text in both forms."""
    mail = body = MIMEMultipart("alternative")
    body.attach(_part("plain", plain(sheet), lang))
    body.attach(_part("html", page(sheet, lang), lang))
    if sheet.attached:
        mail = MIMEMultipart("mixed")
        mail.attach(body)
    for file in sheet.attached:
        part = MIMENonMultipart("application", "json")
        part["Content-Disposition"] = f'attachment; filename="{file.name}"'
        part.set_payload(file.text)
        mail.attach(part)
    for each in mail.walk():
        if each.get_content_maintype() != "text":
            del each["MIME-Version"]
    return mail, body


def _subject(text: str) -> str:
    """Return the subject on one line, since a name may contain control characters; in encoded words if not ASCII."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if line.isascii() else Header(line, "utf-8", header_name="Subject").encode(linesep="\r\n")


def _part(kind: str, text: str, lang: Lang) -> MIMENonMultipart:
    charset = Charset("utf-8")
    charset.body_encoding = BASE64 if lang == "ja" else QP
    part = MIMENonMultipart("text", kind, charset="utf-8")
    part.set_payload(text, charset)
    return part

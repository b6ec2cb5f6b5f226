"""Makes a mail from a sheet: its headers, its two forms (plain text, and an HTML page with the table drawn), its bytes.

The page loads nothing: the table is boxes and tiles with inline styles. Only the scene that the reader's seat sees is
drawn, without ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from email.charset import BASE64, QP, Charset
from email.header import Header
from email.message import Message
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.policy import compat32
from email.utils import format_datetime, formataddr
from html import escape
from itertools import groupby

import msgspec

from domain.game import Lang
from domain.scene import Face, Kind, Look, Piece, Scene, Tone, Zone, ZoneKind
from domain.telling import legend
from service.mail.incoming import LOOP

BOX = "border:1px solid #c9bfa8;border-radius:6px;background:#f4efe2;padding:6px 10px;margin:0 0 8px 0"
TURN = "border:2px solid #b25e00;border-radius:6px;background:#f4efe2;padding:5px 9px;margin:0 0 8px 0"
CAPTION = "font-size:12px;color:#5f594e;margin:4px 0 1px 0"
PIECE = (
    "display:inline-block;min-width:14px;text-align:center;padding:3px 7px;margin:2px 3px 2px 0;vertical-align:middle"
)
PLAIN, BACK = "#5c6861", "#3f5a6b"
"""The colours of pieces without a tone, and of backs."""

ROUND = frozenset({Kind.TOKEN, Kind.STONE, Kind.CHIP, Kind.PAWN})
LOOKS = {
    Look.NEW: "outline:2px solid #b25e00",
    Look.SPENT: "opacity:.55",
    Look.BLOCKED: "text-decoration:line-through",
    Look.RAISED: "border-bottom:3px solid #b25e00",
    Look.BRIGHT: "outline:2px solid #d9a400",
}
"""The styles of the marks that are drawn; all others are written beside the piece."""


class DrawnTable(msgspec.Struct, frozen=True):
    """A scene, with the colours and names that it is drawn with."""

    scene: Scene
    tones: tuple[Tone, ...]
    names: tuple[str, ...]
    """The names of the seats, in their order."""


def drawn(table: DrawnTable, lang: Lang) -> str:
    """Return the table as HTML: what is going on, the shared zones, each seat's zones, and the cards' texts."""
    scene, colours = table.scene, {tone.name: tone.light for tone in table.tones}
    parts = [f"<p><b>{escape(scene.line)}</b></p>"] if scene.line else []
    for seat, zones in groupby(scene.zones, key=lambda zone: zone.seat):
        inner = "".join(_zone(zone, colours) for zone in zones)
        if not seat:
            parts.append(f'<div style="{BOX}">{inner}</div>')
            continue
        score = next((score.title for score in scene.scores if score.seat == seat[0]), "")
        head = f"<b>{escape(table.names[seat[0]])}</b> {escape(score)}"
        parts.append(f'<div style="{TURN if seat[0] in scene.turn else BOX}"><div>{head}</div>{inner}</div>')
    printed = "".join(f"<div>{escape(line)}</div>" for line in legend(scene, lang).splitlines())
    return "".join((*parts, f'<div style="{CAPTION}">{printed}</div>' if printed else ""))


def _zone(zone: Zone, colours: dict[str, str]) -> str:
    name = f'<div style="{CAPTION}">{escape(zone.title)}</div>' if zone.title else ""
    pieces = [_piece(piece, colours) for piece in zone.pieces]
    if zone.kind is not ZoneKind.GRID or not zone.columns:
        return f"{name}<div>{''.join(pieces)}</div>"
    rows = (pieces[start : start + zone.columns] for start in range(0, len(pieces), zone.columns))
    cells = "".join(f"<tr>{''.join(f'<td>{piece}</td>' for piece in row)}</tr>" for row in rows)
    return f'{name}<table style="border-collapse:collapse">{cells}</table>'


def _piece(piece: Piece, colours: dict[str, str]) -> str:
    on = "".join(_piece(upper, colours) for upper in piece.on)
    if piece.kind is Kind.MARKER:
        return f'<span style="margin-right:8px">{escape(piece.title)}</span>{on}'
    if piece.kind is Kind.SPACE:
        style = f"{PIECE};border:1px dashed #8a8371;border-radius:4px"
        name = _small(piece.title) if piece.text else ""
        return f'<span style="{style}" title="{escape(piece.title)}">{escape(piece.label)}{on}{name}</span>'
    colour = colours.get(piece.tone, BACK if piece.face is Face.DOWN else PLAIN)
    radius = "12px" if piece.kind in ROUND else "4px"
    looks = "".join(f";{LOOKS[mark.look]}" for mark in piece.marks if mark.look in LOOKS)
    style = f"{PIECE};border-radius:{radius};background:{colour};color:#ffffff;font-weight:bold{looks}"
    return f'<span style="{style}" title="{escape(piece.title)}">{"".join(_written(piece))}</span>{on}'


def _written(piece: Piece) -> Iterator[str]:
    """Return the texts on a piece: its label, how many there are, what is printed on it, and its other marks.

    A card with a text also shows its name, by which the legend below explains it.
    """
    yield escape(piece.label) or ("&nbsp;" if piece.face is Face.DOWN else escape(piece.title))
    if piece.count != 1:
        yield f"&nbsp;×{piece.count}"
    words = [piece.title] if piece.text and piece.label else []
    words += [f"{fact.title} {fact.value}" for fact in piece.facts]
    words += [mark.title for mark in piece.marks if mark.look not in LOOKS]
    if words:
        yield _small(", ".join(words))


def _small(text: str) -> str:
    return f'<br><span style="font-weight:normal;font-size:11px">{escape(text)}</span>'


PAGE = "font-family:Georgia,'Hiragino Mincho ProN',serif;font-size:15px;line-height:1.45;color:#222;max-width:46em"
BAR = "display:inline-block;height:9px;background:#6b8f71"

_URL_AT_END = re.compile("(.*：|.* |)((?:https://|http://|mailto:)[^ ]*)", re.DOTALL)


class StandingLine(msgspec.Struct, frozen=True):
    """The points and the place of a seat."""

    name: str
    points: int
    place: int
    is_reader: bool


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a mail: a heading, and its content."""

    head: str = ""
    lines: tuple[str, ...] = ()
    """Sentences."""
    listed: tuple[str, ...] = ()
    """Things that happened."""
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
        *block.lines,
        *(f"- {line}" for line in block.listed),
        *([block.told] if block.told else []),
        *(f"{number:>{width}}. {line}" for number, line in enumerate(block.numbered, 1)),
    ]


def page(sheet: Sheet, lang: Lang) -> str:
    """Return the sheet as an HTML page."""
    body = "".join(part for block in sheet.blocks for part in _drawn(block, lang))
    foot = "".join(f"<div>{_linked(line)}</div>" for line in sheet.foot)
    small = f'<div style="font-size:12px;color:#777;border-top:1px solid #ddd;padding-top:6px">{foot}</div>'
    return (
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><title>{escape(sheet.subject)}</title></head>'
        f'<body><div style="{PAGE}">{body}{small if foot else ""}</div></body></html>\n'
    )


def _drawn(block: Block, lang: Lang) -> Iterator[str]:
    if block.head:
        yield f'<h3 style="margin:14px 0 6px 0">{escape(block.head)}</h3>'
    yield from (f"<p>{_linked(line)}</p>" for line in block.lines)
    yield _items("ul", block.listed)
    yield _standing(block.players)
    if block.table:
        yield drawn(block.table, lang)
    yield _items("ol", block.numbered)


def _items(kind: str, lines: tuple[str, ...]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<{kind}>{items}</{kind}>" if items else ""


def _linked(line: str) -> str:
    """Return the line as HTML. If its last word, or what follows its last "：", is a URL, that is a link."""
    match = _URL_AT_END.fullmatch(line)
    return f'{escape(match[1])}<a href="{escape(match[2])}">{escape(match[2])}</a>' if match else escape(line)


def _standing(players: tuple[StandingLine, ...]) -> str:
    """Return the standings as HTML, with a bar for each seat. The bar's length grows with the points."""
    if not players:
        return ""
    low = min(0, *(row.points for row in players)) if len(players) > 1 else 0
    span = max(1, *(row.points - low for row in players)) if len(players) > 1 else 1
    rows = "".join(
        f'<tr><td style="padding:2px 8px">{row.place}.</td><td style="padding:2px 8px">'
        f"{'<b>' if row.is_reader else ''}{escape(row.name)}{'</b>' if row.is_reader else ''}</td>"
        f'<td style="padding:2px 8px;text-align:right">{row.points}</td>'
        f'<td><span style="{BAR};width:{2 + 118 * (row.points - low) // span}px"></span></td></tr>'
        for row in players
    )
    return f'<table style="border-collapse:collapse;margin:0 0 8px 0">{rows}</table>'


NAME = "Foldtable"


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

    Shape:   `name`: the name of the mail, the same each time that it is sent; `domain`: the one at the end of
             Message-IDs; `thread`: the name of the thread that the mail belongs to; `answers`: the Message-ID of the
             mail that it answers; `reply`: the address to which answers go, "" for the sender; `quit`: the link that
             ends such mails with one click (RFC 8058).
    """
    body = MIMEMultipart("alternative")
    body.attach(_part("plain", plain(sheet), lang))
    body.attach(_part("html", page(sheet, lang), lang))
    mail = _with_files(body, sheet.attached) if sheet.attached else body
    for part in mail.walk():
        if part.get_content_maintype() != "text":
            del part["MIME-Version"]
    names = [*([f"<{thread}@{domain}>"] if thread else []), *([answers] if answers else [])]
    headers = {
        "From": formataddr((NAME, sender)),
        "To": to,
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


def _with_files(body: Message, files: tuple[Attached, ...]) -> MIMEMultipart:
    mixed = MIMEMultipart("mixed")
    mixed.attach(body)
    for file in files:
        part = MIMENonMultipart("application", "json")
        part["Content-Disposition"] = f'attachment; filename="{file.name}"'
        part.set_payload(file.text)
        mixed.attach(part)
    return mixed


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

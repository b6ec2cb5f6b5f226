"""A mail's content, which is written in two forms: as plain text, and as an HTML page with the table drawn.

The page loads nothing: the table is drawn in HTML (`drawing.py`).
"""

from __future__ import annotations

from html import escape

import msgspec

from domain.game import Lang
from service.mail.drawing import DrawnTable, drawn

PAGE = "font-family:Georgia,'Hiragino Mincho ProN',serif;font-size:15px;line-height:1.45;color:#222;max-width:46em"
BAR = "display:inline-block;height:9px;background:#6b8f71"


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
    body = "".join(_drawn(block, lang) for block in sheet.blocks)
    foot = "".join(f"<div>{_linked(line)}</div>" for line in sheet.foot)
    small = f'<div style="font-size:12px;color:#777;border-top:1px solid #ddd;padding-top:6px">{foot}</div>'
    return (
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><title>{escape(sheet.subject)}</title></head>'
        f'<body><div style="{PAGE}">{body}{small if foot else ""}</div></body></html>\n'
    )


def _drawn(block: Block, lang: Lang) -> str:
    head = f'<h3 style="margin:14px 0 6px 0">{escape(block.head)}</h3>' if block.head else ""
    lines = "".join(f"<p>{_linked(line)}</p>" for line in block.lines)
    listed = "".join(f"<li>{escape(line)}</li>" for line in block.listed)
    numbered = "".join(f"<li>{escape(line)}</li>" for line in block.numbered)
    return "".join(
        (
            head,
            lines,
            f"<ul>{listed}</ul>" if listed else "",
            _standing(block.players),
            drawn(block.table, lang) if block.table else "",
            f"<ol>{numbered}</ol>" if numbered else "",
        )
    )


def _linked(line: str) -> str:
    """Return the line as HTML. If its last word is a URL, that is a link."""
    before, _, last = line.rpartition(" ")
    before, last = (before + " ", last) if before else ("", last or line)
    for mark in ("：", ""):
        lead, found, url = last.rpartition(mark) if mark else ("", "", last)
        if url.startswith(("https://", "http://", "mailto:")):
            return f'{escape(before + lead + found)}<a href="{escape(url)}">{escape(url)}</a>'
    return escape(line)


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

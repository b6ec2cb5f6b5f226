"""Draws a scene as HTML that mail programs show: boxes and tiles with inline styles, and nothing to load.

It draws only the scene that the reader's seat sees, and writes no ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

import msgspec

from domain.game import Lang
from domain.scene import Face, Kind, Look, Piece, Scene, Tone, Zone, ZoneKind
from domain.telling import legend

BOX = "border:1px solid #c9bfa8;border-radius:6px;background:#f4efe2;padding:6px 10px;margin:0 0 8px 0"
TURN = "border:2px solid #b25e00;border-radius:6px;background:#f4efe2;padding:5px 9px;margin:0 0 8px 0"
NAME = "font-size:12px;color:#5f594e;margin:4px 0 1px 0"
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
    return "".join((*parts, f'<div style="{NAME}">{printed}</div>' if printed else ""))


def _zone(zone: Zone, colours: dict[str, str]) -> str:
    name = f'<div style="{NAME}">{escape(zone.title)}</div>' if zone.title else ""
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

"""A scene told as lines of plain text, for terminals, mails and whoever reads with their ears."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from domain.game import Game, Lang
from domain.scene import Kind, Piece, Scene, Zone, ZoneKind, pieces_of


class Words(NamedTuple):
    """How a language puts things side by side."""

    seat: str
    comma: str
    colon: str
    marked: str
    fact: str
    counted: str
    nothing: str
    on: str
    cell: str


WORDS: dict[Lang, Words] = {
    "en": Words("Seat {seat}", ", ", "{title}: {rest}", "{piece} ({marks})", "{title} {value}", "{piece} ×{count}",
                "none", "{piece}: {pieces}", " | "),
    "ja": Words("席{seat}", "、", "{title}：{rest}", "{piece}（{marks}）", "{title}{value}", "{piece}×{count}",
                "なし", "{piece}に{pieces}", " | "),
}  # fmt: skip
TURN = "→ "
"""Before whoever is to act."""


def figure(number: int) -> str:
    """The number as texts have it: below 0 with a minus sign, which is no hyphen."""
    return str(number).replace("-", "−")


def tell(scene: Scene, lang: Lang) -> str:
    """What is going on, then the zones in their order: each seat's below its head with what it has."""
    words = WORDS[lang]
    lines = [scene.line] if scene.line else []
    for seat, zones in groupby(scene.zones, key=lambda zone: zone.seat):
        if seat:
            lines += ["", *_place(words, scene, seat[0], tuple(zones))]
        else:
            lines += [line for zone in zones for line in _zone(words, zone)]
    return "\n".join(lines).lstrip("\n")


def drawn(game: Game[Any, Any, Any], view: Any, lang: Lang) -> str:
    """A game's view as lines of plain text."""
    return tell(game.scene(view, lang), lang)


def explained(game: Game[Any, Any, Any], view: Any, lang: Lang) -> str:
    """The same, and below it what is printed on the cards that can be seen: for who looks once, not step by step."""
    scene = game.scene(view, lang)
    return "\n\n".join(part for part in (tell(scene, lang), legend(scene, lang)) if part)


def legend(scene: Scene, lang: Lang) -> str:
    """What is printed on the pieces that can be seen, a line for each sort, in reading order."""
    words = WORDS[lang]
    texts = {piece.title: piece.text for piece in pieces_of(scene) if piece.text}
    return "\n".join(words.colon.format(title=title, rest=text) for title, text in texts.items())


def _place(words: Words, scene: Scene, seat: int, zones: tuple[Zone, ...]) -> Iterator[str]:
    """A head with the points and what has no title of its own, then the zones."""
    said = [score.title for score in scene.scores if score.seat == seat]
    said += [_piece(words, piece) for zone in zones if not zone.title for piece in zone.pieces]
    head = words.seat.format(seat=seat)
    yield (TURN if seat in scene.turn else "") + (
        words.colon.format(title=head, rest=words.comma.join(said)) if said else head
    )
    for zone in zones:
        if zone.title:
            yield from ("  " + line for line in _zone(words, zone))


def _zone(words: Words, zone: Zone) -> Iterator[str]:
    """A line, or one a row of a grid."""
    title = words.marked.format(piece=zone.title, marks=zone.text) if zone.title and zone.text else zone.title
    if zone.kind is ZoneKind.GRID and zone.columns:
        yield title
        for start in range(0, len(zone.pieces), zone.columns):
            row = zone.pieces[start : start + zone.columns]
            yield "  " + words.cell.join(_piece(words, piece) for piece in row)
        return
    if zone.kind is ZoneKind.TRACK and any(piece.facts for piece in zone.pieces):
        yield title
        yield from ("  " + _piece(words, piece) for piece in zone.pieces)
        return
    rest = words.comma.join(_pieces(words, zone.pieces)) or words.nothing
    yield words.colon.format(title=title, rest=rest) if title else rest


def _pieces(words: Words, pieces: tuple[Piece, ...]) -> Iterator[str]:
    """Several that are told alike, one after the other, are told once, with their number; dice one by one."""
    for (said, is_alone), alike in groupby(pieces, key=lambda piece: (_piece_alone(words, piece), _is_alone(piece))):
        row = tuple(alike)
        count = sum(piece.count for piece in row)
        if is_alone:
            yield from (_piece(words, piece) for piece in row)
        elif count != 1 or len(row) > 1:
            yield words.counted.format(piece=said, count=count)
        else:
            yield said


def _is_alone(piece: Piece) -> bool:
    return bool(piece.on) or piece.kind is Kind.DIE


def _piece(words: Words, piece: Piece) -> str:
    said = _piece_alone(words, piece)
    if piece.count != 1:
        said = words.counted.format(piece=said, count=piece.count)
    if not piece.on:
        return said
    return words.on.format(piece=said, pieces=words.comma.join(_pieces(words, piece.on)))


def _piece_alone(words: Words, piece: Piece) -> str:
    """Its title, with what is printed on it and what is so of it now."""
    said = [words.fact.format(title=fact.title, value=fact.value) for fact in piece.facts]
    said += [mark.title for mark in piece.marks]
    if not said or piece.kind is Kind.MARKER:
        return piece.title
    return words.marked.format(piece=piece.title, marks=words.comma.join(said))

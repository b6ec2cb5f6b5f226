"""A scene as lines of plain text, for terminals, mails and screen readers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from domain import texts
from domain.game import Game, Lang
from domain.scene import Kind, Piece, Scene, Zone, ZoneKind, pieces_of
from domain.texts import Words, seat_name, sentence

WORDS = texts.read("domain", "telling")
TURN = "→ "
"""Marks the seats that are to act."""


def tell(scene: Scene, lang: Lang) -> str:
    """Return the scene as text: what is going on, then the zones, each seat's below a heading with its score."""
    words = WORDS[lang]
    lines = [scene.line] if scene.line else []
    for seat, zones in groupby(scene.zones, key=lambda zone: zone.seat):
        if seat:
            lines += ["", *_place(words, scene, seat[0], tuple(zones))]
        else:
            lines += [line for zone in zones for line in _zone(words, zone)]
    return "\n".join(lines).lstrip("\n")


def drawn(game: Game[Any, Any, Any], view: Any, lang: Lang) -> str:
    """Return a game's view as lines of plain text."""
    return tell(game.scene(view, lang), lang)


def scene_of(game: Game[Any, Any, Any], view: Any, lang: Lang, *, is_over: bool) -> Scene:
    """Return what is on the table; where the match ended before its game, nobody is to act any more."""
    scene: Scene = game.scene(view, lang)
    return replace(scene, turn=(), line=WORDS[lang]["left"]) if is_over and scene.turn else scene


def explained(scene: Scene, lang: Lang) -> str:
    """Return what `tell` does, and below it what is printed on the visible cards: for readers who look only once."""
    return "\n\n".join(part for part in (tell(scene, lang), legend(scene, lang)) if part)


def legend(scene: Scene, lang: Lang) -> str:
    """Return what is printed on the visible pieces, a line for each sort, in reading order."""
    words = WORDS[lang]
    texts = {piece.title: piece.text for piece in pieces_of(scene) if piece.text}
    return "\n".join(words["colon"].format(title=title, rest=text) for title, text in texts.items())


def _place(words: Words, scene: Scene, seat: int, zones: tuple[Zone, ...]) -> Iterator[str]:
    """Yield a heading with the score and the pieces of zones without a title, then the other zones."""
    parts = [score.title for score in scene.scores if score.seat == seat]
    parts += [_piece(words, piece) for zone in zones if not zone.title for piece in zone.pieces]
    head = sentence(seat_name(words, seat))
    yield (TURN if seat in scene.turn else "") + (
        words["colon"].format(title=head, rest=words["comma"].join(parts)) if parts else head
    )
    for zone in zones:
        if zone.title:
            yield from ("  " + line for line in _zone(words, zone))


def _zone(words: Words, zone: Zone) -> Iterator[str]:
    """Yield a line, or one for each row of a grid."""
    title = words["marked"].format(piece=zone.title, marks=zone.text) if zone.title and zone.text else zone.title
    if zone.kind is ZoneKind.GRID and zone.columns:
        yield title
        for start in range(0, len(zone.pieces), zone.columns):
            row = zone.pieces[start : start + zone.columns]
            yield "  " + words["cell"].join(_piece(words, piece) for piece in row)
        return
    if zone.kind is ZoneKind.TRACK and any(piece.facts for piece in zone.pieces):
        yield title
        yield from ("  " + _piece(words, piece) for piece in zone.pieces)
        return
    rest = words["comma"].join(_pieces(words, zone.pieces)) or words["nothing"]
    yield words["colon"].format(title=title, rest=rest) if title else rest


def _pieces(words: Words, pieces: tuple[Piece, ...]) -> Iterator[str]:
    """Yield the pieces as texts; equal ones in a row as one text with their number, but not dice and stacked pieces."""
    for (text, is_alone), alike in groupby(pieces, key=lambda piece: (_piece_alone(words, piece), _is_alone(piece))):
        row = tuple(alike)
        count = sum(piece.count for piece in row)
        if is_alone:
            yield from (_piece(words, piece) for piece in row)
        elif count != 1 or len(row) > 1:
            yield words["counted"].format(piece=text, count=count)
        else:
            yield text


def _is_alone(piece: Piece) -> bool:
    return bool(piece.on) or piece.kind is Kind.DIE


def _piece(words: Words, piece: Piece) -> str:
    text = _piece_alone(words, piece)
    if piece.count != 1:
        text = words["counted"].format(piece=text, count=piece.count)
    if not piece.on:
        return text
    return words["on"].format(piece=text, pieces=words["comma"].join(_pieces(words, piece.on)))


def _piece_alone(words: Words, piece: Piece) -> str:
    """Return the piece's title with its facts and marks."""
    if piece.kind is Kind.MARKER or not (piece.facts or piece.marks):
        return piece.title
    notes = [words["fact"].format(title=fact.title, value=fact.value) for fact in piece.facts]
    notes += [mark.title for mark in piece.marks]
    return words["marked"].format(piece=piece.title, marks=words["comma"].join(notes))

"""What a table shows, in one vocabulary for all games: a renderer that knows it draws any of them, and tells any.

A game makes a `Scene` of its view. Ids say the place (`seat.0/hand/3`, `supply/dragon-egg`), stay the same while a
thing lies there, and carry no secret. A move is made by hand along a path of ids, its *touches*: first the card, then
the place; what has no place is a button of the scene.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from domain.game import Count, Maybe, Seat, Spoken, Value

ID = re.compile(r"[a-z0-9.-]+(?:/[a-z0-9.-]+)*")
"""How ids are written: the place, from the whole to the part."""

SceneId = Annotated[str, Meta(pattern="^[a-z0-9.-]+(?:/[a-z0-9.-]+)*$")]
"""A zone, a piece or a button: its place."""

Touches = tuple[SceneId, ...]
"""The path of ids by which a hand makes a move."""


class Kind(StrEnum):
    """What sort of thing a piece is, and so how it is drawn."""

    CARD = "card"
    TILE = "tile"
    DIE = "die"
    PAWN = "pawn"
    TOKEN = "token"
    STONE = "stone"
    CHIP = "chip"
    MARKER = "marker"
    SHEET = "sheet"
    SPACE = "space"
    """A place, of a grid, a track or a row, where a piece can lie: `on` says what does."""


class Face(StrEnum):
    """Which side of a piece is to be seen."""

    UP = "up"
    DOWN = "down"


class Look(StrEnum):
    """How a mark is drawn, which means the same in all games."""

    NEW = "new"
    """Has just come here."""
    ACROSS = "across"
    """Lies across, turned by a quarter."""
    SPENT = "spent"
    """Used up for now: dimmed."""
    BLOCKED = "blocked"
    """Covered, or barred: struck through."""
    RAISED = "raised"
    """Put forward: somewhat higher than the others."""
    SHOWN = "shown"
    """In a hand, and everybody may see it: an eye."""
    BRIGHT = "bright"
    """Counts for more: a glow."""
    NOTED = "noted"
    """Anything else: a dot."""


class Mark(Value, frozen=True):
    """Something that is so of a piece now."""

    look: Look
    """How it is drawn."""
    title: str
    """In words: "drawn", "in reach"."""


class Fact(Value, frozen=True):
    """A number or a word that is printed on a piece, beside its label."""

    title: str
    """Of what it tells: "cost"."""
    value: str
    """As it is printed: "3"."""
    tone: str = ""
    """A tone of the game's palette, or none."""


class Piece(Value, frozen=True):
    """A thing on the table."""

    id: SceneId
    """Its place."""
    kind: Kind
    """What sort of thing it is."""
    label: str
    """What is drawn on it: as short as "3★"; empty on its back. Of a die it is the number of its pips."""
    title: str
    """In words, for readers and tooltips: "Fire 3, glowing", "a card face down"."""
    text: str = ""
    """What it does, where something is printed on it."""
    face: Face = Face.UP
    """Which side is to be seen."""
    tone: str = ""
    """A tone of the game's palette, or none."""
    count: Annotated[int, Meta(extra_json_schema={"minimum": 0})] = 1
    """How many of the same lie there: of a pile, of chips."""
    facts: tuple[Fact, ...] = ()
    """What else is printed on it: at most three."""
    marks: tuple[Mark, ...] = ()
    """What is so of it now."""
    on: tuple[Piece, ...] = ()
    """What lies on it."""


class ZoneKind(StrEnum):
    """How the pieces of a zone lie."""

    HAND = "hand"
    """As a fan, held by its seat."""
    ROW = "row"
    """One after the other; a long one goes on below."""
    PILE = "pile"
    """On each other; the first one is on top."""
    GRID = "grid"
    """In rows of `columns`."""
    TRACK = "track"
    """Spaces one after the other, with what stands on them."""
    AREA = "area"
    """Somewhere, in no order."""
    COUNTERS = "counters"
    """Small things that are counted or that say what is so of a seat."""


class Zone(Value, frozen=True):
    """A part of the table."""

    id: SceneId
    """Its place."""
    kind: ZoneKind
    """How its pieces lie."""
    title: str
    """What it is called; empty where its pieces say so themselves."""
    pieces: tuple[Piece, ...]
    """In their order."""
    seat: Maybe[Seat] = ()
    """Whose it is, or nobody's."""
    columns: Count = 0
    """Of a grid: how many pieces stand in a row."""
    text: str = ""
    """What else is to be known of it."""


class Button(Value, frozen=True):
    """What can be said at the table without touching a thing on it: lit when a move's touches name it."""

    id: SceneId
    """`do/…`."""
    title: str
    """What is written on it: "Pass"."""


class Score(Value, frozen=True):
    """What a seat has."""

    seat: Seat
    value: int
    """The number, in the game's own unit."""
    title: str
    """In words: "12 points"."""


class Scene(Value, frozen=True):
    """The whole table, as its viewer may see it. Texts write "seat 0" and 「席0」, counted as in the data."""

    line: str
    """What is going on, in one line."""
    turn: tuple[Seat, ...]
    """The seats that are to act, as far as the viewer may know."""
    zones: tuple[Zone, ...]
    """In reading order: each seat's stand together."""
    scores: tuple[Score, ...] = ()
    """In seat order; empty before the table was set up."""
    buttons: tuple[Button, ...] = ()
    """Whatever the seats may say in this step, whether or not it is possible now."""


class Tone(Value, frozen=True):
    """A colour of a game, and a sign that tells the same to whoever sees no colour."""

    name: str
    """As pieces call it."""
    title: Spoken
    """What it stands for."""
    light: str
    """On a light table: `#rrggbb`, dark enough for white letters on it."""
    dark: str
    """On a dark table: `#rrggbb`, dark enough for white letters on it."""
    sign: str
    """The sign: an SVG path in a box of 24 by 24, filled."""


def pieces_of(scene: Scene) -> Iterator[Piece]:
    """Every piece, also those that lie on others, in reading order."""
    for zone in scene.zones:
        yield from _with_those_on(zone.pieces)


def _with_those_on(pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    for piece in pieces:
        yield piece
        yield from _with_those_on(piece.on)


def ids_of(scene: Scene) -> Iterator[str]:
    """Every id: of zones, pieces and buttons."""
    yield from (zone.id for zone in scene.zones)
    yield from (piece.id for piece in pieces_of(scene))
    yield from (button.id for button in scene.buttons)

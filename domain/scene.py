"""A vocabulary for what a table shows, one for all games: a renderer that knows it can draw or describe any of them.

A game makes a `Scene` of its view. Ids name the place (`seat.0/hand/3`, `supply/dragon-egg`), stay the same while a
thing lies there, and hold no secret. A move is made by hand along a path of ids, its *touches*: first the card, then
the place; what has no place is a button of the scene. JSON leaves out what is as usual (nothing on it, one of it, face
up).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from domain.game import Count, Game, Maybe, Seat, Spoken, Value

EMBLEM = re.compile(r"^(?:(?:being|sigil)(?:/[a-z0-9-]+)+)?$")
"""The form of emblems: a family, a name, and what is certain of the drawing."""

SceneId = Annotated[str, Meta(pattern="^[a-z0-9.-]+(?:/[a-z0-9.-]+)*$")]
"""The id of a zone, a piece or a button: its place, from the whole to the part."""

T = TypeVar("T", "Score", "Button", "Fact", "Mark")

Touches = tuple[SceneId, ...]
"""The path of ids by which a hand makes a move."""


class Kind(StrEnum):
    """What sort of thing a piece is, which decides how it is drawn."""

    CARD = "card"
    """A card."""
    TILE = "tile"
    """A tile of the board, or laid on it."""
    DIE = "die"
    """A die; its label is its pips."""
    PAWN = "pawn"
    """Stands for a player."""
    TOKEN = "token"
    """A small thing of one sort."""
    STONE = "stone"
    """A stone."""
    CHIP = "chip"
    """Chips: a stack, counted."""
    MARKER = "marker"
    """Says something about a place or a seat, by its title alone."""
    SHEET = "sheet"
    """A larger card or a board that lies before somebody."""
    SPACE = "space"
    """A place, of a grid, a track or a row, where a piece can lie: `on` holds it."""


class Face(StrEnum):
    """Which side of a piece is visible."""

    UP = "up"
    """Its face."""
    DOWN = "down"
    """Its back. It has a label if the viewer knows what it is."""


class Look(StrEnum):
    """How a mark is drawn, with the same meaning in all games."""

    NEW = "new"
    """Has just come here."""
    ACROSS = "across"
    """Lies sideways: turned by a quarter."""
    SPENT = "spent"
    """Used up for now: dimmed."""
    BLOCKED = "blocked"
    """Covered, or barred: struck through."""
    RAISED = "raised"
    """Put forward: somewhat higher than the others."""
    SHOWN = "shown"
    """In a hand, and everybody may see it: an eye."""
    BRIGHT = "bright"
    """Counts for more: a star."""
    NOTED = "noted"
    """Any other meaning: a dot."""


class Mark(Value, frozen=True):
    """Something that is true of a piece now."""

    look: Look
    """How it is drawn."""
    title: str
    """In words: "drawn", "in reach"."""


class Fact(Value, frozen=True, omit_defaults=True):
    """A number or a word that is printed on a piece, beside its label."""

    title: str
    """The name of what it tells: "cost"."""
    value: str
    """As it is printed: "3"."""
    tone: str = ""
    """A tone of the game's palette, or none."""


class Piece(Value, frozen=True, omit_defaults=True):
    """A thing on the table."""

    id: SceneId
    """Its place."""
    kind: Kind
    """What sort of thing it is."""
    label: str
    """What is drawn on it, as short as "3★"; empty on its back. Of a die it is the number of its pips."""
    title: str
    """Its description in words, for screen readers and tooltips: "Fire 3, glowing", "a card face down"."""
    text: str = ""
    """What it does, if something is printed on it."""
    face: Face = Face.UP
    """Which side is visible."""
    tone: str = ""
    """A tone of the game's palette, or none."""
    count: Count = 1
    """How many of the same lie there: of a pile, of chips."""
    facts: tuple[Fact, ...] = ()
    """What else is printed on it: at most three."""
    marks: tuple[Mark, ...] = ()
    """What is true of it now."""
    on: tuple[Piece, ...] = ()
    """What lies on it."""
    emblem: Annotated[str, Meta(pattern=EMBLEM.pattern)] = ""
    """A drawing of its own on its face, as `emblem` names it, or none."""


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
    """In no order."""
    OFFER = "offer"
    """To be chosen from: each with what it does on its face."""
    COUNTERS = "counters"
    """Small things that are counted, or that say something about a seat."""


class Zone(Value, frozen=True, omit_defaults=True):
    """A part of the table."""

    id: SceneId
    """Its place."""
    kind: ZoneKind
    """How its pieces lie."""
    title: str
    """Its name; empty where its pieces explain themselves."""
    pieces: tuple[Piece, ...]
    """In their order."""
    seat: Maybe[Seat] = ()
    """The seat that it belongs to, if any."""
    columns: Count = 0
    """Of a grid, or of a long row: how many pieces stand in a line."""
    text: str = ""
    """Further information about it."""


class Button(Value, frozen=True):
    """Something that a seat can say without touching a thing on the table. It is lit when a move's touches name it."""

    id: SceneId
    """`do/…`."""
    title: str
    """What is written on it: "Pass"."""


class Score(Value, frozen=True):
    """A seat's score."""

    seat: Seat
    value: int
    """The number, in the game's own unit."""
    title: str
    """In words: "12 points"."""


class Scene(Value, frozen=True, omit_defaults=True):
    """The whole table, as its viewer may see it. Texts write "seat 0" and 「席0」, counted as in the data."""

    line: str
    """What is going on, in one line."""
    turn: tuple[Seat, ...]
    """The seats that are to act, as far as the viewer may know."""
    zones: tuple[Zone, ...]
    """In reading order; each seat's zones stand together."""
    scores: tuple[Score, ...] = ()
    """In seat order; empty before the table was set up."""
    buttons: tuple[Button, ...] = ()
    """Everything that the seats may say in this step, whether or not it is possible now."""


class Tone(Value, frozen=True):
    """A colour of a game, and a sign with the same meaning for viewers who can't see colours."""

    name: str
    """The name by which pieces use it."""
    title: Spoken
    """What it stands for."""
    light: str
    """On a light table: `#rrggbb`, dark enough for white letters on it."""
    dark: str
    """On a dark table: `#rrggbb`, dark enough for white letters on it."""
    sign: str
    """The sign: an SVG path in a box of 24 by 24, filled."""


class Surface(StrEnum):
    """What a table is made of."""

    FELT = "felt"
    WOOD = "wood"
    NIGHT = "night"
    """A sky with stars."""
    SLATE = "slate"
    CLOTH = "cloth"


class Frame(StrEnum):
    """How the picture on a card is cut."""

    PLAIN = "plain"
    ARCHED = "arched"
    CUT = "cut"
    """Without its corners."""
    NOTCHED = "notched"
    """Like a ticket."""
    DOUBLE = "double"
    """With a second line inside."""


class BackPattern(StrEnum):
    """What is printed on the backs of cards."""

    STRIPES = "stripes"
    DIAMONDS = "diamonds"
    RINGS = "rings"
    CHECKS = "checks"
    WAVES = "waves"


class Shade(Value, frozen=True):
    """A colour on a light screen, and on a dark one."""

    light: str
    """`#rrggbb`."""
    dark: str
    """`#rrggbb`."""


class Style(Value, frozen=True):
    """How a game's table looks, so that people recognise the game at once."""

    surface: Surface = Surface.FELT
    """What it is made of."""
    ground: Shade = Shade("#dfe6d8", "#1a2420")
    """The colour of the table itself."""
    board: Shade = Shade("#f5f7f1", "#25332d")
    """The colour of the board, and of the places of the seats. All texts lie on it, so it is pale, or dark."""
    back: Shade = Shade("#3f5a6b", "#3d5a70")
    """The colour of the backs of cards."""
    frame: Frame = Frame.PLAIN
    """How the pictures on its cards are cut."""
    pattern: BackPattern = BackPattern.STRIPES
    """What is printed on the backs of its cards."""


def style_of(game: Game[Any, Any, Any]) -> Style:
    """Return how the game's table looks: as it says, or like that of any game."""
    return game.style or Style()


def emblem(family: str, name: str, *certain: str) -> str:
    """Return the name of an emblem: a drawing by rule, of which the name decides the parts, so it never changes.

    `family` is "being", a creature's head, or "sigil", a sign drawn around its middle. `certain` are parts that it has
    in any case: "horns", "beak" … (`replays/table/emblem.js` lists them).
    """
    plain = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
    return "/".join((family, plain or "-".join(f"{ord(letter):x}" for letter in name) or "none", *certain))


def numbered(at: SceneId, names: Iterable[str]) -> tuple[SceneId, ...]:
    """Return an id at that place for each name; the second of equal names is numbered 2, and so on."""
    seen: Counter[str] = Counter()
    ids = []
    for name in names:
        seen[name] += 1
        ids.append(f"{at}/{name}" if seen[name] == 1 else f"{at}/{name}.{seen[name]}")
    return tuple(ids)


def pieces_of(scene: Scene) -> Iterator[Piece]:
    """Yield every piece, also those that lie on others, in reading order."""
    for zone in scene.zones:
        yield from _with_those_on(zone.pieces)


def _with_those_on(pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    for piece in pieces:
        yield piece
        yield from _with_those_on(piece.on)


def ids_of(scene: Scene) -> Iterator[str]:
    """Yield every id: of zones, pieces and buttons."""
    yield from (zone.id for zone in scene.zones)
    yield from (piece.id for piece in pieces_of(scene))
    yield from (button.id for button in scene.buttons)


def said_by(scene: Scene, say: Callable[[str], str]) -> Scene:
    """Return the scene with `say` applied to each of its texts, for example to put names in the place of seats."""
    return replace(
        scene,
        line=say(scene.line),
        zones=tuple(_zone_said(zone, say) for zone in scene.zones),
        scores=tuple(_titled(score, say) for score in scene.scores),
        buttons=tuple(_titled(button, say) for button in scene.buttons),
    )


def _zone_said(zone: Zone, say: Callable[[str], str]) -> Zone:
    pieces = tuple(piece_said(piece, say) for piece in zone.pieces)
    return replace(zone, title=say(zone.title), text=say(zone.text), pieces=pieces)


def piece_said(piece: Piece, say: Callable[[str], str]) -> Piece:
    """Return the piece, and what lies on it, with `say` applied to each of its texts."""
    return replace(
        piece,
        title=say(piece.title),
        text=say(piece.text),
        facts=tuple(_titled(fact, say) for fact in piece.facts),
        marks=tuple(_titled(mark, say) for mark in piece.marks),
        on=tuple(piece_said(one, say) for one in piece.on),
    )


def _titled(part: T, say: Callable[[str], str]) -> T:
    return replace(part, title=say(part.title))

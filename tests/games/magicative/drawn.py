"""The table of a match under way as it is drawn and told."""

from __future__ import annotations

from domain.game import Lang, Seat
from domain.games.magicative import GAME
from domain.games.magicative.moves import MagicativeMove
from domain.scene import Piece, Scene, Zone, ids_of, pieces_of
from domain.telling import tell
from tests.games.magicative.table import Play, Viewer


def scene(play: Play, viewer: Viewer, lang: Lang = "en") -> Scene:
    drawn = GAME.scene(GAME.view(play.table, viewer), lang)
    assert isinstance(drawn, Scene)
    return drawn


def lines(play: Play, viewer: Viewer, lang: Lang = "en") -> list[str]:
    return tell(scene(play, viewer, lang), lang).split("\n")


def zone(play: Play, viewer: Viewer, at: str, lang: Lang = "en") -> Zone:
    (found,) = (one for one in scene(play, viewer, lang).zones if one.id == at)
    return found


def piece(play: Play, viewer: Viewer, at: str, lang: Lang = "en") -> Piece:
    (found,) = (one for one in pieces_of(scene(play, viewer, lang)) if one.id == at)
    return found


def ids(play: Play, viewer: Viewer, at: str) -> list[str]:
    """Of the pieces in a zone."""
    return [one.id.removeprefix(f"{at}/") for one in zone(play, viewer, at).pieces]


def marks(play: Play, viewer: Viewer, at: str) -> list[tuple[str, str]]:
    """How they are drawn, and in words."""
    return [(mark.look.value, mark.title) for mark in piece(play, viewer, at).marks]


def touch(play: Play, *touched: str, seat: Seat = 0) -> Play:
    """When a seat touches these one after the other, which makes one of its moves."""
    drawn = {*ids_of(scene(play, seat))}
    assert drawn.issuperset(touched), f"{drawn}"
    (made,) = (move for move in play.legal(seat) if GAME.touches(play.table, seat, move) == touched)
    return play.move(seat, made)


def paths(play: Play, kind: type[MagicativeMove], seat: Seat = 0) -> list[str]:
    """By which touches the moves of a class are made."""
    return [" > ".join(GAME.touches(play.table, seat, move)) for move in play.of_class(seat, kind)]

"""What lies on a table as it is drawn, for tests."""

from __future__ import annotations

from domain.game import Seat
from domain.games.troll_master import GAME
from domain.games.troll_master.state import Table
from domain.scene import Piece, Scene, Zone, pieces_of
from domain.telling import tell


def scene(table: Table, viewer: Seat | None = None, lang: str = "en") -> Scene:
    """The table as somebody sees it."""
    found = GAME.scene(GAME.view(table, viewer), lang)
    assert isinstance(found, Scene)
    return found


def told(table: Table, viewer: Seat | None = None, lang: str = "en") -> list[str]:
    """The same as lines of text."""
    return tell(scene(table, viewer, lang), lang).splitlines()


def zone(shown: Scene, at: str) -> Zone:
    """The zone of that id."""
    return next(one for one in shown.zones if one.id == at)


def piece(shown: Scene, at: str) -> Piece:
    """The piece of that id."""
    return next(one for one in pieces_of(shown) if one.id == at)


def marks(one: Piece) -> list[tuple[str, str]]:
    """How a piece's marks are drawn, and what they say."""
    return [(mark.look.value, mark.title) for mark in one.marks]


def facts(one: Piece) -> list[tuple[str, str, str]]:
    """What is printed beside a piece's label: of what, how much, in what colour."""
    return [(fact.title, fact.value, fact.tone) for fact in one.facts]

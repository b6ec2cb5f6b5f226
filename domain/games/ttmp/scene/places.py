"""The ids of the places on the table, as scenes and touches have them.

Dice and known cards have ids by what they are, because they are sorted and move; face-down cards have ids by their
place.
"""

from __future__ import annotations

from collections.abc import Iterable

from domain.game import Seat
from domain.games.ttmp.components import STONE
from domain.scene import numbered

DICE = "dice"
DECKS = "decks"


def deck(level: int) -> str:
    """Return the id of the deck of magic cards of a level, or of stones."""
    return f"{DECKS}/stones" if level == STONE else f"{DECKS}/level-{level}"


def stones(seat: Seat) -> str:
    """Return the id of the stones of a seat."""
    return f"seat.{seat}/stones"


def stone(seat: Seat, at: int) -> str:
    """Return the id of a stone of a seat, in the order in which they came."""
    return f"{stones(seat)}/{at}"


def hand(seat: Seat) -> str:
    """Return the id of a seat's magic cards."""
    return f"seat.{seat}/hand"


def stock(seat: Seat) -> str:
    """Return the id of the magic cards that a seat has set aside."""
    return f"seat.{seat}/stock"


def card(number: int) -> str:
    """Return the id of a known magic card in a hand or in stock, by its index in the pack."""
    return f"card-{number}"


def dice(faces: Iterable[int]) -> tuple[str, ...]:
    """Return the ids of dice, by their faces."""
    return numbered(DICE, map(str, faces))


def exam(seat: Seat) -> str:
    """Return the id of a seat's dice of the final exam."""
    return f"seat.{seat}/exam"


def button(name: str) -> str:
    """Return the id of a button."""
    return f"do/{name}"


def to_face(face: int) -> str:
    """Return the id of the button for the face to which a card turns a die, if there is a choice."""
    return button(f"face-{face}")


def by_step(step: int) -> str:
    """Return the id of the button for the step by which a card changes dice, if there is a choice."""
    return button(f"{'plus' if step > 0 else 'minus'}-{abs(step)}")

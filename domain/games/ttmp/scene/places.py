"""How the places of the table are called: what a scene names, a touch names too.

Dice and the cards that a viewer knows are called by what they are, since they are sorted and shift; what lies face
down is called by its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from domain.game import Seat
from domain.games.ttmp.components import STONE

BUTTONS = "do"
DICE = "dice"
DECKS = "decks"


def deck(level: int) -> str:
    """The deck of magic cards of a level, or of stones."""
    return f"{DECKS}/stones" if level == STONE else f"{DECKS}/level-{level}"


def stones(seat: Seat) -> str:
    """What a seat has won."""
    return f"seat.{seat}/stones"


def stone(seat: Seat, at: int) -> str:
    """A stone of a seat's, in the order in which they came."""
    return f"{stones(seat)}/{at}"


def hand(seat: Seat) -> str:
    """A seat's magic cards."""
    return f"seat.{seat}/hand"


def stock(seat: Seat) -> str:
    """The magic cards that a seat has set aside."""
    return f"seat.{seat}/stock"


def card(number: int) -> str:
    """A magic card whose face is known, in a hand or in stock, by its place in the pack."""
    return f"card-{number}"


def named(at: str, names: Iterable[str]) -> tuple[str, ...]:
    """A place for each: of several that are called the same, from the second on with a number."""
    seen: Counter[str] = Counter()
    places = []
    for name in names:
        seen[name] += 1
        places.append(f"{at}/{name}" + (f".{seen[name]}" if seen[name] > 1 else ""))
    return tuple(places)


def dice(faces: Iterable[int]) -> tuple[str, ...]:
    """Dice by their faces."""
    return named(DICE, map(str, faces))


def button(name: str) -> str:
    """What is said without touching a thing."""
    return f"{BUTTONS}/{name}"


def to_face(face: int) -> str:
    """The face to which a card turns a die, where there is a choice."""
    return button(f"face-{face}")


def by_step(step: int) -> str:
    """By how much a card changes dice, where there is a choice."""
    return button(f"{'plus' if step > 0 else 'minus'}-{abs(step)}")

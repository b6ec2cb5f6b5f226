"""The ids of the places on the table."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from domain.game import Seat
from domain.games.magicative.components import INNOCENT, KINDS, Artefact, Card, School, number_of, school_of
from domain.scene import SceneId, numbered

DECK = "deck"
TOP = "top"
ARTEFACTS = "artefacts"
APTITUDES = "aptitudes"
DRAW, AWAKEN, SHOW, END = "do/draw", "do/awaken", "do/show", "do/end"


def _kind(card: Card) -> str:
    return "innocent" if card == INNOCENT else f"{school_of(card).value}-{number_of(card)}"


KIND_IDS: dict[Card, str] = {card: _kind(card) for card in KINDS}
CARDS_BY_ID: dict[str, Card] = {kind: card for card, kind in KIND_IDS.items()}


def hand(seat: Seat) -> SceneId:
    """Return the id of the cards in hand."""
    return f"seat.{seat}/hand"


def row(seat: Seat) -> SceneId:
    """Return the id of the discards."""
    return f"seat.{seat}/row"


def aptitudes(seat: Seat) -> SceneId:
    """Return the id of the aptitude cards that the seat took."""
    return f"seat.{seat}/aptitudes"


def tokens(seat: Seat) -> SceneId:
    """Return the id of the chips, the used artefact, and the markers of the seat."""
    return f"seat.{seat}/tokens"


def held(seat: Seat, cards: Iterable[Card | None]) -> tuple[SceneId, ...]:
    """Return the ids of a hand's cards: known ones by kind, equal ones with a number; others by number.

    So a card that comes into a sorted hand leaves the ids of all others.
    """
    number = count()
    return numbered(hand(seat), (str(next(number)) if card is None else KIND_IDS[card] for card in cards))


def copy(seat: Seat, card: Card, number: int = 1) -> SceneId:
    """Return the id of one of the equal cards in a hand, counted from 1."""
    kind = f"{hand(seat)}/{KIND_IDS[card]}"
    return kind if number == 1 else f"{kind}.{number}"


def artefact(artefact: Artefact) -> SceneId:
    """Return the id of an artefact in the middle."""
    return f"{ARTEFACTS}/{artefact.value}"


def aptitude_deck(school: School) -> SceneId:
    """Return the id of the aptitude cards of a school that nobody took."""
    return f"{APTITUDES}/{school.value}"


def do_school(school: School) -> SceneId:
    """Return the id of the button for a school."""
    return f"do/{school.value}"


def do_numbers(numbers: tuple[int, ...]) -> SceneId:
    """Return the id of the button for the numbers of a formula."""
    return f"do/{'-'.join(map(str, numbers))}"

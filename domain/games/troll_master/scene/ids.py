"""The ids of the places on the table. No id reveals more than the open table."""

from __future__ import annotations

from functools import lru_cache

from domain.game import Seat
from domain.games.troll_master.components import Lying, Magic, Name
from domain.scene import numbered

DECK, DISCARDS, OPEN, ROW, SUPPLY, DOING = "deck", "discards", "open", "row", "supply", "doing"
DRAW, PASS, ACT, ATTACK, ANSWER, DONE = "do/draw", "do/pass", "do/act", "do/attack", "do/answer", "do/done"


@lru_cache(maxsize=256)
def part(name: Name) -> str:
    """Return a familiar's name as a part of an id. The parts differ, as a pack's names differ even in lower case."""
    return "".join(_letter(char) for char in name.en.lower())


def _letter(char: str) -> str:
    if char == " ":
        return "-"
    return char if char.isascii() and char.isalnum() else f".{ord(char):x}."


def action(number: int) -> str:
    """Return the id of an action of the workshop row."""
    return f"{ROW}/{number}"


def pile(name: Name) -> str:
    """Return the id of the copies of a familiar in the supply."""
    return f"{SUPPLY}/{part(name)}"


def seat_of(seat: Seat, what: str) -> str:
    """Return the id of something that belongs to a seat."""
    return f"seat.{seat}/{what}"


def hand(seat: Seat, cards: Lying) -> tuple[str, ...]:
    """Return the ids of a hand's cards: known ones by kind, so that the order shows nothing; others by number."""
    parts = [str(place) if card is None else card.value for place, card in enumerate(cards)]
    return numbered(seat_of(seat, "hand"), parts)


def held(seat: Seat, card: Magic) -> str:
    """Return the id of the first card of that kind in a hand."""
    return hand(seat, (card,))[0]


def familiar(seat: Seat, name: Name) -> str:
    """Return the id of an uncovered familiar of the seat."""
    return seat_of(seat, f"familiars/{part(name)}")


def ability(name: Name, number: int) -> str:
    """Return the id of the button for one of several abilities that can be paid for on a card."""
    return f"do/use/{part(name)}/{number}"

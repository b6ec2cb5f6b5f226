"""How the places on the table are called. None says more than what lies there open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from domain.game import Seat
from domain.games.troll_master.components import Lying, Magic, Name

DECK, DISCARDS, OPEN, ROW, SUPPLY, DOING = "deck", "discards", "open", "row", "supply", "doing"
DRAW, PASS, ACT, ATTACK, ANSWER, DONE = "do/draw", "do/pass", "do/act", "do/attack", "do/answer", "do/done"


@lru_cache(maxsize=256)
def part(name: Name) -> str:
    """A familiar's name as a part of an id; a pack's names are told apart without regard to case, and so are these."""
    return "".join(_letter(one) for one in name.en.lower())


def _letter(one: str) -> str:
    if one == " ":
        return "-"
    return one if one.isascii() and one.isalnum() else f".{ord(one):x}."


def each(at: str, parts: Sequence[str]) -> tuple[str, ...]:
    """An id for each; of those that are called alike the second is numbered 2, and so on."""
    found = []
    for place, one in enumerate(parts):
        copy = parts[: place + 1].count(one)
        found.append(f"{at}/{one}" if copy == 1 else f"{at}/{one}.{copy}")
    return tuple(found)


def action(number: int) -> str:
    """An action of the workshop row."""
    return f"{ROW}/{number}"


def pile(name: Name) -> str:
    """The copies of a familiar in the supply."""
    return f"{SUPPLY}/{part(name)}"


def seat_of(seat: Seat, what: str) -> str:
    """Something before a seat."""
    return f"seat.{seat}/{what}"


def hand(seat: Seat, cards: Lying) -> tuple[str, ...]:
    """The cards of a hand: known ones by their kind, so that their places tell nothing, others one by one."""
    parts = [str(place) if card is None else card.value for place, card in enumerate(cards)]
    return each(seat_of(seat, "hand"), parts)


def held(seat: Seat, card: Magic) -> str:
    """The first card of that kind in a hand."""
    return hand(seat, (card,))[0]


def familiar(seat: Seat, name: Name) -> str:
    """A familiar that the seat has in play uncovered."""
    return seat_of(seat, f"familiars/{part(name)}")


def ability(name: Name, number: int) -> str:
    """The button for one of several abilities that can be paid for on a card."""
    return f"do/use/{part(name)}/{number}"

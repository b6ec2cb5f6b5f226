"""The ids of the places on the table, as scenes and touches have them."""

from __future__ import annotations

from domain.game import Seat
from domain.games.terraformers.components import Box, Kind
from domain.games.terraformers.state import Spot

ROWS = {Kind.SPECIES: "species", Kind.BOX: "cards"}
"""The rows of the planet cards on the table, by kind."""
GUARD, PUT_BACK, PASS = "do/guard", "do/put-back", "do/pass"


def seat_id(seat: Seat) -> str:
    """Return the id of all that a seat has."""
    return f"seat.{seat}"


def sheet_id(seat: Seat) -> str:
    """Return the id of the seat's sheet."""
    return f"seat.{seat}/sheet"


def box_id(seat: Seat, box: Box) -> str:
    """Return the id of a box of the seat's sheet."""
    return f"seat.{seat}/sheet/{box.value}"


def hand_id(seat: Seat) -> str:
    """Return the id of the seat's tips in hand."""
    return f"seat.{seat}/state/hand"


def card_id(spot: Spot, kind: Kind, holder: tuple[Seat, ...]) -> str:
    """Return the id of a planet card, at its holder or on the table. Its number is always that of table order."""
    row = f"seat.{holder[0]}/species" if holder else ROWS[kind]
    return f"{row}/{spot}"


def lying_id(place: str) -> str:
    """Return the id of the tips on a place."""
    return f"{place}/tips"


def tips_id(tips: int) -> str:
    """Return the id of the button that places so many tips."""
    return f"do/tips-{tips}"

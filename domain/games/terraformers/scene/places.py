"""How the places of the table are called, as the scene and the paths of touches have them."""

from __future__ import annotations

from domain.game import Seat
from domain.games.terraformers.components import Box, Kind
from domain.games.terraformers.state import Spot

ROWS = {Kind.SPECIES: "species", Kind.BOX: "cards"}
"""The planet cards that lie on the table, by kind."""
GUARD, PUT_BACK, PASS = "do/guard", "do/put-back", "do/pass"


def seat_id(seat: Seat) -> str:
    """What lies before the seat."""
    return f"seat.{seat}"


def sheet_id(seat: Seat) -> str:
    """The seat's sheet."""
    return f"seat.{seat}/sheet"


def box_id(seat: Seat, box: Box) -> str:
    """A box of the seat's sheet."""
    return f"seat.{seat}/sheet/{box.value}"


def hand_id(seat: Seat) -> str:
    """The seat's tips in hand."""
    return f"seat.{seat}/state/hand"


def card_id(spot: Spot, kind: Kind, holder: tuple[Seat, ...]) -> str:
    """A planet card, before its holder or on the table; in either place it keeps its number of table order."""
    row = f"seat.{holder[0]}/species" if holder else ROWS[kind]
    return f"{row}/{spot}"


def lying_id(place: str) -> str:
    """The tips that lie there."""
    return f"{place}/tips"


def tips_id(tips: int) -> str:
    """So many tips to place."""
    return f"do/tips-{tips}"

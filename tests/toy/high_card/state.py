"""The table; somebody who may not see a card has a None in its place."""

from __future__ import annotations

from domain.game import Value
from tests.toy.high_card.components import HAND, Lying, Options, Phase
from tests.toy.high_card.pack import Pack


class Place(Value, frozen=True):
    """What lies before one seat."""

    chips: int
    hand: Lying = ()
    aside: Lying = ()
    """The card set aside, or nothing."""
    pips: int = 0
    """Of the die; 0: not rolled."""
    raised: bool = False


class Table(Value, frozen=True):
    """The whole game."""

    pack: Pack
    rounds: int
    round: int
    phase: Phase
    pot: int
    stock: Lying
    asked: tuple[bool | None, ...]
    """Who has a pair, once raises were opened in this round; empty: they were not."""
    turned: bool
    """Whether the cards set aside lie open."""
    places: tuple[Place, ...]


def initial(options: Options, seats: int, pack: Pack) -> Table:
    """The table before anything happened. Rule: TOY-2."""
    places = (Place(chips=pack.stake),) * seats
    return Table(pack, options.rounds, 0, Phase.OVER, 0, (), (), False, places)


def has_pair(place: Place) -> bool:
    """Whether two known cards are left, and equal. Rule: TOY-5."""
    return len(place.hand) == HAND - 1 and len({*place.hand}) == 1 and None not in place.hand

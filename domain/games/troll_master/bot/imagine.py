"""A full table that looks the same to a seat: the magic cards that it doesn't know lie somewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from domain.chance import Chance
from domain.game import Seat
from domain.games.troll_master.abilities import Timing
from domain.games.troll_master.components import DECK, HOME, MAGICS, Lying, Magic, Magics
from domain.games.troll_master.rules.abilities import payable
from domain.games.troll_master.rules.planning import free
from domain.games.troll_master.state import Step, Table


def imagine(table: Table, seat: Seat | None, chance: Chance) -> Table:
    """Lay the cards that are unknown in `table`, as the seat sees it, into hands and deck.

    Each kind comes to its six copies. A seat that went out holds none of what it is known to lack, and one that is
    asked to place its pawn and can't pay for another card holds one to place it with.

    Rule:    TM-1, TM-6, TM-16.
    Raises:  ValueError when no cards are left that could lie so.
    """
    pool = chance.shuffle(_unknown(table))
    needs = list(_needs(table))
    if (found := _fit(tuple(kinds for _, kinds in needs), pool)) is None:
        raise ValueError("no hands fit what is known")
    left = iter(_without(pool, found))
    given: dict[Seat, list[Magic]] = {}
    for (holder, _), card in zip(needs, found, strict=True):
        given.setdefault(holder, []).append(card)
    places = tuple(
        replace(place, hand=_fill(place.hand, given.get(holder, []), left)) if None in place.hand else place
        for holder, place in enumerate(table.places)
    )
    cards = table.cards
    return replace(table, places=places, cards=replace(cards, deck=_fill(cards.deck, [], left)))


def _unknown(table: Table) -> Magics:
    """The cards whose place is not known: all that are not seen somewhere."""
    cards = table.cards
    left = Counter(DECK)
    for lying in (cards.deck, cards.discards, cards.open, *(place.hand for place in table.places)):
        left.subtract(card for card in lying if card is not None)
    return tuple(left.elements())


def _needs(table: Table) -> Iterator[tuple[Seat, Magics]]:
    """For unknown hand cards of which something is known, whose they are and which kinds they may be. Rule: TM-16."""
    stage = table.stage
    for seat, place in enumerate(table.places):
        if None not in place.hand:
            continue
        if place.is_out:
            kinds = tuple(magic for magic in MAGICS if magic not in place.lacks)
            yield from ((seat, kinds) for _ in place.hand)
        elif (
            stage.step is Step.PLANNING
            and stage.seat == seat
            and place.pawn == HOME
            and not payable(place, Timing.PLANNING)
        ):
            yield seat, free(table, [other.pawn for other in table.places])


def _fit(needs: tuple[Magics, ...], pool: Magics) -> Magics | None:
    """Cards of the pool, one for each need, preferring those that come first; None: there are none."""
    if not needs:
        return ()
    for card in dict.fromkeys(pool):
        if card in needs[0] and (rest := _fit(needs[1:], _without(pool, (card,)))) is not None:
            return (card, *rest)
    return None


def _without(pool: Magics, cards: Magics) -> Magics:
    left = list(pool)
    for card in cards:
        left.remove(card)
    return tuple(left)


def _fill(lying: Lying, given: list[Magic], left: Iterator[Magic]) -> Magics:
    """The cards as they lie: in the place of unknown ones those given, then the next that are left."""
    more = iter(given)
    return tuple(next(more, None) or next(left) if card is None else card for card in lying)

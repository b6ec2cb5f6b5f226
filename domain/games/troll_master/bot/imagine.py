"""Fills in the magic cards that a seat does not know, so that the table looks the same to it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import chain

from msgspec.structs import replace

from domain.chance import Chance
from domain.game import Seat
from domain.games.troll_master.abilities import Timing
from domain.games.troll_master.components import DECK, HOME, MAGICS, Magic, Magics
from domain.games.troll_master.rules.abilities import payable
from domain.games.troll_master.rules.planning import free
from domain.games.troll_master.state import Step, Table
from domain.secrecy import fill, known, unseen, without


def imagine(table: Table, seat: Seat | None, chance: Chance) -> Table:
    """Return a full table: the cards that are unknown in `table`, as the seat sees it, are dealt to hands and deck.

    There are six copies of each kind. A seat that went out gets none of the kinds that it is known to lack. A seat that
    is asked to place its pawn, and could pay for no ability when that was checked, gets a card that can place it.

    Rule:    TM-1, TM-6, TM-16.
    Raises:  ValueError when the cards that are left do not fit.
    """
    cards = table.cards
    hands = [place.hand for place in table.places]
    pool = chance.shuffle(unseen(DECK, cards.deck, cards.discards, cards.open, *hands))
    needs = list(_needs(table))
    if (found := _fit(tuple(kinds for _, kinds in needs), pool)) is None:
        raise ValueError("no hands fit what is known")
    left = iter(known(reduce(without, found, pool)))
    given: dict[Seat, list[Magic]] = {}
    for (holder, _), card in zip(needs, found, strict=True):
        given.setdefault(holder, []).append(card)
    places = tuple(
        replace(place, hand=fill(place.hand, chain(given.get(holder, ()), left)))
        for holder, place in enumerate(table.places)
    )
    return replace(table, places=places, cards=replace(cards, deck=fill(cards.deck, left)))


def _needs(table: Table) -> Iterator[tuple[Seat, Magics]]:
    """Yield, for unknown hand cards of which something is known, the seat and the kinds that the card may be.

    Rule:    TM-16.
    """
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
            and not stage.has_paid
            and not payable(place, Timing.PLANNING)
        ):
            yield seat, free(table, [other.pawn for other in table.places])


def _fit(needs: tuple[Magics, ...], pool: Magics) -> Magics | None:
    """Return cards of the pool, one for each need, the first ones that fit; None if no cards fit all needs."""
    if not needs:
        return ()
    for card in dict.fromkeys(pool):
        if card in needs[0] and (rest := _fit(needs[1:], known(without(pool, card)))) is not None:
            return (card, *rest)
    return None

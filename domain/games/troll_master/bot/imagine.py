"""Fills in the magic cards that a seat does not know, so that the table looks the same to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from itertools import chain

from msgspec.structs import replace

from domain.chance import Chance
from domain.game import Seat
from domain.games.troll_master.abilities import Timing
from domain.games.troll_master.components import DECK, HOME, MAGICS, Magic, Magics
from domain.games.troll_master.rules.abilities import payable
from domain.games.troll_master.rules.planning import free
from domain.games.troll_master.state import Place, Step, Table
from domain.secrecy import fill, known, unseen, without


def imagine(table: Table, seat: Seat | None, chance: Chance) -> Table:
    """Return a full table: the cards that are unknown in `table`, as the seat sees it, are dealt to hands and deck.

    There are six copies of each kind. A seat that went out gets none of the kinds that it is known to lack. A seat that
    is asked to place its pawn, and could pay for no ability when that was checked, gets a card that can place it. When
    the discards became the deck in this round, everybody knew which cards were in hands together and which in the deck:
    each seat gets as many of both as it got.

    Rule:    TM-1, TM-6, TM-7, TM-16.
    Raises:  ValueError when the cards that are left do not fit.
    """
    cards = table.cards
    hands = [place.hand for place in table.places]
    if any(None in place.before + place.after for place in table.places):
        places = _dealt_twice(table, chance)
        hands = [place.hand for place in places]
        deck = iter(chance.shuffle(unseen(DECK, cards.deck, cards.discards, cards.open, *hands)))
        return replace(table, places=places, cards=replace(cards, deck=fill(cards.deck, deck)))
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


TRIES = 10_000
"""How often cards are dealt anew that do not fit; mostly the first ones do."""


class _Misfit(ValueError):
    """The cards that were dealt do not fit what is known."""


def _dealt_twice(table: Table, chance: Chance) -> tuple[Place, ...]:
    """Return the places, with hands that were dealt in part before the discards became the deck. Raises ValueError."""
    needs: dict[Seat, list[Magics]] = {}
    for seat, kinds in _needs(table):
        needs.setdefault(seat, []).append(kinds)
    places = table.places
    held = unseen(table.cards.held, *(place.before for place in places))
    made = unseen(table.cards.made, *(place.after for place in places))
    # seats of which more is known come first, while there is more to choose from
    order = sorted(range(len(places)), key=lambda seat: (-len(needs.get(seat, ())), -len(places[seat].gone)))
    for _ in range(TRIES):
        pools = [*chance.shuffle(held)], [*chance.shuffle(made)]
        with suppress(_Misfit):
            dealt = {seat: _dealt(places[seat], pools, needs.get(seat, []), chance) for seat in order}
            return tuple([dealt[seat] for seat in range(len(places))])
    raise ValueError("no hands fit what is known")


def _dealt(place: Place, pools: tuple[list[Magic], list[Magic]], needs: list[Magics], chance: Chance) -> Place:
    """Return the place with its cards from the pools: of those that were in hands, and of the deck. Raises _Misfit."""
    if None not in place.before + place.after:
        return place
    got: tuple[list[Magic], list[Magic]] = [], []
    free = [len(place.before), len(place.after)]

    def take(kinds: Magics) -> Magic:
        # as likely as that one of the free cards of each pool is of these kinds
        count = [sum(map(pool.count, kinds)) for pool in pools]
        ways = [free[at] * count[at] * max(1, len(pools[1 - at])) for at in (0, 1)]
        if not any(ways):
            raise _Misfit
        at = 0 if chance.below(sum(ways)) < ways[0] else 1
        card = next(card for card in pools[at] if card in kinds)
        pools[at].remove(card)
        got[at].append(card)
        free[at] -= 1
        return card

    for card in place.gone:
        take((card,))
    hand = [take(kinds) for kinds in needs]
    hand += [take(MAGICS) for _ in range(sum(free))]
    return replace(place, hand=tuple(hand), before=tuple(got[0]), after=tuple(got[1]))


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

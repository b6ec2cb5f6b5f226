"""Fills in the magic cards that a seat does not know, so that the table looks the same to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from msgspec.structs import replace

from domain.chance import Chance
from domain.game import Seat
from domain.games.troll_master.abilities import Timing
from domain.games.troll_master.components import DECK, HOME, MAGICS, Magic, Magics
from domain.games.troll_master.rules.abilities import payable
from domain.games.troll_master.rules.planning import free
from domain.games.troll_master.state import Place, Step, Table
from domain.secrecy import fill, unseen


def imagine(table: Table, seat: Seat | None, chance: Chance) -> Table:
    """Return a full table: the cards that are unknown in `table`, as the seat sees it, are dealt to hands and deck.

    There are six copies of each kind. A seat that went out gets none of the kinds that it is known to lack. A seat that
    is asked to place its pawn, and could pay for no ability when that was checked, gets a card that can place it. When
    the discards became the deck in this round, everybody knew which cards were in hands together and which in the deck:
    each seat gets as many of both as it got.

    Rule:    TM-1, TM-6, TM-7, TM-16.
    Raises:  ValueError when the cards that are left do not fit.
    """
    cards, places = table.cards, table.places
    held, made = cards.held, cards.made
    if not made:
        # all that is unknown comes from one deck
        made = unseen(DECK, cards.discards, cards.open)
        places = tuple([replace(place, after=place.hand) for place in places])
    pools = unseen(held, *(place.before for place in places)), unseen(made, *(place.after for place in places))
    dealt = _dealt(places, pools, tuple(_needs(table)), chance)
    left = iter(chance.shuffle(unseen(DECK, cards.deck, cards.discards, cards.open, *(place.hand for place in dealt))))
    if not cards.made:
        dealt = tuple([replace(place, after=()) for place in dealt])
    return replace(table, places=dealt, cards=replace(cards, deck=fill(cards.deck, left)))


TRIES = 1000
"""How often cards are dealt anew that do not fit; mostly the first ones do."""

Pools = tuple[Magics, Magics]
"""The unknown cards that were in hands when the discards became the deck, and those of that deck."""


class _Misfit(ValueError):
    """The cards that were dealt do not fit what is known."""


def _dealt(
    places: tuple[Place, ...], pools: Pools, needs: tuple[tuple[Seat, Magics], ...], chance: Chance
) -> tuple[Place, ...]:
    """Return the places with their unknown cards dealt from the pools. Raises ValueError."""
    wanted = [[kinds for holder, kinds in needs if holder == seat] for seat in range(len(places))]
    # those of whom more is known come first, while there is more to choose from
    order = sorted(range(len(places)), key=lambda seat: (-len(wanted[seat]), -len(places[seat].gone)))
    for _ in range(TRIES):
        left = [*chance.shuffle(pools[0])], [*chance.shuffle(pools[1])]
        with suppress(_Misfit):
            found = {seat: _filled(places[seat], left, wanted[seat], chance) for seat in order}
            return tuple([found[seat] for seat in range(len(places))])
    raise ValueError("no hands fit what is known")


def _filled(place: Place, pools: tuple[list[Magic], list[Magic]], needs: list[Magics], chance: Chance) -> Place:
    """Return the place with its unknown cards taken from the pools. Raises _Misfit."""
    if None not in place.before and None not in place.after:
        return place
    got: tuple[list[Magic], list[Magic]] = [], []
    free = [len(place.before), len(place.after)]

    def take(kinds: Magics) -> Magic:
        # as likely as that one of the free cards of a pool is of these kinds
        counts = [sum(map(pool.count, kinds)) for pool in pools]
        ways = [free[at] * counts[at] * max(1, len(pools[1 - at])) for at in (0, 1)]
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

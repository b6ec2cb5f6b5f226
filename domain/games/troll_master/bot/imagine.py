"""Fills in the magic cards that a seat does not know, so that the table looks the same to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from msgspec.structs import replace

from domain.chance import Chance
from domain.game import Seat
from domain.games.troll_master.abilities import Timing
from domain.games.troll_master.components import DECK, HOME, MAGICS, Lying, Magic, Magics
from domain.games.troll_master.rules.abilities import payable
from domain.games.troll_master.rules.planning import free
from domain.games.troll_master.state import Remade, Step, Table
from domain.secrecy import fill, known, unseen


def imagine(table: Table, seat: Seat | None, chance: Chance) -> Table:
    """Return a full table: the cards that are unknown in `table`, as the seat sees it, are dealt to hands and deck.

    There are six copies of each kind. A seat that went out gets none of the kinds that it is known to lack. A seat that
    is asked to place its pawn, and could pay for no ability when that was checked, gets a card that can place it. When
    the discards became the deck in this round, everybody knew which cards were in hands together and which in the deck:
    each seat gets as many of both as it got.

    Rule:    TM-1, TM-6, TM-7, TM-16.
    Raises:  ValueError when the cards that are left do not fit.
    """
    cards, remade = table.cards, table.cards.remade
    if not remade.made:
        # as if all that is unknown had come from the deck
        hands, none = tuple([place.hand for place in table.places]), ((),) * len(table.places)
        remade = Remade(unseen(DECK, cards.deck, cards.discards, cards.open), (), (), none, hands, none)
    hands, remade = _dealt(table, remade, chance)
    places = tuple([replace(place, hand=hand) for place, hand in zip(table.places, hands, strict=True)])
    left = iter(chance.shuffle(unseen(DECK, cards.deck, cards.discards, cards.open, *hands)))
    remade = remade if cards.remade.made else cards.remade
    return replace(table, places=places, cards=replace(cards, deck=fill(cards.deck, left), remade=remade))


TRIES = 1000
"""How often cards are dealt anew that do not fit; mostly the first ones do."""

Pools = tuple[list[Magic], list[Magic]]
"""The unknown cards that were in hands when the discards became the deck, and those of that deck."""


class _Misfit(ValueError):
    """The cards that were dealt do not fit what is known."""


def _dealt(table: Table, remade: Remade, chance: Chance) -> tuple[tuple[Magics, ...], Remade]:
    """Return all hands, with the unknown cards dealt by chance, and of what they were dealt. Raises ValueError."""
    seats = range(len(table.places))
    held = unseen(DECK, remade.made, remade.shown, *remade.before)
    made = unseen(remade.made, remade.turned, *remade.after)
    needs = tuple(_needs(table))
    wanted = [[kinds for holder, kinds in needs if holder == seat] for seat in seats]
    # those of whom more is known come first, while there is more to choose from
    order = sorted(seats, key=lambda seat: (-len(wanted[seat]), -len(remade.gone[seat])))
    hands = [known(place.hand) for place in table.places]
    before, after = list(remade.before), list(remade.after)
    for _ in range(TRIES):
        pools = [*chance.shuffle(held)], [*chance.shuffle(made)]
        with suppress(_Misfit):
            for seat in order:
                if None in remade.before[seat] or None in remade.after[seat]:
                    lying, gone = (remade.before[seat], remade.after[seat]), remade.gone[seat]
                    hands[seat], before[seat], after[seat] = _filled(lying, gone, wanted[seat], pools, chance)
            return tuple(hands), replace(remade, before=tuple(before), after=tuple(after))
    raise ValueError("no hands fit what is known")


def _filled(
    lying: tuple[Lying, Lying], gone: Magics, needs: list[Magics], pools: Pools, chance: Chance
) -> tuple[Magics, Magics, Magics]:
    """Return a hand, and the cards that it had of each pool, of which some are gone. Raises _Misfit."""
    got: Pools = [], []
    free = [*map(len, lying)]

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

    for card in gone:
        take((card,))
    hand = [take(kinds) for kinds in needs]
    hand += [take(MAGICS) for _ in range(sum(free))]
    return tuple(hand), tuple(got[0]), tuple(got[1])


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

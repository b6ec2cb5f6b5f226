"""Hands of cards in their order: the cards for which they wait, and how they win."""

from __future__ import annotations

from collections.abc import Iterator

from domain.games.three_magic.components import (
    COMBINATION,
    COMPLETING,
    Card,
    Cards,
    Spell,
    combination,
)


def waits(hand: Cards) -> int:
    """Return the faces that make the hand win when inserted somewhere, a bit each; 0 if the hand is not ready.

    The inserted card belongs to one spell. The other two cards of that spell are adjacent, with whole spells on either
    side: the hand is a pair and two spells, in one of three orders. Pledged spells do not matter: the hand is shorter
    by them.

    Rule:    3M-9.
    Shape:   `hand` has 8, 5 or 2 cards, without the winning one.
    """
    if len(hand) == 8:
        a, b, c, d, e, f, g, h = hand
        faces = 0
        if COMBINATION[f][g][h]:
            if COMBINATION[c][d][e]:
                faces = COMPLETING[a][b]
            if COMBINATION[a][b][c]:
                faces |= COMPLETING[d][e]
        if COMBINATION[d][e][f] and COMBINATION[a][b][c]:
            faces |= COMPLETING[g][h]
        return faces
    if len(hand) == 5:
        a, b, c, d, e = hand
        faces = 0
        if COMBINATION[c][d][e]:
            faces = COMPLETING[a][b]
        if COMBINATION[a][b][c]:
            faces |= COMPLETING[d][e]
        return faces
    a, b = hand
    return COMPLETING[a][b]


def is_won_with(hand: Cards, card: Card) -> bool:
    """Return whether the card, inserted somewhere, makes the hand win. Rule: 3M-9."""
    return waits(hand) >> (card // 2) & 1 == 1


def ready_without(hand: Cards) -> tuple[int, ...]:
    """Return the positions in a hand whose card leaves a ready hand when it is taken out.

    Rule:    3M-9, 3M-19.
    Shape:   `hand` has 9, 6 or 3 cards: one is to be discarded.
    """
    if len(hand) == 9:
        # A ready hand has two spells, of which the card to discard broke at most one. Wherever they are, there is a
        # spell at one of these four places; most hands have none there, and end the search.
        a, b, c, d, e, f, g, h, i = hand
        if not (COMBINATION[a][b][c] or COMBINATION[c][d][e] or COMBINATION[e][f][g] or COMBINATION[g][h][i]):
            return ()
    return tuple(at for at in range(len(hand)) if waits(hand[:at] + hand[at + 1 :]))


def arrangements(hand: Cards, card: Card) -> Iterator[tuple[int, tuple[Spell, ...]]]:
    """Yield every place at which the card makes the hand win, with the spells into which the hand then falls.

    Rule:    3M-9, 3M-10.
    """
    for start in range(0, len(hand), 3):
        for at in range(start, start + 3):
            spells = spells_of((*hand[:at], card, *hand[at:]))
            if all(map(combination, spells)):
                yield at, spells


def spells_of(cards: Cards) -> tuple[Spell, ...]:
    """Return the cards in threes, from the left."""
    return tuple((cards[i], cards[i + 1], cards[i + 2]) for i in range(0, len(cards), 3))

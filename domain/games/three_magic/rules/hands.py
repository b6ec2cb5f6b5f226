"""Hands of cards in their order: what they wait for, and how they win."""

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
    """The faces that make the hand win when inserted somewhere, a bit each; 0 is a hand that is not ready.

    The inserted card belongs to one spell, and leaves two adjacent cards of it where whole spells stand on either
    side: a pair and two spells, in one of three orders. Pledged spells need no look: the hand is shorter by them.

    Rule:    3M-9.
    Shape:   `hand` has 8, 5 or 2 cards: without the winning one.
    """
    if len(hand) == 8:
        a, b, c, d, e, f, g, h = hand
        found = 0
        if COMBINATION[f][g][h]:
            if COMBINATION[c][d][e]:
                found = COMPLETING[a][b]
            if COMBINATION[a][b][c]:
                found |= COMPLETING[d][e]
        if COMBINATION[d][e][f] and COMBINATION[a][b][c]:
            found |= COMPLETING[g][h]
        return found
    if len(hand) == 5:
        a, b, c, d, e = hand
        found = 0
        if COMBINATION[c][d][e]:
            found = COMPLETING[a][b]
        if COMBINATION[a][b][c]:
            found |= COMPLETING[d][e]
        return found
    a, b = hand
    return COMPLETING[a][b]


def is_won_with(hand: Cards, card: Card) -> bool:
    """Whether the card, inserted somewhere, makes the hand win. Rule: 3M-9."""
    return waits(hand) >> (card // 2) & 1 == 1


def ready_without(hand: Cards) -> tuple[int, ...]:
    """The positions in a hand whose card leaves a ready hand behind when it is taken out.

    Rule:    3M-9, 3M-19.
    Shape:   `hand` has 9, 6 or 3 cards: one is to be discarded.
    """
    if len(hand) == 9:
        # Of the two spells of a ready hand one stood unbroken around the card, and where one can stand, one of these
        # does: most hands end the search here.
        a, b, c, d, e, f, g, h, i = hand
        if not (COMBINATION[a][b][c] or COMBINATION[c][d][e] or COMBINATION[e][f][g] or COMBINATION[g][h][i]):
            return ()
    return tuple(at for at in range(len(hand)) if waits(hand[:at] + hand[at + 1 :]))


def arrangements(hand: Cards, card: Card) -> Iterator[tuple[int, tuple[Spell, ...]]]:
    """Every place at which the card makes the hand win, with the spells that the hand then falls into.

    Rule:    3M-9, 3M-10.
    """
    for start in range(0, len(hand), 3):
        for at in range(start, start + 3):
            spells = spells_of((*hand[:at], card, *hand[at:]))
            if all(map(combination, spells)):
                yield at, spells


def spells_of(cards: Cards) -> tuple[Spell, ...]:
    """The cards in threes, from the left."""
    return tuple((cards[i], cards[i + 1], cards[i + 2]) for i in range(0, len(cards), 3))

"""What a hand allows, against trying every formula. Rules MG-7, MG-9 to MG-11, MG-15."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.magicative.components import (
    AT,
    AWAKENING,
    FORMS,
    INNOCENT,
    KINDS,
    SCHOOLS,
    Card,
    Cards,
    School,
    card_of,
    cards_of,
    pile_of,
    size,
)
from domain.games.magicative.moves import Awaken, Declare, Discard, Fix, Give, Imitate, Put
from domain.games.magicative.pack import MOST_COPIES
from domain.games.magicative.rules import holding

WHOLE = (*(kind for kind in KINDS if kind for _ in range(MOST_COPIES)), *(INNOCENT,) * 15)
hands = st.lists(st.sampled_from(range(len(WHOLE))), max_size=16, unique=True).map(
    lambda places: tuple(WHOLE[place] for place in sorted(places))
)
every_hand = settings(max_examples=150, deadline=None, derandomize=True)


def lacks(hand: Cards, cards: tuple[Card, ...]) -> int:
    """How many of these cards the hand does not hold."""
    return (Counter(cards) - Counter(hand)).total()


def ways(hand: Cards, school: School, innocents: int) -> set[Fix]:
    """The formulas of a school with so many innocents: for every form, every choice of the cards declared."""
    return {
        Fix(school, form, tuple(declared))
        for form in FORMS
        for declared in combinations(form, innocents)
        if not lacks(hand, tuple(card_of(school, n) for n in (Counter(form) - Counter(declared)).elements()))
    }


def with_innocents(hand: Cards, school: School, at_hand: int) -> set[Fix]:
    return {way for innocents in (1, 2) if innocents <= at_hand for way in ways(hand, school, innocents)}


def declared(hand: Cards, at_hand: int) -> tuple[Declare, ...]:
    return tuple(Declare(school) for school in SCHOOLS if with_innocents(hand, school, at_hand))


def without(hand: Cards, card: Card) -> Cards:
    left = list(hand)
    left.remove(card)
    return tuple(left)


@every_hand
@given(hands)
def test_mg_9_mg_11_a_hand_makes_what_it_holds_the_cards_of(hand: Cards) -> None:
    moves, discards = holding.makes_and_discards(pile_of(hand))
    innocents = hand.count(INNOCENT)
    fixes = {way for school in SCHOOLS for way in ways(hand, school, 0)}
    awakenings = {Awaken(card) for card in set(hand) - {INNOCENT} if hand.count(card) >= AWAKENING}
    assert len(moves) == len(set(moves))
    assert set(moves) == fixes | awakenings | set(declared(hand, innocents))
    kinds = (*sorted(set(hand) - {INNOCENT}), *(INNOCENT,) * (innocents > 0))
    assert discards == tuple(map(Discard, kinds))
    assert holding.gives(pile_of(hand)) == tuple(map(Give, kinds))
    assert holding.puts(pile_of(hand)) == tuple(map(Put, kinds))
    assert cards_of(pile_of(hand)) == tuple(sorted(hand))
    assert size(pile_of(hand)) == len(hand)


@every_hand
@given(hands, st.integers(0, 3))
def test_mg_10_a_hand_makes_formulas_with_innocents_wherever_they_fit(hand: Cards, at_hand: int) -> None:
    pile = pile_of(hand)
    assert holding.declares(pile, at_hand) == declared(hand, at_hand)
    if at_hand:
        for school in SCHOOLS:
            told = holding.with_innocents(pile, AT[school], at_hand)
            assert len(told) == len(set(told))
            assert set(told) == with_innocents(hand, school, at_hand)


@every_hand
@given(hands)
def test_mg_15_a_card_may_count_as_innocent_where_the_others_make_a_formula_with_it(hand: Cards) -> None:
    innocents = hand.count(INNOCENT) + 1
    cards = [card for card in sorted(set(hand) - {INNOCENT}) if declared(without(hand, card), innocents)]
    assert holding.imitations(pile_of(hand)) == tuple(map(Imitate, cards))
    assert holding.may_imitate(pile_of(hand), len(hand)) is bool(cards)
    assert not holding.imitates(pile_of(hand), INNOCENT)


@every_hand
@given(hands, st.lists(st.sampled_from(KINDS), max_size=3).map(tuple))
def test_mg_9_a_formula_is_covered_by_a_hand_that_holds_its_cards(hand: Cards, wanted: Cards) -> None:
    assert holding.covers(pile_of(hand), pile_of(wanted)) is (lacks(hand, wanted) == 0)

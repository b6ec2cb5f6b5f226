"""The cards and what three of them spell."""

from __future__ import annotations

from collections import Counter
from itertools import product

from domain.games.three_magic.components import (
    ATTRIBUTES,
    DECK,
    KINDS,
    PARTNERED,
    WEAK_TO,
    attribute_of,
    combination,
    face_of,
    has_star,
    insertions,
    mana,
    named_by,
    number_of,
)
from tests.games.three_magic.table import FIRE, WATER, WOOD, card, cards

ASCENDING = ((0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 0))


def is_spell_by_the_book(three: tuple[int, int, int]) -> bool:
    """3M-8 word for word."""
    numbers = tuple(map(number_of, three))
    runs = {*ASCENDING, *(run[::-1] for run in ASCENDING)}
    return len(set(map(attribute_of, three))) == 1 and (len(set(numbers)) == 1 or numbers in runs)


def test_3m_1_there_are_sixty_cards_and_three_of_four_copies_bear_a_star_but_no_zero() -> None:
    assert len(DECK) == 60
    for attribute, number in product(ATTRIBUTES, range(5)):
        copies = [card for card in DECK if (attribute_of(card), number_of(card)) == (attribute, number)]
        assert Counter(map(has_star, copies)) == (Counter({False: 4}) if number == 0 else Counter({True: 3, False: 1}))


def test_3m_1_a_card_is_its_attribute_number_and_star() -> None:
    for kind in set(DECK):
        assert mana(attribute_of(kind), number_of(kind), has_star(kind)) == kind
    assert face_of(card("火3")) == face_of(card("火3*"))


def test_3m_2_fire_is_weak_to_water_water_to_wood_wood_to_fire() -> None:
    assert WEAK_TO == {FIRE: WATER, WATER: WOOD, WOOD: FIRE}


def test_3m_8_spells_are_those_of_the_rule_and_no_others() -> None:
    kinds = sorted(set(DECK))
    for three in product(kinds, kinds, kinds):
        assert bool(combination(three)) == is_spell_by_the_book(three)


def test_3m_8_zero_stands_at_an_end_only() -> None:
    for names in ("火0 火1* 火2", "水0 水4 水3", "木3 木4 木0", "木2 木1* 木0", "火0 火0 火0"):
        a, b, c = cards(names)
        assert combination((a, b, c))
    for names in ("火4 火0 火1", "火1 火0 火4", "水1 水3 水2", "木1 木2 水3", "火3 木3 水3"):
        a, b, c = cards(names)
        assert not combination((a, b, c))


def test_3m_8_the_same_set_in_another_direction_is_another_combination() -> None:
    a, b, c = cards("火3 火4 火0")
    assert 0 != combination((a, b, c)) != combination((c, b, a)) != 0


def test_3m_13_two_held_cards_are_partners_of_a_third_when_some_order_of_them_spells_with_it() -> None:
    for number in range(5):
        third = mana(FIRE, number)
        for first, second in product(range(5), repeat=2):
            spells = insertions(mana(FIRE, first), mana(FIRE, second), third)
            assert PARTNERED[number][5**first + 5**second] == bool(spells)
            assert PARTNERED[number][5**first] == 0


def test_3m_26_an_indicator_names_the_next_number_and_zero_after_four() -> None:
    named = {indicator: named_by(card(indicator)) for indicator in ("火0", "火2*", "木3", "水4*")}
    assert named == {
        "火0": face_of(card("火1")),
        "火2*": face_of(card("火3")),
        "木3": face_of(card("木4")),
        "水4*": face_of(card("水0")),
    }
    assert all(0 <= named_by(kind) < KINDS // 2 for kind in DECK)

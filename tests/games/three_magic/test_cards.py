"""Packs, cards, what three of them spell, and hands. Rules 3M-1, 3M-2, 3M-8 to 3M-10, 3M-26."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from domain.game import PackError
from domain.games.three_magic import GAME
from domain.games.three_magic.components import (
    ATTRIBUTES,
    DECK,
    KINDS,
    PARTNERED,
    WEAK_TO,
    Card,
    Cards,
    attribute_of,
    combination,
    face_of,
    has_star,
    insertions,
    mana,
    named_by,
    number_of,
)
from domain.games.three_magic.events import OdPaid
from domain.games.three_magic.moves import Tsumo
from domain.games.three_magic.pack import Pack
from domain.games.three_magic.rules.claims import arrangements, is_won_with, ready_without, waits
from tests.games.three_magic.table import FIRE, HOUSE, NOTHING_A, WATER, WOOD, card, cards, given
from tests.rows import each

TEXT = HOUSE.decode()


def read(text: str) -> Pack:
    pack = GAME.parse_pack(text.encode(), "mine.toml")
    assert isinstance(pack, Pack)
    return pack


def test_3m_8_the_same_set_in_another_direction_is_another_combination() -> None:
    a, b, c = cards("火3 火4 火0")
    assert 0 != combination((a, b, c)) != combination((c, b, a)) != 0


def test_3m_29_a_pack_is_what_is_scored_by() -> None:
    pack = read(TEXT.replace("one_direction = [40, 120]", "one_direction = [44, 120]"))
    hands = ("火1 火2* 火3* 火1* 火2 火3* 水4 水4*", NOTHING_A, "木2 木3* 木0 木1 水3* 水2* 木4* 水1*")
    play = given(*hands, wall="水4*", pack=pack).move(0, Tsumo())
    assert play.of(OdPaid) == (OdPaid(1, 0, 37), OdPaid(2, 0, 37))


def test_3m_29_what_is_wrong_with_a_pack_is_named() -> None:
    for printed, wrong, entry, field, message in each(
        [
            ('name = "house"', "", "", "name", "missing"),
            ('name = "house"', 'name = ""', "", "name", "length >= 1"),
            ('name = "house"', "name = 3", "", "name", "got `int`"),
            ('name = "house"', 'name = "house"\ncolour = 1', "", "colour", "unknown"),
            ('name = "house"', 'name = "house', "", "toml", "line"),
            ("[prices]", "[costs]", "", "costs", "unknown"),
            ("reach = 10", "", "prices", "reach", "missing"),
            ("reach = 10", "reach = 10\nrich = 1", "prices", "rich", "unknown"),
            ("reach = 10", "reach = -1", "prices", "reach", ">= 0"),
            ("reach = 10", "reach = 100001", "prices", "reach", "<= 100000"),
            ("reach = 10", "reach = 10.0", "prices", "reach", "got `float`"),
            ("reach = 10", "reach = true", "prices", "reach", "got `bool`"),
            ("reach = 10", "reach = [10]", "prices", "reach", "got `array`"),
            ("pledge_own = [10, 30]", "pledge_own = [10]", "prices", "pledge_own", "length 2"),
            ("pledge_own = [10, 30]", "pledge_own = 10", "prices", "pledge_own", "`array`"),
            ("pledge_own = [10, 30]", 'pledge_own = [10, "x"]', "prices.pledge_own", "1", "got `str`"),
            ("attribute = [10, 30, 90]", "attribute = [10, 30]", "scores", "attribute", "length 3"),
            ("attribute = [10, 30, 90]", "attribute = [10, 31, 90]", "scores.attribute", "1", "a multiple of 2"),
            ("catalyst = 10", "catalyst = 5", "scores", "catalyst", "a multiple of 2"),
        ]
    ):
        assert printed in TEXT
        with pytest.raises(PackError) as error:
            read(TEXT.replace(printed, wrong))
        assert (error.value.file, error.value.entry, error.value.field) == ("mine.toml", entry, field)
        assert message in str(error.value)


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


def test_3m_13_two_held_cards_are_partners_of_a_third_when_some_order_of_them_spells_with_it() -> None:
    for number in range(5):
        third = mana(FIRE, number)
        for first, second in product(range(5), repeat=2):
            spells = insertions(mana(FIRE, first), mana(FIRE, second), third)
            assert PARTNERED[number][5**first + 5**second] == bool(spells)
            assert PARTNERED[number][5**first] == 0


def test_3m_26_an_indicator_names_the_next_number_and_zero_after_four() -> None:
    for indicator, named in each([("火0", "火1"), ("火2*", "火3"), ("木3", "木4"), ("水4*", "水0")]):
        assert named_by(card(indicator)) == face_of(card(named))
    assert all(0 <= named_by(kind) < KINDS // 2 for kind in DECK)


SORTS = sorted(set(DECK))


@cache
def spells() -> list[tuple[Card, Card, Card]]:
    """Every three cards that are a spell, in their order."""
    return [(a, b, c) for a in SORTS for b in SORTS for c in SORTS if is_spell_by_the_book((a, b, c))]


def is_won(nine: Cards) -> bool:
    """3M-9 word for word, for what is left of nine cards after pledges."""
    return all(is_spell_by_the_book((nine[i], nine[i + 1], nine[i + 2])) for i in range(0, len(nine), 3))


def winning_places(hand: Cards, one: Card) -> list[int]:
    return [at for at in range(len(hand) + 1) if is_won((*hand[:at], one, *hand[at:]))]


@st.composite
def hands(draw: st.DrawFn) -> Cards:
    """Hands near to winning: spells less a card, perhaps with a card exchanged."""
    count = draw(st.integers(1, 3))
    nine = [card for _ in range(count) for card in draw(st.sampled_from(spells()))]
    del nine[draw(st.integers(0, len(nine) - 1))]
    if draw(st.booleans()):
        nine[draw(st.integers(0, len(nine) - 1))] = draw(st.sampled_from(SORTS))
    return tuple(nine)


@settings(max_examples=150, deadline=None)
@hypothesis.given(hands())
def test_3m_9_waits_are_the_cards_that_win_somewhere(hand: Cards) -> None:
    found = {face for face in range(15) if waits(hand) >> face & 1}
    assert found == {face_of(one) for one in SORTS if winning_places(hand, one)}


@settings(max_examples=60, deadline=None)
@hypothesis.given(hands(), st.sampled_from(SORTS))
def test_3m_10_arrangements_are_all_winning_places(hand: Cards, one: Card) -> None:
    found = list(arrangements(hand, one))
    assert sorted(at for at, _ in found) == winning_places(hand, one)
    assert is_won_with(hand, one) == bool(found)
    for at, spells in found:
        assert sum(spells, ()) == (*hand[:at], one, *hand[at:])


@settings(max_examples=150, deadline=None)
@hypothesis.given(hands(), st.integers(0, 8), st.sampled_from(SORTS))
def test_3m_19_the_discards_that_leave_a_ready_hand_are_found(hand: Cards, at: int, one: Card) -> None:
    held = (*hand[:at], one, *hand[at:])
    plain = [i for i in range(len(held)) if any(winning_places(held[:i] + held[i + 1 :], kind) for kind in SORTS)]
    assert list(ready_without(held)) == plain


def test_3m_9_a_hand_may_wait_for_a_card_of_which_no_copy_is_left() -> None:
    hand = cards("火0 火0 火0 水4 水4* 水4* 火0 火1")
    assert waits(hand) >> face_of(card("火2")) & 1
    hand = cards("水0 水0 木0 木0 木0 火0 火0 火0")
    assert Counter(hand)[card("水0")] == 2
    assert waits(hand) == 1 << face_of(card("水0"))

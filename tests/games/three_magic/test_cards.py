"""Packs, cards, what three of them spell, hands, and what a win scores. Rules 3M-1 to 3M-10, 3M-23 to 3M-26."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import hypothesis
from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.games.three_magic import GAME
from domain.games.three_magic.components import (
    ATTRIBUTES,
    DECK,
    KINDS,
    PARTNERED,
    WEAK_TO,
    Attribute,
    Card,
    Cards,
    Line,
    Spell,
    attribute_of,
    combination,
    face_of,
    has_star,
    insertions,
    mana,
    named_by,
    number_of,
)
from domain.games.three_magic.events import Measured, OdPaid, TsumoDeclared
from domain.games.three_magic.moves import Ron, Tsumo
from domain.games.three_magic.rules.claims import arrangements, is_won_with, ready_without, waits
from domain.games.three_magic.rules.scoring import Measure, measure
from tests.games.three_magic.table import FIRE, HOUSE, NOTHING_A, NOTHING_B, PACK, WATER, WOOD, card, cards, given
from tests.rows import each


def test_3m_8_the_same_set_in_another_direction_is_another_combination() -> None:
    a, b, c = cards("火3 火4 火0")
    assert 0 != combination((a, b, c)) != combination((c, b, a)) != 0


def test_3m_29_a_pack_is_what_is_scored_by() -> None:
    pack = GAME.parse_pack(HOUSE.replace(b"one_direction = [40, 120]", b"one_direction = [44, 120]"), "mine.toml")
    hands = ("火1 火2* 火3* 火1* 火2 火3* 水4 水4*", NOTHING_A, "木2 木3* 木0 木1 水3* 水2* 木4* 水1*")
    play = given(*hands, wall="水4*", pack=pack).move(0, Tsumo())
    assert play.of(OdPaid) == (OdPaid(1, 0, 37), OdPaid(2, 0, 37))


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
    for indicator, named in each(("火0", "火1"), ("火2*", "火3"), ("木3", "木4"), ("水4*", "水0")):
        assert named_by(card(indicator)) == face_of(card(named))
    assert all(0 <= named_by(kind) < KINDS // 2 for kind in DECK)


SORTS = sorted(set(DECK))


@cache
def every_spell() -> list[tuple[Card, Card, Card]]:
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
    nine = [card for _ in range(count) for card in draw(st.sampled_from(every_spell()))]
    del nine[draw(st.integers(0, len(nine) - 1))]
    if draw(st.booleans()):
        nine[draw(st.integers(0, len(nine) - 1))] = draw(st.sampled_from(SORTS))
    return tuple(nine)


@settings(max_examples=150)
@hypothesis.given(hands())
def test_3m_9_waits_are_the_cards_that_win_somewhere(hand: Cards) -> None:
    found = {face for face in range(15) if waits(hand) >> face & 1}
    assert found == {face_of(one) for one in SORTS if winning_places(hand, one)}


@settings(max_examples=60)
@hypothesis.given(hands(), st.sampled_from(SORTS))
def test_3m_10_arrangements_are_all_winning_places(hand: Cards, one: Card) -> None:
    found = list(arrangements(hand, one))
    assert sorted(at for at, _ in found) == winning_places(hand, one)
    assert is_won_with(hand, one) == bool(found)
    for at, spells in found:
        assert sum(spells, ()) == (*hand[:at], one, *hand[at:])


@settings(max_examples=150)
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


NOTHING_C = "木2* 水0 木0 水4* 火2* 水1* 火4* 水3*"


def spells(*names: str) -> tuple[Spell, ...]:
    return tuple((a, b, c) for a, b, c in map(cards, names))


def score(*names: str, counted: Attribute = FIRE, catalysts: str = "") -> Measure:
    return measure(PACK.scores, spells(*names), counted, tuple(map(face_of, cards(catalysts))))


def test_3m_23_spells_of_the_attribute_that_counts_score_10_30_90() -> None:
    for three, counted, od in each(
        (("木0 木0 木0", "水1 水2 水3", "木2 木3 木4"), FIRE, 0),
        (("木0 木0 木0", "水1 水2 水3", "木2 木3 木4"), WATER, 10),
        (("木0 木0 木0", "水1 水2 水3", "木2 木3 木4"), WOOD, 30),
        (("火0 火0 火0", "火1 火2 火3", "火4 火3 火2"), FIRE, 90),
    ):
        assert score(*three, counted=counted).attribute == od


def test_3m_23_a_tsumo_counts_ones_own_attribute() -> None:
    play = given("木1 木1* 木1* 火1 火2 火3 木2 木3", NOTHING_A, NOTHING_B, wall="木4", indicators="水0").move(
        0, Tsumo()
    )
    measured = play.one(Measured)
    assert (measured.counted, measured.attribute) == (FIRE, 10)


def test_3m_23_a_ron_counts_the_attribute_that_the_discarder_is_weak_to() -> None:
    hands = (
        "木0 木0 木0 火1 火2 火3 火0 火0",
        "水0 水0 水1* 水1* 水3* 木3* 水4* 水2*",
        "水0 木1 水0 水3* 水1* 火4* 水4* 木2*",
    )
    for discarder, wall, weak_to, attribute in each((1, "木4* 火0", FIRE, 30), (2, "木4* 水2* 火0", WOOD, 10)):
        play = given(*hands, wall=wall)
        for seat in range(discarder):
            play.insert_and_discard(seat).pass_all()
        measured = play.insert_and_discard(discarder).answer({0: Ron()}).one(Measured)
        assert (measured.counted, measured.attribute) == (weak_to, attribute)


def test_3m_23_pledged_spells_count() -> None:
    play = given("火0 火0 火0 木1 木1* 木1* 木2 木3", NOTHING_C, NOTHING_B, wall="木4*", indicators="水0")
    play.with_place(0, hand=cards("木1 木1* 木1* 木2 木3"), pledges=spells("火0 火0 火0")).move(0, Tsumo())
    measured = play.one(Measured)
    assert measured.attribute == 10
    assert measured.spells == spells("木1 木1* 木1*", "木2 木3 木4*", "火0 火0 火0")


def test_3m_24_spells_that_are_the_same_combination_score_whatever_their_attributes_the_best_line_only() -> None:
    for three, line, od in each(
        (("火4 火4 火4", "水4 水4 水4", "木0 木1 木2"), (Line.EQUAL,), 60),
        (("火4 火4 火4", "水4 水4 水4", "木4 木4 木4"), (Line.EQUAL,), 180),
        (("火1 火2 火3", "水1 水2 水3", "木0 木0 木0"), (Line.ONE_DIRECTION,), 40),
        (("火3 火2 火1", "水3 水2 水1", "水3 水2 水1"), (Line.ONE_DIRECTION,), 120),
        (("火1 火2 火3", "水3 水2 水1", "木0 木0 木0"), (Line.MIXED,), 20),
        (("火3 火4 火0", "水0 水4 水3", "木3 木4 木0"), (Line.MIXED,), 60),
        (("火1 火2 火3", "水1 水2 水3", "木3 木2 木1"), (Line.MIXED,), 60),  # two of one direction are worth 40
        (("火1 火2 火3", "水2 水3 水4", "木1 木1 木1"), (), 0),
    ):
        measured = score(*three)
        assert (measured.number, measured.line) == (od, line)
        assert score(*reversed(three)).number == od


def test_3m_24_a_pack_may_score_a_sequence_in_either_direction_above_one_that_goes_in_one() -> None:
    scores = replace(PACK.scores, mixed=(50, 150))
    for three, line, od in each(
        (("火1 火2 火3", "水1 水2 水3", "木0 木0 木0"), Line.MIXED, 50),
        (("火3 火2 火1", "水3 水2 水1", "水3 水2 水1"), Line.MIXED, 150),
        (("火4 火4 火4", "水4 水4 水4", "木0 木1 木2"), Line.EQUAL, 60),
    ):
        measured = measure(scores, spells(*three), FIRE, ())
        assert (measured.number, measured.line) == (od, (line,))


def test_3m_25_spells_all_of_whose_cards_bear_stars_score_10_30_90() -> None:
    for three, od in each(
        (("火1* 火2* 火3", "水2* 水3 水4*", "木1 木1* 木1*"), 0),
        (("火1* 火2* 火3*", "水2* 水3 水4*", "木1 木1* 木1*"), 10),
        (("火1* 火2* 火3*", "水2* 水3* 水4*", "木1 木1* 木1*"), 30),
        (("火1* 火2* 火3*", "水2* 水3* 水4*", "木1* 木1* 木1*"), 90),
        (("火1* 火2* 火0", "水0 水0 水0", "木0 木1* 木2*"), 0),
    ):
        assert score(*three).star == od


def test_3m_26_each_catalyst_scores_ten_for_each_indicator_naming_it_from_a_sum_of_ten() -> None:
    three = ("火3 火3* 火3*", "水1 水2 水3", "木1 木2 木3")
    for named, od in each(("火3", 30), ("火3 火3 火3", 90), ("火3 木1 木4", 40)):
        assert score(*three, catalysts=named).catalyst == od
    three = ("木0 木0 木0", "水1 水2* 水3*", "木2 木3* 木4*")
    measured = score(*three, catalysts="木0")
    assert (measured.base, measured.catalyst, measured.total) == (0, 0, 0)
    for least, counted, od in each((12, WATER, 0), (10, WATER, 30), (0, FIRE, 0)):
        scores = replace(PACK.scores, catalyst_from=least)
        assert measure(scores, spells(*three), counted, (face_of(card("木0")),)).catalyst == od


def test_3m_10_the_winning_card_goes_where_the_score_is_highest_and_of_equal_places_leftmost() -> None:
    # With the fire 0 in front the hand reads 0 1 2, 3 2 1; with it behind 1 2 3, 2 1 0.
    others = (NOTHING_A, "木2 木3* 木0 木1 水3* 水2* 木4* 水1*")
    for hand, other, drawn, indicator, at, number in each(
        ("火1 火2 火3 火2* 火1* 水3 水2 水1", others, "火0", "木4", 0, 40),
        ("火1 火2 火3 火2* 火1* 水2 水1 水0", others, "火0", "木4", 5, 40),
        ("水0 水1 水2 火3 火3* 木3 木4* 木0", (NOTHING_A, NOTHING_B), "火3*", "水0", 3, 0),
    ):
        play = given(hand, *other, wall=drawn, indicators=indicator).move(0, Tsumo())
        assert (play.one(TsumoDeclared).at, play.one(Measured).number) == (at, number)


def test_3m_24_worked_example_ron_from_the_wood_player() -> None:
    play = given(
        "火0 水0 火3* 水3* 木4* 水2* 火1* 水1*",
        "水0 火3* 木3* 水3* 木4* 火2* 水1* 木0",
        "火4 火4* 火4* 水4 水4* 水4* 木0 木1",
        wall="木3 木2",
        indicators="木1*",
    )
    play.insert_and_discard(0).pass_all().insert_and_discard(1).answer({2: Ron()})
    measured = play.one(Measured)
    assert (measured.counted, measured.attribute, measured.number, measured.total) == (FIRE, 10, 60, 80)
    assert measured.catalyst == 10  # the indicator wood 1 names the wood 2

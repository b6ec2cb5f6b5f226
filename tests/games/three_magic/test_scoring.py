"""What a win scores."""

from __future__ import annotations

from msgspec.structs import replace

from domain.games.three_magic.components import Attribute, Line, Spell, face_of
from domain.games.three_magic.events import Measured, TsumoDeclared
from domain.games.three_magic.moves import Ron, Tsumo
from domain.games.three_magic.rules.scoring import Measure, measure
from tests.games.three_magic.table import FIRE, NOTHING_A, NOTHING_B, PACK, WATER, WOOD, card, cards, given
from tests.rows import each

NOTHING_C = "木2* 水0 木0 水4* 火2* 水1* 火4* 水3*"


def spells(*names: str) -> tuple[Spell, ...]:
    return tuple((a, b, c) for a, b, c in map(cards, names))


def score(*names: str, counted: Attribute = FIRE, catalysts: str = "") -> Measure:
    return measure(PACK.scores, spells(*names), counted, tuple(map(face_of, cards(catalysts))))


def test_3m_23_spells_of_the_attribute_that_counts_score_10_30_90() -> None:
    for three, counted, od in each(
        [
            (("木0 木0 木0", "水1 水2 水3", "木2 木3 木4"), FIRE, 0),
            (("木0 木0 木0", "水1 水2 水3", "木2 木3 木4"), WATER, 10),
            (("木0 木0 木0", "水1 水2 水3", "木2 木3 木4"), WOOD, 30),
            (("火0 火0 火0", "火1 火2 火3", "火4 火3 火2"), FIRE, 90),
        ]
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
    for discarder, wall, weak_to, attribute in each([(1, "木4* 火0", FIRE, 30), (2, "木4* 水2* 火0", WOOD, 10)]):
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
        [
            (("火4 火4 火4", "水4 水4 水4", "木0 木1 木2"), (Line.EQUAL,), 60),
            (("火4 火4 火4", "水4 水4 水4", "木4 木4 木4"), (Line.EQUAL,), 180),
            (("火1 火2 火3", "水1 水2 水3", "木0 木0 木0"), (Line.ONE_DIRECTION,), 40),
            (("火3 火2 火1", "水3 水2 水1", "水3 水2 水1"), (Line.ONE_DIRECTION,), 120),
            (("火1 火2 火3", "水3 水2 水1", "木0 木0 木0"), (Line.MIXED,), 20),
            (("火3 火4 火0", "水0 水4 水3", "木3 木4 木0"), (Line.MIXED,), 60),
            (("火1 火2 火3", "水1 水2 水3", "木3 木2 木1"), (Line.MIXED,), 60),  # two of one direction are worth 40
            (("火1 火2 火3", "水2 水3 水4", "木1 木1 木1"), (), 0),
        ]
    ):
        measured = score(*three)
        assert (measured.number, measured.line) == (od, line)
        assert score(*reversed(three)).number == od


def test_3m_25_spells_all_of_whose_cards_bear_stars_score_10_30_90() -> None:
    for three, od in each(
        [
            (("火1* 火2* 火3", "水2* 水3 水4*", "木1 木1* 木1*"), 0),
            (("火1* 火2* 火3*", "水2* 水3 水4*", "木1 木1* 木1*"), 10),
            (("火1* 火2* 火3*", "水2* 水3* 水4*", "木1 木1* 木1*"), 30),
            (("火1* 火2* 火3*", "水2* 水3* 水4*", "木1* 木1* 木1*"), 90),
            (("火1* 火2* 火0", "水0 水0 水0", "木0 木1* 木2*"), 0),
        ]
    ):
        assert score(*three).star == od


def test_3m_26_each_catalyst_scores_ten_for_each_indicator_naming_it_from_a_sum_of_ten() -> None:
    three = ("火3 火3* 火3*", "水1 水2 水3", "木1 木2 木3")
    for named, od in each([("火3", 30), ("火3 火3 火3", 90), ("火3 木1 木4", 40)]):
        assert score(*three, catalysts=named).catalyst == od
    three = ("木0 木0 木0", "水1 水2* 水3*", "木2 木3* 木4*")
    measured = score(*three, catalysts="木0")
    assert (measured.base, measured.catalyst, measured.total) == (0, 0, 0)
    for least, counted, od in each([(12, WATER, 0), (10, WATER, 30), (0, FIRE, 0)]):
        scores = replace(PACK.scores, catalyst_from=least)
        assert measure(scores, spells(*three), counted, (face_of(card("木0")),)).catalyst == od


def test_3m_10_the_winning_card_goes_where_the_score_is_highest_and_of_equal_places_leftmost() -> None:
    # With the fire 0 in front the hand reads 0 1 2, 3 2 1; with it behind 1 2 3, 2 1 0.
    others = (NOTHING_A, "木2 木3* 木0 木1 水3* 水2* 木4* 水1*")
    for hand, other, drawn, indicator, at, number in each(
        [
            ("火1 火2 火3 火2* 火1* 水3 水2 水1", others, "火0", "木4", 0, 40),
            ("火1 火2 火3 火2* 火1* 水2 水1 水0", others, "火0", "木4", 5, 40),
            ("水0 水1 水2 火3 火3* 木3 木4* 木0", (NOTHING_A, NOTHING_B), "火3*", "水0", 3, 0),
        ]
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

"""What a hand allows, against trying every formula; what bots think. Rules MG-7, MG-9 to MG-11, MG-15, MG-17."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.chance import Simulation
from domain.game import Measure
from domain.games.magicative import GAME
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
from domain.games.magicative.events import Awakened, SchoolDeclared, StartDrawn, TurnStarted
from domain.games.magicative.moves import (
    Awaken,
    Declare,
    Discard,
    Draw,
    End,
    Fix,
    Give,
    Imitate,
    Put,
    Swap,
    TakeAptitude,
)
from domain.games.magicative.pack import MOST_COPIES
from domain.games.magicative.rules import holding
from domain.games.magicative.state import Place
from tests.games.magicative.table import ALCHEMY, FATE, MAGIC, card, cards, given, won

WHOLE = (*(kind for kind in KINDS if kind for _ in range(MOST_COPIES)), *(INNOCENT,) * 15)
hands = st.lists(st.sampled_from(range(len(WHOLE))), max_size=16, unique=True).map(
    lambda places: tuple(WHOLE[place] for place in sorted(places))
)
every_hand = settings(max_examples=150, deadline=None, derandomize=True)


def lacks(hand: Cards, cards: tuple[Card, ...]) -> int:
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
@hypothesis.given(hands)
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
@hypothesis.given(hands, st.integers(0, 3))
def test_mg_10_a_hand_makes_formulas_with_innocents_wherever_they_fit(hand: Cards, at_hand: int) -> None:
    pile = pile_of(hand)
    assert holding.declares(pile, at_hand) == declared(hand, at_hand)
    if at_hand:
        for school in SCHOOLS:
            told = holding.with_innocents(pile, AT[school], at_hand)
            assert len(told) == len(set(told))
            assert set(told) == with_innocents(hand, school, at_hand)


@every_hand
@hypothesis.given(hands)
def test_mg_15_a_card_may_count_as_innocent_where_the_others_make_a_formula_with_it(hand: Cards) -> None:
    innocents = hand.count(INNOCENT) + 1
    cards = [card for card in sorted(set(hand) - {INNOCENT}) if declared(without(hand, card), innocents)]
    assert holding.imitations(pile_of(hand)) == tuple(map(Imitate, cards))
    assert holding.may_imitate(pile_of(hand), len(hand)) is bool(cards)
    assert not holding.imitates(pile_of(hand), INNOCENT)


def test_mg_10_who_announced_a_formula_is_dealt_its_cards_before_others() -> None:
    play = given("S1 S2 S3 S4", "M2 M3 X").watched().move(0, Discard(card("S4"))).move(1, Draw())
    everything = cards("A1 A1 A1 A1 A1 A1 A2 A2 A2 A2 A2 A2 A3 A3 A3 A3 A3 A3 X X X X X")
    play.table = GAME.evolve(play.table, SchoolDeclared(1, MAGIC))
    seen = GAME.evolve(play.seen[None], SchoolDeclared(1, MAGIC))
    row = Place(row=everything)
    seen = replace(seen, places=(replace(seen.places[0], row=(*seen.places[0].row, *row.row)), seen.places[1]))
    seen = replace(seen, deck=seen.deck[len(everything) :])
    for seed in range(150):
        other = GAME.imagine(seen, None, Simulation(seed))
        assert GAME.legal(other, 1)


def test_mg_15_what_cannot_lie_anywhere_can_not_be_imagined() -> None:
    play = given("M2 M3 X", "A1").watched().move(0, Declare(MAGIC))
    hand = replace(play.seen[1].places[0].hand, hidden=0)
    places = (replace(play.seen[1].places[0], hand=hand), *play.seen[1].places[1:])
    with pytest.raises(ValueError, match="no hand fits"):
        GAME.imagine(replace(play.seen[1], places=places), 1, Simulation(1))


def test_mg_17_the_end_is_worth_more_than_anything() -> None:
    play = given("A1 A2 A3", "S1", has={0: won(chips=9)})
    before = GAME.evaluate(play.table, 0)
    play.move(0, Fix(ALCHEMY, (1, 2, 3)))
    assert GAME.evaluate(play.table, 0) > before + 100
    assert GAME.evaluate(play.table, 1) < -100
    drawn = given("A1 A2 A3 A4", "M1", left=0).move(0, Fix(ALCHEMY, (1, 2, 3)))
    assert GAME.evaluate(drawn.table, 0) == 0


def test_mg_7_the_clock_draws_and_discards_what_is_missed_least() -> None:
    play = given("A1 A2 A3 M7", "S1", is_start=True)
    assert GAME.default(play.table, 0) == Draw()
    assert GAME.default(given("A1 A2 A3 M7", "S1").table, 0) == Discard(card("M7"))
    assert GAME.default(given("", "S1").table, 0) == End()
    play = given("A2 A2 A2 A2 M1", "M2").move(0, GAME.legal(given("A2 A2 A2 A2 M1", "M2").table, 0)[1])
    assert GAME.default(play.table, 0) == TakeAptitude(MAGIC)


def test_mg_15_a_match_is_counted_by_its_specials_artefacts_and_awakenings() -> None:
    has = {0: won("A123", chips=1)}
    play = given("A1 A2 A3 A5 A5 A5 A5 M1 M2 X", "S1 S2 S3", rows=("", "S5"), has=has)
    told: list[Any] = []
    for moves in (
        (Fix(ALCHEMY, (1, 2, 3)),),
        (Swap(1), Give(card("A5"))),
        (Declare(MAGIC), Fix(MAGIC, (1, 2, 3), (3,))),
        (FATE,),
    ):
        for move in moves:
            play.move(0, move)
            told += play.told
    told = [StartDrawn(1), TurnStarted(1), *told, Awakened(1, card("A5"))]
    uses = (("awakening", (1,)), ("equal-runs 2", (0,)), ("fate", (0,)))
    assert GAME.measure(told) == Measure(rounds=1, uses=uses, first=1)

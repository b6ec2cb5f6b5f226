"""Imagined tables, which could be; what the clock plays; how positions look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from domain.chance import Simulation
from domain.games.three_magic import GAME, events
from domain.games.three_magic.bot.evaluate import WEIGHTS, worth_of_spells
from domain.games.three_magic.bot.imagine import imagine
from domain.games.three_magic.components import DECK, Call, Card, Options
from domain.games.three_magic.evolve import evolve
from domain.games.three_magic.moves import Discard, DiscardDrawn, Insert, Pass, Pledge, Tsumo
from domain.games.three_magic.rules.claims import may_claim, waits
from domain.games.three_magic.state import Table
from domain.secrecy import known
from tests.games.three_magic.laws import conserved
from tests.games.three_magic.table import (
    CHI_OR_RON,
    FIRE,
    NOTHING,
    NOTHING_A,
    NOTHING_B,
    PACK,
    cards,
    given,
    manager_wins,
    seen_by,
    water_2_is_claimed,
)
from tests.laws.table import Step, play_match
from tests.rows import each

READY = "火1 火2 火3 木1 木2 木3 水1 水3"


def test_3m_19_hands_in_reach_are_imagined_ready() -> None:
    play = given(NOTHING_A, READY, NOTHING_B, wall="水4* 火0")
    play.insert_and_discard(0).pass_all()
    play.with_place(1, in_reach=True).with_place(2, in_reach=True)
    seen = seen_by(0, play.table)
    seen = replace(seen, deal=replace(seen.deal, drawn=(None,)))
    for seed in range(20):
        table = imagine(seen, 0, Simulation(seed))
        assert waits(known(table.deal.places[1].hand))
        assert waits(known(table.deal.places[2].hand))
        conserved(table)


def test_3m_19_after_a_win_in_reach_the_table_is_imagined_as_it_lies() -> None:
    play = given(READY, NOTHING_A, NOTHING_B, wall="水2* 木4*").with_place(0, in_reach=True)
    play = play.with_table(number=24, lap=2, manager=0).move(0, Tsumo())
    assert GAME.standing(play.table).over
    seen = seen_by(0, play.table)
    assert GAME.view(imagine(seen, 0, Simulation(1)), 0) == GAME.view(seen, 0)


def test_3m_12_somebody_could_claim_even_where_only_ron_or_only_pon_is_possible() -> None:
    for od, reach in each(*product([(270, 270, 270), (270, 0, 0)], [(), (1,), (1, 2)])):
        play = water_2_is_claimed().with_table(od=od)
        for seat in reach:
            play.with_place(seat, in_reach=True)
        for seed in range(6):
            table = imagine(seen_by(0, play.table), 0, Simulation(seed))
            assert True in table.deal.asked
            for seat in (1, 2):
                assert table.deal.asked[seat] == bool(len(GAME.legal(table, seat)) > 1)
            for seat in reach:
                assert waits(known(table.deal.places[seat].hand))
    for seed in range(12):
        table = imagine(seen_by(1, water_2_is_claimed(next_hand=NOTHING_A).table), 1, Simulation(seed))
        assert table.deal.asked == (False, False, True)
        assert len(GAME.legal(table, 2)) > 1
        conserved(table)


def test_3m_15_a_claimer_who_has_pledged_is_imagined_with_the_cards_left() -> None:
    spell = cards("木4* 木4* 木4*")
    play = given(NOTHING, NOTHING_A, NOTHING_B, wall="水2*").with_table(od=(270, 0, 0))
    play.with_place(1, pledges=(spell, spell), hand=cards("水1 水3")).insert_and_discard(0)
    assert GAME.to_act(play.table) == (1,)
    seen = seen_by(2, play.table)
    wall = replace(seen.deal, wall=(None,) * 20)
    for seed in range(4):
        table = imagine(replace(seen, deal=wall), 2, Simulation(seed))
        assert table.deal.asked == (False, True, False)
        assert len(GAME.legal(table, 1)) == 2


def test_3m_12_where_no_claim_can_be_imagined_the_next_seat_is_asked_all_the_same() -> None:
    deal = water_2_is_claimed(next_hand=NOTHING_A).with_table(od=(270, 0, 0)).table
    # All that is hidden is one hand, none of whose cards goes with a water 2, and it can't be paid for either.
    pool, held = cards("火0 火0 木0 木0 火4* 火4* 木3* 木3*"), cards("水3 水2 水4 火1 火2 火3 木1 木2")
    first, second, third = deal.deal.places
    rest = Counter(DECK) - Counter((*pool, *held, *known(first.hand), first.row[-1].card))
    left = tuple(rest.elements())
    places = (first, replace(second, hand=(None,) * 8), replace(third, hand=held))
    lying = {"unused": left[:6], "wall": left[6:], "indicators": (), "asked": (None, None, False)}
    table = imagine(replace(deal, deal=replace(deal.deal, places=places, **lying)), 2, Simulation(1))
    assert sorted(known(table.deal.places[1].hand)) == sorted(pool)
    assert table.deal.asked == (False, True, False)
    assert GAME.legal(table, 1) == (Pass(),)


def test_before_the_deal_there_is_nothing_to_imagine() -> None:
    table = GAME.initial(Options(), 3, PACK)
    assert imagine(table, None, Simulation(1)) == table
    assert GAME.evaluate(table, 0) == 0


def test_for_an_absent_seat_the_clock_passes_and_discards_what_was_drawn_or_lies_last() -> None:
    play = given(NOTHING_A, NOTHING_B, NOTHING, wall="木4* 木2*")
    assert GAME.default(play.table, 0) == Insert(8)
    for at in (8, 3):
        other = given(NOTHING_A, NOTHING_B, NOTHING, wall="木4*").move(0, Insert(at))
        assert GAME.default(other.table, 0) == Discard(at)
    play = water_2_is_claimed()
    assert GAME.default(play.table, 1) == Pass()
    assert GAME.default(play.answer({1: Pledge(6, 7)}).table, 1) == Discard(5)
    assert GAME.default(manager_wins().with_place(0, in_reach=True).table, 0) == DiscardDrawn()


def test_the_nearest_spells_are_the_best_of_all_ways_to_choose_them() -> None:
    weights = WEIGHTS[FIRE]

    def group(hand: tuple[Card, ...]) -> float:
        return weights.of(hand) if hand[0] // 10 == hand[-1] // 10 else weights.none

    def best(hand: tuple[Card, ...], groups: int, start: int = 0) -> float:
        """Plainly: leave the next card out, or begin a group with it, ending anywhere."""
        if not groups:
            return 0.0
        found = weights.none * groups
        for first in range(start, len(hand)):
            for last in range(first, len(hand)):
                for empty in range(groups):
                    rest = best(hand, groups - 1 - empty, last + 1)
                    found = max(found, weights.none * empty + group(hand[first : last + 1]) + rest)
        return found

    for hand in (NOTHING_A, NOTHING_B, READY, CHI_OR_RON):
        for held in (8, 5, 2):
            own = cards(hand)[:held]
            assert worth_of_spells(own, FIRE) == pytest.approx(best(own, (held + 1) // 3))


def test_a_match_tells_who_used_which_way_to_win() -> None:
    told = GAME.measure(
        (
            events.DealStarted(deal=1, lap=1, manager=0),
            events.ReachDeclared(seat=2, od=10),
            events.DealStarted(deal=2, lap=1, manager=1),
            events.ReachDeclared(seat=1, od=10),
            events.Pledged(2, 1, Call.CHI, 0, 4, (0, 1), 2, (0, 1, 2), 30),
            events.TsumoDeclared(seat=1, card=0, at=0, hand=()),
            events.MatchEnded((0, 0, 0), (1, 1, 1)),
        )
    )
    assert told.rounds == 2
    assert dict(told.uses) == {"reach": (1, 2), "pon": (), "chi": (2,), "tsumo": (1,), "ron": ()}


SELDOM = 0.04
"""How many worlds may contradict what was told, where the search for one that does not has failed."""

DISCARDS = (events.CardDiscarded, events.DrawnDiscarded)


def positions(kind: str, seeds: Sequence[int]) -> Iterator[tuple[Any, list[Any], Step]]:
    """Where somebody chose a move: the true table before the deal, what has happened in it, and the step."""
    for seed in seeds:
        before: Any = None
        told: list[Any] = []
        for step in play_match("three-magic", seed, kind).steps:
            if told and step.seat is not None:
                yield before, told, step
            table = step.table
            for event in (one.event for one in step.told if isinstance(one.event, events.ThreeMagicEvent)):
                if isinstance(event, events.DealStarted):
                    before, told = table, []
                told, table = [*told, event], evolve(table, event)


def pile(told: Sequence[Any], world: Table) -> list[int]:
    """The 60 cards in the order in which they were dealt and drawn, if the world is so."""
    cards: dict[int, Any] = {}
    hands: list[list[int]] = [[], [], []]
    drawn, taken, unused, turned = -1, 0, range(0), 0
    for event in told:
        match event:
            case events.HandDealt(seat=seat, cards=dealt):
                hands[seat] = list(range(taken, taken + len(dealt)))
                taken += len(dealt)
            case events.UnusedSetAside(count=count):
                unused, taken = range(taken, taken + count), taken + count
            case events.IndicatorTurned(card=card):
                cards[unused[turned]] = card
                turned += 1
            case events.CardDrawn():
                drawn, taken = taken, taken + 1
            case events.CardInserted(seat=seat, at=at):
                hands[seat].insert(at, drawn)
            case events.CardDiscarded(seat=seat, at=at, card=card):
                cards[hands[seat].pop(at)] = card
            case events.DrawnDiscarded(card=card):
                cards[drawn] = card
            case events.Pledged(seat=seat, first=first, second=second, pair=pair):
                cards[hands[seat].pop(second)] = pair[1]
                cards[hands[seat].pop(first)] = pair[0]
    deal = world.deal
    for hand, place in zip(hands, deal.places, strict=True):
        cards |= dict(zip(hand, place.hand, strict=True))
    cards |= dict(zip([drawn] if deal.drawn else [], deal.drawn, strict=True))
    cards |= dict(zip(unused[turned:], deal.unused, strict=True))
    cards |= dict(zip(range(taken, 60), deal.wall, strict=True))
    return [cards[at] for at in range(60)]


def filled(told: Sequence[Any], order: Sequence[int]) -> Iterator[Any]:
    """What was told, with the cards of a pile in that order."""
    left = iter(order)
    for event in told:
        match event:
            case events.Shuffled():
                yield events.Shuffled(tuple(order))
            case events.HandDealt(seat=seat, cards=dealt):
                yield events.HandDealt(seat, tuple(next(left) for _ in dealt))
            case events.UnusedSetAside(count=count):
                for _ in range(count):
                    next(left)
                yield event
            case events.CardDrawn(seat=seat):
                yield events.CardDrawn(seat, next(left))
            case _:
                yield event


def contradictions(before: Table, told: Sequence[Any], world: Table) -> list[str]:
    """Play what was told with the cards of the world, and name each discard that claims were opened on and that nobody
    could claim, or the other way round.

    Raises:  ValueError: a card is told that does not lie there.
    """
    table, found = before, []
    for at, event in enumerate(filled(told, pile(told, world))):
        if isinstance(event, DISCARDS):
            could = any(may_claim(table, seat, event.seat, event.card) for seat in range(3) if seat != event.seat)
            after = told[at + 1 : at + 4]  # reach and an indicator may come between
            asked = any(isinstance(one, events.ClaimsOpened) and one.card == event.card for one in after)
            if could != asked:
                found.append(f"{event} was {'' if asked else 'not '}asked about")
        table = evolve(table, event)
    return found


@pytest.mark.parametrize("seeds", [1, pytest.param(3, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_3m_12_what_a_seat_was_told_can_be_so_in_the_worlds_that_it_imagines(kind: str, seeds: int) -> None:
    wrong = looked = 0
    for number, (before, told, step) in enumerate(positions(kind, range(seeds))):
        assert contradictions(before, told, step.table) == []
        if number % 7 == 0:
            for viewer, seen in step.seen.items():
                world = imagine(seen.table, viewer, Simulation(f"{number} {viewer}"))
                looked += 1
                wrong += contradictions(before, told, world) != []
    assert looked > 60 * seeds
    assert wrong <= SELDOM * looked, f"{wrong} of {looked}"

"""Worlds that a seat imagines could be: what it was told is played again with the imagined cards, by the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from domain.chance import Simulation
from domain.games.three_magic import events
from domain.games.three_magic.bot.imagine import imagine
from domain.games.three_magic.evolve import evolve
from domain.games.three_magic.rules.claims import may_claim
from domain.games.three_magic.state import Table
from tests.laws.table import Step, play_match

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

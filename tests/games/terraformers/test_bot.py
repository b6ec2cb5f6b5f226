"""How positions look to bots, and what matches are counted by."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bots.choose import Bot, Greedy, Random
from bots.simulate import play_out
from domain.chance import Simulation
from domain.games.terraformers import GAME
from domain.games.terraformers.components import Options
from domain.games.terraformers.events import CardUsed, SpeciesAcquired, TurnStarted
from tests.games.terraformers.table import PACK, given


@pytest.mark.parametrize("seats", GAME.seats)
def test_greedy_wins_among_random_players(seats: int) -> None:
    wins = 0
    for seed in range(2 * seats):
        at = seed % seats
        bots: list[Bot] = [Greedy() if seat == at else Random() for seat in range(seats)]
        played = play_out(GAME, PACK, Options(), seats, bots, Simulation(seed))
        wins += played.ranking[at] == 1
    assert wins >= 2 * seats - 1


def test_the_end_is_judged_by_places() -> None:
    play = given("Mob", seats=2, marker=1).end_match()
    assert GAME.standing(play.table).points[0] == GAME.standing(play.table).points[1]
    assert GAME.evaluate(play.table, 1) > GAME.evaluate(play.table, 0)


def test_a_match_is_counted_by_its_cards() -> None:
    planet = ("Librarians", "Giants", "Mob", "Zombies", "Ore Vein", "World Expo", "Almsgiving", "Dragon")
    counted = Counter[str]()
    for seed in range(20):
        told: list[Any] = ["not an event of the game"]
        played = play_out(
            GAME,
            PACK,
            Options(planet),
            2,
            [Random()] * 2,
            Simulation(seed),
            watch=lambda *step, to=told: to.extend(step[3]),
        )
        measured = GAME.measure(told)
        assert measured == GAME.measure(played.told)
        assert measured.rounds == 6
        assert measured.first == next(event.seat for event in told if isinstance(event, TurnStarted))
        assert [name for name, _ in measured.uses] == list(planet)
        used = {(event.card.name, event.seat) for event in told if isinstance(event, CardUsed | SpeciesAcquired)}
        assert {(name, seat) for name, seats in measured.uses for seat in seats} == used
        counted.update(name for name, seats in measured.uses if seats)
    assert set(counted) == set(planet)

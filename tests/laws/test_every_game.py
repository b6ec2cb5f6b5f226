"""Every game passes every law, whoever plays and whatever is drawn.

A law is a function over a match that was played, in the modules beside this one; `test_soak.py` runs them for long.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bots.choose import Bot
from bots.simulate import play_out
from domain.chance import Chance, Simulation
from tests.laws import alike, log, moves, secrecy
from tests.laws.rooms import SLUGS, known_of, room_of
from tests.laws.table import BOTS, Played, play_drawn, play_match

LAWS: tuple[Callable[[Played], None], ...] = (*log.LAWS, *moves.LAWS, *secrecy.LAWS, *alike.LAWS)
TOY = "high-card"
SEEDS = {TOY: 12}
"""How many matches a law is tried on here; two for a long game."""
TURNS = {TOY: 40}
"""How many turns of a match with drawn chance; a long game's beginning only."""

quiet = settings(
    phases=[Phase.explicit, Phase.generate, *([Phase.shrink] if os.environ.get("FOLDTABLE_SHRINK") else [])],
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
every_game = pytest.mark.parametrize("slug", SLUGS)
every_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__.replace("_", "-"))


class Drawn(Chance):
    """Draws that hypothesis makes and can shrink; the same again when it is rewound."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data
        self._drawn: list[int] = []
        self._next = 0

    def rewound(self) -> Drawn:
        """The same draws from the first on."""
        self._next = 0
        return self

    def below(self, k: int) -> int:
        if self._next == len(self._drawn):
            self._drawn.append(self._data.draw(st.integers(0, k - 1)))
        self._next += 1
        return self._drawn[self._next - 1] % k


@every_law
@every_game
def test_the_law_holds(slug: str, law: Callable[[Played], None]) -> None:
    for seed in range(SEEDS.get(slug, 2)):
        law(play_match(slug, seed))


@every_game
def test_every_law_holds_whatever_is_drawn(slug: str) -> None:
    @settings(quiet, max_examples=25 if slug == TOY else 4)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        dice: dict[int, Drawn] = {}
        luck = Drawn(data)
        played = play_drawn(slug, luck, lambda move: dice.setdefault(move, Drawn(data)).rewound(), TURNS.get(slug, 12))
        for law in LAWS:
            law(played)

    check()


@every_game
def test_the_same_seed_gives_the_same_log_byte_by_byte(slug: str) -> None:
    first = play_match(slug, 1).stored()
    play_match.cache_clear()
    assert play_match(slug, 1).stored() == first
    assert play_match(slug, 2).stored() != first


@every_game
def test_every_kind_of_event_and_move_occurs(slug: str) -> None:
    game, known, luck = room_of(slug).game, known_of(slug), Simulation(f"occurrences in {slug}")
    found: Counter[str] = Counter()

    def watch(before: Any, seat: int | None, move: Any, events: tuple[Any, ...]) -> None:
        del before
        found.update(type(event).__name__ for event in events)
        for one in move if isinstance(move, tuple) else (move,):
            found[type(one).__name__] += 1

    for i in range(known.matches):
        pack, seats, options = known.options(luck)
        bots: list[Bot] = [tuple(BOTS.values())[i % len(BOTS)]] * seats
        play_out(game, room_of(slug).packs[pack].pack, options, seats, bots, luck, watch=watch)
    classes = [cls.__name__ for union in (game.Event, game.Move) for cls in get_args(union) or (union,)]
    missing = {
        name: f"{found[name]} of {known.floors.get(name, 1)}"
        for name in classes
        if found[name] < known.floors.get(name, 1)
    }
    assert not missing, f"too rare in {known.matches} matches: {missing}"
    assert known.floors.keys() <= set(classes)


@every_game
def test_most_of_what_is_compared_is_the_same_and_not_just_excused(slug: str) -> None:
    outcomes = alike.walk(play_match(slug, 0))
    assert outcomes[alike.SAME] >= sum(outcomes.values()) // 3, outcomes

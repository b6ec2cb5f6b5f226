"""Every game passes every law, whoever plays and whatever is drawn.

A law is a function in a module beside this one that looks at a match that was played and returns nothing. `make soak`
runs them for long: 1 000 matches of random bots, 200 of greedy ones, 100 of eager ones and 100 of any a game, all laws
on each.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from inspect import isfunction
from itertools import cycle, islice
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bots.choose import Bot
from bots.simulate import play_out
from domain.chance import Chance, Simulation
from tests.laws import alike, claims, lists, log, moves, scenes, secrecy, texts, views
from tests.laws.rooms import SLUGS, classes_of, known_of, room_of
from tests.laws.table import BOTS, Played, inside, play_drawn, play_match


def laws_of(module: ModuleType) -> Iterator[Callable[[Played], None]]:
    """Yield the functions of a module that look at a match and return nothing."""
    for law in vars(module).values():
        if isfunction(law) and law.__module__ == module.__name__ and law.__annotations__ == LOOKS:
            yield law


LOOKS = {"played": "Played", "return": "None"}
MODULES = (log, moves, lists, secrecy, texts, claims, views, scenes, alike)
LAWS = tuple(law for module in MODULES for law in laws_of(module))
TOY = "high-card"
MATCHES = ("eager", "")
"""Who plays the matches that are tried here, with the match's place in this row as its seed; "": any bots, mixed."""
MORE = 7
"""How many times as many matches again are played at most for what is rare, so that no seed is an unlucky one."""
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


@pytest.mark.parametrize(("seed", "kind"), [*enumerate(MATCHES)], ids=["eager", "mixed"])
@every_game
def test_every_law_holds(slug: str, seed: int, kind: str) -> None:
    for again in range(seed, 6 * len(MATCHES) if slug == TOY else len(MATCHES), len(MATCHES)):
        played = play_match(slug, again, kind, known_of(slug).wanted if kind == "eager" else None)
        for law in LAWS:
            law(played)


@pytest.mark.parametrize(
    "slug", [slug if slug == TOY else pytest.param(slug, marks=pytest.mark.soak) for slug in SLUGS]
)
def test_every_law_holds_whatever_is_drawn(slug: str) -> None:
    @settings(quiet, max_examples=10)
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


@pytest.mark.soak
@every_game
def test_every_kind_of_event_and_move_occurs(slug: str) -> None:
    known = known_of(slug)
    most = (1 + MORE) * known.matches
    for found in islice(occurrences(slug, Simulation(f"occurrences in {slug}")), most):
        missing = missing_in(slug, found)
        if not missing:
            break
    assert not missing, f"too rare in {most} matches: {missing}"


@every_game
def test_floors_are_of_events_and_moves_that_there_are(slug: str) -> None:
    known = known_of(slug)
    assert known.floors.keys() <= {cls.__name__ for cls in classes_of(slug)}


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8))
@every_game
def test_floors_hold_for_any_seed_with_room(slug: str, seed: int) -> None:
    *_, found = islice(occurrences(slug, Simulation(f"floors of {slug} {seed}")), known_of(slug).matches)
    low = {name: found[name] for name, floor in known_of(slug).floors.items() if found[name] < floor * 3 // 2}
    assert not low, f"floors are to be at most half of what the least of several seeds has: {low}"


def missing_in(slug: str, found: Counter[str]) -> dict[str, str]:
    """The classes that occurred less often than the room's floors say, or never."""
    floors = known_of(slug).floors
    names = {cls.__name__ for cls in classes_of(slug)}
    return {
        name: f"{found[name]} of {floors.get(name, 1)}" for name in sorted(names) if found[name] < floors.get(name, 1)
    }


def occurrences(slug: str, luck: Simulation) -> Iterator[Counter[str]]:
    """How often each class has occurred, match after match without an end: a third of them by each kind of bot."""
    game, known = room_of(slug).game, known_of(slug)
    found: Counter[str] = Counter()

    def watch(before: Any, seat: int | None, move: Any, events: tuple[Any, ...]) -> None:
        del before
        found.update(type(event).__name__ for event in events)
        for one in move if isinstance(move, tuple) else (move,):
            found[type(one).__name__] += 1

    for bot in cycle(BOTS.values()):
        pack, seats, options = known.options(luck)
        bots: list[Bot] = [bot] * seats
        play_out(game, room_of(slug).packs[pack].pack, options, seats, bots, luck, watch=watch)
        yield found


def size(value: Any, seen: set[int]) -> int:
    """Return the bytes of a value and all that it holds, each counted once; small ints are shared by all tables."""
    if id(value) in seen or isinstance(value, int):
        return 0
    seen.add(id(value))
    return sys.getsizeof(value) + sum(size(part, seen) for _, part in inside(value))


@every_game
def test_a_table_is_small_beside_what_was_agreed_on(slug: str) -> None:
    terms: Any = None
    shared: set[int] = set()
    for step in play_match(slug, 0, "random").positions:
        if (agreed := getattr(step.table, "terms", ())) is not terms:
            terms, shared = agreed, set()
            size(terms, shared)
        assert size(step.table, {*shared}) < 12 * 1024


@every_game
def test_most_of_what_is_compared_is_the_same_and_not_just_excused(slug: str) -> None:
    outcomes = alike.walk(play_match(slug, 0))
    assert outcomes[alike.SAME] >= sum(outcomes.values()) // 3, outcomes


RUNS = {"random": 1000, "greedy": 200, "eager": 100, "": 100}
BATCH = 100
"""Matches a test, so that several workers share them."""

batches = [(kind, start) for kind, runs in RUNS.items() for start in range(0, runs, BATCH)]


@pytest.mark.soak
@pytest.mark.parametrize(("kind", "start"), batches)
@pytest.mark.parametrize("slug", SLUGS)
def test_every_law_holds_in_match_after_match(slug: str, kind: str, start: int) -> None:
    for seed in range(start, start + BATCH):
        played = play_match(slug, seed, kind)
        assert played.truth.is_over
        for law in LAWS:
            law(played)

"""Bots choose among what is legal, from what their seat was told."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from bots import BOTS, QUICK, named
from bots.choose import AnyGame, kind_of
from bots.simulate import play_out
from domain.catalogue import Catalogue
from domain.chance import Simulation
from domain.game import Move
from tests.domain.table import GAME, NO_PAIRS, PAIRS, raising, start_match
from tests.rows import each
from tests.toy.high_card.components import Phase
from tests.toy.high_card.moves import Pass, Raise, SetAside
from tests.toy.high_card.state import Table


def hidden(table: Table) -> Table:
    """The table as seat 0 sees it: of the other nothing is known, nor of the stock."""
    own, other = table.places
    other = replace(other, hand=(None,) * len(other.hand), aside=(None,) * len(other.aside))
    asked = (table.asked[0], None) if table.asked else ()
    return replace(table, places=(own, other), stock=(None,) * len(table.stock), asked=asked)


SETTING, RAISING = hidden(start_match(NO_PAIRS).table), hidden(raising(PAIRS).table)


def choices(bot: str, seen: Table, **changes: Any) -> set[Any]:
    """What the bot of seat 0 chooses of a game that is changed so."""
    game, chance = dataclasses.replace(GAME, **changes), Simulation(7)
    return {BOTS[bot].choose(game, seen, 0, chance) for _ in range(40)}


def aside(table: Table, seat: int = 0) -> float:
    """The card that the seat has set aside, as the worth of its position."""
    return float((*table.places[seat].aside, 0)[0] or 0)


def test_random_plays_every_legal_move() -> None:
    assert choices("random", SETTING) == {SetAside(card=1), SetAside(card=5), SetAside(card=6)}


def test_greedy_takes_the_move_that_looks_best_and_eager_what_the_clock_would_not() -> None:
    for bot, seen, evaluate, moves in each(
        ("greedy", SETTING, aside, {SetAside(card=6)}),
        ("greedy", SETTING, lambda table, seat: -aside(table), {SetAside(card=1)}),
        # by chance
        ("greedy", SETTING, lambda table, seat: aside(table) > 1, {SetAside(card=5), SetAside(card=6)}),
        ("greedy", RAISING, lambda table, seat: table.places[0].raised, {Raise()}),
        ("greedy", RAISING, lambda table, seat: -table.places[0].raised, {Pass()}),
        ("greedy", RAISING, lambda table, seat: table.places[1].raised, {Raise(), Pass()}),  # the other passes
        ("eager", RAISING, lambda table, seat: -table.places[0].raised, {Raise()}),  # the clock would pass
        ("eager", SETTING, lambda table, seat: -aside(table), {SetAside(card=1)}),  # moves of a kind
    ):
        assert choices(bot, seen, evaluate=evaluate) == moves


def test_a_single_move_is_returned_without_looking() -> None:
    def blind(*_: object) -> Any:
        raise AssertionError("there was nothing to look for")

    seen = replace(SETTING, places=(replace(SETTING.places[0], hand=(6, 6, 6)), SETTING.places[1]))
    for bot in each(*QUICK):
        assert choices(bot, seen, imagine=blind, default=blind) == {SetAside(card=6)}


def test_the_kind_of_a_move_is_its_class_and_what_is_true_of_it() -> None:
    class Discard(Move, frozen=True):
        at: int
        reach: bool = False

    assert kind_of(Discard(at=3)) == ("Discard",)
    assert kind_of(Discard(at=1, reach=True)) == ("Discard", "reach")


def test_greedy_counts_the_forced_moves_that_follow_from_a_move() -> None:
    """A low card looks better, until the dice are counted that roll by themselves."""
    last = hidden(start_match(NO_PAIRS).table)
    last = replace(last, places=(last.places[0], replace(last.places[1], hand=(4, 3), aside=(2,))))

    def evaluate(table: Table, seat: int) -> float:
        return aside(table) if table.phase is Phase.OVER else -aside(table)

    assert choices("greedy", last, evaluate=evaluate, forced=lambda table: None) == {SetAside(card=1)}
    assert choices("greedy", last, evaluate=evaluate) == {SetAside(card=6)}


def no_floats(numbers: Iterable[Any], start: Any = 0) -> Any:
    """Add as `sum` does, but never several floats, of which Python 3.12 makes another sum than 3.11."""
    terms = tuple(numbers)
    assert len(terms) < 2 or not any(isinstance(term, float) for term in terms)
    return sum(terms, start)


SHORT = {"three-magic": {"laps": 1}}
"""Options of a shorter match."""


@pytest.mark.parametrize("slug", Catalogue().rooms)
def test_bots_and_the_clock_play_the_same_by_every_python_since_floats_are_added_one_after_the_other(slug: str) -> None:
    """An audit holds the clock's moves against the default ones."""
    room = Catalogue().rooms[slug]
    game, pack, seats = room.game, next(iter(room.packs.values())).pack, room.game.seats[0]
    told = ("bots.choose", "bots.search.", "domain.games.")
    modules = [module for name, module in sys.modules.items() if name.startswith(told)]
    with pytest.MonkeyPatch.context() as patch:
        for module in modules:
            patch.setattr(module, "sum", no_floats, raising=False)
            for kept in vars(module).values():
                getattr(kept, "cache_clear", int)()  # what was added before would not be added here
        # greedy is what a searcher begins with and plays on with
        bots = [named("thinker@2w"), named("novice"), *[named("greedy")] * (seats - 2)]
        options = game.Options(**SHORT.get(slug, {}))
        play_out(game, pack, options, seats, bots, Simulation(1), watch=partial(defaulted, game))


def defaulted(game: AnyGame, table: Any, seat: int | None, *_: object) -> None:
    """What the clock would have played."""
    if seat is not None:
        game.default(table, seat)

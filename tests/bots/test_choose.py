"""Bots choose among what is legal, from what their seat was told."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec

from bots import BOTS
from bots.choose import Greedy, kind_of
from domain.chance import Chance, Simulation
from domain.secrecy import known
from tests.bots.toy import GAME, Bid, Bids, Keep, Options, Swap, Table
from tests.rows import each


def table(hand: tuple[int, ...], *, drawn: int | None = None) -> Table:
    """As seat 0 sees it: the other's cards are unknown."""
    begun: Table = GAME.initial(Options(hand=len(hand)), 2, None)
    others = (None,) * len(hand)
    return msgspec.structs.replace(begun, hands=(hand, others), drawn=drawn, is_drawn=drawn is not None)


def choices(bot: str, seen: Table, times: int = 40) -> set[Any]:
    chance = Simulation(7)
    return {BOTS[bot].choose(GAME, seen, 0, chance) for _ in range(times)}


def test_random_plays_every_legal_move() -> None:
    assert choices("random", table((1, 2, 3))) == {Bid(card=1), Bid(card=2), Bid(card=3)}


def test_greedy_takes_the_move_that_looks_best_and_eager_what_the_clock_would_not() -> None:
    for bot, seen, moves in each(
        [
            ("greedy", table((2, 3), drawn=9), {Swap()}),
            ("greedy", table((5, 6), drawn=1), {Keep()}),
            ("greedy", table((4, 6), drawn=4), {Swap(), Keep()}),  # ties are broken by chance
            ("greedy", table((0, 10)), {Bid(card=10)}),  # whatever the other holds and bids by default
            ("eager", table((5, 6), drawn=1), {Swap()}),  # keeping is the default
            ("eager", table((0, 10)), {Bid(card=10)}),
        ]
    ):
        assert choices(bot, seen, 20) == moves


def test_a_single_move_is_returned_without_looking() -> None:
    def blind(*_: object) -> Any:
        raise AssertionError("there was nothing to look for")

    closed = msgspec.structs.replace(table((4,)))
    game = type(GAME)(**{**{name: getattr(GAME, name) for name in GAME.__slots__}, "imagine": blind, "default": blind})
    for bot in BOTS.values():
        assert bot.choose(game, closed, 0, Simulation(1)) == Bid(card=4)


def test_the_kind_of_a_move_is_its_class_and_what_is_true_of_it() -> None:
    class Discard(Keep, frozen=True):
        at: int
        reach: bool = False

    assert kind_of(Discard(at=3)) == ("Discard",)
    assert kind_of(Discard(at=1, reach=True)) == ("Discard", "reach")


def test_greedy_counts_the_forced_moves_that_follow_from_a_move() -> None:
    """To swap looks better, until the bid is counted that follows by itself and that a nine loses here."""
    seen = table((3,), drawn=9)

    def decide(state: Table, seat: int, move: Any, chance: Chance) -> tuple[Any, ...]:
        if state.is_drawn:
            return GAME.decide(state, seat, move, chance)
        (mine, *_), (other, *_) = map(known, state.hands)
        return (Bids(cards=(mine, other), winner=int(mine == 9)),)

    def forced(state: Table) -> tuple[int, Any] | None:
        return (0, Keep()) if state.hands[0] and not state.is_drawn else None

    asking, forcing = dataclasses.replace(GAME, decide=decide), dataclasses.replace(GAME, decide=decide, forced=forced)
    assert {Greedy().choose(asking, seen, 0, Simulation(7)) for _ in range(20)} == {Swap()}
    assert {Greedy().choose(forcing, seen, 0, Simulation(7)) for _ in range(20)} == {Keep()}

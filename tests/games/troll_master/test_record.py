"""The record as a whole: what is hidden, what goes through JSON, how long matches and lists are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from bots import BOTS
from bots.simulate import play_out
from domain.chance import Simulation
from domain.game import move_id
from domain.games.troll_master import BOUND, GAME, MOVES_A_ROUND
from domain.games.troll_master.components import Options
from domain.games.troll_master.evolve import WRITE
from domain.games.troll_master.state import Table
from domain.secrecy import marks
from tests.games.troll_master.table import ODD_PACK, PACK

MOVES = get_args(GAME.Move)


def steps(pack: Any, seats: int, seed: int) -> Iterator[tuple[Table, Any, tuple[Any, ...]]]:
    """A random match: each state, with the move made there and what it brought about."""
    found: list[tuple[Table, Any, tuple[Any, ...]]] = []
    play_out(
        GAME,
        pack,
        Options(),
        seats,
        [BOTS["random"]] * seats,
        Simulation(seed),
        watch=lambda state, seat, move, events: found.append((state, move, events)),
    )
    yield from found


def test_the_record_names_itself() -> None:
    assert (GAME.slug, GAME.seats, GAME.version) == ("troll-master", (3, 4, 5), 2)
    assert GAME.title == {"en": "Troll Master", "ja": "トロルマスター"}


def test_tm_6_what_is_hidden_is_the_deck_hands_and_draws_and_nothing_in_a_move() -> None:
    hidden = {kind.__name__: [name for name, _ in marks(kind)] for kind in WRITE if marks(kind)}
    assert hidden == {"Shuffled": ["cards"], "CardsDealt": ["hands"], "CardDrawn": ["card"]}
    assert not any(marks(kind) for kind in MOVES)


@pytest.mark.parametrize("pack", [PACK, ODD_PACK])
def test_events_and_moves_go_through_json(pack: object) -> None:
    for _, move, events in steps(pack, 3, 1):
        for event in events:
            assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
        if move is not None:
            assert msgspec.json.decode(msgspec.json.encode(move), type=GAME.Move) == move


@pytest.mark.parametrize("pack", [PACK, ODD_PACK])
@pytest.mark.parametrize("seats", GAME.seats)
def test_tm_18_lists_of_moves_are_short_and_every_move_has_a_short_name(pack: object, seats: int) -> None:
    for table, _, _ in steps(pack, seats, seats):
        for seat in range(seats):
            moves = GAME.legal(table, seat)
            assert bool(moves) == (seat in GAME.to_act(table))
            assert len(moves) <= 73
            names = [move_id(move) for move in moves]
            assert len(set(names)) == len(names)
            assert all(name.isascii() and "(" not in name for name in names)


def test_tm_34_the_bound_is_that_of_40_rounds() -> None:
    assert BOUND == GAME.bound == 40 * MOVES_A_ROUND == 368_000


def size(value: Any, seen: set[int]) -> int:
    """Bytes of a value and all that it holds, each counted once; what is printed is shared by all tables."""
    if id(value) in seen or isinstance(value, int):
        return 0
    seen.add(id(value))
    held = value if isinstance(value, tuple) else getattr(value, "__struct_fields__", ())
    if not isinstance(value, tuple):
        held = tuple(getattr(value, name) for name in held)
    return sys.getsizeof(value) + sum(size(one, seen) for one in held)


def test_a_table_is_small() -> None:
    for table, _, _ in steps(PACK, 5, 2):
        shared: set[int] = set()
        size(table.terms, shared)
        assert size(table, shared) < 8 * 1024

"""The record as a whole: events are written down, told apart, and taken with unknowns."""

from __future__ import annotations

import json
import random
import sys
from typing import Any, get_args

import msgspec
import pytest

from domain.chance import Simulation
from domain.facedown import faces
from domain.game import Seat, fold, move_id
from domain.games.three_magic import BOUND, GAME
from domain.games.three_magic.components import DECK, Options
from domain.games.three_magic.events import (
    CardDiscarded,
    CardDrawn,
    HandDealt,
    IndicatorTurned,
    Shuffled,
    ThreeMagicEvent,
)
from domain.games.three_magic.evolve import WRITE
from domain.games.three_magic.moves import ThreeMagicMove
from domain.games.three_magic.state import Table
from domain.secrecy import marks
from tests.games.three_magic.matches import EVERYTHING, Step, matches
from tests.games.three_magic.table import NOTHING_A, NOTHING_B, PACK, card, cards, given


def anything(seed: int) -> Any:
    draw = random.Random(seed)

    def choose(seen: Table, seat: Seat, legal: tuple[ThreeMagicMove, ...]) -> ThreeMagicMove:
        return draw.choice(legal)

    return choose


def played(seed: int) -> list[Step]:
    return list(matches(anything(seed), seed, Options(laps=1)))


def test_every_event_class_is_written_down() -> None:
    assert set(WRITE) == set(get_args(ThreeMagicEvent)) == set(EVERYTHING)


def test_3m_6_what_is_hidden_is_the_pile_hands_draws_and_who_is_asked() -> None:
    hidden = {kind.__name__: [name for name, _ in marks(kind)] for kind in WRITE if marks(kind)}
    assert hidden == {"Shuffled": ["cards"], "HandDealt": ["cards"], "CardDrawn": ["card"], "ClaimsOpened": ["asked"]}
    assert not any(marks(kind) for kind in get_args(ThreeMagicMove))


@pytest.mark.parametrize("kind", get_args(ThreeMagicEvent))
def test_events_go_through_json(kind: type[Any]) -> None:
    event = EVERYTHING[kind]
    assert msgspec.json.decode(msgspec.json.encode(event), type=kind) == event


def test_moves_go_through_json_and_have_names_of_their_own() -> None:
    for seed in range(2):
        for step in played(seed):
            for seat in GAME.to_act(step.table):
                moves = GAME.legal(step.table, seat)
                assert 1 <= len(set(map(move_id, moves))) == len(moves) <= 100
                for move in moves:
                    assert msgspec.json.decode(msgspec.json.encode(move), type=GAME.Move) == move


def test_3m_5_a_told_face_fills_an_unknown_card_in_and_another_face_is_an_error() -> None:
    table = GAME.initial(Options(), 3, PACK)
    events = GAME.setup(table, Simulation(1))
    unknown = fold(GAME, table, events[:2])
    unknown = GAME.evolve(unknown, Shuffled((None,) * 60))
    assert GAME.evolve(unknown, HandDealt(0, cards(NOTHING_A))).deal.places[0].hand == cards(NOTHING_A)
    truth = fold(GAME, table, events[:3])
    own = truth.deal.wall[:8]
    assert GAME.evolve(truth, HandDealt(0, (None,) * 8)).deal.places[0].hand == own
    with pytest.raises(ValueError, match="is told where"):
        GAME.evolve(truth, HandDealt(0, own[::-1]))
    with pytest.raises(ValueError, match="3 cards are told where 2 lie"):
        faces((None, None), own[:3])


@pytest.mark.parametrize(
    "event",
    [CardDrawn(0, card("木0")), CardDiscarded(0, 0, card("木0"), False), IndicatorTurned(card("木0"))],
)
def test_3m_7_an_event_that_tells_another_face_than_lies_there_is_an_error(event: ThreeMagicEvent) -> None:
    play = given(NOTHING_A, NOTHING_B, wall="火4* 火2*", indicators="木4 水1")
    with pytest.raises(ValueError, match="is told where"):
        GAME.evolve(play.table, event)


def test_3m_1_cards_and_od_are_conserved() -> None:
    for step in played(4):
        deal = step.table.deal
        lying = [*deal.wall, *deal.drawn, *deal.unused, *deal.indicators]
        for place in deal.places:
            lying += [*place.hand, *(lain.card for lain in place.row), *(c for spell in place.pledges for c in spell)]
        assert sorted(c for c in lying if c is not None) == sorted(DECK)
        assert sum(step.table.od) + sum(place.laid for place in deal.places) + step.table.ley_line == 810


def test_3m_12_whatever_a_seat_is_answered_is_computed_from_what_it_sees() -> None:
    for seed in (5, 6):
        for step in played(seed):
            for seat in range(3):
                seen = step.seen[seat]
                assert GAME.legal(seen, seat) == GAME.legal(step.table, seat)
                assert (seat in GAME.to_act(seen)) == (seat in GAME.to_act(step.table))
                assert GAME.view(seen, seat) == GAME.view(step.table, seat)
                others = {move for other in range(3) if other != seat for move in GAME.legal(seen, other)}
                assert not others
            assert len({(GAME.standing(known), GAME.secret(known)) for known in (*step.seen, step.table)}) == 1
            assert GAME.view(step.seen[3], None) == GAME.view(step.table, None)


def test_3m_20_no_move_is_forced() -> None:
    assert all(GAME.forced(step.table) is None for step in played(7))


def test_3m_34_matches_end_within_the_bound() -> None:
    assert BOUND == GAME.bound == 4176
    for seed in (8, 9):
        steps = list(matches(anything(seed), seed))
        assert GAME.standing(steps[-1].table).over
        assert steps[-1].moves <= GAME.bound


def test_the_record_names_itself() -> None:
    assert (GAME.slug, GAME.seats, GAME.version) == ("three-magic", (3,), 1)
    assert set(GAME.title) == {"en", "ja"}


def size(value: Any, seen: set[int]) -> int:
    """Bytes of a value and all that it holds, each counted once; the pack and small ints are shared by all tables."""
    if id(value) in seen or isinstance(value, int | type(PACK)):
        return 0
    seen.add(id(value))
    held = value if isinstance(value, tuple) else getattr(value, "__struct_fields__", ())
    if not isinstance(value, tuple):
        held = tuple(getattr(value, name) for name in held)
    return sys.getsizeof(value) + sum(size(one, seen) for one in held)


def test_a_table_is_small() -> None:
    assert max(size(step.table, set()) for step in played(10)) < 12 * 1024


def test_views_are_plain_json() -> None:
    for step in played(11)[:40]:
        assert json.loads(msgspec.json.encode(GAME.view(step.table, 0)))["wall"] == len(step.table.deal.wall)

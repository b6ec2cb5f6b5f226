"""The record of a game, and the small things that every room builds on."""

from __future__ import annotations

import dataclasses
from enum import StrEnum

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.chance import Simulation
from domain.game import Event, EventBuffer, Evolve, Game, Move, Refusal, move_id, put, rank
from domain.texts import kinds_in
from tests.domain.table import GAME, ROOM
from tests.rows import each
from tests.toy.high_card.components import Options
from tests.toy.high_card.moves import HighCardMove, Pass
from tests.toy.high_card.text import WORDS


class Colour(StrEnum):
    DARK_RED = "dark red"


class Paint(Move, frozen=True):
    at: int
    colour: Colour | None = None
    twice: bool = False
    others: tuple[int, ...] = ()


class Added(Event, frozen=True):
    by: int


def test_a_move_is_named_by_its_class_and_its_fields_in_their_order() -> None:
    assert move_id(Paint(at=3)) == "paint-3-none"
    assert move_id(Paint(at=3, colour=Colour.DARK_RED, twice=True, others=(1, 2))) == "paint-3-dark_red-twice-1-2"


def test_a_moves_json_names_its_class_and_fields_that_it_does_not_have_are_refused() -> None:
    assert msgspec.json.encode(Paint(at=1)) == b'{"type":"Paint","at":1,"colour":null,"twice":false,"others":[]}'
    for cls, fields in each((Paint, {"type": "Paint", "at": 1, "extra": 1}), (Added, {"by": 1, "extra": 1})):
        with pytest.raises(msgspec.ValidationError, match="unknown field `extra`"):
            msgspec.convert(fields, cls)


def test_places_can_be_by_several_keys() -> None:
    assert rank(((1, 2), (1, 3), (0, 9))) == (2, 1, 3)


@given(st.lists(st.integers(), max_size=6))
def test_a_place_is_one_more_than_the_number_of_those_who_are_better(keys: list[int]) -> None:
    ordered = sorted(keys, reverse=True)
    assert rank(tuple(keys)) == tuple(ordered.index(key) + 1 for key in keys)


def test_a_buffer_folds_as_it_tells() -> None:
    evolve: Evolve[int] = Evolve({Added: lambda state, event: state + event.by})
    buffer: EventBuffer[int, Added] = EventBuffer(evolve, 10)
    assert (buffer.state, buffer.events) == (10, [])
    assert [buffer.tell(Added(by=1)), buffer.tell(Added(by=5)), buffer.state] == [11, 16, 16]
    assert buffer.events == [Added(by=1), Added(by=5)]
    begun = EventBuffer(evolve, 10, (Added(by=1),))
    assert (begun.state, begun.tell(Added(by=5)), begun.events) == (11, 16, buffer.events)


def test_a_refusal_is_a_code_and_fields_that_its_game_says_in_both_languages() -> None:
    refusal = Refusal("TOY-4", "not-to-act", seat=2)
    assert (refusal.clause, refusal.code, refusal.fields) == ("TOY-4", "not-to-act", {"seat": 2})
    assert GAME.explain(refusal, "en") == "Seat 2 is not to act."
    assert GAME.explain(refusal, "ja") == "席2の番ではありません。"
    assert str(refusal) == "TOY-4 not-to-act {'seat': 2}"


def test_a_game_that_does_not_say_otherwise_is_answered_openly() -> None:
    own = {field.name: getattr(GAME, field.name) for field in dataclasses.fields(GAME)}
    game = Game(**{name: value for name, value in own.items() if name not in {"secret", "close", "kinds", "meant"}})
    state = GAME.initial(Options(), 2, ROOM.packs["house"].pack)
    assert game.secret(state) is False
    assert (game.kinds("en"), game.meant(state, 0, "hand/0")) == ({}, ())
    with pytest.raises(AssertionError, match="no answer of this game is under seal"):
        game.close(state, (None, None), Simulation(1))


def test_a_game_may_have_one_class_of_moves_alone_whose_kind_is_named_as_of_several() -> None:
    assert kinds_in(WORDS, HighCardMove)("en") == GAME.kinds("en")
    assert kinds_in(WORDS, Pass)("ja") == {"Pass": "パス"}


@given(st.lists(st.integers(), min_size=1).map(tuple), st.data())
def test_one_value_is_put_in_the_place_of_another(values: tuple[int, ...], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(values) - 1))
    after = put(values, at, 7)
    assert after == (*values[:at], 7, *values[at + 1 :])
    with pytest.raises(IndexError):
        put(values, len(values), 7)


def test_a_game_plays_each_version_that_it_keeps_by_that_versions_first_state() -> None:
    def before(options: Options, seats: int, pack: object) -> str:
        return f"{seats} of version 2"

    game = dataclasses.replace(GAME, version=4, earlier=((2, before),))
    assert (game.versions, GAME.versions) == ((2, 4), (1,))
    assert game.by(4) is game
    older = game.by(2)
    assert older is not None
    assert (older.version, older.versions, older.initial(Options(), 3, None)) == (2, (2,), "3 of version 2")
    assert (older.legal, older.decide) == (game.legal, game.decide)
    assert game.by(2) is older, "what is kept by record is kept once"
    assert [game.by(version) for version in (1, 3, 5)] == [None, None, None]


def test_a_game_that_does_not_say_otherwise_prints_nothing_before_a_match_and_is_half_way() -> None:
    assert (GAME.showcase(None, "en"), GAME.progress(None)) == ((), 0.5)

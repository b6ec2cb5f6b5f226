"""The record as a whole: it names itself, its moves have names, matches end in time, every clause is cited."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from bots.choose import Random
from bots.simulate import play_out
from domain.chance import Simulation
from domain.game import Refusal, move_id
from domain.games import magicative
from domain.games.magicative import BOUND, GAME
from domain.games.magicative.components import Options
from domain.games.magicative.events import MagicativeEvent
from domain.games.magicative.evolve import WRITE
from domain.games.magicative.moves import Discard
from tests.games.magicative.table import ODD_PACK, PACK, given

ROOM = Path(magicative.__path__[0])
TESTS = Path(__file__).parent
CLAUSES = tuple(f"MG-{number}" for number in range(1, 21))


def test_the_rules_state_every_clause_once_in_their_order() -> None:
    for file in ("RULES.md", "RULES.ja.md"):
        text = (ROOM / file).read_text(encoding="utf-8")
        assert tuple(re.findall(r"^- (MG-\d+) (?:\[[RPH]\]|Specials|特殊式)", text, re.MULTILINE)) == CLAUSES


def test_every_clause_is_cited_by_code() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in ROOM.rglob("*.py"))
    assert set(re.findall(r"MG-\d+", code)) == set(CLAUSES)


def test_every_clause_is_cited_by_the_name_of_a_test() -> None:
    tests = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.glob("test_*.py"))
    cited = {number for name in re.findall(r"def (test_\w+)", tests) for number in re.findall(r"mg_(\d+)(?!\d)", name)}
    assert {f"MG-{number}" for number in cited} == set(CLAUSES)


def test_the_record_names_itself() -> None:
    assert (GAME.slug, GAME.seats, GAME.version) == ("magicative", (2, 3), 3)
    assert GAME.versions == (2, 3)
    assert set(GAME.title) == {"en", "ja"}
    assert Options() == GAME.Options()


def test_every_event_class_is_written_down() -> None:
    assert set(WRITE) == set(get_args(MagicativeEvent))


def test_mg_6_moves_go_through_json_and_have_names_of_their_own() -> None:
    def watch(state: Any, seat: int | None, move: Any, events: tuple[Any, ...]) -> None:
        if seat is not None:
            legal = GAME.legal(state, seat)
            assert move in legal
            assert len(set(map(move_id, legal))) == len(legal) <= 100
            for one in legal:
                assert msgspec.json.decode(msgspec.json.encode(one), type=GAME.Move) == one
        for event in events:
            assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event

    for seats, pack in ((2, PACK), (3, PACK), (2, ODD_PACK)):
        play_out(GAME, pack, Options(), seats, [Random()] * seats, Simulation(seats), watch=watch)


@pytest.mark.parametrize("seats", GAME.seats)
def test_mg_19_matches_end_within_the_bound(seats: int) -> None:
    assert BOUND == GAME.bound == 922
    longest = max(
        play_out(GAME, PACK, Options(), seats, [Random()] * seats, Simulation(seed)).moves for seed in range(10)
    )
    assert 50 < longest < BOUND


def test_mg_4_nothing_is_sealed() -> None:
    play = given("M1", "A1")
    assert not GAME.secret(play.table)
    with pytest.raises(Refusal):
        GAME.decide(play.table, 0, Discard(-1), Simulation(1))

"""A clause's number lives in one place: with another one there, the room plays by that. Rules MG-5 to MG-11."""

from __future__ import annotations

import subprocess
import sys

import pytest

PLAY = """
import sys
from collections import Counter
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import domain.games

name, number = sys.argv[1], int(sys.argv[2])
room = "domain.games.magicative"
spec = spec_from_file_location(room + ".components", Path(domain.games.__path__[0], "magicative", "components.py"))
components = sys.modules[spec.name] = module_from_spec(spec)
spec.loader.exec_module(components)
setattr(components, name, number)

from domain.chance import Simulation
from domain.game import Refusal
from domain.games.magicative import GAME, events, moves
from domain.games.magicative.pack import deck_of
from domain.games.magicative.state import held

CARDS = components.KINDS[1:]
pack = GAME.parse_pack(Path(sys.argv[3]).read_bytes(), "pack")
awakened = drawn = 0


def whole(table):
    '''All cards, of which four of each that awakened (or as many as the clause says) lie aside.'''
    cards = Counter((*table.deck, *table.stage.work.aside))
    for place in table.places:
        cards.update((*place.row, *components.cards_of(held(place.hand))))
        cards.update(card for formula in place.won.formulas for card in formula.cards)
        for card in place.won.awakened:
            cards[card] += components.AWAKENING
    return cards


for seed in range(6):
    chance = Simulation(seed)
    table = GAME.initial(GAME.Options(), 2, pack)
    told, count = GAME.setup(table, chance), 0
    while True:
        for event in told:
            table = GAME.evolve(table, event)
            awakened += isinstance(event, events.Awakened)
            drawn += isinstance(event, events.CardsDrawn)
        assert whole(table) == Counter(deck_of(pack)), told
        if not (asked := GAME.to_act(table)):
            break
        seat = asked[0]
        legal = GAME.legal(table, seat)
        for card in CARDS:
            try:
                for event in (told := GAME.decide(table, seat, moves.Awaken(card), chance)):
                    GAME.evolve(table, event)
            except Refusal:
                told = ()
            assert bool(told) == (moves.Awaken(card) in legal), card
        if not count % 20:
            assert whole(GAME.imagine(table, None, chance)) == Counter(deck_of(pack))
        forced, count = GAME.forced(table), count + 1
        awaken = [move for move in legal if isinstance(move, moves.Awaken)]
        told = GAME.decide(*((table, *forced) if forced else (table, seat, chance.choose(awaken or legal))), chance)
assert awakened, "nobody awakened"
assert drawn
print(GAME.describe(moves.Awaken(11), "en"), GAME.describe(moves.Awaken(11), "ja"))
"""


@pytest.mark.parametrize(("name", "number"), [("AWAKENING", 3), ("AWAKENING", 5), ("AWAKENING_DRAWN", 1), ("DRAWN", 4)])
def test_mg_11_the_room_plays_by_a_clauses_number_wherever_it_is_asked(name: str, number: int) -> None:
    pack = "tests/games/magicative/odd.toml"
    ran = subprocess.run(
        [sys.executable, "-c", PLAY, name, str(number), pack], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    if name == "AWAKENING":
        assert ran.stdout.count(str(number)) == 2

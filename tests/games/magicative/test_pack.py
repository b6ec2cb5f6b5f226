"""Packs: the house's, an odd one, and those that are refused. Rules MG-1, MG-2, MG-13, MG-15."""

from __future__ import annotations

import pytest

from domain.game import PackError
from domain.games.magicative import GAME
from domain.games.magicative.pack import Pack
from tests.games.magicative.table import HOUSE
from tests.rows import each

TEXT = HOUSE.decode()
LAST = TEXT[TEXT.rindex("[[artefacts]]") :]
THIRD_SCHOOL = TEXT[TEXT.index('[[aptitudes]]\nschool = "astrology"') : TEXT.index("[[specials]]")]


def read(text: str) -> Pack:
    pack = GAME.parse_pack(text.encode(), "mine.toml")
    assert isinstance(pack, Pack)
    return pack


def test_mg_13_what_is_wrong_with_a_pack_is_named() -> None:
    for printed, wrong, entry, field, message in each(
        [
            ('name = "house"', "", "", "name", "missing required field"),
            ('name = "house"', 'name = ""', "", "name", "length"),
            ("copies = 6", "copies = 2", "deck", "copies", ">= 3"),
            ("copies = 6", "copies = 8", "deck", "copies", "<= 7"),
            ("copies = 6", "copies = 6.5", "deck", "copies", "Expected `int`"),
            ("innocents = 6", "innocents = 16", "deck", "innocents", "<= 15"),
            ("innocents = 6", "innocents = 6\ncolour = 1", "deck", "colour", "unknown field"),
            ("hand = 6", "hand = 5", "play", "hand", "multiple of 2"),
            ("goal = 10", "goal = 0", "play", "goal", ">= 1"),
            ('rulebook = ["hand", "goal", "formula"]', 'rulebook = ["hint"]', "play", "rulebook", "names 'hint'"),
            ('rulebook = ["school"]', 'rulebook = ["rulebook"]', "aptitudes[0]", "rulebook", "names 'rulebook'"),
            ("[1, 2, 3, 4, 5, 6, 7]", "[1, 8]", "aptitudes[0].numbers", "1", "<= 7"),
            ('school = "alchemy"', 'school = "magic"', "aptitudes[1]", "school", "same as that of aptitudes[0]"),
            (THIRD_SCHOOL, "", "aptitudes", "school", "each of the 3 schools"),
            ('"all-runs"', '"all-numbers"', "specials[5]", "group", "same as that of specials[2]"),
            ('"all-runs"', '"all-colours"', "specials[5].group", "formulas", "Invalid value"),
            ("times = 3", "times = 1", "specials[3].group", "times", ">= 2"),
            ("points = 3", "points = -3", "specials[1]", "points", ">= 0"),
            ("points = -2", "points = 2", "artefacts[0]", "points", "<= 0"),
            ('"past", cards = 3', '"past", cards = 6', "artefacts[1].power", "cards", "<= 5"),
            ('"past", cards = 3', '"fate", cards = 3', "artefacts[1]", "power", "same as that of artefacts[0]"),
            (LAST, "", "artefacts", "power", "one of each"),
        ]
    ):
        assert printed in TEXT
        with pytest.raises(PackError) as error:
            read(TEXT.replace(printed, wrong, 1))
        assert (error.value.file, error.value.entry, error.value.field) == ("mine.toml", entry, field)
        assert message in str(error.value)

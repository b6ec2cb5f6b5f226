"""What holds in every room of its packs and of the bots that play it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from bots import BOTS, QUICK
from bots.simulate import play_out
from domain.chance import Simulation
from domain.game import PackError
from tests.laws.rooms import SLUGS, known_of, room_of
from tests.rows import each

LESS_ODDS = {"troll-master": 0.6}
"""What share of first places one greedy player takes at least among random ones; 0.9 where no share is named."""
NAMED_AFTER = {"Troll", "トロル", "Black Cat", "黒猫"}
"""Cards that a game itself is named after, or that its pack names by a table of its own."""
WITH_NAMES = ("terraformers", "troll-master")
PACKS = [(slug, pack) for slug in SLUGS if known_of(slug) for pack in room_of(slug).packs if pack in {"odd", "wide"}]


@pytest.mark.parametrize(("slug", "pack"), PACKS)
def test_a_pack_like_no_other_is_played_to_the_end(slug: str, pack: str) -> None:
    game = room_of(slug).game
    for bot in each(*QUICK):
        for seats in {min(game.seats), max(game.seats)}:
            found = room_of(slug).packs[pack].pack
            played = play_out(game, found, game.Options(), seats, [BOTS[bot]] * seats, Simulation(seats))
            assert played.moves <= game.bound
            assert played.longest_legal <= 100


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "high-card"])
def test_a_pack_that_cannot_be_played_is_refused_by_file_entry_and_field(slug: str) -> None:
    game, house = room_of(slug).game, room_of(slug).packs["house"].data.decode()
    table = Path(__file__).parent / slug.replace("-", "_") / "wrong.toml"
    for card, printed, instead, entry, field, *words in each(*tomllib.loads(table.read_text(encoding="utf-8"))["rows"]):
        at = house.index(f'name = "{card}"') if card else 0
        assert printed in house[at:]
        text = house[:at] + house[at:].replace(printed, instead, 1) if printed else instead
        with pytest.raises(PackError, match=r"^own\.toml: ") as refused:
            game.parse_pack(text.encode(), "own.toml")
        error = refused.value
        assert (error.file, error.entry, error.field) == ("own.toml", entry, field)
        assert [word for word in words if word not in str(error)] == []


@pytest.mark.parametrize("slug", ["magicative", "terraformers", "troll-master"])
def test_one_greedy_player_is_mostly_first_among_random_ones(slug: str) -> None:
    game, house = room_of(slug).game, room_of(slug).packs["house"].pack
    for seats in each(*game.seats):
        won = 0.0
        for seed in range(2 * seats):
            bots = [BOTS["greedy" if seat == seed % seats else "random"] for seat in range(seats)]
            ranking = play_out(game, house, game.Options(), seats, bots, Simulation(seed)).ranking
            won += (ranking[seed % seats] == 1) / ranking.count(1)
        assert won >= LESS_ODDS.get(slug, 0.9) * 2 * seats


@pytest.mark.parametrize("slug", WITH_NAMES)
def test_no_name_of_a_card_stands_in_code(slug: str) -> None:
    printed = room_of(slug).packs["house"].data.decode()
    names = set(re.findall(r'^(?:name|ja) = "(.+)"', printed.partition("[[")[2], re.MULTILINE)) - NAMED_AFTER
    assert len(names) > 40
    folder = Path(__file__).parents[2] / "domain" / "games" / slug.replace("-", "_")
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b", text)], path.name

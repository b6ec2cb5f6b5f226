"""The games, their rules and packs; and what a client can offer without knowing the game: bots, options, card names."""

from __future__ import annotations

from hashlib import sha256
from itertools import combinations, product
from typing import Any

import jsonschema
import msgspec
import pytest

from bots import BOTS
from domain.catalogue import Catalogue
from domain.game import Refusal
from tests.service.house import House

GAMES = Catalogue().rooms
MODES = ("hard", "kind", "ranking", "knockout")


def told(house: House, slug: str) -> dict[str, Any]:
    answer: dict[str, Any] = house.stranger.get(f"/games/{slug}").json
    return answer


def names(house: House, slug: str, sort: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = told(house, slug)["packs"][0]["names"][sort]
    return found


def choices(house: House, slug: str) -> list[dict[str, Any]]:
    """Options of every kind, those that can be played and those that can't."""
    if slug == "three-magic":
        return [{}, *({"laps": laps} for laps in range(-2, 5))]
    if slug == "ttmp":
        return [{"modes": list(modes)} for many in range(4) for modes in product(MODES, repeat=many)]
    field, sort = {"terraformers": ("planet", "card"), "troll-master": ("familiars", "familiar")}.get(slug, ("", ""))
    if not field:
        return [{}]
    cards = list(names(house, slug, sort))
    rows = [cards[:many] for many in range(len(cards))]
    twice = [[*row[:-1], row[0]] for row in rows if len(row) > 1]
    return [{}, {field: "random"}, *({field: row} for row in (*rows, *twice))]


def may_be_played(slug: str, options: dict[str, Any]) -> bool:
    game, pack = GAMES[slug].game, GAMES[slug].packs["house"].pack
    try:
        game.check_options(msgspec.convert(options, game.Options), game.seats[0], pack)
    except Refusal:
        return False
    return True


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_the_schema_of_options_allows_what_can_be_played_and_nothing_else(house: House, slug: str) -> None:
    found = told(house, slug)
    validator = jsonschema.Draft202012Validator({**found["options"], "schemas": found["schemas"]})
    tried = [(validator.is_valid(options), may_be_played(slug, options), options) for options in choices(house, slug)]
    assert [options for allowed, playable, options in tried if allowed != playable] == []
    if any(options for *_, options in tried):
        assert {playable for _, playable, _ in tried} == {True, False}


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_every_card_and_bot_has_a_name_in_both_languages(house: House, slug: str) -> None:
    page = told(house, slug)
    assert page["packs"][0]["names"].keys() == GAMES[slug].game.names(GAMES[slug].packs["house"].pack, "en").keys()
    for pieces in page["packs"][0]["names"].values():
        assert pieces
        for called in pieces.values():
            assert set(called) == {"en", "ja"}
            assert all(called.values())
        for lang in ("en", "ja"):
            assert len({called[lang] for called in pieces.values()}) == len(pieces), "no two are called alike"
    assert [bot["name"] for bot in page["bots"]] == list(BOTS)
    assert all(set(bot["about"]) == {"en", "ja"} for bot in page["bots"])


NAMES = {
    ("three-magic", "card", "3"): (None, "火1★"),
    ("troll-master", "familiar", "Mana Bug"): ("Mana Bug", "マナ虫"),
    ("troll-master", "magic", "tome"): ("tome", "古文書"),
    ("terraformers", "card", "Giants"): ("Giants", "巨人族"),
    ("magicative", "card", "27"): (None, "占星術7"),
    ("ttmp", "card", "Re-roll"): ("Re-roll", "振り直し"),
}


def test_names_are_by_what_the_data_says(house: House) -> None:
    for (slug, sort, key), (english, japanese) in NAMES.items():
        called = names(house, slug, sort)[key]
        assert called["ja"] == japanese
        assert english is None or called["en"] == english
    assert all(may_be_played("terraformers", {"planet": name}) for name in names(house, "terraformers", "scenario"))
    ann = house.player()
    for one, other in combinations(BOTS, 2):
        ann.open("ttmp", ({"bot": one}, {"bot": other}))


def test_an_operators_pack_brings_its_own_names(house: House) -> None:
    folder = house.service.config.packs / "ttmp"
    folder.mkdir(parents=True)
    text = GAMES["ttmp"].packs["house"].data.decode()
    assert 'name = "Flip"' in text
    (folder / "mine.toml").write_text(text.replace('name = "Flip"', 'name = "Somersault"'))
    packs = {pack["name"]: pack["names"]["card"] for pack in told(house, "ttmp")["packs"]}
    assert "Somersault" in packs["mine"]
    assert "Somersault" not in packs["house"]


def test_games_their_rules_and_limits_are_told(house: House) -> None:
    listed = {game["slug"]: game for game in house.stranger.get("/games").json["games"]}
    assert listed["three-magic"]["seats"] == [3]
    assert set(listed["three-magic"]["title"]) == {"en", "ja"}
    english = house.stranger.get("/games/three-magic/rules")
    japanese = house.stranger.get("/games/three-magic/rules", lang="ja")
    assert english.mimetype == japanese.mimetype == "text/markdown"
    assert "3M-12" in english.text
    assert english.text != japanese.text
    limits = house.stranger.get("/limits").json
    assert (limits["body_bytes"], limits["wait_seconds"], limits["waiting"]) == (1 << 16, 30, 8000)


@pytest.mark.parametrize("slug", ["three-magic", "troll-master"])
def test_a_pack_is_found_by_its_name_and_the_answer_says_its_hash(house: House, slug: str) -> None:
    for pack in house.stranger.get(f"/games/{slug}").json["packs"]:
        answers = [house.stranger.get(f"/games/{slug}/packs/{said}") for said in (pack["name"], pack["hash"])]
        for answer in answers:
            assert answer.status_code == 200
            assert sha256(answer.data).hexdigest() == pack["hash"]
            assert answer.headers["Content-Location"] == f"/api/games/{slug}/packs/{pack['hash']}"
    for none in ("none", "..", "house.toml", "HOUSE"):
        assert house.stranger.get(f"/games/{slug}/packs/{none}").json["code"] == "unknown-pack"

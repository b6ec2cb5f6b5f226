"""The first page: a table that is being played, or a film of one, and every game a click from being played."""

from __future__ import annotations

import json
import random
from datetime import timedelta
from itertools import pairwise, product
from typing import Any

import pytest
from freezegun import freeze_time

from service import clock
from service.web.pages import examples, games
from tests.laws.rooms import SLUGS, room_of
from tests.service.house import House, beside, play_out, step
from tests.service.stored import NO_SEAT, UNREADABLE, spoil
from tests.service.web.pages.browsing import Browser, scripted

pytestmark = pytest.mark.sqlite
FILMED = [slug for slug in SLUGS if examples.has_film(room_of(slug))]


def shown(house: House, lang: str = "en") -> dict[str, Any]:
    """What a stranger's first page draws."""
    return scripted(Browser(house, lang).look("/"))


def test_every_game_can_be_played_and_read_of_from_there(house: House) -> None:
    for path, lang in product(("/", "/games"), ("en", "ja")):
        text = Browser(house, lang).look(path)
        for slug in SLUGS:
            assert f'name="game" value="{slug}"' in text
            assert f'href="/games/{slug}"' in text
            assert room_of(slug).game.title[lang] in text


def test_a_match_that_is_being_played_is_shown_as_a_stranger_sees_it(house: House) -> None:
    match, players = house.table()
    step(match, players, random.Random(1))
    told = shown(house)
    assert told.keys() == set(games.DRAWN)
    assert (told["match"], told["film"], told["seat"]) == (match, "", None)
    assert told["version"] == house.stranger.look(match)["version"]
    hands = [zone for zone in told["scene"]["zones"] if zone["id"].endswith("/hand")]
    assert hands
    assert {piece["face"] for zone in hands for piece in zone["pieces"]} == {"down"}
    text = Browser(house).look("/")
    assert f'href="/matches/{match}"' in text
    assert '<div class="drawn" id="stage"><pre class="told">' in text
    assert house.stranger.look(match)["text"].splitlines()[0] in text
    assert "Player 0" in json.dumps(told)
    assert not [player for player in players if player.id in json.dumps(told)], "names alone say who sits there"
    assert scripted(Browser(house, who=players[0]).look("/"))["match"] == "", "nobody is shown their own"


def test_where_nothing_happened_for_long_there_is_a_film_and_also_once_a_match_is_over(house: House) -> None:
    player = house.player()
    kept = player.open_with(seats=(None, {"bot": "random"}), visibility="private")
    step(kept, [player], random.Random(1))
    assert shown(house)["match"] == ""
    match, players = house.table()
    step(match, players, random.Random(1))
    assert shown(house)["match"] == match
    with freeze_time(clock.now() + games.FRESH + timedelta(seconds=5)):
        told = shown(house)
    assert told["match"] == ""
    assert told["film"]
    play_out(match, players)
    assert shown(house)["match"] == ""


@pytest.mark.parametrize("said", [UNREADABLE, NO_SEAT])
def test_the_page_shows_another_match_if_one_can_not_be_read(house: House, said: bytes) -> None:
    (match, players), (spoilt, others) = house.table(), house.table()
    assert players[0].choose(match).status_code == 200
    assert others[0].choose(spoilt).status_code == 200
    assert shown(house)["match"] == spoilt, "the one that was moved in last"
    spoil(house.service, spoilt, said)
    assert shown(House(beside(house.service)))["match"] == match


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_films_are_short_enough_and_move(house: House, lang: str) -> None:
    assert FILMED
    for slug in FILMED:
        answer = house.send("GET", f"/games/{slug}/film?lang={lang}")
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == games.KEPT
        scenes = json.loads(answer.data)
        assert len(scenes) >= 4
        assert len(answer.data) < 100_000
        assert all(before != after for before, after in pairwise(scenes))
    for slug in ("high-card", "none"):
        assert house.send("GET", f"/games/{slug}/film").status_code == 404


def test_another_day_another_game(house: House) -> None:
    found = set()
    for day in range(len(FILMED)):
        with freeze_time(clock.now() + timedelta(days=day)):
            found.add(shown(house)["game"]["slug"])
    assert found == set(FILMED)

"""The first page, and pages of games, their rules and their packs' cards: read without a script, in both languages.

What they show is there before anybody asks for it.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise, product
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from freezegun import freeze_time

import tests.toy
from domain.catalogue import Catalogue, Room
from domain.scene import Zone, ids_of, pieces_of
from service import clock
from service.web.pages import examples, games, markdown
from service.web.pages.games import warm
from tests.conventions.test_rooms import clauses_of
from tests.laws.rooms import SLUGS, room_of
from tests.service.house import House, beside, play_out, step
from tests.service.stored import NO_SEAT, UNREADABLE, spoil
from tests.service.web.pages.browsing import Browser, scripted
from tests.service.web.test_server import serving

pytestmark = pytest.mark.sqlite

every_room = pytest.mark.parametrize("slug", SLUGS)
both = pytest.mark.parametrize("lang", ["en", "ja"])
PRINTED = {"magicative": 47, "terraformers": 22, "three-magic": 27, "troll-master": 48, "ttmp": 10, "high-card": 0}
"""How many different things a house pack prints, where a room shows them all."""
NAMED = {"terraformers": ("card",), "ttmp": ("card",), "troll-master": ("magic", "familiar", "black cat")}
"""The sorts of cards that are shown by their names."""


@both
def test_every_clause_stands_at_its_anchor_and_every_mention_leads_to_one(house: House, lang: str) -> None:
    browser = Browser(house, lang)
    for slug in SLUGS:
        text = browser.look(f"/games/{slug}/rules")
        ids = re.findall(r' id="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        for clause in clauses_of(room_of(slug)):
            assert f'<a href="#{clause.lower()}" class="number">{clause}</a>' in text
        assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
        # nothing of how the text is written down is left in it
        assert not re.search(r"<!--|\[[RPH]\]|\*\*|^\|", text, re.MULTILINE)
        titles = re.findall(r"^## (.*)$", room_of(slug).rules(lang), re.MULTILINE)
        listed = re.findall(r'<li><a href="#part-\d+">([^<]+)</a></li>', text)
        assert [title.replace("'", "&#39;") for title in titles] == listed


@every_room
@both
def test_all_that_the_house_pack_prints_lies_there_once(slug: str, lang: str) -> None:
    room = room_of(slug)
    zones: tuple[Zone, ...] = room.game.showcase(room.packs["house"].pack, lang)
    scene = examples.shown(zones, lang).scene
    assert [one for one, times in Counter(ids_of(scene)).items() if times > 1] == []
    assert slug not in PRINTED or sum(len(zone.pieces) for zone in zones) == PRINTED[slug]
    assert {piece.tone for piece in pieces_of(scene)} <= {"", *(tone.name for tone in room.game.palette)}
    titles = [piece.title for zone in zones for piece in zone.pieces]
    names = room.game.names(room.packs["house"].pack, lang)
    assert [name for sort in NAMED.get(slug, ()) for name in names[sort].values() if titles.count(name) != 1] == []
    if slug == "three-magic":
        assert sum(piece.count for zone in zones for piece in zone.pieces) == 60  # 3M-1


@both
def test_the_cards_are_drawn_in_the_rules_and_on_a_page_of_the_pack(house: House, lang: str) -> None:
    browser = Browser(house, lang)
    for slug in SLUGS:
        room = room_of(slug)
        printed = sum(len(zone.pieces) for zone in room.game.showcase(room.packs["house"].pack, lang))
        for path in (f"/games/{slug}/rules", f"/games/{slug}/packs/house"):
            cards = scripted(browser.look(path)).get("figures", {}).get("cards", {"scene": {"zones": []}})
            assert sum(len(zone["pieces"]) for zone in cards["scene"]["zones"]) == printed, path
        title = browser.look(f"/games/{slug}/packs/house").partition("</h1>")[0].partition("<h1>")[2]
        assert ("the pack “house”" in title, "パック「ハウス」" in title) == (lang == "en", lang == "ja")


@pytest.mark.parametrize(
    "path",
    [
        "/games/none",
        "/games/three-magic/packs/none",
        "/games/three-magic/packs/..",
        "/games/%3Cscript%3E/rules",
        "/games/three-magic/packs/%3Cscript%3E",
    ],
)
def test_what_is_not_there_is_said_on_a_page(house: House, path: str) -> None:
    text = Browser(house).look(path, 404)
    assert 'role="alert"' in text
    assert "<script>" not in text


@both
def test_a_game_is_played_from_its_page_against_bots_or_people(house: House, lang: str) -> None:
    for slug in SLUGS:
        browser, room = Browser(house, lang), room_of(slug)
        text = browser.look(f"/games/{slug}")
        assert f'href="/games/{slug}/rules"' in text
        assert f'href="/games/{slug}/packs/house"' in text
        most = max(room.game.seats)
        table = browser.send("/play", game=slug, seats=str(most), against="people").headers["Location"]
        assert len(house.stranger.look(table.rpartition("/")[2])["seats"]) == most
        # it is explained with examples, which are told without a script
        figures = scripted(text).get("figures", {})
        assert figures.keys() == room.examples().keys()
        assert re.findall(r'data-figure="([^"]+)"><pre class="told">', text) == list(
            re.findall(r"```figure (\S+)", room.howto(lang))
        )
        assert text.count("<figcaption>") == len(figures)
        anchors = {f"#{clause.lower()}" for clause in clauses_of(room)}
        assert set(re.findall(rf'href="/games/{slug}/rules(#[^"]+)"', text)) <= anchors


def test_words_of_the_original_are_read_in_its_language() -> None:
    text = "# T\n\n- 1-1 FIRE (火) is 魔力(マナ), see 1-1."
    body = markdown.rendered(text, lang="en").body
    assert '(<span lang="ja">火</span>)' in body
    assert '<span lang="ja">魔力(マナ</span>)' in body
    assert "lang=" not in markdown.rendered(text, lang="ja").body


def test_html_in_a_text_is_text_and_nothing_leads_out_by_itself() -> None:
    text = (
        "# A\n- X-1 [R] <script>x</script> ![y](http://elsewhere.example/y.png) X-1 and X-2\n\n<b onclick=a()>b</b>\n"
    )
    body = markdown.rendered(text, lang="en").body
    assert not re.search(r"<(script|img|b) ?", body)
    assert '<a class="mention" href="#x-1">X-1</a> and X-2' in body
    assert '<li id="x-1" class="clause">' in body


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


KEPT = (examples.moment_of, examples.figure_of, examples.film_of, games.howto, games.rules_of)


@pytest.fixture
def cold() -> Iterator[None]:
    """Nothing was made yet."""
    for one in KEPT:
        one.cache_clear()
    yield
    for one in KEPT:
        one.cache_clear()


@pytest.mark.usefixtures("cold")
def test_whoever_looks_at_a_game_first_finds_all_made(house: House) -> None:
    warm(house.service.catalogue, Event(), rest=0)
    made = [one.cache_info().misses for one in KEPT]
    assert all(made)
    for lang in ("en", "ja"):
        browser = Browser(house, lang)
        for slug in house.service.catalogue.rooms:
            browser.look(f"/games/{slug}")
            browser.look(f"/games/{slug}/rules")
        browser.look("/")
    assert [one.cache_info().misses for one in KEPT] == made


@pytest.mark.usefixtures("cold")
def test_it_stops_when_it_is_told_to() -> None:
    stop = Event()
    stop.set()
    warm(Catalogue((tests.toy,)), stop)
    assert sum(one.cache_info().misses for one in KEPT) <= 1


@pytest.mark.usefixtures("cold")
def test_what_can_t_be_made_hinders_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def figure(room: Room, name: str, lang: str) -> None:
        made.append(lang)
        raise examples.NeverCame(name)

    monkeypatch.setattr(examples, "figure_of", figure)
    catalogue = Catalogue()
    catalogue.rooms = {"ttmp": catalogue.rooms["ttmp"]}
    warm(catalogue, Event(), rest=0)
    assert {"en", "ja"} == set(made)
    assert games.rules_of.cache_info().currsize > 0


@pytest.mark.faults
@pytest.mark.soak
def test_a_server_makes_it_after_it_has_begun_to_serve(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as (server, _):
        assert server.stderr is not None
        said = []
        for line in server.stderr:
            said.append(line)
            if "pages are made" in line:
                break
        assert "serving" in "".join(said[:-1])
        assert not any("can't be made" in line for line in said)
        server.terminate()
        assert server.wait(60) == 0

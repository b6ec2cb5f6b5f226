"""How each game is played, for who has two minutes: in both languages, true to the clauses, with examples that come."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from domain.catalogue import Catalogue
from domain.game import fold
from domain.scene import pieces_of
from service.web.pages import examples
from tests.conventions.test_rooms import clauses_of
from tests.laws.rooms import SLUGS, room_of

FIGURE = re.compile(r"^ *```figure (\S+)\n(.*?)\n *```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"(?<![0-9A-Za-z-])[0-9A-Z]+-[0-9]+")
STEP = re.compile(r"^(\d+)\. \*\*", re.MULTILINE)
NUMBERED = re.compile(r"(.+[/-])\d+")
"""The id of one of several zones in a row, as a formula has it."""
MOST = 500
"""So many words are read in two minutes."""
every_room = pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "high-card"])


@every_room
def test_a_game_is_explained_in_both_languages_step_by_step(slug: str) -> None:
    english, japanese = (room_of(slug).howto(lang) for lang in ("en", "ja"))
    assert english.startswith("# ")
    assert re.search("[\u3040-\u30ff]", japanese), "there is no HOWTO.ja.md"
    for text in (english, japanese):
        pitch, length = text.split("\n\n")[1:3]
        assert 10 < len(pitch) < 120
        assert re.fullmatch(r"about \d+ minutes in one sitting|続けて遊べば約\d+分", length)
        steps = [int(step) for step in STEP.findall(text)]
        assert steps == list(range(1, len(steps) + 1))
        assert 5 <= len(steps) <= 8
    assert len(FIGURE.sub("", english).split()) <= MOST


@every_room
def test_it_names_clauses_that_there_are_and_shows_each_example_once_in_every_language(slug: str) -> None:
    room = room_of(slug)
    english, japanese = (set(NAMED.findall(room.howto(lang))) for lang in ("en", "ja"))
    assert english
    assert english == japanese
    assert english <= set(clauses_of(room))
    for lang in ("en", "ja"):
        figures = FIGURE.findall(room.howto(lang))
        assert Counter(name for name, _ in figures) == Counter(room.examples().keys())
        assert all(caption.strip() for _, caption in figures)


@every_room
def test_every_example_comes_about_and_shows_what_its_eyes_may_see_and_no_more(slug: str) -> None:
    room = room_of(slug)
    for name, example in room.examples().items():
        for lang in ("en", "ja"):
            figure = examples.figure_of(room, name, lang)
            assert list(pieces_of(figure.scene)), name
            assert figure.text
            assert bool(figure.scene.line) is not bool(example.zones), name
            shown = [zone for zone in figure.scene.zones if zone.pieces]
            assert not example.zones or len(shown) == len(example.zones), f"{name}: something is not there, or empty"
        hands = [zone for zone in figure.scene.zones if zone.id.endswith("/hand") and zone.seat]
        foreign = [] if slug == "terraformers" else [zone for zone in hands if zone.seat != (figure.seat,)]
        assert [piece.id for zone in foreign for piece in zone.pieces if piece.face != "down"] == [], name


def test_examples_are_of_the_rooms_own_pack_where_others_are_offered() -> None:
    room = Catalogue().rooms["terraformers"]
    room.offer_only(())
    assert examples.figure_of(room, "planet", "en").scene.zones


@every_room
def test_an_example_is_the_same_every_time(slug: str) -> None:
    room = room_of(slug)
    name = next(iter(room.examples()))
    first = examples.figure_of(room, name, "en")
    examples.figure_of.cache_clear()
    examples.moment_of.cache_clear()
    again = examples.figure_of(room, name, "en")
    assert again is not first
    assert again == first


@every_room
def test_an_example_that_shows_one_of_a_numbered_row_shows_all_of_it(slug: str) -> None:
    room = room_of(slug)
    for name, example in room.examples().items():
        moment = examples.moment_of(room, name)
        table = fold(room.game, moment.table, moment.events)
        lying = {zone.id for zone in room.game.scene(room.game.view(table, moment.seat), "en").zones}
        wanted = {zone.format(seat=moment.seat) for zone in example.zones}
        rows = tuple(found[1] for zone in wanted if (found := NUMBERED.fullmatch(zone)))
        assert {zone for zone in lying if zone.startswith(rows) and NUMBERED.fullmatch(zone)} <= wanted, name


def test_troll_masters_table_is_shown_in_planning_with_all_pawns_on_the_row() -> None:
    scene = examples.figure_of(room_of("troll-master"), "table", "en").scene
    (row,) = (zone for zone in scene.zones if zone.id == "row")
    assert "reveal a card" in scene.line
    assert len([lying for action in row.pieces for lying in action.on]) == 3

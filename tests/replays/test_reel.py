"""A film as data: every scene of a match, with nothing told twice."""

from __future__ import annotations

import gzip

import msgspec
import pytest

from domain.scene import Scene, said_by
from events.memory import MemoryRecorder
from replays.film import Film, Namer, Reel, reel, viewers
from replays.log import TRUTH, Log
from tests.laws.rooms import CATALOGUE, SLUGS
from tests.replays.reels import scene_of
from tests.replays.staged import SECRET
from tests.replays.timed import Timed, stage

NAMES = ("Aki <b>", "", "Çe", "Dee")
MOST = {"three-magic": 64_000}
"""Bytes of a whole match, packed; 40 KiB where none are named."""


@pytest.fixture(scope="module")
def stages() -> dict[str, Timed]:
    """A match of each room that is over, and one that runs."""
    recorder = MemoryRecorder()
    return {
        name: stage(recorder, slug, name, steps)
        for slug in SLUGS
        for name, steps in ((f"o_{slug}", None), (f"r_{slug}", 5))
    }


@pytest.fixture(scope="module")
def logs(stages: dict[str, Timed]) -> dict[str, Log]:
    return {name: Log(staged.recorder, name, CATALOGUE) for name, staged in stages.items()}


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("slug", SLUGS)
def test_put_together_again_a_film_shows_the_scene_of_every_version(logs: dict[str, Log], slug: str, lang: str) -> None:
    for log in (logs[f"o_{slug}"], logs[f"r_{slug}"]):
        for viewer in viewers(log):
            film = Film(log, viewer)
            cut = reel(film, lang, NAMES)
            last: Scene | None = None
            table = None
            for frame in film.frames:
                if frame.table is not table:
                    table = frame.table
                    drawn = log.game.scene(log.game.view(table, viewer), lang)
                    last = msgspec.structs.replace(said_by(drawn, Namer(NAMES)), buttons=())
                assert scene_of(cut, frame.version) == last
            assert len(cut.frames) == film.head


@pytest.mark.parametrize("slug", SLUGS)
def test_a_part_of_a_film_is_read_without_the_rest(logs: dict[str, Log], slug: str) -> None:
    film = Film(logs[f"o_{slug}"], TRUTH)
    whole, part = reel(film, "en"), reel(film, "en", (), film.frames[20:40])
    assert [frame.version for frame in part.frames] == list(range(21, 41))
    assert all(scene_of(part, version) == scene_of(whole, version) for version in range(21, 41))


@pytest.mark.parametrize("slug", SLUGS)
def test_a_film_is_as_small_as_a_page_needs_it(logs: dict[str, Log], slug: str) -> None:
    told = msgspec.json.encode(reel(Film(logs[f"o_{slug}"], TRUTH), "en"))
    assert len(gzip.compress(told)) < MOST.get(slug, 40_000)
    assert msgspec.json.decode(told, type=Reel) == reel(Film(logs[f"o_{slug}"], TRUTH), "en")


@pytest.mark.parametrize("slug", SLUGS)
def test_of_what_differs_in_hidden_cards_alone_a_film_tells_the_same(logs: dict[str, Log], slug: str) -> None:
    log = logs[f"r_{slug}"]
    for viewer in viewers(log):
        told = msgspec.json.encode(reel(Film(log, viewer), "en")).decode()
        assert SECRET not in told
        for frame in Film(log, viewer).frames:
            assert frame.table is None or log.game.view(frame.table, viewer) is not None


@pytest.mark.parametrize(("slug", "first"), [("three-magic", "Lap 1, deal 1"), ("ttmp", "Round 1"), ("magicative", "")])
def test_chapters_are_rounds_or_deals_where_a_game_has_them(logs: dict[str, Log], slug: str, first: str) -> None:
    for lang in ("en", "ja"):
        found = [frame.chapter for frame in reel(Film(logs[f"o_{slug}"], None), lang).frames if frame.chapter]
        assert len(set(found)) == len(found)
        assert bool(found) == bool(first)
        assert lang == "ja" or not first or found[0] == first


def test_names_stand_for_seats_and_are_no_more_than_text(logs: dict[str, Log]) -> None:
    cut = reel(Film(logs["o_ttmp"], None), "en", ("\x1b[31mAnn", "", ""))
    texts = "\n".join(frame.text for frame in cut.frames)
    assert "Ann" in texts
    assert "\x1b" not in texts
    assert "Seat 1" in texts or "seat 1" in texts
    assert "Seat 0 is taken." in texts

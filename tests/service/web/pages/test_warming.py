"""What pages of games show is there before anybody asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

import tests.toy
from domain.catalogue import Catalogue, Room
from service.web.pages import examples, games
from service.web.pages.games import warm
from tests.service.house import House
from tests.service.web.pages.browsing import Browser
from tests.service.web.test_server import serving

KEPT = (examples.moment_of, examples.figure_of, examples.film_of, games.howto, games.rules_of)


@pytest.fixture
def cold() -> Iterator[None]:
    """Nothing was made yet."""
    for one in KEPT:
        one.cache_clear()
    yield
    for one in KEPT:
        one.cache_clear()


@pytest.mark.sqlite
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

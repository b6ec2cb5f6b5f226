"""Packs that an operator puts beside the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

import domain.games
from domain.catalogue import Catalogue
from domain.game import PackError
from replays.log import Log, OtherRules
from service import wiring
from service.config import Config
from service.web.server import serve
from tests.service.house import THREE_MAGIC, House, Visitor
from tests.service.matches.test_concurrency import at_once
from tests.service.stored import rows

HOUSE = Catalogue((domain.games,)).rooms[THREE_MAGIC].packs["house"].data
RICH = HOUSE.replace(b"start = 270", b"start = 500").replace(b'"house"', b'"rich"')


@pytest.fixture
def rich(config: Config) -> Path:
    """The file of a pack with which everyone starts richer."""
    file = config.packs / THREE_MAGIC / "rich.toml"
    file.parent.mkdir(parents=True)
    return file


def build(config: Config, app: Flask) -> House:
    """The house, on a catalogue that no other test reads packs into."""
    return House(wiring.build(config, catalogue=Catalogue((domain.games,))), app)


@pytest.fixture
def house(config: Config, app: Flask) -> Iterator[House]:
    found = build(config, app)
    yield found
    found.service.close()


def offered(house: House) -> list[str]:
    return [pack["name"] for pack in house.stranger.get(f"/games/{THREE_MAGIC}").json["packs"]]


def od(visitor: Visitor, match: str) -> list[int]:
    return [place["od"] for place in visitor.look(match)["view"]["places"]]


def test_a_pack_is_offered_as_soon_as_its_file_is_there_and_no_more_when_it_is_gone(house: House, rich: Path) -> None:
    assert offered(house) == ["house"]
    rich.write_bytes(RICH)
    assert offered(house) == ["house", "rich"]
    rich.unlink()
    assert offered(house) == ["house"]


def test_a_match_is_played_with_the_pack_it_names(house: House, rich: Path) -> None:
    rich.write_bytes(RICH)
    match, (ann, *_) = house.table(THREE_MAGIC, 3, pack="rich")
    assert od(ann, match) == [500] * 3
    assert ann.look(match)["rules"]["pack"] == "rich"
    match, (ann, *_) = house.table(THREE_MAGIC, 3)
    assert od(ann, match) == [270] * 3


def test_a_match_keeps_its_pack_whatever_becomes_of_the_file(house: House, rich: Path, app: Flask) -> None:
    rich.write_bytes(RICH)
    match, (ann, *_) = house.table(THREE_MAGIC, 3, pack="rich")
    rich.write_bytes(RICH.replace(b"500", b"900"))
    other, _ = house.table(THREE_MAGIC, 3, pack="rich")
    rich.unlink()
    house.service.close()
    again = build(house.service.config, app)
    assert od(again.again(ann), match) == [500] * 3
    assert od(again.again(ann), other) == [900] * 3
    assert again.again(ann).look(match)["rules"]["pack"] == "rich"
    assert offered(again) == ["house"]
    again.service.close()


def test_a_match_whose_pack_is_not_at_hand_says_so(house: House, rich: Path) -> None:
    rich.write_bytes(RICH)
    match, _ = house.table(THREE_MAGIC, 3, pack="rich")
    with pytest.raises(OtherRules, match="the pack rich"):
        Log(house.service.recorder, match, Catalogue((domain.games,)))


def test_a_pack_that_cannot_be_played_with_is_not_offered_and_the_others_are(house: House, rich: Path) -> None:
    rich.write_bytes(b"name = 1")
    rich.with_name("poor.toml").write_bytes(RICH.replace(b"500", b"20"))
    assert offered(house) == ["house", "poor"]
    answer = house.player().post("/matches", {"game": THREE_MAGIC, "seats": [None] * 3, "pack": "rich"})
    assert (answer.status_code, answer.json["code"]) == (422, "unknown-pack")


def test_a_pack_that_is_spoilt_stays_as_it_was(house: House, rich: Path) -> None:
    rich.write_bytes(RICH)
    assert offered(house) == ["house", "rich"]
    rich.write_bytes(RICH.replace(b"500", b'"much"'))
    match, (ann, *_) = house.table(THREE_MAGIC, 3, pack="rich")
    assert od(ann, match) == [500] * 3


def test_a_pack_that_the_game_comes_with_cannot_be_replaced(config: Config, rich: Path) -> None:
    rich.with_name("house.toml").write_bytes(RICH)
    with pytest.raises(PackError, match=r"house\.toml: name: three-magic comes with a pack of that name"):
        wiring.build(config, catalogue=Catalogue((domain.games,)))


def test_the_server_does_not_start_with_a_pack_that_cannot_be_played_with(config: Config, rich: Path) -> None:
    rich.write_bytes(RICH.replace(b"start = 500", b"start = -1"))
    with pytest.raises(SystemExit, match=r"packs/three-magic/rich\.toml: prices: start"):
        serve(Config(data=config.data, port=0))


@pytest.mark.parametrize("pack", ["house", "rich"])
def test_of_many_who_open_matches_with_a_new_pack_at_once_all_do_and_it_is_kept_once(
    house: House, rich: Path, pack: str
) -> None:
    """One thread keeps or reads the pack; the others must not take it for kept or read before it is."""
    ann = house.player()
    body = {"game": THREE_MAGIC, "seats": [{"bot": "random"}, None, None], "pack": pack}
    for number in range(5 if pack == "rich" else 1):
        rich.write_bytes(RICH + b"\n" * number)
        answers = at_once(*[lambda: house.again(ann).post("/matches", body)] * 12)
        assert [answer.status_code for answer in answers] == [201] * 12
    kept = rows(house.service, "SELECT content FROM kept WHERE name LIKE 'pack/%'")
    assert len(set(kept)) == len(kept)
    assert (HOUSE if pack == "house" else RICH,) in kept

"""Packs that an operator puts beside the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import domain.games
from domain.catalogue import Catalogue
from domain.game import PackError
from replays.files.exports import fork_points
from replays.log import Log, OtherRules
from service import wiring
from service.config import Config
from service.web.server import serve
from tests.service.house import THREE_MAGIC, House, Visitor, refusal
from tests.service.stored import rows
from tests.service.together import at_once

HOUSE = Catalogue((domain.games,)).rooms[THREE_MAGIC].packs["house"].data
RICH = HOUSE.replace(b"start = 270", b"start = 500").replace(b'"house"', b'"rich"')


@pytest.fixture
def rich(config: Config) -> Path:
    """The file of a pack with which everyone starts richer."""
    file = config.packs / THREE_MAGIC / "rich.toml"
    file.parent.mkdir(parents=True)
    return file


def build(config: Config) -> House:
    """The house, on a catalogue that no other test reads packs into."""
    return House(wiring.build(config, catalogue=Catalogue((domain.games,))))


@pytest.fixture
def house(config: Config) -> Iterator[House]:
    with build(config) as found:
        yield found


def offered(house: House) -> list[str]:
    return [pack["name"] for pack in house.stranger.get(f"/games/{THREE_MAGIC}").json["packs"]]


def od(visitor: Visitor, match: str) -> list[int]:
    return [place["od"] for place in visitor.look(match)["view"]["places"]]


def test_a_match_and_its_fork_keep_the_pack_they_name_whatever_becomes_of_the_file(house: House, rich: Path) -> None:
    assert offered(house) == ["house"]
    rich.write_bytes(RICH)
    assert offered(house) == ["house", "rich"]
    match, (ann, *_) = house.table(THREE_MAGIC, 3, pack="rich")
    with pytest.raises(OtherRules, match="the pack rich"):
        Log(house.service.recorder, match, Catalogue((domain.games,)))
    rich.write_bytes(RICH.replace(b"500", b"900"))
    other, _ = house.table(THREE_MAGIC, 3, pack="rich")
    rich.unlink()
    assert offered(house) == ["house"]
    house.operator.post(f"/matches/{match}/abort")
    version = fork_points(house.service.states.log(match))[-1]
    fork = ann.post(f"/matches/{match}/fork", {"version": version, "seats": [None] * 3}).json
    assert fork["rules"] == ann.look(match)["rules"]
    house.service.close()
    with build(house.service.config) as again:
        for made, start in ((match, 500), (other, 900), (fork["id"], 500)):
            assert od(again.again(ann), made) == [start] * 3
        assert again.again(ann).look(match)["rules"]["pack"] == "rich"
        assert offered(again) == ["house"]
        match, (ann, *_) = again.table(THREE_MAGIC, 3)
        assert od(ann, match) == [270] * 3


def test_no_unplayable_pack_is_offered_and_one_that_is_spoilt_stays_as_it_was(house: House, rich: Path) -> None:
    rich.write_bytes(b"name = 1")
    rich.with_name("poor.toml").write_bytes(RICH.replace(b"500", b"20"))
    assert offered(house) == ["house", "poor"]
    wanted = {"game": THREE_MAGIC, "seats": [None] * 3, "pack": "rich"}
    assert refusal(house.player().post("/matches", wanted)) == (422, "unknown-pack")
    for content in (RICH, RICH.replace(b"500", b'"much"')):
        rich.write_bytes(content)
        assert offered(house) == ["house", "poor", "rich"]
    match, (ann, *_) = house.table(THREE_MAGIC, 3, pack="rich")
    assert od(ann, match) == [500] * 3


def test_nothing_starts_with_a_pack_that_is_unplayable_or_named_as_another(config: Config, rich: Path) -> None:
    rich.write_bytes(RICH.replace(b"start = 500", b"start = -1"))
    with pytest.raises(SystemExit, match=r"packs/three-magic/rich\.toml: prices: start"):
        serve(Config(data=config.data, port=0))
    rich.rename(rich.with_name("house.toml")).write_bytes(RICH)
    with pytest.raises(PackError, match=r"house\.toml: name: three-magic comes with a pack of that name"):
        wiring.build(config, catalogue=Catalogue((domain.games,)))


@pytest.mark.parametrize("pack", ["house", "rich"])
def test_a_pack_that_many_begin_to_play_with_at_once_is_kept_once(house: House, rich: Path, pack: str) -> None:
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

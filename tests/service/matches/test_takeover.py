"""A store in which matches are under way whose rules are not at hand: it is refused before anything is written."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from domain.catalogue import Catalogue, PackFile
from events import stores
from events.queries import StoreOlder
from events.store import Decision, Write
from replays.files.packs import Packs
from service import wiring
from service.config import Config
from service.matches import startup
from tests import museum
from tests.service.house import House, build, games, refusal
from tests.service.matches.test_other_rules import served
from tests.service.run.backups import service, tree

OLDER = museum.GAMES / "magicative" / "museum" / "v1-1-greedy.jsonl"
"""A match of a version of the rules that no release plays any more."""

LINE = "2 running matches can't be played on by the rules at hand (magicative 1: 2)"


def lying(config: Config) -> dict[str, bytes | None]:
    """What lies in the folder; reading a store makes a log of writes that is empty."""
    return {name: data for name, data in tree(config.data).items() if data or not name.endswith("-wal")}


@pytest.fixture
def came(config: Config) -> Config:
    """A store with two such matches in which somebody is asked, and a pack for them."""
    log, pack = museum.streams_of(OLDER)["m1"], museum.label_of(OLDER).pack.encode()
    log = log[: next(at for at, event in enumerate(log) if event.type == "match/MoveMade")]
    config.data.mkdir()
    with closing(stores.open_to_write(config.store_url)) as recorder:
        named = json.loads(log[0].public)["pack_hash"]
        Packs(games(), config.packs, recorder).keep("magicative", PackFile("museum", pack, named, None))
        for match in ("m_1", "m_2"):
            asked = (Decision(match, 0, len(log), "", "bot:greedy"),)
            events = tuple(msgspec.structs.replace(event, stream=match) for event in log)
            recorder.append(match, [Write(match, 0, events)], decisions=asked)
    return config


def test_it_is_refused_in_one_line_that_says_how_many_and_what_to_do(came: Config) -> None:
    before = lying(came)
    with pytest.raises(startup.RulesGone) as refused:
        build(came)
    said = str(refused.value)
    assert said.startswith(f"{stores.name_of(came.store_url)}: {LINE}; play them out or break them off")
    assert "import them" in said
    assert "FOLDTABLE_TAKE_OVER=1" in said
    assert "\n" not in said
    assert lying(came) == before, "nothing was written"


def test_who_says_so_takes_it_over_and_is_not_asked_again(came: Config) -> None:
    with House(build(replace(came, take_over=True))) as taken:
        assert taken.service.recorder.decisions() == ()
        assert taken.stranger.look("m_1")["playable"] is False
    build(came).close()


@pytest.mark.sqlite
def test_a_doctor_counts_them_before_and_after(came: Config, tmp_path: Path) -> None:
    def found(data: Path) -> list[tuple[str, ...]]:
        findings = json.loads(service("doctor", "--json", "--data", data).stdout)["findings"]
        return [(one["level"], one["what"], one["do"]) for one in findings if one["area"] == "rules"]

    for is_taken in (False, True):
        if is_taken:
            build(replace(came, take_over=True)).close()
        assert found(came.data) == [("warning", LINE, startup.INSTEAD)]
    playable = Config(data=tmp_path / "playable")
    with House(build(playable)) as there:
        there.table("magicative")
    build(playable).close()
    assert [level for level, *_ in found(playable.data)] == ["good"]


def test_a_game_that_is_gone_counts_too_and_is_nobodys_turn(house: House) -> None:
    match, _ = house.table()
    house.service.close()
    with pytest.raises(startup.RulesGone, match=r"1 running match can't be played on .* \(high-card 1: 1\)"):
        wiring.build(house.service.config, catalogue=Catalogue())
    with served(house, Catalogue()) as without:
        assert without.service.recorder.decisions() == ()
        assert without.stranger.get(f"/matches/{match}").json["code"] == "other-rules"


def test_of_a_hidden_match_whose_game_is_gone_strangers_learn_nothing(house: House) -> None:
    ann, bob = house.player(), house.player()
    match = ann.open_with(bob, seats=[None, {"player": bob.id}], visibility="private")
    with served(house, Catalogue()) as without:
        eve, where = without.player(), f"/matches/{match}"
        ann = without.again(ann)
        for asker, expected in ((eve, (404, "unknown-match")), (ann, (409, "other-rules"))):
            for answer in (
                asker.post(f"{where}/moves", {"decision": 1, "id": "pass"}),
                asker.post(f"{where}/offers/0/acceptance"),
                asker.delete(f"{where}/offers/0/acceptance"),
            ):
                assert refusal(answer) == expected


@pytest.mark.sqlite
def test_a_store_of_before_the_first_release_is_refused_before_anything_is_changed(came: Config) -> None:
    with closing(sqlite3.connect(came.database)) as connection:
        connection.execute("PRAGMA user_version = 3")
    before = lying(came)
    with pytest.raises(StoreOlder, match=r"^[^\n]*2 running matches can't go on here; [^\n]*replays export[^\n]*$"):
        build(replace(came, take_over=True))
    assert lying(came) == before

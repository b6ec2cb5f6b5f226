"""A store in which matches are under way whose rules are not at hand: it is refused before anything is written."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from flask import Flask

from domain.catalogue import Catalogue, PackFile
from events import opening, stores
from events.envelope import Stored
from events.store import Decision, StoreMissing, Write
from replays.files.packs import Packs
from service import wiring
from service.config import Config
from service.matches import takeover
from service.store.effects import open_effects
from tests import museum
from tests.service.house import House, build, games
from tests.service.run.backups import service, tree

OLDER = museum.GAMES / "magicative" / "museum" / "v1-1-greedy.jsonl"
"""A match of a version of the rules that no release plays any more."""

LINE = "2 running matches can't be played on by the rules at hand (magicative 1: 2)"


def under_way() -> tuple[list[Stored], bytes]:
    """The first events of that match, up to where a seat is asked, and the pack that it is played with."""
    log = museum.streams_of(OLDER)["m1"]
    first = next(at for at, event in enumerate(log) if event.type == "match/MoveMade")
    return log[:first], museum.label_of(OLDER).pack.encode()


def lying(config: Config) -> dict[str, bytes | None]:
    """What lies in the folder; reading a store makes a log of writes that is empty."""
    return {name: data for name, data in tree(config.data).items() if data or not name.endswith("-wal")}


def renamed(log: list[Stored], match: str) -> tuple[Stored, ...]:
    return tuple(msgspec.structs.replace(event, stream=match) for event in log)


@pytest.fixture
def came(config: Config) -> Config:
    """A store with two such matches in which somebody is asked, and a pack for them."""
    log, pack = under_way()
    config.data.mkdir()
    with closing(stores.open_to_write(config.store_url)) as recorder:
        named = json.loads(log[0].public)["pack_hash"]
        Packs(games(), config.packs, recorder).keep("magicative", PackFile("museum", pack, named, None))
        for match in ("m_1", "m_2"):
            asked = (Decision(match, 0, len(log), "", "bot:greedy"),)
            recorder.append(match, [Write(match, 0, renamed(log, match))], decisions=asked)
    return config


def test_it_is_refused_in_one_line_that_says_how_many_and_what_to_do(came: Config) -> None:
    before = lying(came)
    with pytest.raises(takeover.RulesGone) as refused:
        build(came)
    said = str(refused.value)
    assert said.startswith(f"{stores.name_of(came.store_url)}: {LINE}; play them out or break them off")
    assert "import them" in said
    assert "FOLDTABLE_TAKE_OVER=1" in said
    assert "\n" not in said
    assert lying(came) == before, "nothing was written"


def test_who_says_so_takes_it_over_and_is_not_asked_again(came: Config, app: Flask) -> None:
    taken = build(replace(came, take_over=True))
    assert taken.recorder.decisions() == ()
    assert House(taken, app).stranger.look("m_1")["playable"] is False
    taken.close()
    build(came).close()


def test_matches_that_can_be_played_on_are_nothing_to_refuse(house: House, app: Flask) -> None:
    house.table("magicative")
    house.service.close()
    build(house.service.config).close()


def test_a_game_that_is_gone_counts_too(house: House) -> None:
    house.table()
    house.service.close()
    with pytest.raises(takeover.RulesGone, match=r"1 running match can't be played on .* \(high-card 1: 1\)"):
        wiring.build(house.service.config, catalogue=Catalogue())


@pytest.mark.sqlite
def test_a_store_of_an_older_schema_is_counted_before_it_is_migrated(config: Config) -> None:
    older_store(config.database)
    before = lying(config)
    with pytest.raises(takeover.RulesGone) as refused:
        build(config)
    assert LINE in str(refused.value)
    assert lying(config) == before
    with closing(sqlite3.connect(config.database)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)


@pytest.mark.sqlite
def test_who_only_notes_effects_brings_no_store_up_to_date(config: Config) -> None:
    """A follower or a deliverer may start before the web process, which asks whether the store is to be taken over."""
    older_store(config.database)
    with pytest.raises(StoreMissing, match="holds no tables of the service yet"):
        open_effects(config.store_url)
    with closing(sqlite3.connect(config.database)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)


def older_store(path: Path) -> None:
    """A store as the release of version 1 of the rules had it, whose tables had no partitions."""
    path.parent.mkdir()
    log, _ = under_way()
    with closing(sqlite3.connect(path)) as connection:
        scripts = "".join(script.read_text() for script in opening.SCHEMA[:2])
        connection.executescript(f"{scripts}\nPRAGMA user_version = 2; PRAGMA journal_mode = WAL")
        for number, match in enumerate(("m_1", "m_2")):
            for at, event in enumerate(renamed(log, match)):
                fields = [getattr(event, name) for name in Stored.__struct_fields__]
                marks = ", ".join("?" * (len(fields) + 2))
                connection.execute(f"INSERT INTO events VALUES ({marks})", (*fields, 0, 1 + at + number * len(log)))
            connection.execute("INSERT INTO decisions VALUES (?, 0, ?, '', 'bot:greedy')", (match, len(log)))
        connection.commit()


@pytest.mark.sqlite
@pytest.mark.parametrize("is_taken", [False, True])
def test_a_doctor_counts_them_before_and_after(came: Config, is_taken: bool) -> None:
    if is_taken:
        build(replace(came, take_over=True)).close()
    found = json.loads(service("doctor", "--json", "--data", came.data).stdout)["findings"]
    told = [(one["level"], one["what"], one["do"]) for one in found if one["area"] == "rules"]
    assert told == [("warning", LINE, takeover.INSTEAD)]


@pytest.mark.sqlite
def test_a_doctor_finds_that_every_match_can_be_played_on(house: House) -> None:
    house.table("magicative")
    found = json.loads(service("doctor", "--json", "--data", house.service.config.data).stdout)["findings"]
    assert [one["level"] for one in found if one["area"] == "rules"] == ["good"]

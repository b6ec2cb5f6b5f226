"""Processes on several hosts, each with a folder of its own, share a store and what lies in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import Any

import httpx2
import pytest

from events import keyring
from events.chain import Head
from events.keyring import Keyring, KeysUnusable
from events.store import Statement
from service import clock, wiring
from service import config as configuration
from service.config import Config
from service.jobs.door import Door
from service.jobs.player import BotPlayer
from service.run.rotate import begin_anew, rotate
from tests.service.house import THREE_MAGIC, House, Visitor, refusal
from tests.service.jobs.workrun import Work
from tests.service.matches.test_packs import RICH, od
from tests.service.matches.test_packs import build as at

pytestmark = pytest.mark.faults

BOTS = [{"bot": "greedy"}] * 3


@pytest.fixture
def here(config: Config) -> Iterator[House]:
    """On a host whose operator offers a pack."""
    file = config.packs / THREE_MAGIC / "rich.toml"
    file.parent.mkdir(parents=True)
    file.write_bytes(RICH)
    with at(config) as found:
        yield found


@pytest.fixture
def there(here: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """Of a host with nothing of its own, where the store is asked for keys each time."""
    monkeypatch.setattr(keyring, "EVERY", 0.0)
    config, secret = here.service.config, tmp_path / "secret"
    shutil.copy(config.keys, secret)
    return replace(config, data=tmp_path / "there", store=config.store_url, keys_file=secret)


@pytest.fixture
def other(there: Config) -> Iterator[House]:
    with at(there) as found:
        yield found


def test_a_match_is_played_where_its_pack_was_never_offered_and_a_revoked_token_is_refused(
    here: House, other: House
) -> None:
    match, (ann, *_) = here.table(THREE_MAGIC, 3, pack="rich")
    assert [pack["name"] for pack in other.stranger.get(f"/games/{THREE_MAGIC}").json["packs"]] == ["house"]
    assert od(other.stranger, match) == [500] * 3
    again = other.again(ann)
    assert again.look(match)["rules"]["pack"] == "rich"
    text = other.stranger.get(f"/games/{THREE_MAGIC}/packs/{sha256(RICH).hexdigest()}")
    assert (text.status_code, text.data) == (200, RICH)
    assert refusal(other.stranger.get(f"/games/{THREE_MAGIC}/packs/{'0' * 64}")) == (404, "unknown-pack")
    assert again.get("/me").status_code == 200
    (token,) = ann.get("/me/tokens").json["tokens"]
    assert ann.delete(f"/me/tokens/{token['id']}").status_code == 204
    assert again.get("/me").status_code == 401


def test_a_worker_without_files_plays_with_the_pack_of_a_match(here: House, tmp_path: Path) -> None:
    match = here.player().open(THREE_MAGIC, BOTS, pack="rich", options={"laps": 1})
    door = Door("http://house", here.service.config.worker_token, httpx2.WSGITransport(app=here.app))
    player = BotPlayer(door, Event(), tmp_path / "none")
    assert player.play(Work(match), 60.0)
    assert here.stranger.look(match)["status"] == "finished"


def keys(house: House) -> list[str]:
    return [key["key"] for key in house.stranger.get("/keys").json["keys"]]


def ready(house: House) -> list[str]:
    found: list[str] = (house.app.test_client().get("/readyz").json or {}).get("wrong", [])
    return found


def opened(house: House) -> tuple[int, Any]:
    answer = house.player().post("/matches", {"game": THREE_MAGIC, "seats": [None] * 3})
    return answer.status_code, answer.json


def test_every_host_publishes_the_keys_of_all_and_signs_only_with_the_last(
    here: House, other: House, there: Config
) -> None:
    (first,) = keys(here)
    assert keys(other) == [first]
    second = rotate(here.service.config, lead=timedelta(hours=1))
    assert keys(other) == keys(here) == [first, second.key]
    code, answer = opened(other)
    assert (code, answer["receipt"]["key"]) == (201, first), "the old one signs until the new one does"
    assert opened(here)[1]["receipt"]["key"] == second.key
    head = Head(1, bytes(32), second.since)
    with pytest.raises(KeysUnusable, match=f"secret does not hold the published key {second.key}"):
        other.service.keyring.sign("m_1", head)
    with pytest.raises(KeysUnusable, match="renew it where that lies"):
        rotate(there)
    shutil.copy(here.service.config.keys, there.keys)
    assert other.service.keyring.sign("m_1", head).key == second.key


def test_a_host_whose_key_was_followed_by_another_says_that_it_is_not_ready(
    here: House, other: House, there: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.health.EVERY", 0.0)
    assert ready(other) == []
    rotate(here.service.config, lambda: clock.now() - timedelta(hours=1))
    assert (ready(other), ready(here)) == (["keys"], [])
    assert (other.app.test_client().get("/readyz").json or {})["code"] == "not-ready"
    code, answer = opened(other)
    assert (code, answer["code"]) == (503, "keys-unusable")
    with pytest.raises(KeysUnusable, match="does not hold the published key"):
        at(there)


def test_a_host_with_keys_of_its_own_or_with_none_does_not_start(here: House, there: Config, tmp_path: Path) -> None:
    there.keys.unlink()
    with pytest.raises(KeysUnusable, match="there is no file of keys, and the store has matches or keys"):
        at(there)
    Keyring.open(there.keys, "2024-03-04T12:00:00.000Z")
    with pytest.raises(KeysUnusable, match="holds other keys than those that the store's processes publish"):
        at(there)


def test_lost_keys_are_known_from_the_store(here: House, config: Config) -> None:
    before = keys(here)
    config.keys.unlink()
    new = begin_anew(config)
    assert keys(here) == [*before, new.key]
    assert opened(here)[1]["receipt"]["key"] == new.key


def test_keys_of_an_earlier_release_are_published_at_the_next_start(here: House, config: Config) -> None:
    before = keys(here)
    here.service.close()
    store = wiring.open_store(config)
    store.write([Statement("DELETE FROM kept WHERE name = 'keys'")])
    assert keyring.published(store) == ()
    with at(config) as again:
        assert [key.key for key in keyring.published(store)] == keys(again) == before
    store.close()


TOKENS = ("w" * 40, "a" * 40)


def test_tokens_may_be_said_and_lie_in_no_file_then_or_in_files_that_are_named(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker, admin = TOKENS
    house = at(replace(config, worker_said=worker, admin_said=admin))
    door = Door("http://house", worker, httpx2.WSGITransport(app=house.app))
    match = house.player().open(THREE_MAGIC, BOTS, options={"laps": 1})
    assert BotPlayer(door, Event(), config.packs).play(Work(match), 60.0)
    other = house.player().open(THREE_MAGIC, [None] * 3)
    assert Visitor(house.app.test_client(), admin).post(f"/matches/{other}/abort").status_code == 200
    assert not (config.data / "worker-token").exists()
    assert not (config.data / "admin-token").exists()
    assert worker not in repr(house.service.config)
    house.service.close()
    for name, token in zip(("WORKER", "ADMIN"), TOKENS, strict=True):
        (tmp_path / name).write_text(f"{token}\n")
        monkeypatch.setenv(f"FOLDTABLE_{name}_TOKEN_FILE", str(tmp_path / name))
    named = at(replace(configuration.read(data=config.data), store=config.store))
    another = named.player().open(THREE_MAGIC, [None] * 3)
    assert Visitor(named.app.test_client(), admin).post(f"/matches/{another}/abort").status_code == 200
    named.service.close()

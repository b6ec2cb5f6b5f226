"""Receipts, the keys that sign them, and what a player can prove by them."""

from __future__ import annotations

import stat
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask

from domain.catalogue import Catalogue
from events import receipts
from events.chain import Head
from events.keyring import Keyring, KeysUnusable
from events.receipts import Key, Receipt
from events.sqlite import SqliteRecorder
from replays.commands.store import import_file
from replays.files.format import read_file
from replays.files.packs import Packs
from service import clock
from service.config import Config
from service.run.rotate import LEAD, rotate
from service.web.server import serve
from tests.service.house import THREE_MAGIC, House, Visitor, build
from tests.service.run.uprun import DEADLINE, TREE, environment


def keys(house: House) -> list[Key]:
    answer = house.stranger.get("/keys")
    assert answer.status_code == 200
    return msgspec.convert(answer.json["keys"], list[Key])


def assert_holds(house: House, receipt: dict[str, Any], event: dict[str, Any]) -> None:
    """The receipt is for that event, by a key that is published."""
    head = Head(version=event["version"], hash=bytes.fromhex(event["hash"]), at=event["at"])
    published = keys(house)
    assert receipts.faults_of(published) == []
    receipts.check(msgspec.convert(receipt, Receipt), published, head)
    assert receipt["stream"] == event["stream"]


def sealing(house: House) -> tuple[str, list[Visitor]]:
    """A match in which both owe an answer under seal."""
    match, players = house.table(pack="flat")
    for player in players:
        player.move(match, {"type": "SetAside", "card": 1})
    return match, players


def test_the_first_start_makes_a_key_that_its_owner_alone_may_read(house: House) -> None:
    file = house.service.config.keys
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (first,) = keys(house)
    assert first.by is None
    assert msgspec.json.decode(file.read_bytes())["private"] not in house.stranger.get("/keys").text


def test_a_service_that_starts_again_signs_by_the_same_key(house: House, config: Config) -> None:
    before = keys(house)
    house.service.close()
    again = build(config)
    assert keys(House(again)) == before
    again.close()


@pytest.mark.parametrize("seats", [[None, None], [{"bot": "random"}] * 2])
def test_who_opens_a_match_has_the_receipt_for_its_opening_event(house: House, seats: list[Any]) -> None:
    opened = house.player().post("/matches", {"game": "high-card", "seats": seats}).json
    assert opened["receipt"]["version"] == opened["opening"]["version"] == 1
    assert_holds(house, opened["receipt"], opened["opening"])


def test_who_sits_down_or_leaves_has_the_receipt_for_what_came_of_it(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open()
    for visitor, do, version in (
        (ann, ann.post, 2),
        (ann, ann.delete, 3),
        (bob, bob.post, 4),
        (ann, ann.post, None),
    ):
        answer = do(f"/matches/{match}/seats").json
        last = visitor.events(match)[-1]
        assert answer["version"] == answer["receipt"]["version"] == last["version"]
        assert version in {None, last["version"]}
        assert_holds(house, answer["receipt"], last)
    assert house.stranger.look(match)["status"] == "playing"


def test_who_moves_has_the_receipt_for_what_came_of_it(house: House) -> None:
    match, (ann, bob) = house.table()
    for player in (ann, bob):
        moved = player.move(match, player.moves(match)["moves"][0]["id"]).json
        assert moved["receipt"]["version"] == moved["version"]
        assert_holds(house, moved["receipt"], moved["events"][-1])
        assert_holds(house, moved["receipt"], house.stranger.events(match)[moved["version"] - 1])


def test_an_answer_under_seal_has_the_receipt_for_the_private_log(house: House) -> None:
    match, (ann, bob) = sealing(house)
    first, last = ann.move(match, "raise").json, bob.move(match, "pass").json
    assert first["receipt"] is None
    for player, moved in ((ann, first), (bob, last)):
        (private,) = player.events(match, private="true")
        assert_holds(house, moved["sealed"]["receipt"], private)
    assert_holds(house, last["receipt"], last["events"][-1])


def test_a_repeat_has_the_same_receipt_whatever_came_meanwhile(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    body = {"game": "high-card", "seats": [None, None], "pack": "flat"}
    opened = [ann.post("/matches", body, key="o").json]
    match = opened[0]["id"]
    seated = [ann.post(f"/matches/{match}/seats", key="s").json]
    bob.sit(match)
    moved = []
    for player in (ann, bob):
        player.move(match, {"type": "SetAside", "card": 1})
    decision = ann.look(match)["decision"]
    moved.append(ann.move(match, "raise", decision, key="m").json)
    bob.move(match, "raise")
    opened.append(ann.post("/matches", body, key="o").json)
    seated.append(ann.post(f"/matches/{match}/seats", key="s").json)
    moved.append(ann.move(match, "raise", decision, key="m").json)
    for first, again in (opened, seated):
        assert first["receipt"] == again["receipt"]
        assert first["version"] < again["version"]
    assert moved[0]["sealed"] == moved[1]["sealed"]
    assert moved[1]["receipt"] is None


def test_the_workers_have_the_receipts_of_the_bots_that_they_play(house: House) -> None:
    ann = house.player()
    match = ann.open(seats=[None, {"bot": "random"}])
    ann.sit(match)
    now = house.worker.moves(match, seat=1)
    moved = house.worker.move(match, now["moves"][0]["id"], now["decision"], seat=1).json
    assert_holds(house, moved["receipt"], moved["events"][-1])


def test_a_key_is_rotated_while_the_service_runs(house: House) -> None:
    ann = house.player()
    before = ann.post("/matches", {"game": "high-card", "seats": [None, None]}, key="k").json
    (old,) = keys(house)
    new = rotate(house.service.config)
    assert [key.key for key in keys(house)] == [old.key, new.key]
    assert new.by == old.key
    after = ann.post("/matches", {"game": "high-card", "seats": [None, None]}).json
    assert (before["receipt"]["key"], after["receipt"]["key"]) == (old.key, new.key)
    for opened in (before, after):
        assert_holds(house, opened["receipt"], opened["opening"])
    again = ann.post("/matches", {"game": "high-card", "seats": [None, None]}, key="k").json
    assert again["receipt"]["key"] == new.key, "the same event, signed by whoever signs now"
    assert_holds(house, again["receipt"], again["opening"])


def test_what_is_signed_while_a_key_is_rotated_holds(house: House) -> None:
    """The moment from which the new key signs lies ahead, for the old one may be in use until the file is there."""
    ann = house.player()
    old = Keyring(house.service.config.keys)
    new = rotate(house.service.config)
    opened = ann.post("/matches", {"game": "high-card", "seats": [None, None]}).json["opening"]
    head = Head(version=1, hash=bytes.fromhex(opened["hash"]), at=opened["at"])
    late = receipts.sign(old._state.private, old._state.keys[-1], opened["stream"], head)
    assert late.key == new.by
    receipts.check(late, keys(house), head)
    assert LEAD.total_seconds() > 1


def command(*args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service", "rotate-key", *map(str, args)],
        cwd=TREE,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE,
    )


def test_the_command_prints_the_new_keys_name(house: House) -> None:
    done = command("--data", house.service.config.data)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{keys(house)[-1].key}\n"
    assert len(keys(house)) == 2
    assert stat.S_IMODE(house.service.config.keys.stat().st_mode) == 0o600


def test_without_a_key_there_is_none_to_rotate(tmp_path: Path) -> None:
    done = command("--data", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: {tmp_path / 'keys'}: there is no file of keys: the service makes the first")
    assert done.stderr.count("\n") == 1


def test_keys_that_can_not_be_read_are_said_and_what_was_done_is_kept(house: House) -> None:
    ann = house.player()
    match, file = ann.open(), house.service.config.keys
    whole = file.read_bytes()
    file.write_bytes(b"nonsense")
    failed = ann.post(f"/matches/{match}/seats", key="k")
    assert (failed.status_code, failed.json["code"]) == (503, "keys-unusable")
    assert failed.headers["Retry-After"]
    assert house.stranger.get("/keys").json["code"] == "keys-unusable"
    assert house.stranger.look(match)["seats"][0]["player"]["id"] == ann.id
    file.write_bytes(whole)
    again = ann.post(f"/matches/{match}/seats", key="k")
    assert_holds(house, again.json["receipt"], ann.events(match)[1])


def test_the_service_does_not_start_without_keys_that_can_be_read(house: House, config: Config) -> None:
    house.service.close()
    config.keys.write_bytes(b"nonsense")
    with pytest.raises(KeysUnusable, match="is no file of keys"):
        build(config)
    with pytest.raises(SystemExit, match=r"^error: .*keys is no file of keys: put back a copy"):
        serve(Config(data=config.data, store=config.store, port=0))


class Clock:
    """A clock that can be set."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def __call__(self) -> datetime:
        return clock.now() + self.ahead


def test_receipts_hold_though_the_clock_was_wrong_for_a_moment_and_the_key_was_renewed(
    config: Config, app: Flask
) -> None:
    now = Clock()
    house = House(build(config, now), app)
    match, players = house.table(THREE_MAGIC, 3)
    given: list[tuple[dict[str, Any], dict[str, Any]]] = []

    def play(receipts: int) -> None:
        before = len(given)
        while len(given) < before + receipts:
            player = next(player for player in players if player.moves(match)["moves"])
            moved = player.move(match, player.moves(match)["moves"][0]["id"]).json
            if moved["receipt"]:
                given.append((moved["receipt"], moved["events"][-1]))

    play(2)
    now.ahead = timedelta(hours=1)
    play(4)
    now.ahead = timedelta(0)
    new = rotate(config, now)
    play(2)
    rotate(config, now)
    play(1)
    assert len(given) > 4
    assert {receipt["key"] for receipt, _ in given} == {key.key for key in keys(house)}
    assert given[-2][0]["at"] >= new.since > clock.stamp(clock.now() + timedelta(minutes=59))
    for receipt, event in given:
        assert_holds(house, receipt, event)
    house.service.close()


def test_a_service_whose_keys_are_gone_makes_none_in_silence(house: House, config: Config, tmp_path: Path) -> None:
    ann = house.player()
    opened = ann.post("/matches", {"game": "high-card", "seats": [None, None]}).json
    (tmp_path / "published.json").write_bytes(house.stranger.get("/keys").data)
    before = keys(house)
    house.service.close()
    config.keys.unlink()
    lost = r"keys: there is no file of keys, and the store has matches.*declare it lost \(python -m service rotate-key"
    with pytest.raises(KeysUnusable, match=lost):
        build(config)
    with pytest.raises(SystemExit, match=lost):
        serve(Config(data=config.data, store=config.store, port=0))
    assert not config.keys.exists()
    done = command("--data", config.data, "--keys", tmp_path / "published.json")
    assert (done.returncode, "it needs --lost too" in done.stderr) == (2, True)
    for content, says in (("nonsense", "neither an answer"), ('{"keys": []}', "has no keys")):
        (tmp_path / "other.json").write_text(content)
        done = command("--data", config.data, "--lost", "--keys", tmp_path / "other.json")
        assert (done.returncode, done.stderr.count("\n"), says in done.stderr) == (1, 1, True)
    done = command("--data", config.data, "--lost", "--keys", tmp_path / "published.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert stat.S_IMODE(config.keys.stat().st_mode) == 0o600
    again = House(build(config))
    assert keys(again)[:-1] == before
    assert keys(again)[-1].key == done.stdout.strip()
    assert_holds(again, opened["receipt"], opened["opening"])
    again.service.close()
    done = command("--data", config.data, "--lost")
    assert (done.returncode, "is not lost" in done.stderr) == (1, True)


def test_matches_that_others_have_signed_need_no_keys_of_ours(tmp_path: Path) -> None:
    recorder = SqliteRecorder(tmp_path / "foldtable.db")
    museum = TREE / "tests" / "replays" / "files" / "museum" / "v2-finished.jsonl"
    import_file(read_file(museum), recorder, Packs(Catalogue(), tmp_path / "packs", recorder), is_trusted=True)
    assert recorder.matches() != ()
    assert recorder.latest() == ""
    recorder.close()
    other = build(Config(data=tmp_path))
    assert len(other.keyring.keys) == 1
    other.close()


def test_a_token_that_may_only_open_is_answered_what_it_opened(house: House) -> None:
    ann = house.player()
    token = ann.post("/me/tokens", {"scopes": ["match:create"]}).json["token"]
    opener = Visitor(ann.client, token, ann.id)
    opened = opener.post("/matches", {"game": THREE_MAGIC, "seats": [None] * 3})
    assert opened.status_code == 201
    assert_holds(house, opened.json["receipt"], opened.json["opening"])

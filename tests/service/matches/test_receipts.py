"""Receipts, the keys that sign them, and what a player can prove by them."""

from __future__ import annotations

import stat
import subprocess
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.catalogue import Catalogue
from events import keyring, receipts
from events.chain import Head
from events.keyring import Keyring, KeysUnusable
from events.receipts import Key, Receipt
from events.sqlite import SqliteRecorder
from replays.commands.store import checked, import_match
from replays.files.packs import Packs
from service import clock
from service.config import Config
from service.run.rotate import LEAD, rotate
from service.web.server import serve
from tests.service.house import THREE_MAGIC, House, Visitor, build, refusal, set_aside
from tests.service.run.backups import service
from tests.service.run.uprun import TREE


def keys(house: House) -> list[Key]:
    return msgspec.convert(house.stranger.shown("/keys")["keys"], list[Key])


def assert_holds(house: House, receipt: dict[str, Any], event: dict[str, Any]) -> None:
    """The receipt is for that event, by a key that is published."""
    head = Head(version=event["version"], hash=bytes.fromhex(event["hash"]), at=event["at"])
    published = keys(house)
    assert receipts.faults_of(published) == []
    receipts.check(msgspec.convert(receipt, Receipt), published, head)
    assert receipt["stream"] == event["stream"]


def sealing(house: House, seats: int = 2) -> tuple[str, list[Visitor]]:
    """A match in which all owe an answer under seal."""
    match, players = house.table(seats=seats, pack="flat")
    set_aside(match, players)
    return match, players


def test_whoever_has_events_stored_has_the_receipt_for_the_last_of_them(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    token = ann.post("/me/tokens", {"scopes": ["match:create"]}).json["token"]
    for seats in ([None, None], [{"bot": "random"}] * 2):
        opened = Visitor(ann.client, token).post("/matches", {"game": "high-card", "seats": seats}).json
        assert opened["receipt"]["version"] == opened["opening"]["version"] == 1
        assert_holds(house, opened["receipt"], opened["opening"])
    match = ann.open(seats=[None, {"bot": "random"}, None])
    path = f"/matches/{match}/seats"
    for visitor, do in ((ann, ann.post), (ann, ann.delete), (bob, bob.post), (ann, ann.post)):
        answer, last = do(path).json, visitor.events(match)[-1]
        assert answer["version"] == answer["receipt"]["version"] == last["version"]
        assert_holds(house, answer["receipt"], last)
    for visitor, seat in ((ann, {}), (bob, {}), (house.worker, {"seat": 1})):
        now = visitor.moves(match, **seat)
        moved = visitor.move(match, now["moves"][0]["id"], now["decision"], **seat).json
        assert moved["receipt"]["version"] == moved["version"]
        assert_holds(house, moved["receipt"], moved["events"][-1])
        assert_holds(house, moved["receipt"], house.stranger.events(match)[moved["version"] - 1])


def test_an_answer_under_seal_has_the_receipt_for_the_private_log_and_a_repeat_has_the_same(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    body = {"game": "high-card", "seats": [None, None], "pack": "flat"}
    opened = ann.post("/matches", body, key="o").json
    match = opened["id"]
    seated = ann.post(f"/matches/{match}/seats", key="s").json
    bob.sit(match)
    set_aside(match, (ann, bob))
    decision = ann.look(match)["decision"]
    first, last = ann.move(match, "raise", decision, key="m").json, bob.move(match, "pass").json
    for player, moved in ((ann, first), (bob, last)):
        (private,) = player.events(match, private="true")
        assert_holds(house, moved["sealed"]["receipt"], private)
    assert_holds(house, last["receipt"], last["events"][-1])
    # whatever came meanwhile
    for before, again in (
        (opened, ann.post("/matches", body, key="o").json),
        (seated, ann.post(f"/matches/{match}/seats", key="s").json),
    ):
        assert before["receipt"] == again["receipt"]
        assert before["version"] < again["version"]
    repeat = ann.move(match, "raise", decision, key="m").json
    assert repeat["sealed"] == first["sealed"]
    assert (repeat["version"], repeat["events"]) == (decision, [])
    assert repeat["receipt"] is first["receipt"] is None


def test_a_key_is_rotated_while_the_service_runs(house: House) -> None:
    """The moment from which the new key signs lies ahead, for the old one may be in use until the file is there."""
    ann, body = house.player(), {"game": "high-card", "seats": [None, None]}
    before = ann.post("/matches", body, key="k").json
    (old,), kept = keys(house), Keyring(house.service.config.keys)
    new = rotate(house.service.config)
    assert [key.key for key in keys(house)] == [old.key, new.key]
    assert new.by == old.key
    after = ann.post("/matches", body).json
    again = ann.post("/matches", body, key="k").json
    signed_by = [opened["receipt"]["key"] for opened in (before, after, again)]
    assert signed_by == [old.key, new.key, new.key], "the same event, signed by whoever signs now"
    for opened in (before, after, again):
        assert_holds(house, opened["receipt"], opened["opening"])
    opening = after["opening"]
    head = Head(version=1, hash=bytes.fromhex(opening["hash"]), at=opening["at"])
    late = keyring.sign(kept._state.private, kept._state.keys[-1], opening["stream"], head)
    assert late.key == old.key
    receipts.check(late, keys(house), head)
    assert LEAD.total_seconds() > 1


def command(*args: str | Path) -> subprocess.CompletedProcess[str]:
    return service("rotate-key", *args)


def test_the_command_prints_the_new_keys_name_if_there_is_a_key(house: House, tmp_path: Path) -> None:
    done = command("--data", house.service.config.data)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{keys(house)[-1].key}\n", "")
    assert len(keys(house)) == 2
    assert stat.S_IMODE(house.service.config.keys.stat().st_mode) == 0o600
    none = command("--data", tmp_path)
    assert (none.returncode, none.stdout, none.stderr.count("\n")) == (1, "", 1)
    assert none.stderr.startswith(f"error: {tmp_path / 'keys'}: there is no file of keys: the service makes the first")


def test_keys_that_can_t_be_read_are_told_and_undo_nothing_and_nothing_starts(house: House, config: Config) -> None:
    ann = house.player()
    match, file = ann.open(), house.service.config.keys
    whole = file.read_bytes()
    file.write_bytes(b"nonsense")
    failed = ann.post(f"/matches/{match}/seats", key="k")
    assert refusal(failed) == (503, "keys-unusable")
    assert failed.headers["Retry-After"]
    assert house.stranger.get("/keys").json["code"] == "keys-unusable"
    assert house.stranger.look(match)["seats"][0]["player"]["id"] == ann.id
    file.write_bytes(whole)
    again = ann.post(f"/matches/{match}/seats", key="k")
    assert_holds(house, again.json["receipt"], ann.events(match)[1])
    house.service.close()
    file.write_bytes(b"nonsense")
    with pytest.raises(KeysUnusable, match="is no file of keys"):
        build(config)
    with pytest.raises(SystemExit, match=r"^error: .*keys is no file of keys: put back a copy"):
        serve(Config(data=config.data, store=config.store, port=0))


def test_receipts_hold_though_the_clock_was_wrong_for_a_moment_and_the_key_was_renewed(config: Config) -> None:
    ahead = timedelta(0)

    def now() -> datetime:
        return clock.now() + ahead

    house = House(build(config, now))
    match, players = house.table(THREE_MAGIC, 3)
    given: list[tuple[dict[str, Any], dict[str, Any]]] = []

    def play(receipts: int) -> None:
        before = len(given)
        while len(given) < before + receipts:
            player = next(player for player in players if player.moves(match)["moves"])
            moved = player.choose(match).json
            if moved["receipt"]:
                given.append((moved["receipt"], moved["events"][-1]))

    play(2)
    ahead = timedelta(hours=1)
    play(4)
    ahead = timedelta(0)
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
    lost = (
        r"keys: there is no file of keys, and the store has matches.*declare it lost \(./foldtable service rotate-key"
    )
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
    with House(build(config)) as again:
        assert keys(again)[:-1] == before
        assert keys(again)[-1].key == done.stdout.strip()
        assert_holds(again, opened["receipt"], opened["opening"])
    done = command("--data", config.data, "--lost")
    assert (done.returncode, "is not lost" in done.stderr) == (1, True)


def test_matches_that_others_have_signed_need_no_keys_of_ours(tmp_path: Path) -> None:
    recorder = SqliteRecorder(tmp_path / "foldtable.db")
    museum = TREE / "tests" / "replays" / "files" / "museum" / "v2-finished.jsonl"
    import_match(checked(museum, is_trusted=True), recorder, Packs(Catalogue(), tmp_path / "packs", recorder))
    assert recorder.matches() != ()
    assert recorder.latest() == ""
    recorder.close()
    with House(build(Config(data=tmp_path))) as other:
        assert len(other.service.keyring.keys) == 1

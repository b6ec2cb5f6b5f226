"""Receipts and the keys that sign them: what holds, what doesn't, and the file that keeps them."""

from __future__ import annotations

import json
import os
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import keyring, receipts
from events.chain import Head
from events.keyring import Keyring, KeysUnusable
from events.queries import find_kept, keep
from events.receipts import Fault, Key, Receipt
from events.sqlite import SqliteRecorder
from events.store import StoreError
from tests.events.test_files import mode_of

MARCH, APRIL, MAY = (f"2026-0{month}-01T12:00:00.000Z" for month in (3, 4, 5))
HEAD = Head(version=7, hash=bytes(range(32)), at=APRIL)

ONE, TWO = (Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2))
FIRST = keyring.new_key(ONE, MARCH)
SECOND = keyring.new_key(TWO, MAY, (FIRST, ONE))
KEYS = (FIRST, SECOND)
RECEIPT = keyring.sign(ONE, FIRST, "m_1", HEAD)


def never() -> str:
    """Nothing was signed."""
    return ""


def changed(value: Receipt | Key, **changes: object) -> Receipt | Key:
    return msgspec.structs.replace(value, **changes)


def test_a_receipt_holds_by_the_key_that_signed_at_its_moment_also_after_a_rotation() -> None:
    receipts.check(RECEIPT, [FIRST], HEAD)
    receipts.check(RECEIPT, KEYS, HEAD)
    # whatever comes after the next key
    receipts.check(RECEIPT, (*KEYS, changed(SECOND, key="00" * 8, since=MARCH)), HEAD)  # type: ignore[arg-type]
    assert RECEIPT.at == HEAD.at
    assert keyring.sign(ONE, FIRST, "m_1", HEAD) == RECEIPT, "whenever it is asked"
    later = keyring.sign(TWO, SECOND, "m_1", HEAD)
    assert later.at == MAY, "from when the later key signs"
    receipts.check(later, KEYS, HEAD)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (changed(RECEIPT, version=6), "is for version 6"),
        (changed(RECEIPT, hash="00" * 32), "with the hash 00"),
        (changed(RECEIPT, stream="m_2"), "signature does not hold"),
        (changed(RECEIPT, at="2026-04-02T12:00:00.000Z"), "neither the event's moment"),
        (changed(RECEIPT, signature="00" * 64), "signature does not hold"),
        (changed(RECEIPT, domain="another"), "signature does not hold"),
        (changed(RECEIPT, key="00" * 8), "not one of the keys"),
        (changed(RECEIPT, key=SECOND.key), "did not sign at"),
        (changed(RECEIPT, at=MAY), "did not sign at"),
        (changed(RECEIPT, at="2026-02-01T12:00:00.000Z"), "did not sign at"),
        (changed(RECEIPT, at="2026-03-05T12:00:00.000Z"), "neither the event's moment"),
        (keyring.sign(TWO, msgspec.structs.replace(SECOND, since=MARCH), "m_1", HEAD), "did not sign at"),
    ],
)
def test_a_receipt_that_was_changed_does_not_hold(wrong: Receipt, says: str) -> None:
    with pytest.raises(Fault, match=says):
        receipts.check(wrong, KEYS, HEAD)


def test_a_history_of_keys_holds_and_any_change_of_it_does_not() -> None:
    assert receipts.faults_of(()) == []
    assert receipts.faults_of(KEYS) == []
    for wrong, says in (
        ((SECOND,), "not by the key before it"),
        ((FIRST, FIRST), "not after the key before it"),
        ((changed(FIRST, since=APRIL), SECOND), "signature does not hold"),
        ((FIRST, changed(SECOND, since=MARCH)), "not after the key before it"),
        ((FIRST, changed(SECOND, key=FIRST.key)), "not its public key's"),
        ((FIRST, changed(SECOND, by=None)), "signature does not hold"),
        ((FIRST, keyring.new_key(TWO, MAY, (FIRST, TWO))), "signature does not hold"),
        ((changed(FIRST, public=SECOND.public), SECOND), "not its public key's"),
    ):
        assert any(says in fault for fault in receipts.faults_of(wrong)), (wrong, says)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keys"


def test_the_file_is_made_once_for_its_owner_only(path: Path) -> None:
    made = Keyring.open(path, MARCH)
    assert mode_of(path) == 0o600
    assert [key.since for key in made.keys] == [MARCH]
    assert Keyring.open(path, APRIL).keys == Keyring(path).keys == made.keys
    assert [found.name for found in path.parent.iterdir()] == ["keys"]


def test_a_rotation_is_seen_by_whoever_signs_and_old_receipts_hold(path: Path) -> None:
    serving = Keyring.open(path, MARCH)
    before, private = serving.sign("m_1", HEAD), json.loads(path.read_text())["private"]
    key = Keyring(path).rotate(MAY, never)
    assert private not in path.read_text(), "the old one is not kept"
    assert serving.keys[-1] == key
    assert mode_of(path) == 0o600
    after = serving.sign("m_1", HEAD)
    assert (before.key, after.key) == (serving.keys[0].key, key.key)
    for one in (before, after):
        receipts.check(one, serving.keys, HEAD)
    assert receipts.faults_of(serving.keys) == []


def test_of_rotations_at_once_none_is_lost(path: Path) -> None:
    Keyring.open(path, MARCH)

    def rotate(number: int) -> str:
        return Keyring(path).rotate(f"2026-06-{number + 1:02}T12:00:00.000Z", never).key

    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(rotate, range(16)))
    assert len(made) == 16
    assert receipts.faults_of(Keyring(path).keys) == []
    assert made == {key.key for key in Keyring(path).keys[1:]}
    assert made
    assert [found.name for found in path.parent.iterdir()] == ["keys"]


@pytest.mark.parametrize("shared", [True, False])
def test_of_hosts_that_begin_at_once_one_makes_the_first_key(
    tmp_path: Path, sqlite: SqliteRecorder, shared: bool
) -> None:
    """On one folder all sign with it. On folders of their own the others are told that, and leave no key."""
    hosts, begin = [tmp_path / ("one" if shared else f"{number}") for number in range(8)], Barrier(8)
    for host in {*hosts}:
        host.mkdir()

    def opened(host: Path) -> Keyring | KeysUnusable:
        begin.wait()
        try:
            return Keyring.open(host / "keys", MARCH, sqlite)
        except KeysUnusable as error:
            return error

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(opened, hosts))
    rings = [one for one in found if isinstance(one, Keyring)]
    assert len(rings) == (8 if shared else 1)
    assert {ring.keys for ring in rings} == {keyring.published(sqlite)}
    assert [host / "keys" for host in hosts if (host / "keys").exists()] == [ring.path for ring in rings]
    lacking = ("put a copy of theirs there", "there is no file of keys")
    assert all(any(why in str(one) for why in lacking) for one in found if one not in rings)


def test_of_those_who_publish_at_once_each_is_told_what_holds(path: Path, sqlite: SqliteRecorder) -> None:
    begin = Barrier(8)

    def publish(number: int) -> tuple[Key, ...]:
        begin.wait()
        if number % 2:
            return keyring.publish(sqlite, path, KEYS)
        keyring.publish_anew(sqlite, KEYS)
        return keyring.published(sqlite)

    with ThreadPoolExecutor(8) as pool:
        assert {*pool.map(publish, range(8))} == {KEYS}


@pytest.mark.parametrize("is_anew", [False, True])
def test_who_publishes_while_another_does_looks_again(
    path: Path, sqlite: SqliteRecorder, monkeypatch: pytest.MonkeyPatch, is_anew: bool
) -> None:
    def find_late(*asked: Any) -> bytes | None:
        found = find_kept(*asked)
        monkeypatch.undo()
        keyring.publish_anew(sqlite, (FIRST,))
        return found

    monkeypatch.setattr(keyring, "find_kept", find_late)
    if is_anew:
        keyring.publish_anew(sqlite, KEYS)
    else:
        assert keyring.publish(sqlite, path, KEYS) == KEYS
    assert keyring.published(sqlite) == KEYS


def test_who_lacks_the_last_published_key_neither_signs_nor_renews_once_it_signs(
    path: Path, tmp_path: Path, sqlite: SqliteRecorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "EVERY", 0.0)
    own = Keyring.open(path, MARCH, sqlite)
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "keys"
    other.write_bytes(path.read_bytes())
    lost = own.keys
    key = Keyring(other, sqlite).rotate(MAY, never)
    own.check(APRIL)
    with pytest.raises(KeysUnusable, match=f"does not hold the published key {key.key}: put a copy of its file there"):
        own.check(MAY)
    with pytest.raises(KeysUnusable, match="does not hold the last key that was published: renew it where that lies"):
        own.rotate(MAY, never)
    assert keyring.longest(lost, keyring.published(sqlite)) == (*lost, key)
    assert keyring.longest(KEYS, keyring.published(sqlite)) == KEYS


def test_a_history_in_the_store_that_is_none_is_told(path: Path, sqlite: SqliteRecorder) -> None:
    assert keep(sqlite, keyring.NAME, b"[{}]")
    with pytest.raises(KeysUnusable, match="what the store keeps of its keys can't be read"):
        Keyring.open(path, MARCH, sqlite)
    assert not path.exists()


def test_a_key_that_could_not_be_published_signs_nothing(path: Path, sqlite: SqliteRecorder) -> None:
    ring = Keyring.open(path, MARCH, sqlite)
    before = ring.keys

    def closing() -> str:
        sqlite.close()
        return APRIL

    with pytest.raises(StoreError):
        ring.rotate(APRIL, closing)
    assert Keyring(path).keys == before


def test_a_key_comes_after_the_one_before_it_and_after_all_that_this_has_signed(path: Path) -> None:
    ring = Keyring.open(path, MARCH)
    assert ring.rotate(MARCH, never).since == "2026-03-01T12:00:00.001Z"
    assert ring.rotate(APRIL, lambda: MAY).since == "2026-05-01T12:00:00.001Z"
    assert ring.rotate(MAY, lambda: APRIL).since == "2026-05-01T12:00:00.002Z"
    assert ring.rotate("2026-06-01T12:00:00.000Z", lambda: MAY).since == "2026-06-01T12:00:00.000Z"
    assert receipts.faults_of(ring.keys) == []
    assert ring.rotate(MAY, lambda: "2026-12-31T23:59:59.999Z").since == "2027-01-01T00:00:00.000Z"
    with pytest.raises(KeysUnusable, match=r"no moment is later than 9999-12-31T23:59:59\.999Z"):
        ring.rotate(MAY, lambda: "9999-12-31T23:59:59.999Z")


def test_nobody_signs_while_a_key_is_renewed(path: Path) -> None:
    """What is signed before is in the store by then, and what is signed after is so by the new key."""
    ring, other = Keyring.open(path, MARCH), Keyring(path)
    begun = Event()

    def sign() -> Receipt:
        begun.set()
        return other.sign("m_1", HEAD)

    with ThreadPoolExecutor(1) as pool:
        waiting: list[Future[Receipt]] = []

        def latest() -> str:
            waiting.append(pool.submit(sign))
            assert begun.wait(60)
            with pytest.raises(TimeoutError):
                waiting[0].result(timeout=0.2)
            return APRIL

        key = ring.rotate(MARCH, latest)
        assert waiting[0].result().key == key.key
    receipts.check(waiting[0].result(), ring.keys, HEAD)


def test_a_lost_key_s_history_is_gone_on_from_if_it_was_published(path: Path) -> None:
    old = Keyring.open(path, MARCH)
    published, held = old.keys, old.sign("m_1", HEAD)
    path.unlink()
    key = Keyring.begin_anew(path, MARCH, lambda: APRIL, published)
    ring = Keyring(path)
    assert (key.by, key.since) == (None, "2026-04-01T12:00:00.001Z")
    assert ring.keys == (*published, key)
    assert receipts.faults_of(ring.keys) == []
    assert receipts.begun_anew(ring.keys) == (key.key,)
    for receipt in (held, ring.sign("m_1", HEAD)):
        receipts.check(receipt, ring.keys, HEAD)
    with pytest.raises(Fault, match="did not sign at"):
        receipts.check(changed(held, key=key.key), ring.keys, HEAD)  # type: ignore[arg-type]
    # of a key of which nothing is known another one is the first
    path.unlink()
    key = Keyring.begin_anew(path, MARCH, lambda: APRIL)
    assert Keyring(path).keys == (key,)
    assert (key.by, key.since, receipts.begun_anew((key,))) == (None, "2026-04-01T12:00:00.001Z", ())


def test_a_key_that_is_not_lost_is_not_replaced(path: Path) -> None:
    ring = Keyring.open(path, MARCH)
    with pytest.raises(KeysUnusable, match="is there; a key that is not lost is renewed without --lost"):
        Keyring.begin_anew(path, MAY, never)
    assert Keyring(path).keys == ring.keys
    path.unlink()
    with pytest.raises(KeysUnusable, match="those are no keys to go on from"):
        Keyring.begin_anew(path, MAY, never, (SECOND,))
    assert not path.exists()


def test_a_file_that_others_may_read_is_shut_to_them_and_one_that_is_none_is_told_without_its_content(
    path: Path,
) -> None:
    Keyring.open(path, MARCH)
    for mode in (0o644, 0o660, 0o604):
        path.chmod(mode)
        Keyring(path)
        assert mode_of(path) == 0o600
    good = json.loads(path.read_text())
    wrong: list[dict[str, Any]] = [
        *[{"private": private} for private in ("5ec4e7", "zz", "11" * 32)],
        *[{"keys": keys} for keys in ([], good["keys"] * 2, [{**good["keys"][0], "public": "xyz"}])],
        {"more": 1},
    ]
    for content in ("", "nonsense 5ec4e7", *(json.dumps({**good, **other}) for other in wrong)):
        path.write_text(content)
        with pytest.raises(KeysUnusable, match="keys") as caught:
            Keyring(path)
        assert "\n" not in str(caught.value)
        assert "5ec4e7" not in str(caught.value)


def test_a_file_that_is_missing_or_can_t_be_made_or_shut_is_told(path: Path, tmp_path: Path) -> None:
    with pytest.raises(KeysUnusable, match="there is no file of keys"):
        Keyring(path)
    ring = Keyring.open(path, MARCH)
    path.unlink()
    with pytest.raises(KeysUnusable, match="there is no file of keys"):
        ring.rotate(APRIL, never)
    (tmp_path / "file").write_text("")
    for opens in (Keyring, lambda place: Keyring.open(place, MARCH)):
        with pytest.raises(KeysUnusable, match="Not a directory"):
            opens(tmp_path / "file" / "keys")
    with pytest.raises(KeysUnusable, match="can be read by others, and this can't be mended: chmod 600 it"):
        Keyring(Path("/proc/self/status"))
    with pytest.raises(KeysUnusable, match="/proc/self/mem: Input/output error"):
        Keyring(Path("/proc/self/mem"))
    with pytest.raises(KeysUnusable, match="/proc/keys of mine can't be written: No such file or directory"):
        Keyring.open(Path("/proc/keys of mine"), MARCH)
    # a first key never takes the place of anything
    path.symlink_to("nowhere")
    with pytest.raises(KeysUnusable, match="there is no file of keys"):
        Keyring.open(path, MARCH)
    assert path.readlink() == Path("nowhere")


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_told_and_keeps_its_mode(path: Path, kind: str) -> None:
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    path.chmod(0o755)
    with pytest.raises(KeysUnusable, match="is no file"):
        Keyring(path)
    assert mode_of(path) == 0o755

"""Receipts and the keys that sign them: what holds, what doesn't, and the file that keeps them."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import receipts
from events.chain import Head
from events.keyring import Keyring, KeysUnusable
from events.receipts import Fault, Key, Receipt

MARCH, APRIL, MAY = (f"2026-0{month}-01T12:00:00.000Z" for month in (3, 4, 5))
HEAD = Head(version=7, hash=bytes(range(32)), at=APRIL)

ONE, TWO = (Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2))
FIRST = receipts.new_key(ONE, MARCH)
SECOND = receipts.new_key(TWO, MAY, (FIRST, ONE))
KEYS = (FIRST, SECOND)
RECEIPT = receipts.sign(ONE, FIRST, "m_1", HEAD)


def changed(value: Receipt | Key, **changes: object) -> Receipt | Key:
    return msgspec.structs.replace(value, **changes)


def test_a_receipt_holds_by_the_key_that_signed_at_its_moment_also_after_a_rotation() -> None:
    receipts.check(RECEIPT, [FIRST], HEAD)
    receipts.check(RECEIPT, KEYS, HEAD)
    assert RECEIPT.at == HEAD.at


def test_a_receipt_by_a_later_key_is_of_the_moment_from_which_it_signs() -> None:
    later = receipts.sign(TWO, SECOND, "m_1", HEAD)
    assert later.at == MAY
    receipts.check(later, KEYS, HEAD)


def test_the_same_key_signs_the_same_receipt_whenever_it_is_asked() -> None:
    assert receipts.sign(ONE, FIRST, "m_1", HEAD) == RECEIPT


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
        (receipts.sign(TWO, msgspec.structs.replace(SECOND, since=MARCH), "m_1", HEAD), "did not sign at"),
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
        ((FIRST, FIRST), "not by the key before it"),
        ((changed(FIRST, since=APRIL), SECOND), "signature does not hold"),
        ((FIRST, changed(SECOND, since=MARCH)), "not after the key before it"),
        ((FIRST, changed(SECOND, key=FIRST.key)), "not its public key's"),
        ((FIRST, changed(SECOND, by=None)), "not by the key before it"),
        ((FIRST, receipts.new_key(TWO, MAY, (FIRST, TWO))), "signature does not hold"),
        ((changed(FIRST, public=SECOND.public), SECOND), "not its public key's"),
    ):
        assert any(says in fault for fault in receipts.faults_of(wrong)), (wrong, says)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keys"


def test_the_file_is_made_once_for_its_owner_only(path: Path) -> None:
    made = Keyring.open(path, MARCH)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [key.since for key in made.keys] == [MARCH]
    assert Keyring.open(path, APRIL).keys == Keyring(path).keys == made.keys
    assert [found.name for found in path.parent.iterdir()] == ["keys"]


def test_a_rotation_is_seen_by_whoever_signs_and_old_receipts_hold(path: Path) -> None:
    serving = Keyring.open(path, MARCH)
    before = serving.sign("m_1", HEAD)
    key = Keyring(path).rotate(MAY)
    assert serving.keys[-1] == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    after = serving.sign("m_1", HEAD)
    assert (before.key, after.key) == (serving.keys[0].key, key.key)
    for one in (before, after):
        receipts.check(one, serving.keys, HEAD)
    assert receipts.faults_of(serving.keys) == []


def test_of_rotations_at_once_none_is_lost(path: Path) -> None:
    Keyring.open(path, MARCH)

    def rotate(number: int) -> str:
        for _ in range(20):
            try:
                return Keyring(path).rotate(f"2026-06-{number + 1:02}T12:00:00.000Z").key
            except KeysUnusable:
                break  # a later one was there before
        return ""

    with ThreadPoolExecutor(8) as pool:
        made = {name for name in pool.map(rotate, range(16)) if name}
    assert made == {key.key for key in Keyring(path).keys[1:]}
    assert made
    assert [found.name for found in path.parent.iterdir()] == ["keys"]


def test_the_old_private_key_is_not_kept(path: Path) -> None:
    serving = Keyring.open(path, MARCH)
    private = json.loads(path.read_text())["private"]
    serving.rotate(MAY)
    assert private not in path.read_text()


def test_a_key_must_come_after_the_one_before_it(path: Path) -> None:
    with pytest.raises(KeysUnusable, match="must be later"):
        Keyring.open(path, MARCH).rotate(MARCH)


def test_a_file_that_is_none_is_told_in_one_line_without_its_content(path: Path) -> None:
    Keyring.open(path, MARCH)
    good = json.loads(path.read_text())
    for content in (
        "",
        "nonsense 5ec4e7",
        json.dumps({**good, "private": "5ec4e7"}),
        json.dumps({**good, "private": "zz"}),
        json.dumps({**good, "private": "11" * 32}),
        json.dumps({**good, "keys": []}),
        json.dumps({**good, "keys": good["keys"] * 2}),
        json.dumps({**good, "keys": [{**good["keys"][0], "public": "xyz"}]}),
        json.dumps({**good, "more": 1}),
    ):
        path.write_text(content)
        with pytest.raises(KeysUnusable, match="keys") as caught:
            Keyring(path)
        assert "\n" not in str(caught.value)
        assert "5ec4e7" not in str(caught.value)


def test_a_file_that_is_missing_or_can_t_be_made_is_told(path: Path, tmp_path: Path) -> None:
    with pytest.raises(KeysUnusable, match="there is no file of keys"):
        Keyring(path)
    (tmp_path / "file").write_text("")
    with pytest.raises(KeysUnusable, match="can't be written"):
        Keyring.open(tmp_path / "file" / "keys", MARCH)
    with pytest.raises(KeysUnusable, match="Not a directory"):
        Keyring(tmp_path / "file" / "keys")
    path.mkdir()
    with pytest.raises(KeysUnusable, match="directory"):
        Keyring(path)


def test_a_first_key_never_takes_the_place_of_anything(path: Path) -> None:
    path.symlink_to("nowhere")
    with pytest.raises(KeysUnusable, match="there is no file of keys"):
        Keyring.open(path, MARCH)
    assert path.readlink() == Path("nowhere")
    assert [found.name for found in path.parent.iterdir()] == ["keys"]

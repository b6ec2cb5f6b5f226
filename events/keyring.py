"""The file with the key that signs receipts, and the history of those before it.

One file, so that a key and its record come to be together: `{"keys": [...], "private": hex}`, mode 0600, replaced as a
whole. Old private keys are not kept: old receipts need only the public ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import canonical, receipts
from events.chain import Head
from events.files import alone, write_whole
from events.receipts import Key, Receipt
from events.store import StoreUnusable

Stamp = tuple[int, int, int]
"""Of a file: inode, time of change, size."""


class KeysUnusable(StoreUnusable):
    """The file of keys can't be read, or is none. The message is one line that names the file."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    keys: tuple[Key, ...]
    private: str


class _State(NamedTuple):
    """The file as it was read; `stamp` tells whether it is still so."""

    stamp: Stamp
    keys: tuple[Key, ...]
    private: Ed25519PrivateKey


class Keyring:
    """The keys of one service. A rotation by another process is seen at the next signature. Any thread may use it."""

    def __init__(self, path: Path) -> None:
        """Raises KeysUnusable when the file can't be read, or does not hold."""
        self.path = path
        self._state = self._read()

    @classmethod
    def open(cls, path: Path, now: str) -> Keyring:
        """The keys in the file, which is made with a first key of that moment if there is none.

        Raises:  KeysUnusable.
        """
        if not path.exists():
            private = Ed25519PrivateKey.generate()
            _write(path, (receipts.new_key(private, now),), private, is_first=True)
        return cls(path)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The history, the oldest first; the last one signs."""
        return self._fresh().keys

    def sign(self, stream: str, head: Head) -> Receipt:
        """The receipt for a stream's head."""
        _, keys, private = self._fresh()
        return receipts.sign(private, keys[-1], stream, head)

    def rotate(self, now: str) -> Key:
        """A new key from `now` on, signed by the one before it.

        Raises:  KeysUnusable, also when `now` is not later than the moment from which the key in use signs.
        """
        with alone(self.path.parent):
            _, keys, private = self._fresh()
            if now <= keys[-1].since:
                raise KeysUnusable(f"{self.path}: the key in use is of {keys[-1].since}; a new one must be later")
            fresh = Ed25519PrivateKey.generate()
            key = receipts.new_key(fresh, now, (keys[-1], private))
            _write(self.path, (*keys, key), fresh)
        return key

    def _fresh(self) -> _State:
        state = self._state
        if state.stamp != self._look():
            state = self._state = self._read()
        return state

    def _look(self) -> Stamp:
        try:
            found = self.path.stat()
        except FileNotFoundError as error:
            raise KeysUnusable(f"{self.path}: there is no file of keys; the service makes it") from error
        except OSError as error:
            raise KeysUnusable(f"{self.path}: {error.strerror}") from error
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _read(self) -> _State:
        stamp = self._look()
        try:
            file = msgspec.json.decode(self.path.read_bytes(), type=_File)
            private = Ed25519PrivateKey.from_private_bytes(canonical.raw(file.private, 32))
            faults = receipts.faults_of(file.keys)
        except OSError as error:
            raise KeysUnusable(f"{self.path}: {error.strerror}") from error
        except (msgspec.DecodeError, ValueError) as error:
            # not the error's own words: they could hold a part of the key
            raise KeysUnusable(f"{self.path} is no file of keys") from error
        if not file.keys or file.keys[-1].public != receipts.public_of(private).hex():
            faults.append("the private key is not the last one's")
        if faults:
            raise KeysUnusable(f"{self.path}: {faults[0]}")
        return _State(stamp, file.keys, private)


def _write(path: Path, keys: tuple[Key, ...], private: Ed25519PrivateKey, *, is_first: bool = False) -> None:
    """Have the file there whole, or as it was; a first one only if nobody else was faster."""
    file = _File(keys=keys, private=private.private_bytes_raw().hex())
    try:
        write_whole(path, msgspec.json.encode(file), is_first=is_first)
    except OSError as error:
        raise KeysUnusable(f"{path} can't be written: {error.strerror}") from error

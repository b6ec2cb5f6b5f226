"""The file with the key that signs receipts, and the history of the keys before it.

It is one file, so that a key and its public record come into being together: `{"keys": [...], "private": hex}`, mode
0600, replaced as a whole. Old private keys are not kept: old receipts need only the public ones.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from weakref import finalize

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import canonical, receipts
from events.chain import Head
from events.files import OWN, alone, write_whole
from events.receipts import Key, Receipt
from events.store import StoreUnusable

OTHERS = 0o077
"""The permissions of everybody but the file's owner."""

OR_LOST = ", or move it away and declare it lost (python -m service rotate-key --lost)"
WHAT_TO_DO = ": the service makes the first one; one that is lost is put back, or declared lost (rotate-key --lost)"

Latest = Callable[[], str]
"""Returns the store's latest `at`, which is the latest moment of anything that a key has signed."""

Stamp = tuple[int, int, int]
"""A file's inode, time of change, and size."""


class KeysUnusable(StoreUnusable):
    """The file of keys can't be read, or holds something else. The message is one line that names the file."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    keys: tuple[Key, ...]
    private: str


class State(NamedTuple):
    """The content of the file when it was read; `stamp` shows whether the file has changed since."""

    stamp: Stamp
    keys: tuple[Key, ...]
    private: Ed25519PrivateKey


class Keyring:
    """The keys of one service; another process's rotation is noticed at the next signature. Any thread may use it."""

    def __init__(self, path: Path) -> None:
        """Read the file. Raises KeysUnusable when it can't be read, or its keys do not hold."""
        self.path = path
        self._file = str(path)
        self._state = self._read()
        self._lock = Lock()
        self._folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        self.close = finalize(self, os.close, self._folder)
        """Release the folder; afterwards nothing can be signed."""

    @classmethod
    def open(cls, path: Path, now: str) -> Keyring:
        """Return the keys in the file; if there is no file, make it, with a first key that signs from `now`.

        Raises:  KeysUnusable.
        """
        if not path.exists():
            private = Ed25519PrivateKey.generate()
            _write(path, (receipts.new_key(private, now),), private, is_first=True)
        return cls(path)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The history, oldest first; the last one signs."""
        return self._fresh().keys

    def sign(self, stream: str, head: Head) -> Receipt:
        """Return the receipt for a stream's head, which must be durable. `rotate` waits until it is signed."""
        # each move has a receipt, so the folder stays open rather than be opened for each
        with self._lock:
            fcntl.flock(self._folder, fcntl.LOCK_SH)
            try:
                _, keys, private = state = self._fresh()
                self._check(state, head.at)
                return receipts.sign(private, keys[-1], stream, head)
            finally:
                fcntl.flock(self._folder, fcntl.LOCK_UN)

    def _check(self, state: State, at: str) -> None:
        """Raise KeysUnusable if the file's key may not sign at that moment: for subclasses that know more."""

    def rotate(self, now: str, latest: Latest) -> Key:
        """Make a new key, signed by the one before it, and return its record.

        It signs from `now` on, but always after everything that the key before has signed: otherwise that key's last
        receipts would not hold.
        Shape:   `latest` is called while nobody can sign; whatever was signed is in the store by then.
        Raises:  KeysUnusable.
        """
        with _held(self.path):
            _, keys, private = self._fresh()
            fresh = Ed25519PrivateKey.generate()
            key = receipts.new_key(fresh, _since(self.path, now, latest, keys), (keys[-1], private))
            _write(self.path, (*keys, key), fresh)
        return key

    @classmethod
    def begin_anew(cls, path: Path, now: str, latest: Latest, published: Sequence[Key] = ()) -> Key:
        """Make a new key after the file of keys was lost, and return its record. It is signed by itself.

        `published` are the lost keys, if they are known: their receipts then still hold.
        Raises:  KeysUnusable, also when there is a file.
        """
        if faults := receipts.faults_of(published):
            raise KeysUnusable(f"{path}: those are no keys to go on from: {faults[0]}")
        with _held(path):
            fresh = Ed25519PrivateKey.generate()
            key = receipts.new_key(fresh, _since(path, now, latest, published))
            if not _write(path, (*published, key), fresh, is_first=True):
                raise KeysUnusable(f"{path} is there; a key that is not lost is renewed without --lost")
        return key

    def _fresh(self) -> State:
        state = self._state
        if state.stamp != self._look():
            state = self._state = self._read()
        return state

    def _look(self) -> Stamp:
        try:
            status = os.stat(self._file)  # called for each receipt: Path.stat would take twice as long
        except FileNotFoundError as error:
            raise KeysUnusable(f"{self.path}: there is no file of keys{WHAT_TO_DO}") from error
        except OSError as error:
            raise KeysUnusable(f"{self.path}: {error.strerror}") from error
        return status.st_ino, status.st_mtime_ns, status.st_size

    def _read(self) -> State:
        stamp = self._look()
        try:
            mode = self.path.stat().st_mode
            if not stat.S_ISREG(mode):
                raise KeysUnusable(f"{self.path} is no file")
            if mode & OTHERS:
                self.path.chmod(OWN)
        except OSError as error:
            raise KeysUnusable(f"{self.path} can be read by others, and this can't be mended: chmod 600 it") from error
        try:
            file = msgspec.json.decode(self.path.read_bytes(), type=_File)
            private = Ed25519PrivateKey.from_private_bytes(canonical.raw(file.private, 32))
            faults = receipts.faults_of(file.keys)
        except OSError as error:
            raise KeysUnusable(f"{self.path}: {error.strerror}") from error
        except (msgspec.DecodeError, ValueError) as error:
            # without the error's own text, which could contain a part of the key
            raise KeysUnusable(f"{self.path} is no file of keys: put back a copy of it{OR_LOST}") from error
        if not file.keys or file.keys[-1].public != receipts.public_of(private).hex():
            faults.append("the private key is not the last one's")
        if faults:
            raise KeysUnusable(f"{self.path}: {faults[0]}")
        return State(stamp, file.keys, private)


def _write(path: Path, keys: tuple[Key, ...], private: Ed25519PrivateKey, *, is_first: bool = False) -> bool:
    """Write the file as a whole. Returns False if `is_first` and another process has made one."""
    file = _File(keys=keys, private=private.private_bytes_raw().hex())
    try:
        return write_whole(path, msgspec.json.encode(file), is_first=is_first)
    except OSError as error:
        raise KeysUnusable(f"{path} can't be written: {error.strerror}") from error


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Hold the file alone while it changes, so that no key is lost and none signs at another's time."""
    try:
        with alone(path.parent):
            yield
    except OSError as error:
        raise KeysUnusable(f"{path.parent}: {error.strerror}") from error


def _since(path: Path, now: str, latest: Latest, keys: Sequence[Key]) -> str:
    """Return the moment from which a new key signs."""
    before = max(latest(), *(key.since for key in keys), "")
    if now > before:
        return now
    try:
        later = datetime.fromisoformat(before) + timedelta(milliseconds=1)
    except OverflowError as error:
        raise KeysUnusable(f"{path}: no moment is later than {before}, when the last key has signed") from error
    return later.isoformat(timespec="milliseconds").replace("+00:00", "Z")

"""The file with the key that signs receipts, and the history of those before it.

One file, so that a key and its record come to be together: `{"keys": [...], "private": hex}`, mode 0600, replaced as a
whole. Old private keys are not kept: old receipts need only the public ones.
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
"""What others than the file's owner may do with it."""

OR_LOST = ", or move it away and declare it lost (python -m service rotate-key --lost)"
WHAT_TO_DO = ": the service makes the first one; one that is lost is put back, or declared lost (rotate-key --lost)"

Latest = Callable[[], str]
"""The latest moment of what a key has signed: the store's latest `at`."""

Stamp = tuple[int, int, int]
"""Of a file: inode, time of change, size."""


class KeysUnusable(StoreUnusable):
    """The file of keys can't be read, or is none. The message is one line that names the file."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    keys: tuple[Key, ...]
    private: str


class State(NamedTuple):
    """The file as it was read; `stamp` tells whether it is still so."""

    stamp: Stamp
    keys: tuple[Key, ...]
    private: Ed25519PrivateKey


class Keyring:
    """The keys of one service. A rotation by another process is seen at the next signature. Any thread may use it."""

    def __init__(self, path: Path) -> None:
        """Raises KeysUnusable when the file can't be read, or does not hold."""
        self.path = path
        self._file = str(path)
        self._state = self._read()
        self._lock = Lock()
        self._folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        self.close = finalize(self, os.close, self._folder)
        """Let go of the folder; nothing is signed any more."""

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
        """The receipt for a stream's head, which is durable. No rotation comes between: see `rotate`."""
        # a receipt is signed for each move: the folder is not opened for each
        with self._lock:
            fcntl.flock(self._folder, fcntl.LOCK_SH)
            try:
                _, keys, private = state = self._fresh()
                self._check(state, head.at)
                return receipts.sign(private, keys[-1], stream, head)
            finally:
                fcntl.flock(self._folder, fcntl.LOCK_UN)

    def _check(self, state: State, at: str) -> None:
        """For a keyring that knows more than its file. Raises KeysUnusable where that does not sign at the moment."""

    def rotate(self, now: str, latest: Latest) -> Key:
        """A new key, signed by the one before it. It signs from `now` on, or from a later moment: one that comes after
        everything that the one before has signed, for else its receipts would never hold again.

        Shape:   `latest` is asked while nobody signs; whatever was signed is in the store by then.
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
        """A new key that is signed by itself, where the file of keys is lost; what the lost ones have signed holds on
        if they were published, and are told here.

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
            found = os.stat(self._file)  # for each receipt: a Path costs as much again
        except FileNotFoundError as error:
            raise KeysUnusable(f"{self.path}: there is no file of keys{WHAT_TO_DO}") from error
        except OSError as error:
            raise KeysUnusable(f"{self.path}: {error.strerror}") from error
        return found.st_ino, found.st_mtime_ns, found.st_size

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
            # not the error's own words: they could hold a part of the key
            raise KeysUnusable(f"{self.path} is no file of keys: put back a copy of it{OR_LOST}") from error
        if not file.keys or file.keys[-1].public != receipts.public_of(private).hex():
            faults.append("the private key is not the last one's")
        if faults:
            raise KeysUnusable(f"{self.path}: {faults[0]}")
        return State(stamp, file.keys, private)


def _write(path: Path, keys: tuple[Key, ...], private: Ed25519PrivateKey, *, is_first: bool = False) -> bool:
    """Have the file there whole, or as it was; a first one only if nobody else was faster: whether it is this one."""
    file = _File(keys=keys, private=private.private_bytes_raw().hex())
    try:
        return write_whole(path, msgspec.json.encode(file), is_first=is_first)
    except OSError as error:
        raise KeysUnusable(f"{path} can't be written: {error.strerror}") from error


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Whoever changes the file is alone with it: no key is lost, and none signs what is another's to sign."""
    try:
        with alone(path.parent):
            yield
    except OSError as error:
        raise KeysUnusable(f"{path.parent}: {error.strerror}") from error


def _since(path: Path, now: str, latest: Latest, keys: Sequence[Key]) -> str:
    """From when a new key signs."""
    before = max(latest(), *(key.since for key in keys), "")
    if now > before:
        return now
    try:
        later = datetime.fromisoformat(before) + timedelta(milliseconds=1)
    except OverflowError as error:
        raise KeysUnusable(f"{path}: no moment is later than {before}, when the last key has signed") from error
    return later.isoformat(timespec="milliseconds").replace("+00:00", "Z")

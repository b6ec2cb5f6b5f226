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
from time import monotonic
from typing import NamedTuple
from weakref import finalize

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import chain
from events.chain import Head
from events.files import OWN, alone, write_whole
from events.queries import find_kept, keep
from events.receipts import RECEIPT, Key, Receipt, faults_of, key_bytes, name_of, signed_bytes
from events.store import Store, StoreError, StoreUnusable, Tables

OTHERS = 0o077
"""The permissions of everybody but the file's owner."""

OR_LOST = ", or move it away and declare it lost (./foldtable service rotate-key --lost)"
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


NAME = "keys"
"""The name by which the store keeps them."""

EVERY = 1.0
"""Seconds between two readings of the store. A new key is published longer than this before it signs."""

_decoder = msgspec.json.Decoder(tuple[Key, ...])


def published(store: Tables) -> tuple[Key, ...]:
    """Return the history of keys that the processes publish; () before the first. Raises KeysUnusable, StoreError."""
    return _read_history(find_kept(store, NAME))


def publish(store: Store, path: Path, own: tuple[Key, ...]) -> tuple[Key, ...]:
    """Publish the keys of a file if they continue the published history, and return the history after that.

    Raises:  KeysUnusable when the file holds other keys; StoreError.
    """
    while True:
        content = find_kept(store, NAME)
        theirs = _read_history(content)
        if theirs[: len(own)] == own:
            return theirs
        if own[: len(theirs)] != theirs:
            raise KeysUnusable(
                f"{path} holds other keys than those that the store's processes publish: put a copy of theirs there,"
                " or name it by FOLDTABLE_KEYS"
            )
        if keep(store, NAME, msgspec.json.encode(own), content):
            return own


def publish_anew(store: Store, keys: tuple[Key, ...]) -> None:
    """Publish this history in place of any other. Raises StoreError."""
    while not keep(store, NAME, msgspec.json.encode(keys), find_kept(store, NAME)):
        pass


def _read_history(content: bytes | None) -> tuple[Key, ...]:
    try:
        return () if content is None else _decoder.decode(content)
    except msgspec.DecodeError as error:
        raise KeysUnusable("what the store keeps of its keys can't be read") from error


class Keyring:
    """The keys of one service; another process's rotation is noticed at the next signature. Any thread may use it.

    With a store, all processes on it publish the same history: the store's.
    """

    def __init__(self, path: Path, store: Store | None = None) -> None:
        """Read the file, and publish its keys in the store.

        Raises:  KeysUnusable when the file can't be read, its keys do not hold, or the store has others; StoreError.
        """
        self.path = path
        self._file = str(path)
        self._store = store
        self._known: tuple[float, tuple[Key, ...], tuple[Key, ...]] = (0.0, (), ())
        self._state = self._read()
        self._lock = Lock()
        self._folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        self.close = finalize(self, os.close, self._folder)
        """Release the folder; afterwards nothing can be signed."""
        self._history(self._state.keys)

    @classmethod
    def open(cls, path: Path, now: str, store: Store | None = None) -> Keyring:
        """Return the keys in the file; if neither file nor store has keys, make a first key that signs from `now`.

        Raises:  KeysUnusable, StoreError.
        """
        with _held(path):
            is_first = not path.exists() and not (store and published(store))
            if is_first:
                private = Ed25519PrivateKey.generate()
                is_first = _write(path, (new_key(private, now),), private, is_first=True)
            try:
                return cls(path, store)
            except StoreError:
                if is_first:
                    # another host was faster, and its key became the first
                    path.unlink()
                raise

    @property
    def keys(self) -> tuple[Key, ...]:
        """The history, oldest first; the last one signs."""
        return self._history(self._fresh().keys)

    def sign(self, stream: str, head: Head) -> Receipt:
        """Return the receipt for a stream's head, which must be durable. `rotate` waits until it is signed."""
        # each move has a receipt, so the folder stays open rather than be opened for each
        with self._lock:
            fcntl.flock(self._folder, fcntl.LOCK_SH)
            try:
                self.check(head.at)
                _, keys, private = self._state
                return sign(private, keys[-1], stream, head)
            finally:
                fcntl.flock(self._folder, fcntl.LOCK_UN)

    def check(self, now: str) -> None:
        """Raise KeysUnusable if another key than this file's signs at that moment; StoreError."""
        own = self._fresh().keys
        history = self._history(own)
        if len(own) < len(history) and now >= history[len(own)].since:
            last = history[-1].key
            raise KeysUnusable(f"{self.path} does not hold the published key {last}: put a copy of its file there")

    def rotate(self, now: str, latest: Latest) -> Key:
        """Make a new key, signed by the one before it, and return its record.

        It signs from `now` on, but always after everything that the key before has signed: otherwise that key's last
        receipts would not hold.
        Shape:   `latest` is called while nobody can sign; whatever was signed is in the store by then.
        Raises:  KeysUnusable, also where this file does not hold the last published key; StoreError.
        """
        own = self._fresh().keys
        if self._store and publish(self._store, self.path, own) != own:
            raise KeysUnusable(f"{self.path} does not hold the last key that was published: renew it where that lies")
        with _held(self.path):
            before = self.path.read_bytes()
            _, keys, private = self._fresh()
            fresh = Ed25519PrivateKey.generate()
            key = new_key(fresh, _since(self.path, now, latest, keys), (keys[-1], private))
            _write(self.path, (*keys, key), fresh)
        try:
            if self._store:
                publish(self._store, self.path, self._fresh().keys)
        except StoreError:
            # a key that is not published must sign nothing
            write_whole(self.path, before)
            raise
        return key

    def _history(self, own: tuple[Key, ...]) -> tuple[Key, ...]:
        """Return the store's history, which may be up to EVERY seconds old; the file's keys where there is no store."""
        looked, known, history = self._known
        if self._store is None:
            return own
        if own is not known or monotonic() - looked >= EVERY:
            looked = monotonic()
            history = publish(self._store, self.path, own)
            self._known = looked, own, history
        return history

    @classmethod
    def begin_anew(cls, path: Path, now: str, latest: Latest, published: Sequence[Key] = ()) -> Key:
        """Make a new key after the file of keys was lost, and return its record. It is signed by itself.

        `published` are the lost keys, if they are known: their receipts then still hold.
        Raises:  KeysUnusable, also when there is a file.
        """
        if faults := faults_of(published):
            raise KeysUnusable(f"{path}: those are no keys to go on from: {faults[0]}")
        with _held(path):
            fresh = Ed25519PrivateKey.generate()
            key = new_key(fresh, _since(path, now, latest, published))
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
            private = Ed25519PrivateKey.from_private_bytes(chain.raw_bytes(file.private, 32))
            faults = faults_of(file.keys)
        except OSError as error:
            raise KeysUnusable(f"{self.path}: {error.strerror}") from error
        except (msgspec.DecodeError, ValueError) as error:
            # without the error's own text, which could contain a part of the key
            raise KeysUnusable(f"{self.path} is no file of keys: put back a copy of it{OR_LOST}") from error
        if not file.keys or file.keys[-1].public != private.public_key().public_bytes_raw().hex():
            faults.append("the private key is not the last one's")
        if faults:
            raise KeysUnusable(f"{self.path}: {faults[0]}")
        return State(stamp, file.keys, private)


def new_key(private: Ed25519PrivateKey, since: str, before: tuple[Key, Ed25519PrivateKey] | None = None) -> Key:
    """Return the record of a new key, signed by the key before it, or by itself if it is the first."""
    public = private.public_key().public_bytes_raw()
    name, (by, signer) = name_of(public), (None, private) if before is None else (before[0].key, before[1])
    signature = signer.sign(key_bytes(by, name, public.hex(), since))
    return Key(by=by, key=name, public=public.hex(), signature=signature.hex(), since=since)


def sign(private: Ed25519PrivateKey, key: Key, stream: str, head: Head) -> Receipt:
    """Return the receipt for a stream's head; it is the same each time."""
    draft = Receipt(
        at=max(head.at, key.since),
        domain=RECEIPT,
        hash=head.hash.hex(),
        key=key.key,
        signature="",
        stream=stream,
        version=head.version,
    )
    return msgspec.structs.replace(draft, signature=private.sign(signed_bytes(draft)).hex())


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


def longest(told: Sequence[Key], kept: Sequence[Key]) -> tuple[Key, ...]:
    """Return what is known of lost keys: the store's history if it continues the given one, else the given one."""
    return tuple(kept if tuple(kept[: len(told)]) == tuple(told) else told)

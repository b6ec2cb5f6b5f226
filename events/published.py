"""The public half of a service's keys, kept in its store, so that all its processes publish the same history.

The private half is a file on each host. A process whose file was not renewed after a rotation goes on signing until the
new key does, and then stops: a receipt by the old key would not hold any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import msgspec

from events import kept
from events.files import alone, write_whole
from events.keyring import Keyring, KeysUnusable, Latest, State
from events.receipts import Key
from events.store import Store, StoreError, Tables

NAME = "keys"
"""The name by which the store keeps them."""

EVERY = 1.0
"""Seconds between two readings of the store. A new key is published longer than this before it signs."""

_history = msgspec.json.Decoder(tuple[Key, ...])


def published(store: Tables) -> tuple[Key, ...]:
    """Return the history of keys that the processes publish; () before the first. Raises KeysUnusable, StoreError."""
    content = kept.find(store, NAME)
    return () if content is None else _read(content)


def publish(store: Store, path: Path, own: tuple[Key, ...]) -> tuple[Key, ...]:
    """Publish the keys of a file if they continue the published history, and return the history after that.

    Raises:  KeysUnusable when the file holds other keys; StoreError.
    """
    while True:
        content = kept.find(store, NAME)
        theirs = () if content is None else _read(content)
        if theirs[: len(own)] == own:
            return theirs
        if own[: len(theirs)] != theirs:
            raise KeysUnusable(
                f"{path} holds other keys than those that the store's processes publish: put a copy of theirs there,"
                " or name it by FOLDTABLE_KEYS"
            )
        if kept.keep(store, NAME, msgspec.json.encode(own), content):
            return own


def publish_anew(store: Store, keys: tuple[Key, ...]) -> None:
    """Publish this history in place of any other. Raises StoreError."""
    while not kept.keep(store, NAME, msgspec.json.encode(keys), kept.find(store, NAME)):
        pass


def _read(content: bytes) -> tuple[Key, ...]:
    try:
        return _history.decode(content)
    except msgspec.DecodeError as error:
        raise KeysUnusable("what the store keeps of its keys can't be read") from error


class PublishedKeyring(Keyring):
    """A keyring whose history is the store's. Any thread may use it."""

    def __init__(self, path: Path, store: Store) -> None:
        """Read the file and publish its keys. Raises KeysUnusable, also when the store has other keys; StoreError."""
        super().__init__(path)
        self._store = store
        self._known: tuple[float, tuple[Key, ...], tuple[Key, ...]] = (0.0, (), ())
        self._look_up(self._fresh().keys)

    @classmethod
    def in_store(cls, store: Store, path: Path, now: str) -> PublishedKeyring:
        """Return the keyring of the file; if neither file nor store has keys, make a first key that signs from `now`.

        Raises:  KeysUnusable, StoreError.
        """
        try:
            with alone(path.parent):
                is_first = not path.exists() and not published(store)
                if is_first:
                    Keyring.open(path, now)
                try:
                    return cls(path, store)
                except StoreError:
                    if is_first:
                        # another host was faster, and its key became the first
                        path.unlink()
                    raise
        except OSError as error:
            raise KeysUnusable(f"{path}: {error.strerror}") from error

    @property
    def keys(self) -> tuple[Key, ...]:
        """See `Keyring.keys`."""
        return self._look_up(self._fresh().keys)[1]

    def check(self, now: str) -> None:
        """Raise KeysUnusable if another key than this file's signs at that moment; StoreError."""
        self._check(self._fresh(), now)

    def _check(self, state: State, at: str) -> None:
        own, history = self._look_up(state.keys)
        if len(own) < len(history) and at >= history[len(own)].since:
            last = history[-1].key
            raise KeysUnusable(f"{self.path} does not hold the published key {last}: put a copy of its file there")

    def rotate(self, now: str, latest: Latest) -> Key:
        """See `Keyring.rotate`. Raises KeysUnusable also where this file does not hold the last published key."""
        before, own = self.path.read_bytes(), super().keys
        if publish(self._store, self.path, own) != own:
            raise KeysUnusable(f"{self.path} does not hold the last key that was published: renew it where that lies")
        key = super().rotate(now, latest)
        try:
            publish(self._store, self.path, super().keys)
        except StoreError:
            # a key that is not published must sign nothing
            write_whole(self.path, before)
            raise
        return key

    def _look_up(self, now: tuple[Key, ...]) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
        """Return the file's keys, and the store's history, which may be up to EVERY seconds old."""
        looked, own, history = self._known
        if now is not own or monotonic() - looked >= EVERY:
            looked = monotonic()
            history = publish(self._store, self.path, now)
            self._known = looked, now, history
        return now, history


def longest(told: Sequence[Key], kept: Sequence[Key]) -> tuple[Key, ...]:
    """Return what is known of lost keys: the store's history if it continues the given one, else the given one."""
    return tuple(kept if tuple(kept[: len(told)]) == tuple(told) else told)

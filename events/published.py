"""The public half of a service's keys, in its store: whatever processes there are publish the same history.

The private half is a file on each host. A process whose file was not renewed when the key was signs on until the new
key does, and then no more: a receipt by an old key would not hold.
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
"""By which the store keeps them."""

EVERY = 1.0
"""Seconds between two looks at the store. Shorter than a new key lies ahead of the moment at which it is published."""

_history = msgspec.json.Decoder(tuple[Key, ...])


def published(store: Tables) -> tuple[Key, ...]:
    """The history of keys that a store's processes publish; none before the first. Raises KeysUnusable, StoreError."""
    content = kept.find(store, NAME)
    return () if content is None else _read(content)


def publish(store: Store, path: Path, own: tuple[Key, ...]) -> tuple[Key, ...]:
    """Have the keys of a file published, if they go on from those that are: the history after that.

    Raises:  KeysUnusable when the file's are others; StoreError.
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
    """Publish this history, whatever was published before. Raises StoreError."""
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
        """Raises KeysUnusable when the file can't be used, or holds other keys than the store's; StoreError."""
        super().__init__(path)
        self._store = store
        self._known: tuple[float, tuple[Key, ...], tuple[Key, ...]] = (0.0, (), ())
        self._look_up(self._fresh().keys)

    @classmethod
    def in_store(cls, store: Store, path: Path, now: str) -> PublishedKeyring:
        """The keys in the file, which is made with a first key of that moment if the store has none yet.

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
                        # another host was faster, and its key is the first
                        path.unlink()
                    raise
        except OSError as error:
            raise KeysUnusable(f"{path}: {error.strerror}") from error

    @property
    def keys(self) -> tuple[Key, ...]:
        """See `Keyring.keys`."""
        return self._look_up(self._fresh().keys)[1]

    def check(self, now: str) -> None:
        """Raises KeysUnusable where another key than this file's signs at that moment; StoreError."""
        self._check(self._fresh(), now)

    def _check(self, state: State, at: str) -> None:
        own, history = self._look_up(state.keys)
        if len(own) < len(history) and at >= history[len(own)].since:
            last = history[-1].key
            raise KeysUnusable(f"{self.path} does not hold the published key {last}: put a copy of its file there")

    def rotate(self, now: str, latest: Latest) -> Key:
        """See `Keyring.rotate`. Raises KeysUnusable too where this file does not hold the last key."""
        before, own = self.path.read_bytes(), super().keys
        if publish(self._store, self.path, own) != own:
            raise KeysUnusable(f"{self.path} does not hold the last key that was published: renew it where that lies")
        key = super().rotate(now, latest)
        try:
            publish(self._store, self.path, super().keys)
        except StoreError:
            # one that is not published must sign nothing
            write_whole(self.path, before)
            raise
        return key

    def _look_up(self, now: tuple[Key, ...]) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
        """The file's keys, as they are, and the history as the store had it a moment ago at most."""
        looked, own, history = self._known
        if now is not own or monotonic() - looked >= EVERY:
            looked = monotonic()
            history = publish(self._store, self.path, now)
            self._known = looked, now, history
        return now, history


def longest(told: Sequence[Key], kept: Sequence[Key]) -> tuple[Key, ...]:
    """What is known of lost keys: what is told of them, or what the store keeps if it goes on from that."""
    return tuple(kept if tuple(kept[: len(told)]) == tuple(told) else told)

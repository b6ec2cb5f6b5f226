"""A new key to sign receipts, while the service runs or not; also where the old ones are lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import msgspec

from events import stores
from events.keyring import Keyring, KeysUnusable
from events.published import PublishedKeyring, longest, publish_anew, published
from events.receipts import Key
from events.store import Store, StoreMissing
from replays.files.format import BadFile, read_file
from service import clock
from service.config import Config

LEAD = timedelta(seconds=5)
"""How far ahead a new key's `since` lies at least: who signs where locks don't reach may be as late as that, and so
may be who looks at what is published."""


class _Published(msgspec.Struct, frozen=True):
    keys: tuple[Key, ...]


def rotate(config: Config, now: clock.Now = clock.now, lead: timedelta = LEAD) -> Key:
    """The new key, which every process of the service publishes from now on, and which signs `lead` later.

    Raises:  KeysUnusable, also when there is none yet: the service makes the first one; StoreUnusable.
    """
    since = clock.stamp(now() + max(lead, LEAD))
    with _store(config) as store:
        if store is None:
            return Keyring(config.keys).rotate(since, lambda: "")
        return PublishedKeyring(config.keys, store).rotate(since, store.latest)


def begin_anew(config: Config, told: Path | None = None, now: clock.Now = clock.now) -> Key:
    """The new key where the file of keys is lost; what the lost ones were the store knows, or a file tells.

    Raises:  KeysUnusable, StoreUnusable.
    """
    before = () if told is None else history_of(told)
    with _store(config) as store:
        if store is None:
            return Keyring.begin_anew(config.keys, clock.stamp(now()), lambda: "", before)
        before = longest(before, published(store))
        key = Keyring.begin_anew(config.keys, clock.stamp(now()), store.latest, before)
        publish_anew(store, (*before, key))
        return key


def history_of(path: Path) -> tuple[Key, ...]:
    """The keys that a file tells: one that `GET /api/keys` answered, or an export. Raises KeysUnusable."""
    try:
        keys = msgspec.json.decode(path.read_bytes(), type=_Published).keys
    except OSError as error:
        raise KeysUnusable(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError):
        try:
            keys = read_file(path).header.keys
        except BadFile as error:
            raise KeysUnusable(f"{path} tells no keys: it is neither an answer of /api/keys nor an export") from error
    if not keys:
        raise KeysUnusable(f"{path} tells no keys: there is none in it")
    return keys


@contextmanager
def _store(config: Config) -> Iterator[Store | None]:
    """The store, whose own events tell what its keys have signed; None where none is. Raises StoreUnusable."""
    try:
        stores.open_to_read(config.store_url).close()
    except StoreMissing:
        yield None
        return
    store = stores.open_to_write(config.store_url)
    try:
        yield store
    finally:
        store.close()

"""Makes new keys for receipts, whether the service runs or not, also if the old keys are lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import msgspec

from events import stores
from events.keyring import Keyring, KeysUnusable, longest, publish_anew, published
from events.receipts import Key, Keys
from events.store import Store, StoreMissing
from replays.files.format import BadFile, read_file
from service import clock
from service.config import Config
from service.folder import check_restored

LEAD = timedelta(seconds=5)
"""The least time before a new key signs. Processes on other hosts may learn of it that late."""


def rotate(config: Config, now: clock.Now = clock.now, lead: timedelta = LEAD) -> Key:
    """Make a new key. All processes of the service publish it from now on, and sign with it after `lead`.

    Raises:  KeysUnusable, also if there is no key yet, since the service makes the first one; StoreUnusable.
    """
    since = clock.stamp(now() + max(lead, LEAD))
    with _store(config) as store:
        return Keyring(config.keys, store).rotate(since, store.latest if store else lambda: "")


def begin_anew(config: Config, told: Path | None = None) -> Key:
    """Make a new key after the key file was lost. `told`: a file with the lost public keys, besides those in the store.

    Raises:  KeysUnusable, StoreUnusable.
    """
    before = () if told is None else history_of(told)
    with _store(config) as store:
        if store is None:
            return Keyring.begin_anew(config.keys, clock.stamp(clock.now()), lambda: "", before)
        before = longest(before, published(store))
        key = Keyring.begin_anew(config.keys, clock.stamp(clock.now()), store.latest, before)
        publish_anew(store, (*before, key))
        return key


def history_of(path: Path) -> tuple[Key, ...]:
    """Return the public keys in an answer of `GET /api/keys` or in an export. Raises KeysUnusable."""
    try:
        keys = msgspec.json.decode(path.read_bytes(), type=Keys).keys
    except OSError as error:
        raise KeysUnusable(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError):
        try:
            keys = read_file(path).header.keys
        except BadFile as error:
            raise KeysUnusable(f"{path} has no keys: it is neither an answer of /api/keys nor an export") from error
    if not keys:
        raise KeysUnusable(f"{path} has no keys")
    return keys


@contextmanager
def _store(config: Config) -> Iterator[Store | None]:
    """Yield the store; None if there is none. Raises StoreUnusable."""
    check_restored(config.data)
    try:
        stores.open_to_read(config.store_url).close()
    except StoreMissing:
        yield None
        return
    with closing(stores.open_to_write(config.store_url)) as store:
        yield store

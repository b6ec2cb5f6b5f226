"""A new key to sign receipts, while the service runs or not; also where the old ones are lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import msgspec

from events import stores
from events.keyring import Keyring, KeysUnusable, Latest
from events.receipts import Key
from events.store import StoreMissing
from replays.files.format import BadFile, read_file
from service import clock
from service.config import Config

LEAD = timedelta(seconds=5)
"""How far ahead a new key's `since` lies at least: who signs where locks don't reach may be as late as that."""


class _Published(msgspec.Struct, frozen=True):
    keys: tuple[Key, ...]


def rotate(config: Config, now: clock.Now = clock.now) -> Key:
    """The new key.

    Raises:  KeysUnusable, also when there is none yet: the service makes the first one; StoreUnusable.
    """
    with _latest(config) as latest:
        return Keyring(config.keys).rotate(clock.stamp(now() + LEAD), latest)


def begin_anew(config: Config, published: Path | None = None, now: clock.Now = clock.now) -> Key:
    """The new key where the file of keys is lost; what the lost ones were can be told by a file.

    Raises:  KeysUnusable, StoreUnusable.
    """
    before = () if published is None else history_of(published)
    with _latest(config) as latest:
        return Keyring.begin_anew(config.keys, clock.stamp(now()), latest, before)


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
def _latest(config: Config) -> Iterator[Latest]:
    """The latest moment of the store's own events, which its keys have signed."""
    try:
        reader = stores.open_to_read(config.store_url)
    except StoreMissing:
        yield lambda: ""
        return
    try:
        yield reader.latest
    finally:
        reader.close()

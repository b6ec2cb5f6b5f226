"""A new key to sign receipts, while the service runs or not."""

from __future__ import annotations

from datetime import timedelta

from events.keyring import Keyring
from events.receipts import Key
from service import clock
from service.config import Config

LEAD = timedelta(seconds=5)
"""How far ahead a new key's `since` lies. While its file is written the service signs on by the old one, and a receipt
by that one holds only when it is of a moment before."""


def rotate(config: Config, now: clock.Now = clock.now) -> Key:
    """The new key. Raises KeysUnusable, also when there is none yet: the service makes the first one."""
    return Keyring(config.keys).rotate(clock.stamp(now() + LEAD))

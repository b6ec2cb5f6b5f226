"""Sends what this process counts to the other processes through Redis, and receives what they count.

A separate thread does this every second: no request waits for Redis, and without Redis each process counts alone. Redis
keeps a level as this process does, by its own clock, and forgets the level when it has sunk to zero.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

import msgspec
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.telemetry import OutageLog

if TYPE_CHECKING:
    from service.limits.limits import Buckets, Share
    from service.limits.places import Places

EVERY = 1.0
"""Seconds between two exchanges: the other processes know a count this much later."""

TIMEOUT = 1.0
SILENT = 10
"""Seconds after which a process that sends nothing is no longer counted."""

BATCH = 500
"""Levels that are sent at a time, so that Redis is busy for a moment only."""

ROUND = 20
"""The most batches in a second; the rest is sent in the next second."""

PREFIX = "foldtable:limits"

LUA = Path(__file__).parent
"""The folder of the scripts that Redis runs."""


class Sharing:
    """The exchange of counts, for one process."""

    def __init__(self, url: str, buckets: Buckets, places: Places) -> None:
        # the client must not send anything again by itself: Redis may have counted it already
        once = Retry(NoBackoff(), 0)
        self._redis = redis.Redis.from_url(url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry=once)
        self._levels = self._redis.register_script(LUA.joinpath("levels.lua").read_text(encoding="utf-8"))
        self._others = self._redis.register_script(LUA.joinpath("places.lua").read_text(encoding="utf-8"))
        self._buckets = buckets
        self._places = places
        self._name = secrets.token_hex(8)
        self._one = Lock()
        self._stop = Event()
        self._outage = OutageLog("redis, through which limits are counted together,")
        self._thread = Thread(target=self._work, name="limits", daemon=True)

    def start(self) -> None:
        """Start the thread that shares every second."""
        self._thread.start()

    def close(self) -> None:
        """Stop the thread. Then send what is not sent yet, and that nothing is under way here any longer."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2 * TIMEOUT + 1)
        self._places.hear(())
        if not self._outage.is_out:
            self.share(is_leaving=True)
        self._redis.close()

    def _work(self) -> None:
        while not self._stop.wait(EVERY):
            self.share()

    def share(self, *, is_leaving: bool = False) -> bool:
        """Send and receive once. Returns whether Redis answered."""
        with self._one:
            try:
                self._share_levels()
                self._share_places({} if is_leaving else self._places.shares())
            except Exception as error:
                # any error: the next second may succeed, and nothing else would start this thread again
                self._places.hear(())
                self._outage.begins(error)
                return False
            self._outage.ends()
            return True

    def _share_levels(self) -> None:
        for _ in range(ROUND):
            shares = self._buckets.shares(BATCH)
            if not shares:
                return
            try:
                levels = self._levels(
                    keys=[f"{PREFIX}:{share.rate.id}:{share.whom}" for share in shares],
                    args=[word for share in shares for word in _words(share)],
                )
            except BaseException:
                self._buckets.put_back(shares)
                raise
            self._buckets.settle((share, float(level)) for share, level in zip(shares, levels, strict=True))

    def _share_places(self, taken: dict[str, int]) -> None:
        encoded = msgspec.json.encode(taken) if taken else b""
        others = self._others(keys=[f"{PREFIX}:places"], args=[self._name, encoded, SILENT])
        self._places.hear(msgspec.json.decode(other, type=dict[str, int]) for other in others)


def _words(share: Share) -> tuple[str, str, str]:
    return f"{share.rate.a_second / 1000:.12f}", f"{share.used:.6f}", f"{share.unsent:.6f}"

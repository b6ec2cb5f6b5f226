"""Tells the other processes through Redis what is counted here, and hears what is counted there.

It is done every second by a thread of its own: no request waits for Redis, and without Redis each process counts alone.
Redis keeps a level as this process does, by its own clock, and forgets it once it has sunk to nothing.
"""

from __future__ import annotations

import secrets
from threading import Event, Lock, Thread

import msgspec
import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.limits.buckets import Buckets, Share
from service.limits.places import Places

EVERY = 1.0
"""Seconds: that much later others know."""

TIMEOUT = 1.0
SILENT = 10
"""Seconds after which a process that tells nothing is no longer counted."""

BATCH = 500
"""Levels that are told at a time, so that Redis is busy for a moment only."""

ROUND = 20
"""Batches in a second; what is left comes in the next."""

LEVELS = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local levels = {}
for i, key in ipairs(KEYS) do
    local sinks, known, more = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
    local kept = redis.call('HMGET', key, 'used', 'at')
    local used = 0
    if kept[1] then
        used = math.max(0, tonumber(kept[1]) - math.max(0, now - tonumber(kept[2])) * sinks)
    end
    used = math.max(used, known) + more
    if used > 0 then
        redis.call('HSET', key, 'used', string.format('%.6f', used), 'at', string.format('%.0f', now))
        redis.call('PEXPIRE', key, math.ceil(used / sinks) + 1000)
    end
    levels[i] = string.format('%.6f', used)
end
return levels
"""
"""Of each level: how fast it sinks, how high this process knows that it is at least, and what is new."""

PLACES = """
local now = tonumber(redis.call('TIME')[1])
if ARGV[2] == '' then
    redis.call('HDEL', KEYS[1], ARGV[1])
else
    redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f %s', now, ARGV[2]))
end
local kept, others = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #kept, 2 do
    local at, told = string.match(kept[i + 1], '^(%d+) (.*)$')
    if not at or math.abs(now - tonumber(at)) > tonumber(ARGV[3]) then
        redis.call('HDEL', KEYS[1], kept[i])
    elseif kept[i] ~= ARGV[1] then
        others[#others + 1] = told
    end
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
return others
"""

PREFIX = "foldtable:limits"

logger = structlog.get_logger(__name__)


class Sharing:
    """One process's part in it."""

    def __init__(self, url: str, buckets: Buckets, places: Places) -> None:
        # nothing is told twice: what may have been heard is not sent again by the client itself
        once = Retry(NoBackoff(), 0)
        self._redis = redis.Redis.from_url(url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry=once)
        self._levels = self._redis.register_script(LEVELS)
        self._others = self._redis.register_script(PLACES)
        self._buckets = buckets
        self._places = places
        self._name = secrets.token_hex(8)
        self._one = Lock()
        self._stop = Event()
        self._is_out = False
        self._thread = Thread(target=self._work, name="limits", daemon=True)

    def start(self) -> None:
        """Share from now on, every second."""
        self._thread.start()

    def close(self) -> None:
        """Tell the rest, and that nothing is under way here any longer."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2 * TIMEOUT + 1)
        self._places.hear(())
        if not self._is_out:
            self.share(is_leaving=True)
        self._redis.close()

    def _work(self) -> None:
        while not self._stop.wait(EVERY):
            self.share()

    def share(self, *, is_leaving: bool = False) -> bool:
        """Tell and hear, once: whether Redis answered."""
        with self._one:
            try:
                self._share_levels()
                self._share_places({} if is_leaving else self._places.shares())
            except Exception as error:
                # whatever it is: the next second may do better, and nobody else would go on
                self._places.hear(())
                if not self._is_out:
                    logger.warning("redis does not answer; limits are counted by each process alone", error=str(error))
                self._is_out = True
                return False
            if self._is_out:
                logger.info("redis answers again; limits are counted together")
            self._is_out = False
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
        told = msgspec.json.encode(taken) if taken else b""
        others = self._others(keys=[f"{PREFIX}:places"], args=[self._name, told, SILENT])
        self._places.hear(msgspec.json.decode(one, type=dict[str, int]) for one in others)


def _words(share: Share) -> tuple[str, str, str]:
    return f"{share.rate.a_second / 1000:.12f}", f"{share.used:.6f}", f"{share.unsent:.6f}"

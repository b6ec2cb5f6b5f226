"""Checks Redis: whether it answers, is new enough, can be written to, and has the same time."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import redis

from service import clock
from service.bots import socket_url
from service.config import Config
from service.run.doctor.report import Finding, fault, good, warning

AREA, CLOCK = "redis", "clock"
OLDEST = (5, 0)
APART = 2.0
"""The most seconds by which two clocks may differ."""

FULL = 0.9
"""The part of the memory above which there is a warning."""


def examine(config: Config, now: clock.Now) -> Iterator[Finding]:
    """Check the Redis of the settings, or the one that `up` runs."""
    url, where = config.redis, _where(config.redis)
    if not url:
        socket = config.data.absolute() / "redis" / "redis.sock"
        if not os.path.exists(socket):  # also if this user may not look there
            yield good(AREA, "none is named: `up` starts one of its own")
            return
        url, where = socket_url(str(socket)), f"the one of `up`, {socket}"
    try:
        client = redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2)
    except ValueError:
        # without the error's own words, which may contain the password
        yield fault(AREA, "what names it is no URL of a Redis", "say redis://HOST:PORT/0, rediss:// or unix://")
        return
    with client:
        try:
            yield from _look(client, where, now)
        except redis.AuthenticationError:
            yield fault(AREA, f"{where} refuses the password", "put the right one into FOLDTABLE_REDIS")
        except redis.ResponseError as error:
            yield fault(AREA, f"{where} refuses what it is asked: {_word(error)}", "let the service's user do it (ACL)")
        except (redis.RedisError, OSError) as error:
            do = "start it, or correct FOLDTABLE_REDIS; without it no bot plays, and people wait longer"
            yield fault(AREA, f"{where} does not answer ({type(error).__name__})", do)


def _where(url: str) -> str:
    """Return the URL without user, password and query."""
    try:
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"
    except ValueError:
        return "Redis"


def _word(error: Exception) -> str:
    """Return the first word of Redis' error, such as OOM, without the command."""
    return f"{type(error).__name__} {str(error).partition(' ')[0]}"


def _look(client: redis.Redis, where: str, now: clock.Now) -> Iterator[Finding]:
    about: dict[str, Any] = dict(client.info())
    version = str(about.get("redis_version", "0"))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        yield fault(AREA, f"{where} is Redis {version}", f"run {'.'.join(map(str, OLDEST))} or later")
    yield from _memory(about)
    yield from _persistence(about)
    if about.get("role") == "slave":
        yield fault(AREA, f"{where} is a replica", "name the one that it follows")
    yield from _write(client, where, version)
    yield from _time(client, now)


def _memory(about: dict[str, Any]) -> Iterator[Finding]:
    most, used, policy = about.get("maxmemory", 0), about.get("used_memory", 0), about.get("maxmemory_policy", "")
    if not most:
        return
    if policy != "noeviction":
        what = f"its maxmemory-policy is {policy}: when it is full it forgets turns of bots"
        yield fault(AREA, what, "CONFIG SET maxmemory-policy noeviction")
    if used > FULL * most:
        yield warning(AREA, f"{used >> 20} of {most >> 20} MiB are used", "give it more memory (maxmemory)")


def _persistence(about: dict[str, Any]) -> Iterator[Finding]:
    for name in ("rdb_last_bgsave_status", "aof_last_write_status", "aof_last_bgrewrite_status"):
        if about.get(name, "ok") != "ok":
            do = "look into its log; give its folder room and its user the right to write there"
            yield fault(AREA, f"it could not save what it holds ({name}: {about[name]}), and may refuse to write", do)


def _write(client: redis.Redis, where: str, version: str) -> Iterator[Finding]:
    name = f"foldtable:doctor:{secrets.token_hex(8)}"
    try:
        client.set(name, "", ex=5)
        client.delete(name)
    except redis.ResponseError as error:
        yield fault(AREA, f"{where} takes nothing: {_word(error)}", "see what is said of memory and of saving above")
    else:
        yield good(AREA, f"{where} answers and can be written to; version {version}")


def _time(client: redis.Redis, now: clock.Now) -> Iterator[Finding]:
    seconds, micros = client.time()
    apart = (now() - datetime.fromtimestamp(seconds + micros / 1e6, UTC)).total_seconds()
    if abs(apart) > APART:
        which = "ahead of" if apart > 0 else "behind"
        what = f"this machine's clock is {abs(apart):.0f} s {which} that of Redis"
        yield fault(CLOCK, what, "let both be set by the network (NTP): bots' turns wait for the wrong moment")
    else:
        yield good(CLOCK, "it agrees with that of Redis")

"""Checks what is around the store: the data folder and its disk, Redis, mail, and the drawing of pictures."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import redis

from domain.catalogue import Catalogue
from events.files import read_small
from events.store import StoreError
from replays.files.packs import Packs
from replays.table.picture import Easel, NotDrawn, letters_missing
from service import clock, folder
from service.config import OTHERS, REDIS_URL, TOKEN, Config
from service.folder import RESTORING
from service.mail import Unreachable, connected, relay_of
from service.run.doctor.report import Finding, fault, good, warning
from service.run.redis_server import socket_url

FILES, DISK = "files", "disk"

LEAST, LITTLE = 64 << 20, 1 << 30
"""The bytes that must be free, and the bytes that should be."""

FEWEST = 256
"""The number of files for which there must be room."""


def examine_files(config: Config) -> Iterator[Finding]:
    """Check the folder and its disk."""
    data = config.data
    try:
        if not data.exists():
            yield _none_yet(data)
            return
        if not data.is_dir():
            yield fault(FILES, f"{data} is no folder", "name a folder by --data or FOLDTABLE_DATA")
            return
        findings = [*_modes(data), *_tokens(config)]
    except OSError as error:
        yield fault(FILES, f"{data} can't be read: {error.strerror}", "run as the service's own user")
        return
    yield from findings or [good(FILES, f"{data} is for this user alone")]
    yield from disk(data)


def _none_yet(data: Path) -> Finding:
    """Return the finding for a missing folder: whether a start can make it. Raises OSError."""
    above = next(folder for folder in data.absolute().parents if folder.exists())
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK, effective_ids=True):
        return good(FILES, f"there is no {data} yet: the first start makes it")
    do = f"make {data}, for the service's own user, or name another folder by --data or FOLDTABLE_DATA"
    return fault(FILES, f"there is no {data}, and nothing can be made in {above}", do)


def _modes(data: Path) -> Iterator[Finding]:
    """Find files that others may read, or that belong to another user."""
    if (data / RESTORING).exists():
        do = "run restore again, with the same backup: ./foldtable service restore FROM"
        yield fault(FILES, f"a restore of {data} was interrupted: nothing starts", do)
    for path in (data, *folder.files_of(data)):
        if path.is_symlink():
            continue
        about = path.stat()
        if about.st_mode & OTHERS:
            what, do = f"others may read {path}", f"chmod {700 if path.is_dir() else 600} {path}"
            if path.is_relative_to(data / "packs"):  # no secret is there
                yield warning(FILES, what, f"{do}; the next start does it too")
            else:
                yield fault(FILES, what, f"{do}; others may already have its secrets")
        if about.st_uid != os.geteuid():
            do = f"chown -R {os.geteuid()} {data}, or run as the user {about.st_uid}"
            yield fault(FILES, f"{path} belongs to the user {about.st_uid}, and this is {os.geteuid()}", do)


def _tokens(config: Config) -> Iterator[Finding]:
    """Find token files that are missing, or that hold no token. The next start makes a missing one anew."""
    refused = "refused until they have it"
    mails = "links and reply addresses in mails that were sent are void, and webhooks are disabled until their"
    files = (
        (config.worker_token, config.worker_said, config.worker_file, f"workers on other hosts are {refused}"),
        (config.admin_token, config.admin_said, config.admin_file, f"whoever calls as the operator is {refused}"),
        (config.secret, config.secret_said, config.secret_file, f"{mails} owners renew their secrets"),
    )
    for path, token, named, follows in files:
        if token:
            continue  # the setting has the token, and the file is not read
        if path.exists():
            do = "put back a copy, or remove it: the next start makes a new one"
            try:
                if not TOKEN.fullmatch(read_small(path).strip(b"\0 \t\r\n").decode(errors="replace")):
                    yield fault(FILES, f"{path} holds no token", do)
            except OSError as error:
                yield fault(FILES, f"{path} can't be read: {error.strerror}", do)
        elif named:
            yield fault(FILES, f"{path} is not there: nothing starts", "put the file there; the settings name it")
        elif config.keys.exists():
            # the service has started before, so it had made the file
            do = "put back a copy of it (a backup has one) before the next start, which makes a new one"
            yield fault(FILES, f"{path} is not there: with a new one {follows}", do)


def examine_packs(config: Config) -> Iterator[Finding]:
    """Find packs that can't be played with. Files that are no packs do no harm."""
    with suppress(OSError):  # `files` reports a folder that can't be read
        for error in Packs(Catalogue(), config.packs).refresh():
            do = "correct the file or move it away: no web process starts while it is there"
            yield fault("packs", str(error), do)


def disk(data: Path) -> Iterator[Finding]:
    """Check that there is room, and that the disk can be written to."""
    try:
        folder.check_room(data, LEAST >> 10)
    except StoreError as error:
        yield fault(DISK, f"nothing can be written: {error}", "make room, mount it writable, or repair the disk")
        return
    free, files = shutil.disk_usage(data).free, os.statvfs(data)
    if files.f_files and files.f_favail < FEWEST:
        yield fault(DISK, f"there is room for {files.f_favail} more files", "remove files that nobody needs")
    room = f"{free >> 20} MiB are free"
    if free < LEAST:
        yield fault(DISK, room, f"make room: moves are refused when it is full; {LEAST >> 20} MiB are the least")
    elif free < LITTLE:
        yield warning(DISK, room, "make room before it is full")
    else:
        yield good(DISK, f"{room}, and what is written is synced")


REDIS, CLOCK = "redis", "clock"
OLDEST = (5, 0)
APART = 2.0
"""The most seconds by which two clocks may differ."""

FULL = 0.9
"""The part of the memory above which there is a warning."""


def examine_redis(config: Config) -> Iterator[Finding]:
    """Check the Redis of the settings, or the one that `up` runs."""
    url, where = config.redis, _where(config.redis)
    if not url:
        socket = config.data.absolute() / "redis" / "redis.sock"
        if not os.path.exists(socket):  # also if this user may not look there
            yield good(REDIS, "none is named: `up` starts one of its own")
            return
        url, where = socket_url(str(socket)), f"the one of `up`, {socket}"
    try:
        if not REDIS_URL.fullmatch(url):
            raise ValueError
        client = redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2)
        client.connection_pool.make_connection()  # this reads what the URL's query names, and asks nobody yet
    except (ValueError, TypeError):
        # without the error's own words, which may contain the password
        do = "write redis://HOST:PORT/0, rediss:// or unix://, and special characters of a password as %XX"
        yield fault(REDIS, "FOLDTABLE_REDIS is no URL of a Redis", do)
        return
    with client:
        try:
            yield from _look_into_redis(client, where)
        except redis.AuthenticationError:
            yield fault(REDIS, f"{where} refuses the password", "correct the password in FOLDTABLE_REDIS")
        except redis.ResponseError as error:
            yield fault(
                REDIS, f"{where} refuses what it is asked: {_word(error)}", "let the service's user do it (ACL)"
            )
        except (redis.RedisError, OSError) as error:
            what = f"{where} does not answer ({type(error).__name__})"
            if not config.redis and isinstance(error, redis.ConnectionError):
                # only its socket is there: it was killed with `up`, or the machine lost its power
                yield warning(REDIS, what, "start `up`, which starts it; if `up` runs, redis.log beside it tells more")
            else:
                do = "start it, or correct FOLDTABLE_REDIS; without it no bot plays, and people wait longer"
                yield fault(REDIS, what, do)


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


def _look_into_redis(client: redis.Redis, where: str) -> Iterator[Finding]:
    about: dict[str, Any] = dict(client.info())
    version = str(about.get("redis_version", "0"))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        yield fault(REDIS, f"{where} is Redis {version}", f"run {'.'.join(map(str, OLDEST))} or later")
    yield from _limits(about)
    if about.get("role") == "slave":
        yield fault(REDIS, f"{where} is a replica", "name the one that it follows")
    yield from _write_to_redis(client, where, version)
    yield from _compare_clocks(client)


def _limits(about: dict[str, Any]) -> Iterator[Finding]:
    """Check what it can hold, and whether it can save that."""
    most, used, policy = about.get("maxmemory", 0), about.get("used_memory", 0), about.get("maxmemory_policy", "")
    if most and policy != "noeviction":
        what = f"its maxmemory-policy is {policy}: when it is full it forgets turns of bots"
        yield fault(REDIS, what, "CONFIG SET maxmemory-policy noeviction")
    if most and used > FULL * most:
        yield warning(REDIS, f"{used >> 20} of {most >> 20} MiB are used", "give it more memory (maxmemory)")
    for name in ("rdb_last_bgsave_status", "aof_last_write_status", "aof_last_bgrewrite_status"):
        if about.get(name, "ok") != "ok":
            do = "look into its log; give its folder room and its user the right to write there"
            yield fault(REDIS, f"it could not save what it holds ({name}: {about[name]}), and may refuse to write", do)


def _write_to_redis(client: redis.Redis, where: str, version: str) -> Iterator[Finding]:
    name = f"foldtable:doctor:{secrets.token_hex(8)}"
    try:
        client.set(name, "", ex=5)
        client.delete(name)
    except redis.ResponseError as error:
        yield fault(REDIS, f"{where} can't be written to: {_word(error)}", "see what is said of memory and saving")
    else:
        yield good(REDIS, f"{where} answers and can be written to; version {version}")


def _compare_clocks(client: redis.Redis) -> Iterator[Finding]:
    seconds, micros = client.time()
    apart = (clock.now() - datetime.fromtimestamp(seconds + micros / 1e6, UTC)).total_seconds()
    if abs(apart) > APART:
        which = "ahead of" if apart > 0 else "behind"
        what = f"this machine's clock is {abs(apart):.0f} s {which} that of Redis"
        yield fault(CLOCK, what, "let both be set by the network (NTP): bots' turns wait for the wrong moment")
    else:
        yield good(CLOCK, "it agrees with that of Redis")


MAIL = "mail"
PATIENCE = 5.0


def examine_mail(config: Config) -> Iterator[Finding]:
    """Check the settings, and the server that they name."""
    if not (config.smtp or config.mail_from or config.mail_domain or config.mail_listen):
        yield good(MAIL, "none is sent: no server is named")
        return
    if config.mail_lacks:
        yield fault(MAIL, f"no mail is sent without {' and '.join(config.mail_lacks)}", "set it, or no setting of mail")
        return
    if config.mail_listen and not config.mail_domain:
        yield fault(MAIL, "mail is received, but replies have no domain", "set FOLDTABLE_MAIL_DOMAIN")
    elif config.mail_domain and not config.mail_listen:
        do = "set FOLDTABLE_MAIL_LISTEN for the mail process, if no other host receives them"
        yield warning(MAIL, f"replies go to {config.mail_domain}, and this process would not listen for them", do)
    if not config.public_url:
        do = "set FOLDTABLE_PUBLIC_URL to the URL at which people reach the service"
        yield warning(MAIL, f"links in mails lead to {config.address}", do)
    yield from _server(config)


def _server(config: Config) -> Iterator[Finding]:
    try:
        relay = relay_of(config)
    except ValueError:
        yield fault(MAIL, "FOLDTABLE_SMTP has an invalid port", "write smtp://USER:PASSWORD@HOST:PORT")
        return
    assert relay is not None, "it is configured"
    try:
        with connected(relay, PATIENCE):
            yield good(MAIL, f"{relay.name} takes mails")
    except Unreachable as error:
        yield fault(MAIL, f"{relay.name}: {error}", "start it, or correct FOLDTABLE_SMTP; mails wait for days")


PICTURES = "pictures"
FONTS = {"en": ("Latin", "fonts-dejavu-core"), "ja": ("Japanese", "fonts-ipaexfont-gothic")}
"""The letters of each language, and the package of Debian with a font for them."""


def examine_pictures() -> Iterator[Finding]:
    """Check the renderer and its fonts."""
    easel = Easel()
    if not easel.is_at_hand:
        yield warning(PICTURES, "links show none: what draws them is not installed", "install the package resvg-py")
        return
    try:
        missing = letters_missing(easel)
    except NotDrawn as error:
        yield warning(PICTURES, f"links show none: {error}", "install the locked packages anew")
        return
    for lang in missing:
        letters, package = FONTS[lang]
        yield warning(
            PICTURES, f"no font here has {letters} letters: pictures leave them out", f"apt-get install {package}"
        )
    if not missing:
        yield good(PICTURES, "they are drawn, with letters of both languages")

"""The store, the clock by its latest event, and the keys that sign what is in it."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta

from events import opening
from events.keyring import Keyring, KeysUnusable
from events.sqlite import SqliteReader, SqliteRecorder
from events.store import (
    StoreCorrupt,
    StoreError,
    StoreMissing,
    StoreNewer,
    StoreUnusable,
    match_of,
)
from replays.commands import parallel
from service import clock
from service.config import Config
from service.folder import OTHERS
from service.run.doctor.report import Finding, fault, good, warning
from service.run.progress import bar
from service.run.restore import check_one
from service.store import Lobby, logs, schema

STORE, CLOCK, KEYS = "store", "clock", "keys"

SAMPLE = 100
"""Matches whose chains are looked at, unless it is all of them."""

FIRST = 256
"""Events among which the store's own first one is looked for."""

RESTORE = "put back a backup: python -m service restore FROM"
OWN_USER = "run as the service's own user"
LOST = "put back a copy of it, or declare it lost: python -m service rotate-key --lost"


def examine(config: Config, now: clock.Now, *, is_all: bool) -> Iterator[Finding]:
    """The store, as far as it can be opened, and what must fit it."""
    try:
        reader = SqliteRecorder.open_to_read(config.database)
    except StoreMissing:
        yield good(STORE, f"there is no {config.database} yet: the first start makes it")
        yield from _alone(config)
        return
    except StoreNewer as error:
        yield fault(STORE, str(error), "run that release, or a later one")
        return
    except StoreUnusable as error:
        yield fault(STORE, str(error), RESTORE if isinstance(error, StoreCorrupt) else OWN_USER)
        return
    except OSError as error:
        yield fault(STORE, f"{config.database} can't be read: {error.strerror}", OWN_USER)
        return
    with closing(reader):
        try:
            yield from _look(config, reader, now, is_all=is_all)
        except StoreNewer as error:
            yield fault(STORE, str(error), "run that release, or a later one")
        except (StoreError, sqlite3.Error) as error:
            yield fault(STORE, f"{config.database} can't be read: {error}", RESTORE)


def _look(config: Config, reader: SqliteReader, now: clock.Now, *, is_all: bool) -> Iterator[Finding]:
    schema.check(reader)
    with bar("reading the store"):
        (said,) = reader.reader().execute("PRAGMA quick_check(1)").fetchone()
    if said != "ok":
        yield fault(STORE, f"{config.database} is damaged: {' '.join(str(said).split())}", RESTORE)
        return
    yield from _write(config)
    (version,) = reader.reader().execute("PRAGMA user_version").fetchone()
    matches, events = logs.counts(reader)
    known = len(opening.SCHEMA)
    if version < known:
        what = f"it has schema {version}, and {known} is known"
        yield warning(STORE, what, "the next start brings it up to date; take a backup before")
    yield good(STORE, f"{matches} matches, {events} events, schema {version}, undamaged")
    yield from _chains(config, reader, is_all=is_all)
    yield from _clock(reader, now)
    yield from _keys(config, reader)


def _write(config: Config) -> Iterator[Finding]:
    """Begin to write, and don't."""
    try:
        with closing(opening.connect(opening.uri(config.database, "rw"))) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        do = "run as the service's own user, mount the disk to be written to, or end what holds the file"
        yield fault(STORE, f"{config.database} can't be written to: {error}", do)


def _chains(config: Config, reader: SqliteReader, *, is_all: bool) -> Iterator[Finding]:
    matches = reader.matches()
    if not is_all and len(matches) > SAMPLE:
        looked = tuple(random.sample(matches, SAMPLE))
    else:
        looked = matches
    found = list(parallel.ask_all(check_one, config.data, looked, "checking chains"))
    for one in found:
        if one.fault:
            do = f"python -m replays audit {one.match} --all tells more; the match was changed, or the disk fails"
            yield fault(STORE, f"{one.match}: {one.fault}", do)
    if not any(one.fault for one in found):
        of = f" of {len(matches)}; --all looks at all" if len(looked) < len(matches) else ""
        yield good(STORE, f"the chains of {len(looked)} matches hold{of}")


def _clock(reader: SqliteReader, now: clock.Now) -> Iterator[Finding]:
    latest = reader.latest()
    if not latest:
        return
    try:
        ahead = datetime.fromisoformat(latest) - now()
    except ValueError:
        yield fault(CLOCK, "the latest event is of no moment", RESTORE)
        return
    if ahead > timedelta(seconds=1):
        what = f"it is {ahead.total_seconds():.0f} s behind the latest event, of {latest}"
        yield fault(CLOCK, what, "set it right, or if it was wrong then, wait: events are not dated back")
    else:
        yield good(CLOCK, "it is later than every event")


def _alone(config: Config) -> Iterator[Finding]:
    """Keys without a store."""
    if config.keys.exists():
        yield warning(KEYS, f"{config.keys} is there, and no store", "if there was one, put back a backup")


def _keys(config: Config, reader: SqliteReader) -> Iterator[Finding]:
    path = config.keys
    if not path.exists():
        if not _is_new(reader):
            yield fault(KEYS, f"{path} is not there, and the store has matches that were signed by it", LOST)
        return
    if path.stat().st_mode & OTHERS:
        return  # that is told of the files; reading it would shut it
    try:
        keys = Keyring(path).keys
    except KeysUnusable as error:
        yield fault(KEYS, str(error), LOST)
        return
    first = _first(reader)
    if first and keys[0].since > first:
        what = f"they begin at {keys[0].since}, and the store's own events at {first}: they are another store's, or new"
        do = "put back the store's own, of a backup; unless those were declared lost: receipts from before don't hold"
        yield warning(KEYS, what, do)
    else:
        yield good(KEYS, f"{len(keys)}, the last one from {keys[-1].since}")


def _is_new(reader: SqliteReader) -> bool:
    """Whether no service has signed anything here."""
    tables = reader.reader().execute("SELECT 1 FROM sqlite_schema WHERE name = 'matches'").fetchone()
    return tables is None or Lobby(reader).is_empty()


def _first(reader: SqliteReader) -> str:
    """The moment of the store's own first event; "" where it is not among the first."""
    for _, event in reader.read_all(0, 0, FIRST):
        if reader.proof(match_of(event.stream)) is None:
            return event.at
    return ""

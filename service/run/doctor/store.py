"""Checks the store, the clock by the store's latest event, and the keys that sign its events."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime, timedelta
from pathlib import Path

from domain.catalogue import Catalogue
from events import opening, stores
from events.keyring import Keyring, KeysUnusable, published
from events.postgres import PostgresReader
from events.queries import StoreOlder
from events.receipts import Key
from events.sqlite import SqliteReader
from events.store import StoreCorrupt, StoreError, StoreMissing, StoreNewer, StoreUnusable, match_of
from replays.commands import counted, reading
from replays.commands.reading import Place
from service import clock
from service.config import OTHERS, Config
from service.matches import startup
from service.run.backup import damage_of
from service.run.doctor.report import Finding, Severity, fault, good, warning
from service.run.restore import check_one
from service.store import Lobby, logs, schema

STORE, RULES, CLOCK, KEYS = "store", "rules", "clock", "keys"

Opened = SqliteReader | PostgresReader

SAMPLE = 100
"""The number of matches whose hash chains are checked, unless all are."""

MOST_LOST = 5
"""The most missing tables and columns that are named."""

FIRST = 256
"""The number of events among which the first one of the store's own is looked for."""

RESTORE = "put back a backup: ./foldtable service restore FROM, or on PostgreSQL your dump, by pg_restore"
OWN_USER = "run as the service's own user"
UP_TO_DATE = "the next start brings it up to date; take a backup before"
LOST = "put back a copy of it, or declare it lost: ./foldtable service rotate-key --lost"


def examine(config: Config, *, is_all: bool) -> Iterator[Finding]:
    """Check the store, as far as it can be opened, and everything that must fit to it."""
    try:
        with closing(stores.open_to_read(config.store_url)) as reader:
            try:
                yield from _look(config, reader, is_all=is_all)
            except StoreUnusable:
                raise
            except (StoreError, sqlite3.Error) as error:
                yield fault(STORE, f"{stores.name_of(config.store_url)} can't be read: {error}", RESTORE)
    except StoreMissing:
        yield _none_yet(config)
        if config.keys.exists():
            do = "if there was one, put back a backup"
            if stores.file_of(config.store_url) is None and config.database.exists():
                do = f"before the first start, move {config.database} there: ./foldtable service copy"
            yield warning(KEYS, f"{config.keys} is there, and no store", do)
    except StoreNewer as error:
        yield fault(STORE, str(error), "run that release, or a later one")
    except StoreOlder as error:
        yield fault(STORE, error.what, error.INSTEAD)
    except StoreUnusable as error:
        do = RESTORE if isinstance(error, StoreCorrupt) else OWN_USER
        yield fault(STORE, str(error), "start it, or correct FOLDTABLE_STORE" if config.store else do)
    except OSError as error:
        yield fault(STORE, f"{config.database} can't be read: {error.strerror}", OWN_USER)


def _none_yet(config: Config) -> Finding:
    """Return the finding for a missing store: whether a start can make it."""
    name, path = stores.name_of(config.store_url), stores.file_of(config.store_url)
    if config.store and path and not path.parent.is_dir():
        return fault(STORE, f"there is no folder {path.parent} for the store", "make it, or correct FOLDTABLE_STORE")
    return good(STORE, f"there is no {name} yet: the first start makes it")


def _look(config: Config, reader: Opened, *, is_all: bool) -> Iterator[Finding]:
    name = stores.name_of(config.store_url)
    version = schema.check(reader, name)
    if 0 < version < schema.versions_of(reader).last:
        yield warning(STORE, f"its tables have version {version}", UP_TO_DATE)
    if isinstance(reader, SqliteReader):
        findings = tuple(_file(reader))
        yield from findings
        if any(finding.level is Severity.FAULT for finding in findings):
            return
    if lost := schema.lacking(reader, version):
        more = f" and {len(lost) - MOST_LOST} more" if len(lost) > MOST_LOST else ""
        yield fault(STORE, f"{name} lacks {', '.join(lost[:MOST_LOST])}{more}: it was changed by hand", RESTORE)
        return
    if schema.is_half_copied(reader):
        yield fault(STORE, f"{name} is an incomplete copy, and no service starts on it", "run service copy again")
        return
    matches, events = logs.counts(reader)
    yield good(STORE, f"{name}: {counted(matches, events)}")
    # also those matches in which a start has stopped asking
    if counts := startup.running_without_rules(reader, Catalogue()):
        yield warning(RULES, startup.say_counts(counts), startup.INSTEAD)
    else:
        yield good(RULES, "every running match can be played on")
    yield from _chains(config, reader, is_all=is_all)
    yield from _clock(reader)
    yield from _keys(config, reader)


def _file(reader: SqliteReader) -> Iterator[Finding]:
    """Check the file of a store on SQLite. Raises sqlite3.Error."""
    if damage := damage_of(reader):
        yield fault(STORE, f"{reader.path} is damaged: {damage}", RESTORE)
        return
    yield from _write(reader.path)
    (version,) = reader.reader().execute("PRAGMA user_version").fetchone()
    if version < (known := max(opening.SCHEMA)):
        yield warning(STORE, f"it has schema {version}, and {known} is known", UP_TO_DATE)
    yield good(STORE, f"the file has schema {version}, and is undamaged")


def _write(path: Path) -> Iterator[Finding]:
    """Check that the file can be written to, without writing."""
    try:
        with closing(opening.connect(opening.uri(path, "rw"))) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        do = "run as the service's own user, mount the disk to be written to, or end what holds the file"
        yield fault(STORE, f"{path} can't be written to: {error}", do)


def _chains(config: Config, reader: Opened, *, is_all: bool) -> Iterator[Finding]:
    matches = reader.matches()
    looked = matches if is_all or len(matches) <= SAMPLE else tuple(random.sample(matches, SAMPLE))
    checked = list(reading.ask_all(check_one, Place(config.data, config.store_url), looked, "checking chains"))
    for each in checked:
        if each.fault:
            do = f"./foldtable replays audit {each.match} --all shows more; the match was changed, or the disk fails"
            yield fault(STORE, f"{each.match}: {each.fault}", do)
    if not any(each.fault for each in checked):
        of = f" of {len(matches)}; --all looks at all" if len(looked) < len(matches) else ""
        yield good(STORE, f"the chains of {'1 match' if len(looked) == 1 else f'{len(looked)} matches'} hold{of}")


def _clock(reader: Opened) -> Iterator[Finding]:
    latest = reader.latest()
    if not latest:
        return
    try:
        ahead = datetime.fromisoformat(latest) - clock.now()
    except ValueError:
        yield fault(CLOCK, "the latest event has no valid time", RESTORE)
        return
    if ahead > timedelta(seconds=1):
        what = f"it is {ahead.total_seconds():.0f} s behind the latest event, of {latest}"
        yield fault(CLOCK, what, "set the clock right; if it was wrong before, wait: times of events never go back")
    else:
        yield good(CLOCK, "it is later than every event")


def _keys(config: Config, reader: Opened) -> Iterator[Finding]:
    path = config.keys
    if not path.exists():
        # before the first start the tables don't exist
        with suppress(StoreError):
            if not Lobby(reader).is_empty():
                yield fault(KEYS, f"{path} is not there, and the store has matches that were signed by it", LOST)
        return
    if path.stat().st_mode & OTHERS:
        return  # `files` reports this; reading the keys would change their mode
    try:
        keys = Keyring(path).keys
    except KeysUnusable as error:
        yield fault(KEYS, str(error), OWN_USER if isinstance(error.__cause__, PermissionError) else LOST)
        return
    if (finding := _published(path, keys, reader)) is not None:
        yield finding
        return
    first = _first(reader)
    if first and keys[0].since > first:
        what = f"they begin at {keys[0].since}, and the store's own events at {first}: they are another store's, or new"
        do = "put back the store's own, of a backup; unless those were declared lost: receipts from before don't hold"
        yield warning(KEYS, what, do)
    else:
        yield good(KEYS, f"{len(keys)}, the last one from {keys[-1].since}")


def _published(path: Path, own: tuple[Key, ...], reader: Opened) -> Finding | None:
    """Return how the file's keys differ from those that the store's processes publish; None if they don't."""
    try:
        theirs = published(reader)
    except KeysUnusable as error:
        return fault(KEYS, str(error), RESTORE)
    if own[: len(theirs)] == theirs:
        return None
    do = "put a copy of the file of another process there, or name it by FOLDTABLE_KEYS"
    if theirs[: len(own)] == own:
        what = f"{path} does not hold the published key {theirs[-1].key}, which signs from {theirs[-1].since}"
    else:
        what = f"{path} holds other keys than those that the store's processes publish"
    return fault(KEYS, what, do)


def _first(reader: Opened) -> str:
    """Return the moment of the first event that is not imported; "" if it is not among the first events."""
    first = (event for number in range(reader.partitions) for _, event in reader.read_all(number, 0, FIRST))
    return min((event.at for event in first if reader.proof(match_of(event.stream)) is None), default="")

"""A copy of everything that a service needs, taken while it runs: store, keys, tokens and packs in a folder.

The store is copied by SQLite's online backup through one read transaction: all of its pages are of one moment, whoever
writes meanwhile waits for nothing, and there is progress to tell. (`VACUUM INTO` would write the store anew, in several
times as long, and tells none.) Keys and packs are copied after that moment: every event in the copy was signed by one
of the keys, and is played with one of the packs.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath

import msgspec

from events import stores
from events.files import OWN, OWN_FOLDER, alone, make_folder, sync_folder, write_whole
from events.sqlite import SqliteReader, SqliteRecorder
from events.store import StoreError
from service import clock
from service.config import Config
from service.run.progress import Tell, bar
from service.store import logs

FORMAT = 1
MANIFEST = "backup.json"
STORE = "foldtable.db"
SINGLE = ("keys", "worker-token", "admin-token", "demo-token", "secret")
"""Files of a data folder that are copied, where they are there."""

PACKS = "packs/*/*.toml"
PAGES = 2048
"""Pages of the store that are copied between two looks at the clock."""

CHUNK = 1 << 20


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a backup."""

    path: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a backup holds."""

    format: int
    made: str
    """When it was begun: whatever was acknowledged before is in it."""
    matches: int
    events: int
    files: tuple[File, ...]


class BackupError(Exception):
    """A backup can't be taken, or not be restored. The message is one line."""


def back_up(config: Config, to: Path, now: clock.Now = clock.now) -> Manifest:
    """Make the folder, which is there whole or not at all; nothing is overwritten.

    Raises:  BackupError, StoreUnusable.
    """
    if os.path.lexists(to):
        raise BackupError(f"{to} is there already: name a folder that is not")
    made = clock.stamp(now())
    reader = SqliteRecorder.open_to_read(database_of(config))
    with closing(reader), told(to), draft_of(to) as draft:
        check_room(draft.parent, _size(config))
        counted = _copy_store(reader, draft / STORE)
        files = [sealed(draft, STORE)]
        with alone(config.data, is_shared=True):
            for path in _beside(config):
                copy(_source(config, path), draft / path)
                files.append(sealed(draft, path))
        manifest = Manifest(format=FORMAT, made=made, files=tuple(files), **counted)
        write_whole(draft / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
        for folder in {(draft / one.path).parent for one in files}:
            sync_folder(folder)
        # an empty folder that somebody has made meanwhile gives way; nothing else does
        draft.rename(to)
        sync_folder(to.parent)
    return manifest


def database_of(config: Config) -> Path:
    """The file of the store. Raises BackupError when it is on PostgreSQL, StoreUnusable when its URL is none."""
    if (path := stores.file_of(config.store_url)) is None:
        raise BackupError("the store is on PostgreSQL: say pg_dump, and copy keys, tokens and packs beside it")
    return path


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What goes wrong with files is told in one line. Raises BackupError."""
    try:
        yield
    except OSError as error:
        raise BackupError(f"{error.filename or path}: {error.strerror or error}") from error
    except (StoreError, sqlite3.Error) as error:
        raise BackupError(str(error)) from error


@contextmanager
def draft_of(target: Path) -> Iterator[Path]:
    """A folder for this user alone beside what it is to become; if it has not become that, nothing of it stays."""
    make_folder(target.absolute().parent)
    draft = target.absolute().with_name(f".{secrets.token_hex(16)}.new")
    draft.mkdir(mode=OWN_FOLDER)
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def check_room(folder: Path, size: int) -> None:
    """Raises BackupError when there is no room for so many bytes."""
    free = shutil.disk_usage(folder).free
    if free < size:
        raise BackupError(f"{folder} has room for {free} bytes, and {size} are needed")


def _size(config: Config) -> int:
    store = database_of(config)
    paths = (store, Path(f"{store}-wal"), *(_source(config, name) for name in _beside(config)))
    return sum(path.stat().st_size for path in paths if path.exists())


def _source(config: Config, name: str) -> Path:
    """The file that comes to be there in a backup by that name."""
    return config.keys if name == "keys" else config.data / name


def _beside(config: Config) -> list[str]:
    """What is copied beside the store; a name that is no UTF-8 is of no pack that could be played with."""
    data = config.data
    packs = sorted(path for path in data.glob(PACKS) if path.is_file())
    found = [*SINGLE, *(path.relative_to(data).as_posix() for path in packs)]
    return [name for name in found if _source(config, name).is_file() and name.isprintable()]


def _copy_store(reader: SqliteReader, target: Path) -> dict[str, int]:
    """All pages as they are at one moment; how many matches and events they hold."""
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWN))
    source = reader.reader()
    source.execute("BEGIN")
    # the moment: as long as this transaction lasts the connection sees no later one, and no step begins anew
    matches, events = logs.counts(reader)
    try:
        with closing(sqlite3.connect(target)) as copied, bar("copying the store") as tell:
            copied.execute("PRAGMA journal_mode = OFF")
            copied.execute("PRAGMA synchronous = OFF")
            source.backup(copied, pages=PAGES, progress=lambda _, left, of: tell(of - left, of))
    finally:
        source.execute("ROLLBACK")
    sync(target)
    return {"matches": matches, "events": events}


def sync(path: Path) -> None:
    """Have the file durable. Raises OSError."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def sealed(folder: Path, name: str) -> File:
    """The file as a manifest names it. Raises OSError."""
    path = folder / name
    with bar(f"reading {PurePosixPath(name).name}") as tell:
        return File(path=name, size=path.stat().st_size, sha256=digest(path, tell))


def digest(path: Path, tell: Tell) -> str:
    """SHA-256 of the file. Raises OSError."""
    return _read(path, tell, lambda chunk: None)


def copy(source: Path, target: Path, tell: Tell = lambda done, of: None) -> str:
    """Copy the content into a new file for this user alone, durable on return: its SHA-256. Raises OSError."""
    target.parent.mkdir(mode=OWN_FOLDER, parents=True, exist_ok=True)
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWN), "wb") as file:
        found = _read(source, tell, file.write)
        file.flush()
        os.fsync(file.fileno())
    return found


def _read(path: Path, tell: Tell, take: Callable[[bytes], object]) -> str:
    found, done, of = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            found.update(chunk)
            take(chunk)
            done += len(chunk)
            tell(done, of)
    return found.hexdigest()

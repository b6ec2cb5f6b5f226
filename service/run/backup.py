"""Backups: a copy of everything that a service needs (store, keys, tokens, packs), made while the service runs.

The store is copied by SQLite's online backup in one read transaction: all pages are of one moment, writers don't wait,
and there is progress to show. (`VACUUM INTO` takes several times as long, and shows none.) Keys and packs are copied
after that moment, so they include the keys and packs of all copied events.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from click import ClickException
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn

from events import stores
from events.files import OWN, OWN_FOLDER, alone, make_folder, sync, write_whole
from events.sqlite import SqliteReader, SqliteRecorder
from events.store import StoreError
from replays.commands.reading import stoppable
from service import clock
from service.config import Config
from service.folder import check_restored
from service.store import logs


@contextmanager
def bar(what: str) -> Iterator[Progress]:
    """Show a bar on standard error while the block runs, if that is a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        progress.add_task(what, total=None)
        yield progress


@contextmanager
def _reading(path: Path, what: str) -> Iterator[Any]:
    """Open the file, and show how far it is read. Raises OSError."""
    with bar(what) as progress, progress.open(path, "rb", task_id=TaskID(0)) as file:
        yield file


def damage_of(store: SqliteReader) -> str:
    """Return how the store's file is damaged, in one line; "" if it is not. Raises sqlite3.Error."""
    with bar("reading the store"):
        (result,) = store.reader().execute("PRAGMA quick_check(1)").fetchone()
    return "" if result == "ok" else " ".join(str(result).split())


FORMAT = 1
MANIFEST = "backup.json"
STORE = "foldtable.db"
SINGLE = ("keys", "worker-token", "admin-token", "demo-token", "secret")
"""The files of a data folder that are copied, if they exist."""

PACKS = "packs/*/*.toml"
PAGES = 2048
"""The number of pages that are copied between two reports of progress."""

CHUNK = 1 << 20


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a backup."""

    path: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a backup."""

    format: int
    made: str
    """When it was begun; it contains everything that was acknowledged before."""
    matches: int
    events: int
    files: tuple[File, ...]


class BackupError(ClickException):
    """A backup can't be made or restored. The message is one line."""


def back_up(config: Config, to: Path) -> Manifest:
    """Make a backup in a new folder, which appears only when it is complete. Raises BackupError, StoreUnusable."""
    if os.path.lexists(to):
        raise BackupError(f"{to} exists already: name a new folder")
    check_restored(config.data)
    made = clock.stamp(clock.now())
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
        for folder in {(draft / file.path).parent for file in files}:
            sync(folder)
        # if somebody has made a folder of this name meanwhile, it is replaced only if it is empty
        draft.rename(to)
        sync(to.parent)
    return manifest


def database_of(config: Config) -> Path:
    """Return the store's file. Raises BackupError if the store is on PostgreSQL, StoreUnusable for a wrong URL."""
    if (path := stores.file_of(config.store_url)) is None:
        instead = "use pg_dump and pg_restore, and copy keys, secret, tokens and packs too"
        raise BackupError(f"the store is on PostgreSQL: {instead}")
    return path


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn errors of files and stores into BackupError, with one line."""
    try:
        yield
    except OSError as error:
        raise BackupError(f"{error.filename or path}: {error.strerror or error}") from error
    except (StoreError, sqlite3.Error) as error:
        raise BackupError(str(error)) from error


@contextmanager
def draft_of(target: Path) -> Iterator[Path]:
    """Yield a new folder beside the target, only for this user; it is removed unless the block renames it.

    That is done after signals to end too, because the folder holds secrets.
    """
    make_folder(target.absolute().parent)
    draft = target.absolute().with_name(f".{secrets.token_hex(16)}.new")
    with stoppable():
        try:
            draft.mkdir(mode=OWN_FOLDER)
            yield draft
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def check_room(folder: Path, size: int) -> None:
    """Raise BackupError if there is no room for so many bytes."""
    free = shutil.disk_usage(folder).free
    if free < size:
        raise BackupError(f"{folder} has room for {free} bytes, but {size} are needed")


def _size(config: Config) -> int:
    store = database_of(config)
    paths = (store, Path(f"{store}-wal"), *(_source(config, name) for name in _beside(config)))
    return sum(path.stat().st_size for path in paths if path.exists())


def _source(config: Config, name: str) -> Path:
    """Return the file that has this name in a backup."""
    return config.keys if name == "keys" else config.data / name


def _beside(config: Config) -> list[str]:
    """Return the names of the files besides the store, without names that are no UTF-8, which no pack can have."""
    data = config.data
    packs = sorted(path for path in data.glob(PACKS) if path.is_file())
    names = [*SINGLE, *(path.relative_to(data).as_posix() for path in packs)]
    return [name for name in names if _source(config, name).is_file() and name.isprintable()]


def _copy_store(reader: SqliteReader, target: Path) -> dict[str, int]:
    """Copy the store as it is at one moment. Returns the numbers of matches and events."""
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWN))
    source = reader.reader()
    source.execute("BEGIN")
    # the moment of the copy: this transaction sees no later changes, so the backup never restarts
    matches, events = logs.counts(reader)
    try:
        with closing(sqlite3.connect(target)) as copied, bar("copying the store") as shown:
            copied.execute("PRAGMA journal_mode = OFF")
            copied.execute("PRAGMA synchronous = OFF")
            source.backup(
                copied, pages=PAGES, progress=lambda _, left, of: shown.update(TaskID(0), completed=of - left, total=of)
            )
    finally:
        source.execute("ROLLBACK")
    sync(target)
    return {"matches": matches, "events": events}


def sealed(folder: Path, name: str) -> File:
    """Return the file's entry for a manifest. Raises OSError."""
    path = folder / name
    with _reading(path, f"reading {path.name}") as file:
        return File(path=name, size=path.stat().st_size, sha256=hashlib.file_digest(file, "sha256").hexdigest())


def copy(source: Path, target: Path) -> None:
    """Copy the content into a new durable file, only for this user. Raises OSError."""
    target.parent.mkdir(mode=OWN_FOLDER, parents=True, exist_ok=True)
    new = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWN)
    with open(new, "wb") as copied, _reading(source, f"copying {source.name}") as file:
        shutil.copyfileobj(file, copied, CHUNK)
    sync(target)

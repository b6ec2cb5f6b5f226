"""Restores a backup into a data folder, after all its files were compared and all its hash chains checked.

The old content is kept in a folder of its own. The data folder is changed only by renaming files one by one. While a
folder `restore/` marks that, no service starts; a restore that was interrupted is completed by the next one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path, PurePosixPath
from shutil import rmtree

import msgspec

from domain.catalogue import Catalogue
from events.files import OWN_FOLDER, lock_now, make_folder, sync, user_of
from events.keyring import Keyring, KeysUnusable, published
from events.receipts import Key
from events.sqlite import SqliteRecorder
from events.store import Reader, StoreError
from replays.checking import chains
from replays.commands import reading
from replays.commands.reading import Place, in_folder
from service import clock
from service.config import Config
from service.folder import RESTORING
from service.run.backup import (
    FORMAT,
    MANIFEST,
    SINGLE,
    STORE,
    BackupError,
    Manifest,
    check_room,
    copy,
    damage_of,
    database_of,
    draft_of,
    sealed,
    told,
)
from service.store import schema

NEW = "new"
"""The folder in `restore/` with the files that must still be moved to their place. Beside it is the old content."""

OLD = (f"{STORE}-wal", f"{STORE}-shm", STORE, *SINGLE, "packs")
"""The files that a backup replaces; the write-ahead log comes first, since it must never be beside another store."""

# old backups have packs in a folder `kept`
PLACE = re.compile(r"foldtable\.db|keys|secret|(worker|admin|demo)-token|packs/[^/]+/(kept/)?[^/]+\.toml")
LOCKS = ("up.lock", f"{STORE}.lock")


class Restored(msgspec.Struct, frozen=True):
    """A restored folder."""

    manifest: Manifest
    before: Path | None
    """The folder with the old content; None if there was none."""
    faults: tuple[str, ...] = ()
    """The faults of hash chains that were restored nevertheless."""
    lacks: tuple[str, ...] = ()
    """What the service needs and is not there now, and what to do about it: one line each."""


def restore(source: Path, config: Config, *, is_trusted: bool = False) -> Restored:
    """Restore the backup into the data folder.

    Shape:   `is_trusted`: also if hash chains are broken.
    Raises:  BackupError, StoreUnusable; then nothing has changed, unless a file could not be renamed.
    """
    if os.path.realpath(database_of(config)) != os.path.realpath(config.database):
        raise BackupError("a backup goes into the data folder, but FOLDTABLE_STORE names another store: unset it")
    data = Path(os.path.realpath(config.data))  # `resolve` raises RuntimeError where links go in a circle
    manifest = read_manifest(source)
    with told(data):
        make_folder(data)
        with stopped(data):
            if (data / RESTORING).exists():
                cut_off = None
                with suppress(BackupError):  # no file is left to be moved
                    cut_off = read_manifest(data / RESTORING / NEW)
                before = swap(data)
                if cut_off == manifest:
                    return Restored(manifest, before, lacks=lacking(config, manifest))
            for left in data.glob(".*.new"):
                # left by a restore that was killed while it copied; no other one can be running now
                rmtree(left, ignore_errors=True)
            with draft_of(data / NEW) as draft:
                new = draft / NEW
                fetch(source, manifest, new)
                faults = check(new, manifest, is_trusted=is_trusted)
                _choose_keys(config, new)
                for beside in (f"{STORE}-wal", f"{STORE}-shm"):
                    (new / beside).unlink(missing_ok=True)
                draft.rename(data / RESTORING)
                sync(data)
            before = swap(data)
            return Restored(manifest, before, faults, lacking(config, manifest))


def lacking(config: Config, manifest: Manifest) -> tuple[str, ...]:
    """Return what the service on that backup needs and does not find, with what to do, one line each."""
    # a store without matches publishes keys too, once a service has started on it
    if config.keys.exists() or not (manifest.matches or _published(config.data)):
        return ()
    do = "Put a copy of that file there, or declare the keys lost: ./foldtable service rotate-key --lost"
    return (f"the backup has no keys, and {config.keys} is not there: nothing starts. {do}",)


def read_manifest(source: Path) -> Manifest:
    """Return the backup's manifest. Raises BackupError if the folder is no backup."""
    try:
        content = msgspec.json.decode((source / MANIFEST).read_bytes())
        if isinstance(content, dict) and isinstance(content.get("format"), int) and content["format"] > FORMAT:
            raise BackupError(f"{source} was made by a later release: format {content['format']}, known is {FORMAT}")
        manifest = msgspec.convert(content, Manifest)
    except OSError as error:
        raise BackupError(f"{source} is no backup: {MANIFEST}: {error.strerror}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise BackupError(f"{source} is no backup: {MANIFEST} can't be read") from error
    names = [file.path for file in manifest.files]
    if STORE not in names or len(set(names)) < len(names):
        raise BackupError(f"{source} is no backup: {MANIFEST} names no store, or a file twice")
    for name in names:
        if not PLACE.fullmatch(name) or ".." in PurePosixPath(name).parts or not name.isprintable():
            raise BackupError(f"{source} is no backup: {MANIFEST} names {name!r}, which no backup can have")
    return manifest


def fetch(source: Path, manifest: Manifest, new: Path) -> None:
    """Copy the files, and compare them with the manifest. Raises BackupError, OSError."""
    for file in manifest.files:
        path = source / file.path
        if not path.is_file() or path.stat().st_size != file.size:
            raise BackupError(f"{path} is missing or incomplete: the backup is damaged")
    new.mkdir(mode=OWN_FOLDER)
    check_room(new.parent.parent, sum(file.size for file in manifest.files))
    for file in manifest.files:
        copy(source / file.path, new / file.path)
        if sealed(new, file.path) != file:
            raise BackupError(f"{source / file.path} was changed or damaged after the backup was made")
    copy(source / MANIFEST, new / MANIFEST)
    for folder, _, _ in os.walk(new):
        sync(Path(folder))


def check(new: Path, manifest: Manifest, *, is_trusted: bool) -> tuple[str, ...]:
    """Check store and keys. Returns faults of hash chains, if `is_trusted`. Raises BackupError, StoreUnusable."""
    with closing(SqliteRecorder.open_to_read(new / STORE)) as reader:
        if damage := damage_of(reader):
            raise BackupError(f"the store in the backup is damaged: {damage}")
        schema.check(reader, "the backup")
        matches = reader.matches()
    if "keys" in {file.path for file in manifest.files}:
        try:
            Keyring(new / "keys")
        except KeysUnusable as error:
            raise BackupError(f"the keys in the backup can't be used: {error}") from error
    checked = list(reading.ask_all(check_one, in_folder(new), matches, "checking chains"))
    faults = [f"{each.match}: {each.fault}" for each in checked if each.fault]
    if (events := sum(each.events for each in checked)) != manifest.events and not faults:
        faults.append(f"the matches have {events} events, but {manifest.events} were backed up")
    if faults and not is_trusted:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise BackupError(f"the backup's hash chains are broken: {faults[0]}{more}; --unaudited restores it")
    return tuple(faults)


def check_one(place: Place, store: Reader, catalogue: Catalogue, match_id: str) -> chains.Checked:
    """Check the hash chains of one match."""
    return chains.check(store, match_id)


def _choose_keys(config: Config, new: Path) -> None:
    """Keep the service's keys if they continue the backup's, or if FOLDTABLE_KEYS names their file.

    Published keys can't be taken back, and the file that FOLDTABLE_KEYS names is not the service's to write. Of a
    backup without a file of keys, its keys are those that its store publishes.
    Raises:  BackupError if that file does not contain the backup's keys.
    """
    kept = new / "keys"
    has_keys = kept.exists()
    ours, theirs = _history(config.keys), _history(kept) if has_keys else _published(new)
    goes_on = ours[: len(theirs)] == theirs
    # of a backup without keys, a missing file is told after the restore
    if config.keys_file and not goes_on and (has_keys or config.keys.exists()):
        which = "its file `keys`" if has_keys else "the keys of its service"
        raise BackupError(
            f"{config.keys_file}, which FOLDTABLE_KEYS names, does not contain the backup's keys: put a copy of"
            f" {which} there, then restore"
        )
    if config.keys_file:
        kept.unlink(missing_ok=True)
    elif theirs and goes_on and not (has_keys and len(ours) == len(theirs)):
        kept.unlink(missing_ok=True)
        copy(config.keys, kept)


def _history(path: Path) -> tuple[Key, ...]:
    """Return the keys in the file; none if it is missing or can't be used."""
    try:
        return tuple(Keyring(path).keys) if path.exists() else ()
    except KeysUnusable:
        return ()


def _published(folder: Path) -> tuple[Key, ...]:
    """Return the keys that the store in the folder publishes; none if that can't be found."""
    try:
        with closing(SqliteRecorder.open_to_read(folder / STORE)) as reader:
            return published(reader)
    except StoreError:
        return ()


def swap(data: Path) -> Path | None:
    """Move the new files to their place and the old ones aside, if not done yet. Returns the old ones' folder."""
    mark = data / RESTORING
    new = mark / NEW
    if new.exists():
        ours = {path.name for path in new.iterdir() if path.name != MANIFEST}
        # the manifest is not needed any more once the store is in its place, and may be gone then
        files = read_manifest(new).files if STORE in ours else ()
        theirs = {PurePosixPath(file.path).parts[0] for file in files}
        for name in OLD:
            # a file that is not among the new ones any more is in its place already
            waits = name in ours or (STORE in ours and name not in theirs)
            if waits and os.path.lexists(data / name):
                move(data / name, mark / name)
        # the store comes last, so that a service finds all of it or nothing
        for name in sorted(ours, key=lambda name: name == STORE):
            move(new / name, data / name)
        rmtree(new)
    sync(data)
    before = None
    if any(mark.iterdir()):
        before = data / f"before-{clock.stamp(clock.now()).replace(':', '').replace('.', '')}"
        mark.rename(before)
    else:
        mark.rmdir()
    sync(data)
    return before


def move(path: Path, to: Path) -> None:
    """Rename a file durably."""
    path.rename(to)
    sync(path.parent)
    sync(to.parent)


@contextmanager
def stopped(data: Path) -> Iterator[None]:
    """Keep services from starting on the folder during the block. Raises BackupError if one is running."""
    with ExitStack() as held:
        for name in LOCKS:
            try:
                held.enter_context(lock_now(data / name))
            except BlockingIOError as error:
                raise BackupError(f"{data} is in use: stop the service that runs on it, then restore") from error
        if user := user_of(data / STORE):
            raise BackupError(f"{data / STORE} is open in process {user}: stop it, then restore")
        yield

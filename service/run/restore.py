"""A backup put in the place of what lies in a data folder, once all of it was read, compared and found to prove itself.

What was there is kept aside. The folder is changed by renaming alone, a file at a time, under a mark (`restore/`) with
which no service starts: a restore that was cut off is ended by the next one.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path, PurePosixPath
from shutil import rmtree

import msgspec

from domain.catalogue import Catalogue
from events.files import OWN, OWN_FOLDER, make_folder, sync_folder
from events.keyring import Keyring, KeysUnusable
from events.receipts import Key
from events.sqlite import SqliteRecorder
from events.store import Reader
from replays.checking import chains
from replays.commands import parallel
from replays.commands.place import Place, in_folder
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
    database_of,
    draft_of,
    told,
)
from service.run.progress import bar
from service.store import schema

NEW = "new"
"""Under the mark: the folder of what is still to be put in its place. Beside it lies what was there before."""

OLD = (f"{STORE}-wal", f"{STORE}-shm", STORE, *SINGLE, "packs")
"""What a backup replaces, the log of writes first: it must never lie beside another store."""

# packs that were kept in files once lie in backups of then
PLACE = re.compile(r"foldtable\.db|keys|secret|(worker|admin|demo)-token|packs/[^/]+/(kept/)?[^/]+\.toml")
LOCKS = ("up.lock", f"{STORE}.lock")


class Restored(msgspec.Struct, frozen=True):
    """What became of a folder."""

    manifest: Manifest
    before: Path | None
    """Where that lies what was there before; None: nothing was."""
    faults: tuple[str, ...] = ()
    """What did not prove itself, and was taken all the same."""


def restore(source: Path, config: Config, *, is_trusted: bool = False, now: clock.Now = clock.now) -> Restored:
    """Put the backup into the data folder.

    Shape:   `is_trusted`: also if chains don't hold.
    Raises:  BackupError, StoreUnusable; nothing has been changed then, unless a file could not be renamed.
    """
    if Path(database_of(config)) != config.database:
        raise BackupError("a backup is put into the data folder, and FOLDTABLE_STORE names another store: unset it")
    data = config.data.resolve()
    manifest = read_manifest(source)
    with told(data):
        make_folder(data)
        with stopped(data):
            if (data / RESTORING).exists():
                cut_off, before = _cut_off(data), swap(data, now)
                if cut_off == manifest:
                    return Restored(manifest, before)
            for left in data.glob(".*.new"):
                # of a restore that was killed while it copied; nobody else is here now
                rmtree(left, ignore_errors=True)
            with draft_of(data / NEW) as draft:
                new = draft / NEW
                fetch(source, manifest, new)
                faults = check(new, manifest, is_trusted=is_trusted)
                _choose_keys(config, new)
                draft.rename(data / RESTORING)
                sync_folder(data)
            return Restored(manifest, swap(data, now), faults)


def _cut_off(data: Path) -> Manifest | None:
    """What was being restored, as far as something of it is left to be done."""
    try:
        return read_manifest(data / RESTORING / NEW)
    except BackupError:
        return None


def read_manifest(source: Path) -> Manifest:
    """What the backup says that it holds. Raises BackupError when it is none."""
    try:
        said = msgspec.json.decode((source / MANIFEST).read_bytes())
        if isinstance(said, dict) and isinstance(said.get("format"), int) and said["format"] > FORMAT:
            raise BackupError(f"{source} was made by a later release: format {said['format']}, known is {FORMAT}")
        manifest = msgspec.convert(said, Manifest)
    except OSError as error:
        raise BackupError(f"{source} is no backup: {MANIFEST}: {error.strerror}") from error
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
        raise BackupError(f"{source} is no backup: {MANIFEST} can't be read") from error
    names = [file.path for file in manifest.files]
    if STORE not in names or len(set(names)) < len(names):
        raise BackupError(f"{source} is no backup: {MANIFEST} names no store, or a file twice")
    for name in names:
        if not PLACE.fullmatch(name) or ".." in PurePosixPath(name).parts or not name.isprintable():
            raise BackupError(f"{source} is no backup: {MANIFEST} names {name!r}, which belongs into none")
    return manifest


def fetch(source: Path, manifest: Manifest, new: Path) -> None:
    """Copy the files, each as the manifest tells it. Raises BackupError, OSError."""
    for file in manifest.files:
        path = source / file.path
        if not path.is_file() or path.stat().st_size != file.size:
            raise BackupError(f"{path} is not there, or was cut: the backup is damaged")
    new.mkdir(mode=OWN_FOLDER)
    check_room(new.parent.parent, sum(file.size for file in manifest.files))
    for file in manifest.files:
        with bar(f"copying {PurePosixPath(file.path).name}") as tell:
            if copy(source / file.path, new / file.path, tell) != file.sha256:
                raise BackupError(f"{source / file.path} is not what was backed up: it is damaged, or was changed")
    copy(source / MANIFEST, new / MANIFEST)
    for folder, _, _ in os.walk(new):
        sync_folder(Path(folder))


def check(new: Path, manifest: Manifest, *, is_trusted: bool) -> tuple[str, ...]:
    """The faults of the chains, taken when it is trusted. Raises BackupError, StoreUnusable."""
    with closing(SqliteRecorder.open_to_read(new / STORE)) as reader:
        with bar("reading the store"):
            (said,) = reader.reader().execute("PRAGMA quick_check(1)").fetchone()
        if said != "ok":
            raise BackupError(f"the store in the backup is damaged: {' '.join(str(said).split())}")
        schema.check(reader, "the backup")
        matches = reader.matches()
    if "keys" in {file.path for file in manifest.files}:
        try:
            Keyring(new / "keys")
        except KeysUnusable as error:
            raise BackupError(f"the keys in the backup can't be used: {error}") from error
    found = list(parallel.ask_all(check_one, in_folder(new), matches, "checking chains"))
    faults = [f"{one.match}: {one.fault}" for one in found if one.fault]
    if (events := sum(one.events for one in found)) != manifest.events and not faults:
        faults.append(f"{events} events are of a match, and {manifest.events} were backed up")
    if faults and not is_trusted:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise BackupError(f"what was backed up does not prove itself: {faults[0]}{more}; --unaudited takes it")
    for beside in (f"{STORE}-wal", f"{STORE}-shm"):
        (new / beside).unlink(missing_ok=True)
    return tuple(faults)


def check_one(place: Place, store: Reader, catalogue: Catalogue, match_id: str) -> chains.Checked:
    """See `chains.check`; the question that is put to every match."""
    return chains.check(store, match_id)


def _choose_keys(config: Config, new: Path) -> None:
    """Have no keys put back where those of the service go on from the backup's, or lie elsewhere.

    What was published of keys is not taken back, and a file that FOLDTABLE_KEYS names is not ours to write.

    Raises:  BackupError when what it names does not hold the backup's keys.
    """
    if not (new / "keys").exists():
        return
    ours, theirs = _history(config.keys), _history(new / "keys")
    goes_on = ours[: len(theirs)] == theirs
    if config.keys_file and not goes_on:
        raise BackupError(
            f"{config.keys_file}, which FOLDTABLE_KEYS names, does not hold the keys of the backup: put a copy of its"
            " file keys there, then restore"
        )
    if config.keys_file:
        (new / "keys").unlink()
    elif goes_on and len(ours) > len(theirs):
        (new / "keys").unlink()
        copy(config.keys, new / "keys")


def _history(path: Path) -> tuple[Key, ...]:
    """The keys in the file; none where it is not there or can't be used."""
    try:
        return tuple(Keyring(path).keys) if path.exists() else ()
    except KeysUnusable:
        return ()


def swap(data: Path, now: clock.Now = clock.now) -> Path | None:
    """Put what is new in its place and what was there aside, as far as that is still to be done; where it lies."""
    mark = data / RESTORING
    new = mark / NEW
    if new.exists():
        ours = {path.name for path in new.iterdir() if path.name != MANIFEST}
        for name in OLD:
            # what is not new any more is in its place already
            waits = name in ours or (STORE in ours and name not in _names(new))
            if waits and os.path.lexists(data / name):
                move(data / name, mark / name)
        # the store comes last: without it no service would find anything
        for name in sorted(ours, key=lambda name: name == STORE):
            move(new / name, data / name)
        rmtree(new)
    sync_folder(data)
    if not any(mark.iterdir()):
        mark.rmdir()
        before = None
    else:
        before = data / f"before-{clock.stamp(now()).replace(':', '').replace('.', '')}"
        mark.rename(before)
    sync_folder(data)
    return before


def _names(new: Path) -> set[str]:
    """What the backup has in the data folder itself."""
    return {PurePosixPath(file.path).parts[0] for file in read_manifest(new).files}


def move(path: Path, to: Path) -> None:
    """Give it its other name, durably."""
    path.rename(to)
    sync_folder(path.parent)
    sync_folder(to.parent)


@contextmanager
def stopped(data: Path) -> Iterator[None]:
    """Nobody runs on the folder while the block does. Raises BackupError."""
    with ExitStack() as held:
        for name in LOCKS:
            lock = held.enter_context(open(os.open(data / name, os.O_RDWR | os.O_CREAT, OWN), "r+b"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise BackupError(f"{data} is in use: stop the service that runs on it, then restore") from error
        if user := user_of(data / STORE):
            raise BackupError(f"{data / STORE} is open in process {user}: stop it, then restore")
        yield


def user_of(path: Path) -> int | None:
    """A process other than this one that has the file open, as far as this user can see."""
    for entry in Path("/proc").glob("[0-9]*/fd/*"):
        pid = int(entry.parts[2])
        with suppress(OSError):
            if pid != os.getpid() and os.readlink(entry).startswith(str(path)):
                return pid
    return None

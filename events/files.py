"""The one way in which the house writes a file: it is there whole and durable, or as it was before.

Whoever else writes the same file at the same moment, in this process or another, does so by a file of their own.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

OWN = 0o600
"""The mode of what only this user may read."""

OWN_FOLDER = 0o700


def write_whole(path: Path, data: bytes, *, mode: int = OWN, is_first: bool = False) -> bool:
    """Have that content in the file, durable on return: whether this call has put it there.

    `mode` is cut by the umask, like any new file's. `is_first`: where a file is already, it is left alone.

    Raises:  OSError; the file is as it was then, or has all of the new content if only its name could not be synced.
    """
    try:
        with drafted(path, mode=mode, is_first=is_first) as draft:
            draft.write_bytes(data)
    except AlreadyThere:
        return False
    return True


class AlreadyThere(FileExistsError):
    """A first file was to be made, and something is there."""


@contextmanager
def drafted(path: Path, *, mode: int = OWN, is_first: bool = False) -> Iterator[Path]:
    """An empty file beside it, to be written by whoever asks, which takes its place and is durable when that is done.

    If writing it raises, the draft is gone and the file as it was. `mode` and `is_first` are those of `write_whole`.

    Raises:  OSError, also as it is left; AlreadyThere then, by `is_first`.
    """
    # a link to a file stays one; where a first file is to be made, it is something that is there
    target = path if is_first else Path(os.path.realpath(path))
    if not is_first:
        _check_plain(target)
    draft = target.with_name(f".{secrets.token_hex(16)}.new")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        yield draft
        _sync(draft)
        if is_first:
            try:
                os.link(draft, target)
            except FileExistsError as error:
                raise AlreadyThere(*error.args) from error
        else:
            draft.replace(target)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
    sync_folder(target.parent)


def _sync(path: Path) -> None:
    """Have the file's content durable, whoever wrote it."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _check_plain(target: Path) -> None:
    """A device or a pipe is not put aside for a file. Raises OSError."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(target.stat().st_mode):
            raise OSError(errno.EINVAL, "this is no plain file", str(target))


def make_folder(path: Path) -> None:
    """Have a folder there, durable on return; those that are made, also on the way to it, are for this user alone.

    Raises:  OSError, also when something else is there.
    """
    missing = []
    while not path.is_dir():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        # another one may have been faster
        folder.mkdir(mode=OWN_FOLDER, exist_ok=True)
        sync_folder(folder.parent)


def check_room(folder: Path, size: int) -> None:
    """Write so many bytes into the folder, durably, and take them away again. Raises OSError where there is no room."""
    probe = folder / f".{secrets.token_hex(16)}.new"
    try:
        with open(os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWN), "wb") as file:
            file.write(bytes(size))
            file.flush()
            os.fsync(file.fileno())
    finally:
        with suppress(FileNotFoundError):
            probe.unlink()


def sync_folder(path: Path) -> None:
    """Have the names in the folder durable. Raises OSError."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def alone(folder: Path, *, is_shared: bool = False) -> Iterator[None]:
    """Of two that change files of the folder by what they read in them, the second one waits. Raises OSError.

    `is_shared`: alone with others who only read, while nobody changes anything.
    """
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)

"""Writes files so that after a crash each is either complete and durable, or as it was before.

Two writers of the same file, in one process or several, don't disturb each other: each writes a draft of its own.
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
from typing import BinaryIO

OWN = 0o600
"""The mode of a file that only this user may read."""

OWN_FOLDER = 0o700


def write_whole(path: Path, data: bytes, *, mode: int = OWN, is_first: bool = False) -> bool:
    """Write the content into the file; durable on return. Returns False if `is_first` and a file was there already.

    `mode` is cut by the umask, like any new file's. `is_first`: an existing file is left alone.
    Raises:  OSError; then the file is as it was, or has all of the new content if only its name could not be synced.
    """
    try:
        with drafted(path, mode=mode, is_first=is_first) as draft:
            draft.write_bytes(data)
    except AlreadyThere:
        return False
    return True


class AlreadyThere(FileExistsError):
    """A first file was to be made, but the path exists."""


@contextmanager
def drafted(path: Path, *, mode: int, is_first: bool) -> Iterator[Path]:
    """Yield a new empty file beside the path. When the caller is done it replaces the file at the path, and is durable.

    If the caller raises, the draft is removed and the file stays as it was. `mode` and `is_first`: see `write_whole`.
    Raises:  OSError, also on leaving; AlreadyThere on leaving if `is_first` and the path exists.
    """
    # a symbolic link stays one and its target is replaced; for `is_first` the link itself counts as existing
    target = path if is_first else Path(os.path.realpath(path))
    if not is_first:
        _check_plain(path)
    draft = target.with_name(f".{secrets.token_hex(16)}.new")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        yield draft
        sync(draft)
        if is_first:
            try:
                os.link(draft, target)
            except FileExistsError as error:
                raise AlreadyThere(*error.args) from error
        else:
            draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    sync(target.parent)


def _check_plain(path: Path) -> None:
    """Refuse to replace a device or a pipe by a file, also one that has no name but a link. Raises OSError."""
    with suppress(FileNotFoundError):
        _check_mode(path.stat(), path)


def _check_mode(found: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "this is no plain file", str(path))


SMALL = 1 << 16
"""The most bytes of a small file."""


def read_small(path: Path) -> bytes:
    """Return the content of a small file. A pipe could let its reader wait, and a device never ends. Raises OSError."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        _check_mode(os.fstat(file.fileno()), path)
        content = file.read(SMALL + 1)
    if len(content) > SMALL:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return content


def make_folder(path: Path) -> None:
    """Make the folder and its missing parents, for this user alone; durable on return.

    Raises:  OSError, also when the path is something other than a folder.
    """
    missing = []
    while not path.is_dir():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        # another process may have been faster
        folder.mkdir(mode=OWN_FOLDER, exist_ok=True)
        sync(folder.parent)


def user_of(path: Path) -> int | None:
    """Return another process that has the file, or one that is named after it, open, as far as this user can see."""
    path = Path(os.path.realpath(path))
    for process in Path("/proc").glob("[0-9]*"):
        # a process may end meanwhile
        with suppress(OSError):
            for file in os.listdir(process / "fd") if process.name != str(os.getpid()) else ():
                with suppress(OSError):
                    if os.readlink(process / "fd" / file).startswith(str(path)):
                        return int(process.name)
    return None


def check_room(folder: Path, size: int) -> None:
    """Write `size` bytes into the folder, durably, and remove them again. Raises OSError if there is no room."""
    probe = folder / f".{secrets.token_hex(16)}.new"
    try:
        write_whole(probe, bytes(size))
    finally:
        probe.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Make a file's content durable, whoever wrote it, or the names in a folder. Raises OSError."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def lock_now(path: Path) -> BinaryIO:
    """Make the file if it is missing, and lock it until it is closed.

    Raises:  OSError; BlockingIOError if another process has locked it.
    """
    file = open(os.open(path, os.O_RDWR | os.O_CREAT, OWN), "r+b")  # noqa: SIM115  # the caller closes it
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        file.close()
        raise
    return file


@contextmanager
def alone(folder: Path, *, is_shared: bool = False) -> Iterator[None]:
    """Hold the folder's lock, so that nobody else changes its files meanwhile; waits for it. Raises OSError.

    `is_shared`: share it with others who only read.
    """
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)

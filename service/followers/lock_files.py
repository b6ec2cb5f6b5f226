"""Claims beside an SQLite store: one locked file for each partition and each process, in which its holder counts up.

The system releases a lock when its holder dies. A holder that hangs keeps its lock, so another process puts a new file
in the place of a file that no longer counts up. The process whose file has the name holds the claim.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path
from time import monotonic

from events.files import OWN, alone, make_folder
from service.followers.claims import Pulse

Sign = tuple[int, bytes]
"""The inode of a file, and the text to which its holder has counted up."""


class LockFile:
    """A file that this process has locked, until another file takes its place."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self._fd = fd
        self._count = 0

    @staticmethod
    def take(path: Path) -> LockFile | None:
        """Lock the file. Returns None if another process has locked or replaced it. Raises OSError."""
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWN)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return None
        file = LockFile(path, fd)
        if not file.beat():
            file.close()
            return None
        return file

    @staticmethod
    def replace(path: Path, sign: Sign) -> LockFile | None:
        """Put a new locked file in the place of one whose holder hangs. Returns None if its sign has changed."""
        with alone(path.parent):
            if sign_of(path) != sign:
                return None
            draft = path.with_name(f".{secrets.token_hex(16)}.new")
            file = LockFile.take(draft)
            assert file is not None
            draft.replace(path)
            file.path = path
        return file

    def beat(self) -> bool:
        """Count up. Returns whether the file is still in its place. Raises OSError."""
        self._count += 1
        os.pwrite(self._fd, f"{os.getpid()} {self._count}\n".encode(), 0)
        sign = sign_of(self.path)
        return sign is not None and sign[0] == os.fstat(self._fd).st_ino

    def close(self) -> None:
        """Release the lock. The file stays where it is."""
        os.close(self._fd)


def sign_of(path: Path) -> Sign | None:
    """Return the sign of a file's holder; None if there is no such file."""
    with suppress(FileNotFoundError):
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            return os.fstat(fd).st_ino, os.pread(fd, 64, 0)
        finally:
            os.close(fd)
    return None


def is_free(path: Path) -> bool:
    """Return whether nobody holds the file's lock."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    return True


class FileClaims:
    """`Claims` by files in a folder that all processes can read and write."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._held: dict[int, LockFile] = {}
        self._chair: LockFile | None = None
        self._members = 1
        self._pulse: Pulse[Path, Sign] = Pulse()
        self._hanging: dict[Path, Sign] = {}

    def beat(self) -> frozenset[int]:
        """See `Claims.beat`."""
        for partition, file in tuple(self._held.items()):
            if not file.beat():
                self._held.pop(partition).close()
        if self._chair is not None and not self._chair.beat():
            self._chair.close()
            self._chair = None
        signs = {path: sign for path in self._others() if (sign := sign_of(path)) is not None}
        hanging = self._pulse.see(signs, monotonic())
        self._hanging = {path: signs[path] for path in hanging}
        if self._chair is None:
            self._sit_down()
        own = self._chair.path if self._chair is not None else None
        chairs = (path for path in self._chairs() if path != own and path not in hanging)
        self._members = 1 + sum(not is_free(path) for path in chairs)
        return frozenset(self._held)

    def _others(self) -> list[Path]:
        """Return the files of this name that this process doesn't hold."""
        ours = {file.path for file in (*self._held.values(), self._chair) if file is not None}
        return [path for path in self._folder.glob(f"{self._name}.*") if path not in ours]

    def _chairs(self) -> list[Path]:
        return sorted(self._folder.glob(f"{self._name}.process.*"))

    def _sit_down(self) -> None:
        """Take the first free chair, so that there are no more files than processes that ever ran at once."""
        make_folder(self._folder)
        number = 0
        while self._chair is None:
            self._chair = self._take(self._folder / f"{self._name}.process.{number}")
            number += 1

    def _take(self, path: Path) -> LockFile | None:
        file = LockFile.take(path)
        if file is None and (sign := self._hanging.get(path)) is not None:
            file = LockFile.replace(path, sign)
        return file

    def members(self) -> int:
        """See `Claims.members`."""
        return self._members

    def take(self, partition: int) -> bool:
        """See `Claims.take`."""
        file = self._take(self._folder / f"{self._name}.{partition}")
        if file is not None:
            self._held[partition] = file
        return file is not None

    def give_back(self, partition: int) -> None:
        """See `Claims.give_back`."""
        if (file := self._held.pop(partition, None)) is not None:
            file.close()

    def close(self) -> None:
        """See `Claims.close`."""
        for partition in tuple(self._held):
            self.give_back(partition)
        if self._chair is not None:
            self._chair.close()
            self._chair = None

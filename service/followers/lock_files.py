"""Claims beside an SQLite store: a locked file a partition and one a process, in which its holder counts up.

The system lets go of a lock when its holder dies. A holder that hangs keeps it, so another file is put in the place of
the one that no longer counts up; the lock is whoever's whose file lies there.
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
"""Which file lies there, and what its holder has counted up to."""


class LockFile:
    """A file that is locked by us, as long as it lies where it lay."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self._fd = fd
        self._count = 0

    @staticmethod
    def take(path: Path) -> LockFile | None:
        """The file locked, if nobody else has it. Raises OSError."""
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWN)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return None
        found = LockFile(path, fd)
        if not found.beat():
            found.close()
            return None
        return found

    @staticmethod
    def replace(path: Path, sign: Sign) -> LockFile | None:
        """A new file in the place of one whose holder hangs, locked; None if that has changed since the sign."""
        with alone(path.parent):
            if sign_of(path) != sign:
                return None
            draft = path.with_name(f".{secrets.token_hex(16)}.new")
            found = LockFile.take(draft)
            assert found is not None
            draft.replace(path)
            found.path = path
        return found

    def beat(self) -> bool:
        """Count up: whether the file still lies in its place. Raises OSError."""
        self._count += 1
        os.pwrite(self._fd, f"{os.getpid()} {self._count}\n".encode(), 0)
        sign = sign_of(self.path)
        return sign is not None and sign[0] == os.fstat(self._fd).st_ino

    def close(self) -> None:
        """Let go of the lock. The file stays where it is."""
        os.close(self._fd)


def sign_of(path: Path) -> Sign | None:
    """What can be seen of who holds it; None if there is no such file."""
    with suppress(FileNotFoundError):
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            return os.fstat(fd).st_ino, os.pread(fd, 64, 0)
        finally:
            os.close(fd)
    return None


def is_free(path: Path) -> bool:
    """Whether nobody holds the file's lock."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    return True


class FileClaims:
    """`Claims` by files in a folder that all the processes see."""

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
        """The files of this name that we don't hold."""
        ours = {file.path for file in (*self._held.values(), self._chair) if file is not None}
        return [path for path in self._folder.glob(f"{self._name}.*") if path not in ours]

    def _chairs(self) -> list[Path]:
        return sorted(self._folder.glob(f"{self._name}.process.*"))

    def _sit_down(self) -> None:
        """A process has the first chair that is free, so that there are as many as ever ran at once."""
        make_folder(self._folder)
        number = 0
        while self._chair is None:
            self._chair = self._take(self._folder / f"{self._name}.process.{number}")
            number += 1

    def _take(self, path: Path) -> LockFile | None:
        found = LockFile.take(path)
        if found is None and (sign := self._hanging.get(path)) is not None:
            found = LockFile.replace(path, sign)
        return found

    def members(self) -> int:
        """See `Claims.members`."""
        return self._members

    def take(self, partition: int) -> bool:
        """See `Claims.take`."""
        found = self._take(self._folder / f"{self._name}.{partition}")
        if found is not None:
            self._held[partition] = found
        return found is not None

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

"""Locks of an SQLite store: who has it open to write, and whose turn it is to commit. They end with their process."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from events.store import StoreInUse, StoreUnwritable

FIRST, LONGEST = 0.0002, 0.002
"""Seconds between two attempts to get the turn, at first and at most: about as long as a commit takes."""


class Locks:
    """The locks of a process that has a store open to write.

    SQLite's own lock also lets one commit at a time, but a process that finds it taken sleeps for a tenth of a second
    or more before it tries again.
    """

    def __init__(self, path: Path, *, alone: bool = False) -> None:
        """Lock the store. `alone`: no other process may have it open to write meanwhile.

        Raises:  StoreInUse when another process has it open, and one of the two wants to be alone; StoreUnwritable.
        """
        self._open = _file(path, ".lock")
        try:
            fcntl.flock(self._open, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError as error:
            self._open.seek(0)
            holder = self._open.read().decode()
            self._open.close()
            raise StoreInUse(f"{path} is written to by another process, {holder}") from error
        try:
            self._open.truncate(0)
            self._open.write(str(os.getpid()).encode())
            self._open.flush()
            self._turn = _file(path, ".turn")
        except OSError as error:
            with suppress(OSError):
                self._open.close()  # closing tries to write once more
            raise _unwritable(path, error) from error
        except StoreUnwritable:
            self._open.close()
            raise

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until no other process commits, and keep the others from committing until this is left.

        The wait sleeps in short steps, so that the process's other greenlets go on; a blocking lock would stop them
        all.
        """
        pause = FIRST
        while not self._take():
            time.sleep(pause)
            pause = min(LONGEST, 1.2 * pause)
        try:
            yield
        finally:
            fcntl.flock(self._turn, fcntl.LOCK_UN)

    def _take(self) -> bool:
        try:
            fcntl.flock(self._turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Release the store."""
        self._turn.close()
        self._open.close()


def _file(path: Path, suffix: str) -> BinaryIO:
    try:
        return open(f"{path}{suffix}", "a+b")
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> StoreUnwritable:
    return StoreUnwritable(f"{path} can't be made or written to: {error.strerror}")

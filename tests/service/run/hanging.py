"""Processes that are made to hang while it is their turn to write to an SQLite store, or while it is not."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

from tests.service.run.uprun import until


def has_turn(pid: int, store: Path) -> bool:
    """Whether the process holds the lock of whoever writes, as the system tells."""
    turn = Path(f"{store}.turn").stat().st_ino
    held = rf"^\d+: FLOCK +\S+ +WRITE {pid} \S+:{turn} "
    return re.search(held, Path("/proc/locks").read_text(), re.MULTILINE) is not None


def hang(pid: int, store: Path, *, in_turn: bool) -> None:
    """Stop the process, at whatever moment at which it has the turn, or has it not."""

    def stop() -> bool:
        os.kill(pid, signal.SIGSTOP)
        if has_turn(pid, store) == in_turn:
            return True
        os.kill(pid, signal.SIGCONT)
        return False

    until(stop, "it hangs at such a moment", every=0.003)

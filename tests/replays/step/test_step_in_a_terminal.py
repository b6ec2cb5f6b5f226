"""`python -m replays step`, as it is typed: in a terminal of its own, and without one."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

from events.keyring import Keyring
from events.sqlite import SqliteRecorder
from tests.replays.commands.typed import TREE, refused
from tests.replays.staged import AT
from tests.replays.timed import stage


def test_without_a_terminal_it_says_so_in_one_line(tmp_path: Path) -> None:
    data = store(tmp_path)
    refused("needs a terminal", "step", "m_high", "--data", data)
    refused("has versions 1 to", "step", "m_high", "--data", data, "--at", "999")
    refused("there is no seat 4", "step", "m_high", "--data", data, "--seat", "4")
    refused("There is no match", "step", "m_none", "--data", data)


def store(folder: Path) -> Path:
    """A folder of the service with a short match of Three Magic that runs."""
    recorder = SqliteRecorder(folder / "foldtable.db")
    stage(recorder, "three-magic", "m_high", 12)
    recorder.close()
    Keyring.open(folder / "keys", AT)
    return folder


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, *words: str | Path) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "replays", *map(str, words)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=TREE,
            env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )
        os.close(theirs)
        self._read = b""

    def waits_for(self, text: str) -> None:
        """Read until the text was painted."""
        until = time.monotonic() + 60
        while text.encode() not in self._read:
            assert time.monotonic() < until, self._read[-2000:]
            if select.select([self._ours], [], [], 1)[0]:
                self._read += os.read(self._ours, 1 << 16)
        self._read = b""

    def types(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def ends(self) -> int:
        """Read on until the program has ended; its exit code."""
        try:
            # the other end of a terminal that nobody holds any more can't be read
            while select.select([self._ours], [], [], 60)[0] and os.read(self._ours, 1 << 16):
                pass
        except OSError:
            pass
        os.close(self._ours)
        return self.process.wait(60)


def test_in_a_terminal_it_starts_reacts_to_keys_and_quits(tmp_path: Path) -> None:
    terminal = Terminal("step", "m_high", "--data", store(tmp_path), "--seat", "1", "--at", "3")
    try:
        terminal.waits_for("version 3/")
        terminal.types("\x1b[C")
        terminal.waits_for("version 4/")
        terminal.types("g20\r")
        terminal.waits_for("version 20/")
        terminal.types("L")
        terminal.waits_for("スリーマジック")
        terminal.types("q")
        assert terminal.ends() == 0
    finally:
        terminal.process.kill()
        terminal.process.wait()

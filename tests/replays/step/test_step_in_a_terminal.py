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
from contextlib import suppress
from pathlib import Path

import pytest

from tests.replays.commands.typed import TREE, refused, stored
from tests.replays.timed import stage


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of the service with a short match of Three Magic that runs."""
    with stored(tmp_path) as recorder:
        stage(recorder, "three-magic", "m_high", 12)
    return tmp_path


def test_without_a_terminal_it_says_so_in_one_line(data: Path) -> None:
    refused("needs a terminal", "step", "m_high", "--data", data)
    refused("has versions 1 to", "step", "m_high", "--data", data, "--at", "999")
    refused("there is no seat 4", "step", "m_high", "--data", data, "--seat", "4")
    refused("There is no match", "step", "m_none", "--data", data)


def test_in_a_terminal_it_starts_reacts_to_keys_and_quits(data: Path) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "replays", "step", "m_high", "--data", str(data), "--seat", "1", "--at", "3"]
    environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=TREE, env=environment, start_new_session=True
    )
    os.close(theirs)
    try:
        for painted, keys in (("version 3/", "\x1b[C"), ("version 4/", "g20\r"), ("version 20/", "L"), ("スリー", "q")):
            read, until = b"", time.monotonic() + 60
            while painted.encode() not in read:
                assert time.monotonic() < until, read[-2000:]
                if select.select([ours], [], [], 1)[0]:
                    read += os.read(ours, 1 << 16)
            os.write(ours, keys.encode())
        # what is still painted has to be read, and the other end of a terminal that nobody holds any more can't be
        with suppress(OSError):
            while select.select([ours], [], [], 60)[0] and os.read(ours, 1 << 16):
                pass
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)

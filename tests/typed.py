"""A command of the house, as it is typed."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

import pytest

TREE = Path(__file__).parents[1]


def typed(main: Callable[[], None], *args: str | Path) -> subprocess.CompletedProcess[str]:
    """The command, in this process: starting one takes longer than all that it does."""
    words, out, err = list(map(str, args)), io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with patch.object(sys, "argv", words), redirect_stdout(out), redirect_stderr(err):
        with pytest.raises(SystemExit) as ended:
            main()
        out.flush()
    code = ended.value.code or 0
    assert isinstance(code, int)
    written = out.buffer
    assert isinstance(written, io.BytesIO)
    return subprocess.CompletedProcess(words, code, written.getvalue().decode(), err.getvalue())


def started(module: str, *args: str | Path) -> subprocess.CompletedProcess[str]:
    """The command, in a process of its own."""
    words = [sys.executable, "-m", module, *map(str, args)]
    return subprocess.run(words, cwd=TREE, capture_output=True, text=True, check=False, timeout=120)


def at_a_terminal(words: list[str], stream: Literal["stdout", "stderr"], **how: Any) -> tuple[bytes, bytes]:
    """Run the command well to its end, that stream of it at a terminal: what it shows there, and what it prints."""
    ours, theirs = pty.openpty()
    shown = b""
    how |= {"stdout": subprocess.PIPE, stream: theirs}
    with subprocess.Popen(words, cwd=TREE, **how) as process:
        os.close(theirs)
        with suppress(OSError):  # nobody writes to it any more
            while piece := os.read(ours, 1 << 16):
                shown += piece
        printed, _ = process.communicate()
    os.close(ours)
    assert process.returncode == 0, shown
    return shown, printed

"""The command, as it is typed."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest

from replays.__main__ import main

TREE = Path(__file__).parents[3]


def replays(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """The command, in this process: starting one takes longer than all that it does."""
    words, out, err = ["replays", *map(str, args)], io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with patch.object(sys, "argv", words), redirect_stdout(out), redirect_stderr(err):
        with pytest.raises(SystemExit) as ended:
            main()
        out.flush()
    code = ended.value.code or 0
    assert isinstance(code, int)
    written = out.buffer
    assert isinstance(written, io.BytesIO)
    return subprocess.CompletedProcess(words, code, written.getvalue().decode(), err.getvalue())


def refused(says: str, *args: str | Path) -> None:
    """It is told in one line what is wrong, and nothing else."""
    done = replays(*args)
    assert (done.returncode, done.stdout) == (2, ""), args
    assert says in done.stderr
    assert done.stderr.count("\n") == 1

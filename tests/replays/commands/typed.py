"""`python -m replays`, as it is typed."""

from __future__ import annotations

import subprocess
from pathlib import Path

from replays.__main__ import main
from tests.typed import typed

TREE = Path(__file__).parents[3]


def replays(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """The command, in this process."""
    return typed(main, "replays", *args)


def refused(says: str, *args: str | Path) -> None:
    """It is told in one line what is wrong, and nothing else."""
    done = replays(*args)
    assert (done.returncode, done.stdout) == (2, ""), args
    assert says in done.stderr
    assert done.stderr.count("\n") == 1

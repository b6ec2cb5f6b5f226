"""`python -m replays`, as it is typed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from events.keyring import Keyring
from events.sqlite import SqliteRecorder
from replays.__main__ import main
from tests.replays.staged import AT
from tests.typed import typed

TREE = Path(__file__).parents[3]


@contextmanager
def stored(folder: Path) -> Iterator[SqliteRecorder]:
    """A store to be filled, in a service's folder, which has keys then."""
    with closing(SqliteRecorder(folder / "foldtable.db")) as recorder:
        yield recorder
    Keyring.open(folder / "keys", AT)


def replays(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """The command, in this process."""
    return typed(main, "replays", *args)


def printed(*args: str | Path) -> str:
    """What it prints where nothing is wrong."""
    done = replays(*args)
    assert (done.returncode, done.stderr) == (0, ""), args
    return done.stdout


def as_json(*args: str | Path, code: int = 0) -> dict[str, Any]:
    done = replays(*args, "--json")
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (code, "", 1)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def exported(data: Path, match_id: str, to: Path, *more: str) -> Path:
    assert printed("export", match_id, "--data", data, "-o", to, *more) == ""
    return to


def refused(says: str, *args: str | Path) -> None:
    """It is told in one line what is wrong, and nothing else."""
    done = replays(*args)
    assert (done.returncode, done.stdout) == (2, ""), args
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@contextmanager
def piped(file: Path) -> Iterator[Path]:
    """A pipe into which the file is written, once."""
    ours, theirs = os.pipe()

    def fill() -> None:
        with open(theirs, "wb") as pipe:
            pipe.write(file.read_bytes())

    with open(ours, "rb"), ThreadPoolExecutor() as pool:
        pool.submit(fill)
        yield Path(f"/dev/fd/{ours}")

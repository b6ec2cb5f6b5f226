"""What services say that tests have started: kept in files, whose ends are shown with a test that fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LINES = 60

_kept: list[Path] = []


@contextmanager
def kept(file: Path) -> Iterator[IO[bytes]]:
    """Where a process is to write what it says, for as long as it runs."""
    with file.open("ab") as log:
        _kept.append(file)
        try:
            yield log
        finally:
            _kept.remove(file)


def ends() -> Iterator[tuple[str, str]]:
    """The last lines of each, with its name."""
    for file in _kept:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        yield f"{file}, of {len(lines)} lines the last", "\n".join(lines[-LINES:])

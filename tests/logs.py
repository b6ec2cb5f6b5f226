"""What services say that tests have started: kept in files, whose ends are shown with a test that fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LINES = 60

_written: list[Path] = []
_ended: list[Path] = []


@contextmanager
def kept(file: Path) -> Iterator[IO[bytes]]:
    """Where a process is to write what it says, for as long as it runs."""
    with file.open("ab") as log:
        _written.append(file)
        try:
            yield log
        finally:
            _written.remove(file)
            _ended.append(file)


def forget() -> None:
    """A test begins: what ended before it is not its business."""
    _ended.clear()


def ends() -> Iterator[tuple[str, str]]:
    """The last lines of each that ran in this test, with its name."""
    for file in filter(Path.exists, (*_written, *_ended)):
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        yield f"{file}, of {len(lines)} lines the last", "\n".join(lines[-LINES:])

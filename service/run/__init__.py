"""The operator's commands: starting everything, the embedded Redis, the demo, backups, copies, keys, the document."""

from __future__ import annotations


class CannotStart(Exception):
    """A process can't be started. It has one line with the reason ("" if it was printed), and an exit code."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code

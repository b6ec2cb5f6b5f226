"""What can go wrong, as exceptions."""

from __future__ import annotations

from typing import Any

import httpx2
import msgspec


class Unreachable(Exception):
    """The service did not answer for as long as was waited. What was asked may have been done: ask again."""


class Problem(Exception):
    """The service said no (RFC 9457): `code` for programs, `detail` for people."""

    def __init__(self, status: int, told: dict[str, Any]) -> None:
        super().__init__(told.get("detail") or told.get("title") or f"status {status}")
        self.status = status
        self.code: str = told.get("code", "")
        self.detail: str = str(self)
        self.clause: str | None = told.get("clause")
        """The rule that refused it, where one did."""
        self.told = told
        """All that was told: `fields`, `errors`, `open` and others."""


def problem_of(answer: httpx2.Response) -> Problem:
    """The problem that was answered, or what stands for it where something between has answered."""
    try:
        told = msgspec.json.decode(answer.content, type=dict[str, Any])
    except msgspec.MsgspecError:
        told = {"detail": f"{answer.status_code} {answer.reason_phrase}"}
    return Problem(answer.status_code, told)

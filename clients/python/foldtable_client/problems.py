"""The exceptions that the clients raise."""

from __future__ import annotations

from typing import Any

import httpx2
import msgspec


class Unreachable(Exception):
    """The service did not answer in time. It may have done what was asked, or not."""


class Problem(Exception):
    """The service refused a request (RFC 9457): `code` is for programs, `detail` for people."""

    def __init__(self, status: int, told: dict[str, Any]) -> None:
        super().__init__(told.get("detail") or told.get("title") or f"status {status}")
        self.status = status
        self.code: str = told.get("code", "")
        self.detail: str = str(self)
        self.clause: str | None = told.get("clause")
        """The clause of the rules that forbids the move; None if no rule refused the request."""
        self.told = told
        """The whole body of the answer, with `fields`, `errors`, `open` and others."""


def problem_of(answer: httpx2.Response) -> Problem:
    """Return the problem in an answer. If the answer is no JSON, as a proxy's, its `detail` is the status."""
    try:
        told = msgspec.json.decode(answer.content, type=dict[str, Any])
    except msgspec.MsgspecError:
        told = {"detail": f"{answer.status_code} {answer.reason_phrase}"}
    return Problem(answer.status_code, told)

"""Logs when something that a process needs does not answer, and when it answers again."""

from __future__ import annotations

import structlog

logger = structlog.get_logger(__name__)


class OutageLog:
    """Logs once that something does not answer, and once that it answers again."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._is_out = False

    def begins(self, error: Exception) -> None:
        """Note, and log once, that it does not answer."""
        if not self._is_out:
            logger.warning(f"{self._what} does not answer; trying again until it does", error=str(error))
        self._is_out = True

    def ends(self) -> None:
        """Note, and log once, that it answers again."""
        if self._is_out:
            logger.info(f"{self._what} answers again")
        self._is_out = False

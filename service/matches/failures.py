"""Failures of one match in work on many: each becomes a code in the answer, and the other matches go on."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from domain.game import Refusal
from events.codec import UnknownEvent, Unreadable
from events.store import StoreError
from replays.log import OtherRules, UnknownMatch
from service.problems import Problem

INTERNAL = "internal"
"""The code of errors that no code foresees."""

logger = structlog.get_logger(__name__)


def code_of(error: Exception) -> str:
    """Return the code of an error in one match. Raises errors of the store, since they concern all matches."""
    match error:
        case Problem() | Refusal():
            return error.code
        case UnknownMatch():
            return "unknown-match"
        case OtherRules():
            return "other-rules"
        case Unreadable() | UnknownEvent():
            return "unreadable"
        case StoreError():
            raise error
    return INTERNAL


def problem_in(match_id: str, act: Callable[[str], object]) -> str | None:
    """Call `act` for the match. Returns the code of its problem; None if there was none. Raises StoreError."""
    try:
        act(match_id)
    except Exception as error:
        code = code_of(error)
        if code == INTERNAL:
            logger.error("unforeseen", match=match_id, kind=type(error).__name__)
        return code
    return None

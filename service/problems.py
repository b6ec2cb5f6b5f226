"""Problems of requests, by kind. The web turns each kind into a status; the code says exactly what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import structlog

from domain.game import Field, Game, Refusal
from events.codec import UnknownEvent, Unreadable
from events.store import StaleVersion, StoreError
from replays.log import OtherRules, UnknownMatch

INTERNAL = "internal"
"""The code of errors that no code foresees."""

logger = structlog.get_logger(__name__)


Say = Callable[[str], str]


class Problem(Exception):
    """The request fails. It has a code for programs, and the fields for a sentence (`wording`)."""

    def __init__(self, code: str, /, *, more: Mapping[str, Any] | None = None, say: Say = str, **fields: Field) -> None:
        """`more`: further members of the answer. `say`: puts names in the place of seats in its sentence."""
        super().__init__(f"{code} {fields}")
        self.code = code
        self.fields = fields
        self.more = dict(more or {})
        self.refusal: tuple[Game[Any, Any, Any], Refusal] | None = None
        """The game's refusal, if its rules refused the request; its words are in the reader's language."""
        self.say = say


class BadRequest(Problem):
    """The request can't be read (400)."""


class Unauthorized(Problem):
    """The request needs a token, or its token is unknown (401)."""


class Forbidden(Problem):
    """The asker may not do this (403)."""


class Unknown(Problem):
    """There is no such thing, or the asker may not know of it (404)."""


class Conflict(Problem):
    """The request is well-formed, but not possible now (409)."""


class Malformed(Problem):
    """The request can be read, but contains a wrong value (422)."""


def malformed(errors: Mapping[str, Any]) -> Malformed:
    """Return the error of a request with these fields, each with what is wrong with it."""
    return Malformed("malformed", more={"errors": errors}, names=tuple(map(str, errors)) or ("body",))


class Unsupported(Problem):
    """The body has a type or encoding that is not supported (415)."""


class Broken(Problem):
    """This code can't read what is stored (500)."""


class TooMany(Problem):
    """Too many requests were sent, or too many are open (429)."""


class Unready(Problem):
    """The service can't do its work now (503)."""


def told(refusal: Refusal) -> dict[str, Any]:
    """Return the clause and fields of a refusal, if it has any, for the answer."""
    more = {"clause": refusal.clause, "fields": refusal.fields}
    return {name: value for name, value in more.items() if value}


def refused(kind: type[Problem], game: Game[Any, Any, Any], refusal: Refusal, say: Say = str, **more: Any) -> Problem:
    """Return the problem for a refusal by the rules, with its code, clause and fields. `say`: names seats in a text."""
    problem = kind(refusal.code, more={**told(refusal), **more}, say=say)
    problem.refusal = (game, refusal)
    return problem


def unknown_match(match_id: str) -> Unknown:
    """Return the error for a match that does not exist, or that the asker may not know of."""
    return Unknown("unknown-match", match=match_id)


def code_of(error: Exception) -> str:
    """Return the code of an error in one match. Raises other errors of the store, since they concern all matches."""
    match error:
        case Problem() | Refusal():
            return error.code
        case UnknownMatch():
            return "unknown-match"
        case OtherRules():
            return "other-rules"
        case Unreadable() | UnknownEvent():
            return "unreadable"
        case StaleVersion():
            return "busy"
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


@contextmanager
def left_out() -> Iterator[None]:
    """End the block, which is about one match of many, if the match can't be read or the asker may not see it any more.

    What can't be read is logged without its words, and without its match: that would show who is asked under seal.
    Raises:  StoreError.
    """
    try:
        yield
    except Exception as error:
        if code_of(error) in {"unreadable", INTERNAL}:
            logger.error("a match is left out", kind=type(error).__name__)

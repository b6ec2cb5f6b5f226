"""What can be wrong with a request, by kind. The web turns each kind into a status; the code says exactly what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.game import Field, Game, Refusal


class Problem(Exception):
    """A request that gets no success: a code for programs, and the fields that a sentence needs (`wording`)."""

    def __init__(self, code: str, /, *, more: Mapping[str, Any] | None = None, **fields: Field) -> None:
        """`more`: what is answered besides."""
        super().__init__(f"{code} {fields}")
        self.code = code
        self.fields = fields
        self.more = dict(more or {})
        self.refusal: tuple[Game[Any, Any, Any], Refusal] | None = None
        """Whose words say it, where the rules refused it: they come in the reader's language."""


class BadRequest(Problem):
    """The request can't be read (400)."""


class Unauthorized(Problem):
    """The request needs a token, or its token is not known (401)."""


class Forbidden(Problem):
    """Whoever asks is known, and may not ask this (403)."""


class Unknown(Problem):
    """There is no such thing, or not for whoever asks."""


class Conflict(Problem):
    """The request is well-formed, but can't be done as things stand (409)."""


class Malformed(Problem):
    """The request can be read, but says something that can't be (422)."""


class Unsupported(Problem):
    """The body is of a kind that is not read here."""


class Broken(Problem):
    """What is stored can't be read by this code."""


class TooMany(Problem):
    """As many do it already as may, or it was asked for too often (429)."""


class Unready(Problem):
    """The service can't do its work now."""


def told(refusal: Refusal) -> dict[str, Any]:
    """What a refusal of the rules is answered with besides its code and its sentence: clause and fields, if any."""
    more = {"clause": refusal.clause, "fields": refusal.fields}
    return {name: value for name, value in more.items() if value}


def refused(kind: type[Problem], game: Game[Any, Any, Any], refusal: Refusal, **more: Any) -> Problem:
    """The rules' no, with the code, clause and fields of the refusal."""
    problem = kind(refusal.code, more={**told(refusal), **more})
    problem.refusal = game, refusal
    return problem


def scope_missing(scope: str) -> Forbidden:
    """The token may not do this."""
    return Forbidden("scope-missing", more={"scope": scope}, scope=scope)


def token_missing() -> Unauthorized:
    """The error for a request without a token that needs one."""
    return Unauthorized("token-missing")


def unknown_match(match_id: str) -> Unknown:
    """Also said of private matches, to strangers."""
    return Unknown("unknown-match", match=match_id)


def unknown_seat(seat: int, seats: int) -> Unknown:
    """Seats count from 0."""
    return Unknown("unknown-seat", seat=seat, seats=seats)


def not_your_seat(seat: int) -> Forbidden:
    """Another seat than one's own was named."""
    return Forbidden("not-your-seat", seat=seat)

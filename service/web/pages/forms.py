"""What people fill in: checked as the API checks the same, and told beside each field what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from flask import request
from marshmallow import Schema, ValidationError

from service import wording
from service.problems import Malformed, Problem, TooMany
from service.web import inputs
from service.web.pages import page

FIELDS = {
    "login-taken": "login",
    "address-taken": "email",
    "pass-needed": "pass",
    "pass-not-good": "pass",
    "already-past": "expires",
    "unknown-zone": "zone",
    "unknown-player": "player",
    "player-twice": "player",
}
"""By a problem's code, in which field what is wrong was said."""

ALL = ""
"""Stands for no field in particular."""

MARK = 40
"""Digits of the mark of a script that sits down later: four numbers of 32 bits."""

SECRET = frozenset({"csrf", "password", "old", "new"})
"""What is not shown again as it was typed."""


class Filled(msgspec.Struct, frozen=True):
    """A form as it was filled in, and what is wrong with it."""

    values: dict[str, str] = {}
    errors: dict[str, str] = {}


def typed() -> dict[str, str]:
    """What stands in the form, by field, without what is not to be shown again."""
    return {name: value for name, value in request.form.items() if name not in SECRET}


def read(schema: Schema, *names: str, lists: Iterable[str] = ()) -> dict[str, Any]:
    """What the fields of these names say, as the API would take it: an empty one says nothing. Raises Malformed."""
    said: dict[str, Any] = {name: value for name in names if (value := _said(name))}
    return loaded(schema, said | {name: request.form.getlist(name) for name in lists})


def loaded(schema: Schema, said: dict[str, Any]) -> dict[str, Any]:
    """What is said, as the API would take it. Raises Malformed."""
    try:
        found: dict[str, Any] = schema.load(said)
    except ValidationError as error:
        errors = error.normalized_messages()
        raise Malformed("malformed", more={"errors": errors}, names=tuple(map(str, errors))) from error
    return found


def _said(name: str) -> str:
    said = request.form.get(name, "")
    # a password is what was typed, spaces and all
    return said if name in SECRET else said.strip()


def number(name: str, digits: int = 15) -> int:
    """Return the number that the field says. Raises Malformed."""
    said = request.form.get(name, "")
    if not said.isascii() or not said.isdecimal() or len(said) > digits:
        raise Malformed("malformed", names=(name,))
    return int(said)


def nonce() -> str:
    """Return the nonce that the page's script has brought for the seat, "" where none was. Raises Malformed."""
    return str(loaded(inputs.NonceWanted(), {"nonce": request.form.get("nonce", "")})["nonce"])


def later() -> str:
    """Return the script's mark where it sits down by itself once the match is there, with a nonce; else "".

    The service has to choose the match's secret before it knows a nonce that goes into its chance.
    """
    said = request.form.get("later", "")
    return said if said.isascii() and said.isdecimal() and len(said) <= MARK else ""


def table_of(match_id: str, mark: str) -> str:
    """Return the address of a match's table, where the script sits down if it has left a mark."""
    return f"/matches/{match_id}#sit-{mark}" if mark else f"/matches/{match_id}"


def wrong(error: Problem, **codes: str) -> Filled:
    """The form once more, with what was refused. `codes`: fields of this form, by code, beside those of all."""
    errors = error.more.get("errors") if isinstance(error, Malformed) else None
    if isinstance(errors, dict):
        told = {str(name): _sentence(wording.translated(one, page.lang())) for name, one in errors.items()}
        return Filled(typed(), {("" if name == "_schema" else name): said for name, said in told.items()})
    field = {**FIELDS, **{code.replace("_", "-"): name for code, name in codes.items()}}.get(error.code, ALL)
    return Filled(typed(), {field: page.said_of(error)})


def status_of(error: Problem) -> int:
    """Of the page that shows the form again."""
    return page.status_of(error) if isinstance(error, TooMany) else 422


def _sentence(said: Any) -> str:
    match said:
        case str():
            return said
        case dict():
            return " ".join(_sentence(one) for one in said.values())
        case list():
            return " ".join(_sentence(one) for one in said)
    return str(said)

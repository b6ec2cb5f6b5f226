"""Form fields, which are checked as the API checks the same values; errors are shown beside the fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from flask import request
from marshmallow import Schema, ValidationError

from service import wording
from service.problems import Malformed, Problem, TooMany, malformed
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
"""The fields to which problems belong, by code."""

ALL = ""
"""Stands for the form as a whole."""

DIGITS = 15
"""The most digits of a number."""

MARK = 40
"""The most digits of the mark by which a script sits down later: four numbers of 32 bits."""

SECRET = frozenset({"csrf", "password", "old", "new"})
"""The fields that are never shown again."""


class Filled(msgspec.Struct, frozen=True):
    """A form as it was filled in, and its errors by field."""

    values: dict[str, str] = {}
    errors: dict[str, str] = {}


NOTHING = Filled()


def typed() -> dict[str, str]:
    """Return the values of the form's fields, without the secret ones."""
    return {name: value for name, value in request.form.items() if name not in SECRET}


def read(schema: Schema, *names: str, numbers: Iterable[str] = (), lists: Iterable[str] = ()) -> dict[str, Any]:
    """Return the values of these fields as the schema reads them, without empty ones. Raises Malformed."""
    # spaces belong to a password
    texts = {name: request.form.get(name, "") for name in (*names, *numbers)}
    texts = {name: value if name in SECRET else value.strip() for name, value in texts.items()}
    values: dict[str, Any] = {name: value for name, value in texts.items() if value}
    # the schema says what is wrong with a text that is no number
    values |= {name: value for name in numbers if (value := whole(texts[name])) is not None}
    return loaded(schema, values | {name: request.form.getlist(name) for name in lists})


def loaded(schema: Schema, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values as the schema reads them. Raises Malformed."""
    try:
        return dict(schema.load(values))
    except ValidationError as error:
        raise malformed(error.normalized_messages()) from error


def whole(digits: str, most: int = DIGITS) -> int | None:
    """Return the number with these digits; None if they are none, or more than `most`."""
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= most else None


def number(name: str, most: int = DIGITS) -> int:
    """Return the number in the field, which has at most so many digits. Raises Malformed."""
    if (value := whole(request.form.get(name, ""), most)) is None:
        raise Malformed("malformed", names=(name,))
    return value


def nonce() -> str:
    """Return the nonce that the page's script sends for the seat; "" if there is none. Raises Malformed."""
    return str(loaded(inputs.NonceWanted(), {"nonce": request.form.get("nonce", "")})["nonce"])


def later() -> str:
    """Return the script's mark if it sits down with a nonce once the match is open; else "".

    The service must choose the match's secret before it knows the nonce, since both are part of its chance.
    """
    mark = request.form.get("later", "")
    return "" if whole(mark, MARK) is None else mark


def table_of(match_id: str, mark: str) -> str:
    """Return the path of a match's table. With a mark, the script sits down there."""
    return f"/matches/{match_id}#sit-{mark}" if mark else f"/matches/{match_id}"


def wrong(error: Problem, **codes: str) -> Filled:
    """Return the form as it was filled in, with its errors.

    `codes`: further fields of this form alone, by code, and places of the page that are no fields, by their own names.
    """
    errors = error.more.get("errors") if isinstance(error, Malformed) else None
    if isinstance(errors, dict):
        lang = page.lang()
        sentences = {str(name): page.joined(wording.translated(each, lang)) for name, each in errors.items()}
        told: dict[str, str] = {}
        for name, text in sentences.items():
            # what belongs to no field that was sent would be shown nowhere
            place = codes.get(name, name if name in request.form else ALL)
            told[place] = f"{told[place]} {text}" if place in told else text
        return Filled(typed(), told)
    field = {**FIELDS, **{code.replace("_", "-"): name for code, name in codes.items()}}.get(error.code, ALL)
    return Filled(typed(), {field: page.said_of(error)})


def status_of(error: Problem) -> int:
    """Return the status of the page that shows the form again."""
    return page.status_of(error) if isinstance(error, TooMany) else 422

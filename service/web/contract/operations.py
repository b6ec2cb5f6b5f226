"""What routes declare: the operation's name, its requests and answers, scopes and problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import NoneType
from typing import Any, get_type_hints

import msgspec
from flask import Flask
from marshmallow import Schema

from service.deeds import TABLE, Deed

SAFE = (1 << 53) - 1
"""The largest number in a path, and elsewhere: all stores and readers of JSON know it."""

VARIABLE = re.compile(r"<(?:([^:>]*):)?([^>]*)>")
"""A variable part of a rule: its converter and its name."""


class Success(msgspec.Struct, frozen=True):
    """An answer of a route that is no problem."""

    status: int
    shape: Any = None
    """A struct or a JSON schema; None if it has no body."""
    headers: tuple[str, ...] = ()
    """The names of the headers that it may have."""
    kind: str = "application/json"
    """The media type."""
    about: str = ""
    also: Mapping[str, Any] = {}
    """JSON schemas of the answer in other forms, by media type."""

    @property
    def contents(self) -> Mapping[str, Any]:
        """A struct or a JSON schema by media type."""
        return ({} if self.shape is None else {self.kind: self.shape}) | dict(self.also)


UNCHANGED = Success(304, headers=("ETag",), about="It has not changed.")


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """An operation, as its route declares it."""

    id: str
    """The name in generated clients: a verb and its object."""
    tag: str
    """The name of its blueprint."""
    method: str
    rule: str
    """The path as Flask knows it."""
    view: Callable[..., Any]
    answers: tuple[Success, ...]
    query: Schema | None = None
    headers: Schema | None = None
    body: Schema | None = None
    is_body_optional: bool = False
    scopes: tuple[str, ...] = ()
    """The scopes of which the token needs one."""
    is_open: bool = False
    """Whether it needs no token; but a token that is sent needs one of the scopes."""
    problems: Mapping[int, tuple[str, ...]] = {}
    """The operation's own codes by status. `problems.py` adds those that every request of its kind can get."""
    is_by_rules: bool = False
    """Whether the rules of a game may refuse it (409), with codes of their own."""
    deed: Deed | None = None
    """The operation's deed; None if it changes nothing."""

    @property
    def path(self) -> str:
        """The path in the document."""
        return template(self.rule)

    @property
    def variables(self) -> dict[str, str]:
        """The converters of the path's variable parts, by name."""
        return {name: converter for converter, name in VARIABLE.findall(self.rule)}

    @property
    def needs_token(self) -> bool:
        """Whether it is refused without a token."""
        return bool(self.scopes) and not self.is_open


@cache
def template(rule: str) -> str:
    """Return Flask's rule as the path in the document."""
    return VARIABLE.sub(r"{\2}", rule)


def operation_of(view: Callable[..., Any], answers: Iterable[Success | int], **declared: Any) -> Operation:
    """Return the operation of a view, whose name is that of the function. One with a deed has the deed's scopes.

    Shape:   `answers`: a number is the status of an answer with the struct that the view returns; without any, it is
             200, or 204 if the view returns nothing. The answer to a query with a cursor is a page, with a link.
    """
    first, *words = view.__name__.split("_")
    id = first + "".join(map(str.capitalize, words))
    if (deed := TABLE.get(id)) is not None:
        declared |= {"deed": deed, "scopes": deed.scopes}
    shape = get_type_hints(view)["return"]
    is_empty, headers = shape is NoneType, ("Link",) if is_paged(declared.get("query")) else ()
    successes = tuple(
        answer if isinstance(answer, Success) else Success(answer, None if is_empty else shape, headers)
        for answer in answers or (204 if is_empty else 200,)
    )
    return Operation(id=id, view=view, answers=successes, **declared)


def is_paged(query: Schema | None) -> bool:
    """Return whether the answer to such a query is a page of a list, with a cursor for the next one."""
    return query is not None and "cursor" in query.fields


def operations(app: Flask) -> Iterable[Operation]:
    """Return the app's operations, in the order in which they were registered."""
    found = (getattr(view, "operation", None) for view in app.view_functions.values())
    return filter(None, found)

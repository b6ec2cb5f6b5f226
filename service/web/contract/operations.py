"""What routes declare besides their shapes: the operation's name, scopes, problems and links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from flask import Flask

from service.deeds import TABLE, Deed

F = TypeVar("F", bound=Callable[..., Any])

METHODS = ("get", "post", "put", "patch", "delete")

_ATTRIBUTE = "foldtable_operation"
_NOTES = "foldtable_notes"
_PART = re.compile(r"<(?:[^:>]*:)?([^>]*)>")


class Link(msgspec.Struct, frozen=True):
    """An operation that may follow, and which parts of this one's answer are its parameters.

    A link says nothing of the body, since generators allow only one expression for all of it.
    """

    operation: str
    about: str
    parameters: Mapping[str, str] = {}


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """What a route declares about an operation."""

    id: str
    """The name in generated clients: a verb and its object."""
    scopes: tuple[str, ...] = ()
    """The scopes of which the token needs one."""
    is_open: bool = False
    """Whether it needs no token; a token that is sent needs one of the scopes all the same."""
    problems: Mapping[int, tuple[str, ...]] = {}
    """The operation's own codes by status. `problems.py` adds those that every request of its kind can get."""
    is_by_rules: bool = False
    """Whether the rules of a game may refuse it (409), with codes of their own."""
    links: Mapping[str, Link] = {}
    """The operations that may follow a success, by name."""
    deed: Deed | None = None
    """The operation's deed; None if it changes nothing."""

    @property
    def needs_token(self) -> bool:
        """Whether it is refused without a token."""
        return bool(self.scopes) and not self.is_open


class Asked(msgspec.Struct, frozen=True):
    """A part of a request that a schema reads."""

    schema: Any
    location: str
    """`json` for the body, `query` or `headers`."""
    required: bool
    """Whether there must be a body."""


class ToldAnswer(msgspec.Struct, frozen=True):
    """An answer of a route that is no problem."""

    status: int
    description: str
    contents: Mapping[str, Any]
    """A struct or a JSON schema by media type."""
    headers: tuple[str, ...]
    """The names of the headers that it may have."""


class Found(msgspec.Struct, frozen=True):
    """An operation of the app: its path in the document, its method, and its endpoint."""

    path: str
    method: str
    endpoint: str
    view: Callable[..., Any]
    told: Operation | None
    converters: Mapping[str, Any]
    """The converters of the path's variable parts, by name."""

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The parts of the request that schemas read, the last argument of the route first."""
        return tuple(each for each in _notes(self.view) if isinstance(each, Asked))

    @property
    def answers(self) -> tuple[ToldAnswer, ...]:
        """The answers of the route."""
        return tuple(each for each in _notes(self.view) if isinstance(each, ToldAnswer))


def operation(
    id: str,
    *scopes: str,
    is_open: bool = False,
    problems: Mapping[int, tuple[str, ...]] | None = None,
    is_by_rules: bool = False,
    links: Mapping[str, Link] | None = None,
) -> Callable[[F], F]:
    """Return a decorator that declares an `Operation` for the document, and does not change the method.

    An operation with a deed has the deed's scopes.
    """
    deed = TABLE.get(id)
    declared = Operation(
        id=id,
        scopes=deed.scopes if deed else scopes,
        is_open=is_open,
        problems=problems or {},
        is_by_rules=is_by_rules,
        links=links or {},
        deed=deed,
    )

    def noted(function: F) -> F:
        setattr(function, _ATTRIBUTE, declared)
        return function

    return noted


def note(function: F, part: Asked | ToldAnswer) -> F:
    """Note a part of the request, or an answer, with the method of a route. Returns the method."""
    setattr(function, _NOTES, (*_notes(function), part))
    return function


def _notes(function: Any) -> tuple[Asked | ToldAnswer, ...]:
    return getattr(function, _NOTES, ())


def told_of(view: Any, method: str) -> Operation | None:
    """Return the operation that a view declares for the method; None if it declares none."""
    function = getattr(getattr(view, "view_class", None), method.lower(), None)
    return getattr(function, _ATTRIBUTE, None)


def operations(app: Flask) -> Iterator[Found]:
    """Yield the app's operations, in the order in which they were registered."""
    for rule in app.url_map.iter_rules():
        view = getattr(app.view_functions[rule.endpoint], "view_class", None)
        for method in METHODS:
            function = getattr(view, method, None)
            if function is not None:
                declared = getattr(function, _ATTRIBUTE, None)
                path = _PART.sub(r"{\1}", rule.rule)
                yield Found(path, method, rule.endpoint, function, declared, rule._converters)

"""What each route tells of itself that its shapes don't: its name, who may ask, and which problems it can answer."""

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
    """Another operation that goes on from this one's answer, and which parts of the answer are its parameters.

    A link has no body: generators take only one expression for all of it.
    """

    operation: str
    about: str
    parameters: Mapping[str, str] = {}


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of an operation."""

    id: str
    """By which generated clients call it: a verb and what it is done to."""
    scopes: tuple[str, ...] = ()
    """The token needs one of these."""
    is_open: bool = False
    """Whether it is also answered without a token, though a token that is sent needs one of the scopes."""
    problems: Mapping[int, tuple[str, ...]] = {}
    """By status: the codes that are this operation's own. `problems.py` adds those that every such request can get."""
    is_by_rules: bool = False
    """Whether the rules of a game may refuse it (409), by codes of their own."""
    links: Mapping[str, Link] = {}
    """By name: what may be asked next, by the answer of a success."""
    deed: Deed | None = None
    """What is done; None: the operation changes nothing."""

    @property
    def needs_token(self) -> bool:
        """Whether it is refused without one."""
        return bool(self.scopes) and not self.is_open


class Asked(msgspec.Struct, frozen=True):
    """What a request says in one place, as a schema reads it."""

    schema: Any
    location: str
    """`json` is its body, `query`, `headers`."""
    required: bool
    """Whether there must be a body."""


class ToldAnswer(msgspec.Struct, frozen=True):
    """An answer of a route that is no problem."""

    status: int
    description: str
    contents: Mapping[str, Any]
    """By media type a struct, or a JSON schema."""
    headers: tuple[str, ...]
    """Those that it may have, by their names."""


class Found(msgspec.Struct, frozen=True):
    """An operation where it is: by its path in the document, its method, and the endpoint that answers it."""

    path: str
    method: str
    endpoint: str
    view: Callable[..., Any]
    told: Operation | None
    converters: Mapping[str, Any]
    """Of the parts of the path that vary, by their names."""

    @property
    def asked(self) -> tuple[Asked, ...]:
        """What it is asked: what is handed over last comes first."""
        return tuple(one for one in _notes(self.view) if isinstance(one, Asked))

    @property
    def answers(self) -> tuple[ToldAnswer, ...]:
        """What it answers."""
        return tuple(one for one in _notes(self.view) if isinstance(one, ToldAnswer))


def operation(
    id: str,
    *scopes: str,
    is_open: bool = False,
    problems: Mapping[int, tuple[str, ...]] | None = None,
    is_by_rules: bool = False,
    links: Mapping[str, Link] | None = None,
) -> Callable[[F], F]:
    """Tell of the method of a route what `Operation` says, for the document; it changes nothing of what is done.

    What has a deed done has the deed's scopes.
    """
    deed = TABLE.get(id)
    told = Operation(
        id=id,
        scopes=deed.scopes if deed else scopes,
        is_open=is_open,
        problems=problems or {},
        is_by_rules=is_by_rules,
        links=links or {},
        deed=deed,
    )

    def noted(function: F) -> F:
        setattr(function, _ATTRIBUTE, told)
        return function

    return noted


def note(function: F, one: Asked | ToldAnswer) -> F:
    """Note what the function of a route is asked or answers. Returns the function."""
    setattr(function, _NOTES, (*_notes(function), one))
    return function


def _notes(function: Any) -> tuple[Asked | ToldAnswer, ...]:
    return getattr(function, _NOTES, ())


def told_of(view: Any, method: str) -> Operation | None:
    """Return what a view of the app tells of that method; None where the contract does not tell of it."""
    function = getattr(getattr(view, "view_class", None), method.lower(), None)
    return getattr(function, _ATTRIBUTE, None)


def operations(app: Flask) -> Iterator[Found]:
    """All that the app answers and its document tells of, in the order in which it was registered."""
    for rule in app.url_map.iter_rules():
        view = getattr(app.view_functions[rule.endpoint], "view_class", None)
        for method in METHODS:
            function = getattr(view, method, None)
            if function is not None:
                told = getattr(function, _ATTRIBUTE, None)
                path = _PART.sub(r"{\1}", rule.rule)
                yield Found(path, method, rule.endpoint, function, told, rule._converters)

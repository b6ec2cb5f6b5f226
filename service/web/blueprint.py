"""The routes of one part of the interface, each with the shapes of what it is asked and of what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeVar

import flask
from flask.views import MethodView
from marshmallow import Schema

from service.web.contract.operations import Asked, ToldAnswer, note
from service.web.reading import load

F = TypeVar("F", bound=Callable[..., Any])
View = TypeVar("View", bound=type[MethodView])


class Blueprint(flask.Blueprint):
    """Flask's blueprint, whose routes are classes with a function for each method."""

    def __init__(self, name: str, import_name: str, *, description: str, url_prefix: str | None = None) -> None:
        super().__init__(name, import_name, url_prefix=url_prefix)
        self.description = description

    def route(self, rule: str, **options: Any) -> Callable[[View], View]:  # type: ignore[override]  # of classes alone
        """Answer that path by the class's functions."""

        def added(view: View) -> View:
            self.add_url_rule(rule, view.__name__, view.as_view(view.__name__), **options)
            return view

        return added

    def arguments(self, schema: Schema, *, location: str = "json", required: bool = True) -> Callable[[F], F]:
        """Hand what the request says there over, as the schema reads it: `json` is its body, `query`, `headers`.

        Raises:  BadRequest, Malformed, when it is asked.
        """

        def asking(function: F) -> F:
            @wraps(function)
            def asked(view: MethodView, *args: Any, **named: Any) -> Any:
                return function(view, *args, load(schema, location), **named)

            note(asked, Asked(schema, location, required))
            return asked  # type: ignore[return-value]  # it takes one argument less

        return asking

    def response(
        self,
        status: int,
        shape: Any = None,
        *,
        headers: tuple[str, ...] = (),
        content_type: str = "application/json",
        description: str = "",
        also: Mapping[str, Any] | None = None,
    ) -> Callable[[F], F]:
        """Say what a route answers: a struct, or what has a JSON schema; and which headers the answer may have.

        Shape:   `also` are JSON schemas of the same in other forms, by their media types.
        """
        contents = {content_type: shape} if shape is not None else {}
        told = ToldAnswer(status, description or HTTPStatus(status).phrase, contents | dict(also or {}), headers)
        return lambda function: note(function, told)

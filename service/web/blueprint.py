"""Blueprints whose routes declare the shapes of their requests and answers."""

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
    """A Flask blueprint. Its routes are classes with one method for each HTTP method."""

    def __init__(self, name: str, import_name: str, *, description: str, url_prefix: str | None = None) -> None:
        super().__init__(name, import_name, url_prefix=url_prefix)
        self.description = description

    def route(self, rule: str, **options: Any) -> Callable[[View], View]:  # type: ignore[override]  # of classes alone
        """Return a decorator that makes the class answer this path."""

        def added(view: View) -> View:
            self.add_url_rule(rule, view.__name__, view.as_view(view.__name__), **options)
            return view

        return added

    def arguments(self, schema: Schema, *, location: str = "json", required: bool = True) -> Callable[[F], F]:
        """Return a decorator that passes the part of the request at `location` to the route, as the schema reads it.

        Shape:   `location`: `json` for the body, `query` or `headers`.
        Raises:  BadRequest, Malformed, during the request.
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
        """Return a decorator that notes a route's answer: a struct or a JSON schema, and the headers that it may have.

        Shape:   `also`: JSON schemas of the answer in other forms, by media type.
        """
        contents = {content_type: shape} if shape is not None else {}
        answer = ToldAnswer(status, description or HTTPStatus(status).phrase, contents | dict(also or {}), headers)
        return lambda function: note(function, answer)

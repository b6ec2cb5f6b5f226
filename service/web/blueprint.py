"""The routes of one part of the interface, each with the shapes of what it is asked and answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import flask_smorest
import msgspec

from service.web.contract.components import BASE
from service.web.middleware import Parser

F = TypeVar("F", bound=Callable[..., Any])

SHAPES = "foldtable_shapes"
"""The attribute of a route's function that holds the structs of its answers."""


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # flask-smorest has no types
    """A blueprint whose requests are refused in our words, and whose answers are structs."""

    ARGUMENTS_PARSER = Parser()

    def response(
        self, status_code: int, shape: Any = None, *, headers: tuple[str, ...] = (), **more: Any
    ) -> Callable[[F], F]:
        """Say what a route answers: a struct, or what has a JSON schema; and which headers the answer may have."""
        is_struct = isinstance(shape, type) and issubclass(shape, msgspec.Struct)
        schema = {"$ref": f"{BASE}{shape.__name__}"} if is_struct else shape
        told = super().response(status_code, schema, headers={name: {} for name in headers}, **more)

        def noted(function: F) -> F:
            answered: F = told(function)
            if is_struct:
                setattr(answered, SHAPES, (*getattr(answered, SHAPES, ()), shape))
            return answered

        return noted

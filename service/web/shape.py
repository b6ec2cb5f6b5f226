"""What the shapes of answers are made of."""

from __future__ import annotations

from typing import Any

from marshmallow import INCLUDE, Schema, fields


class Shape(Schema):
    """Names may come to be added, so clients must not mind those that they don't know."""

    class Meta:
        unknown = INCLUDE


def text(**more: Any) -> fields.String:
    """Always there."""
    return fields.String(required=True, **more)


def whole(**more: Any) -> fields.Integer:
    """Always there."""
    return fields.Integer(required=True, **more)


def object_(**more: Any) -> fields.Dict:
    """Whatever the game says."""
    return fields.Dict(required=True, **more)


def listed(kind: fields.Field[Any] | type[Schema]) -> fields.List[Any]:
    """Always there, maybe empty."""
    return fields.List(kind if isinstance(kind, fields.Field) else fields.Nested(kind), required=True)

"""The schemas of requests about standing orders."""

from __future__ import annotations

from typing import Any

import msgspec
from marshmallow import Schema, ValidationError, fields, post_load, validate

from domain import orders
from domain.happenings import Rule
from domain.orders import COMPARED, PARTS
from service.matches import MATCHES
from service.web.inputs import one_of


class Compared(fields.Raw):
    """A field that is an integer, a text or a truth value."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if not isinstance(value, int | str | bool) or (isinstance(value, str) and len(value) > orders.LONGEST):
            raise ValidationError("Not a valid integer, text or truth value.")
        if isinstance(value, int) and not -orders.LARGEST <= value <= orders.LARGEST:
            raise ValidationError("Number too large.")
        return value


class ComparisonWanted(Schema):
    """A comparison of a value with a constant."""

    of = fields.String(
        required=True,
        validate=validate.Length(1, 200),
        metadata={
            "description": "In `where` a field of the move. In `when` a path into your `view` of the match: names, and"
            " indexes from 0, with dots between; `me` stands for your own index, `size` for the length of a list."
        },
    )
    relation = one_of(*COMPARED, required=True)
    value = Compared(
        required=True,
        metadata={
            "type": ["integer", "string", "boolean"],
            "description": "Texts and truth values can only be equal or not. A text must be a word of the game.",
        },
    )


class PatternWanted(Schema):
    """Moves of one type whose fields pass the comparisons."""

    type = fields.String(
        required=True, validate=validate.Length(1, 64), metadata={"description": "The type, as in `GET …/moves`."}
    )
    where = fields.List(fields.Nested(ComparisonWanted), load_default=(), validate=validate.Length(max=PARTS))


def _patterns(least: int, **more: Any) -> fields.List[Any]:
    return fields.List(fields.Nested(PatternWanted), validate=validate.Length(least, PARTS), **more)


class OrderWanted(Schema):
    """A move that is made for you when you are asked: the one that fits the first pattern of `play` which fits exactly
    one legal move. The order does nothing if a legal move fits a pattern of `unless`, or if one of `when` is not true.
    """

    play = _patterns(1, required=True)
    unless = _patterns(0, load_default=())
    when = fields.List(fields.Nested(ComparisonWanted), load_default=(), validate=validate.Length(max=PARTS))

    @post_load
    def _rule(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {"rule": msgspec.convert(data, Rule)}


class OrdersDue(Schema):
    """Matches in which a player with orders is asked."""

    matches = fields.List(
        fields.String(validate=validate.Length(1, 64)), required=True, validate=validate.Length(1, MATCHES)
    )

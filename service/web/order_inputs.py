"""What is sent about standing orders."""

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
    """An integer, a text or a truth value, and of no other kind."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if not isinstance(value, int | str | bool) or (isinstance(value, str) and len(value) > orders.LONGEST):
            raise ValidationError("Not a valid integer, text or truth value.")
        if isinstance(value, int) and not -orders.LARGEST <= value <= orders.LARGEST:
            raise ValidationError("Number too large.")
        return value


class ComparisonWanted(Schema):
    """What is compared, and with what."""

    of = fields.String(
        required=True,
        validate=validate.Length(1, 200),
        metadata={
            "description": "In `where` a field of the move; in `when` the way to something in your `view` of the match,"
            " by names and places from 0 with dots between; `me` is your own place, `size` how many there are."
        },
    )
    relation = one_of(*COMPARED, required=True)
    value = Compared(
        required=True,
        metadata={
            "type": ["integer", "string", "boolean"],
            "description": "Texts and truth values are equal or not; a text is a word of the game.",
        },
    )


class PatternWanted(Schema):
    """Moves of a type, as far as their fields compare so."""

    type = fields.String(
        required=True, validate=validate.Length(1, 64), metadata={"description": "As `GET …/moves` has it."}
    )
    where = fields.List(fields.Nested(ComparisonWanted), load_default=(), validate=validate.Length(max=PARTS))


def _patterns(least: int, **more: Any) -> fields.List[Any]:
    return fields.List(fields.Nested(PatternWanted), validate=validate.Length(least, PARTS), **more)


class OrderWanted(Schema):
    """What is to be played for you when you are asked: the move that the first pattern of `play` fits which fits one
    legal move alone; not if a move is legal that a pattern of `unless` fits; and only if all of `when` is so.
    """

    play = _patterns(1, required=True)
    unless = _patterns(0, load_default=())
    when = fields.List(fields.Nested(ComparisonWanted), load_default=(), validate=validate.Length(max=PARTS))

    @post_load
    def _rule(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {"rule": msgspec.convert(data, Rule)}


class OrdersDue(Schema):
    """Matches in which somebody is asked who has orders."""

    matches = fields.List(
        fields.String(validate=validate.Length(1, 64)), required=True, validate=validate.Length(1, MATCHES)
    )

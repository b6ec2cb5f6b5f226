"""The schemas of requests about clocks, and about who plays a seat."""

from __future__ import annotations

from typing import Any

import msgspec
from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from bots import BOTS
from service.clock import NoDuration, format_duration, parse_duration
from service.clocks import firing
from service.matches import terms

TIMES = ("allowance", "claims", "bank", "defaults")
"""The fields that make a clock another one than its preset."""


class Duration(fields.String):
    """A duration by ISO 8601, which is read as milliseconds."""

    def __init__(self, least: int, most: int, **more: Any) -> None:
        self.least, self.most = least, most
        span = f"ISO 8601, {format_duration(least)} to {format_duration(most)}."
        super().__init__(metadata={"description": span, "format": "duration"}, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        try:
            length = parse_duration(super()._deserialize(value, attr, data, **more))
        except NoDuration as error:
            raise ValidationError(str(error)) from error
        if not self.least <= length <= self.most:
            raise ValidationError(f"From {format_duration(self.least)} to {format_duration(self.most)}.")
        return length


class ClockWanted(Schema):
    """The clock of a match: a preset (`GET /api/clocks`), your own times, or a preset with some of its times changed.

    `allowance` is the time for a decision, `claims` the time for an answer under seal (a third of `allowance` by
    default), `bank` the further time of each seat for all its decisions together. After `defaults` moves in a row that
    the clock made for a seat, `bot` plays for it; 0 for never. `resignation` says who plays a seat that was given up:
    that bot, or the rules with their default moves.
    """

    preset = fields.String(load_default=None, allow_none=True, validate=validate.OneOf(tuple(terms.PRESETS)))
    allowance = Duration(terms.LEAST, terms.MOST)
    claims = Duration(terms.LEAST, terms.MOST)
    bank = Duration(0, terms.MOST)
    defaults = fields.Integer(strict=True, validate=validate.Range(0, terms.MOST_DEFAULTS))
    bot = fields.String(validate=validate.OneOf(tuple(BOTS)))
    resignation = fields.String(validate=validate.OneOf((terms.BOT, terms.RULES)))

    @validates_schema
    def _one(self, data: dict[str, Any], **_: Any) -> None:
        if data["preset"] is None and "allowance" not in data:
            raise ValidationError("Send preset or allowance.")

    @post_load
    def _clock(self, data: dict[str, Any], **_: Any) -> terms.TimeControl:
        preset = data.pop("preset")
        if preset is not None:
            base = terms.PRESETS[preset]
            return msgspec.structs.replace(base, preset=None if set(TIMES) & set(data) else preset, **data)
        data.setdefault("claims", max(terms.LEAST, data["allowance"] // 3))
        return terms.TimeControl(**data)


def clock() -> fields.Nested:
    """Return the field for the clock of a match to be opened."""
    return fields.Nested(ClockWanted, load_default=None, allow_none=True)


class DueWanted(Schema):
    """Matches in which something may be due. With none, the request only shows that somebody looks after the clocks."""

    matches = fields.List(
        fields.String(validate=validate.Length(1, 64)), required=True, validate=validate.Length(0, firing.MATCHES)
    )


class VacationWanted(Schema):
    """The length of a vacation that begins now."""

    days = fields.Integer(required=True, strict=True, validate=validate.Range(1, 366))


class StandInWanted(Schema):
    """The bot that plays for you; null for the one with which the match was opened."""

    bot = fields.String(load_default=None, allow_none=True, validate=validate.OneOf(tuple(BOTS)))

"""The schemas of requests about messages at tables."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from service.talk import LENGTH, REASON, BadText, enforce
from service.web.inputs import EVENTS, MOST, NAME, SAFE, LinkQuery, PageQuery, number


class Text(fields.String):
    """A text, which is read in the form in which it is stored."""

    def __init__(self, most: int, **more: Any) -> None:
        super().__init__(validate=validate.Length(1, most), **more)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        try:
            return enforce(super()._deserialize(value, attr, data, **more), self._most)
        except BadText as error:
            raise ValidationError(str(error)) from error


class MessageWanted(Schema):
    """A message to send."""

    text = Text(LENGTH, required=True)


class ReportWanted(Schema):
    """A report of a message to the operator."""

    reason = Text(REASON, load_default=None, allow_none=True, metadata={"description": "The reason, in your words."})


class TalkQuery(LinkQuery):
    """The messages to list: those that are new or erased since then, or else the last ones."""

    since = number(0, SAFE)
    before = number(1, SAFE, SAFE)
    limit = number(1, EVENTS, MOST)


class ReportsQuery(PageQuery):
    """The part of the reports."""


class MuteWanted(Schema):
    """The player to mute: you don't see their messages any more."""

    player = fields.String(required=True, validate=validate.Length(1, NAME))

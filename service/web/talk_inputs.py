"""The shapes of what is said at a table, and asked about it."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from service.talk import LENGTH, REASON, BadText, enforce
from service.web.inputs import EVENTS, MOST, NAME, SAFE, LinkQuery, PageQuery, number


class Text(fields.String):
    """What is said: taken in the form in which it is kept."""

    def __init__(self, most: int, **more: Any) -> None:
        super().__init__(validate=validate.Length(1, most), **more)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        try:
            return enforce(super()._deserialize(value, attr, data, **more), self._most)
        except BadText as error:
            raise ValidationError(str(error)) from error


class MessageWanted(Schema):
    """Something to say."""

    text = Text(LENGTH, required=True)


class ReportWanted(Schema):
    """Why the operator is to look at it."""

    reason = Text(REASON, load_default=None, allow_none=True, metadata={"description": "In your words."})


class TalkQuery(LinkQuery):
    """Which messages: what is new or erased since then, or else the last ones."""

    since = number(0, SAFE)
    before = number(1, SAFE, SAFE)
    limit = number(1, EVENTS, MOST)


class ReportsQuery(PageQuery):
    """Which part of the reports."""


class MuteWanted(Schema):
    """Whom to hear nothing of."""

    player = fields.String(required=True, validate=validate.Length(1, NAME))

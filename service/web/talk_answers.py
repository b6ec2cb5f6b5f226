"""The shapes of answers about what is said at tables, for the OpenAPI document."""

from __future__ import annotations

from marshmallow import fields

from service.web.lobby_answers import Who
from service.web.shape import Shape, listed, text, whole


class Message(Shape):
    """Something that was said from a seat."""

    number = whole(metadata={"description": "In its match; it stays."})
    seat = whole()
    player = fields.Nested(
        Who, required=True, allow_none=True, metadata={"description": "Null: their account is gone."}
    )
    text = text(allow_none=True, metadata={"description": "Lines of plain text; null: it was erased."})
    at = fields.String(required=True, metadata={"format": "date-time"})


class Page(Shape):
    """Messages in the order in which they are to be read; with `since` also those that were erased since."""

    messages = listed(Message)
    since = whole(metadata={"description": "Ask with this `since` for what comes next."})
    before = whole(allow_none=True, metadata={"description": "Ask with this `before` for earlier ones; null: none."})
    more = fields.Boolean(required=True, metadata={"description": "Whether there is more since then already."})


class Report(Shape):
    """A message that somebody wants the operator to look at, as it was then."""

    at = fields.String(required=True, metadata={"format": "date-time"})
    match = text()
    number = whole()
    seat = whole()
    by = fields.Nested(Who, required=True)
    author = fields.Nested(Who, required=True, allow_none=True)
    reason = text()
    text = text(allow_none=True)


class Reports(Shape):
    """The oldest first."""

    reports = listed(Report)
    next = text(allow_none=True)


class Muted(Shape):
    """Somebody of whom you hear nothing."""

    player = fields.Nested(Who, required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})


class Mutes(Shape):
    """In the order in which you muted them."""

    mutes = listed(Muted)

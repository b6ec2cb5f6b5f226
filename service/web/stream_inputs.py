"""The schemas of requests for streams."""

from __future__ import annotations

from typing import Any

from marshmallow import EXCLUDE, Schema, fields, validate

from service.streams import MOST
from service.web import inputs

LAST = "Last-Event-ID"


def last(pattern: str, description: str) -> fields.String:
    """Return the field of the last id that the client has read, which browsers send when they reconnect."""
    more: dict[str, Any] = {"metadata": {"description": description}}
    return fields.String(data_key=LAST, load_default=None, validate=validate.Regexp(pattern), **more)


class MatchHeaders(Schema):
    """The place from which a match's stream continues."""

    class Meta:
        """Ignores other headers."""

        unknown = EXCLUDE

    last = last(
        r"^(0|[1-9][0-9]{0,14})(-end)?$",
        "For streams: the `id` of the last event that you have read. It replaces `after`.",
    )


class MyEventsQuery(inputs.Lang):
    """The part of your events: a page, or a stream, which has no limit."""

    after = fields.String(
        load_default=None,
        validate=validate.Length(1, 1000),
        metadata={"description": "The `cursor` of the last event that you have, or a page's `next`."},
    )
    limit = inputs.number(1, MOST, MOST)
    texts = fields.Boolean(load_default=True)


class MyEventsHeaders(Schema):
    """The place from which a player's stream continues."""

    class Meta:
        """Ignores other headers."""

        unknown = EXCLUDE

    last = last(r"^[A-Za-z0-9_-]{1,1000}$", "The `id` of the last event that you have. It replaces `after`.")

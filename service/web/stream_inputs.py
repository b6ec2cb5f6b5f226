"""The shapes of what is said of streams beside their queries."""

from __future__ import annotations

from typing import Any

from marshmallow import EXCLUDE, Schema, fields, validate

from service.streams import MOST
from service.web import inputs

LAST = "Last-Event-ID"


def last(pattern: str, description: str) -> fields.String:
    """The id of the last that was read, as a browser says it when it comes back."""
    more: dict[str, Any] = {"metadata": {"description": description}}
    return fields.String(data_key=LAST, load_default=None, validate=validate.Regexp(pattern), **more)


class MatchHeaders(Schema):
    """From where a match's stream goes on."""

    class Meta:
        """Of other headers nothing is said here."""

        unknown = EXCLUDE

    last = last(
        r"^(0|[1-9][0-9]{0,14})(-end)?$",
        "The `id` of the event that you have read last; before `after`, for streams.",
    )


class MyEventsQuery(inputs.Lang):
    """From where on, and how much of it: a page; a stream has no limit."""

    after = fields.String(
        load_default=None,
        validate=validate.Length(1, 1000),
        metadata={"description": "The `cursor` of what you were told last, or a page's `next`."},
    )
    limit = inputs.number(1, MOST, MOST)
    texts = fields.Boolean(load_default=True)


class MyEventsHeaders(Schema):
    """From where a player's stream goes on."""

    class Meta:
        """Of other headers nothing is said here."""

        unknown = EXCLUDE

    last = last(r"^[A-Za-z0-9_-]{1,1000}$", "The `id` of what you were told last; before `after`.")

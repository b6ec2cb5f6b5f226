"""The shapes of what is answered of films."""

from __future__ import annotations

from marshmallow import fields

from service.web.lobby_answers import status
from service.web.shape import Shape, listed, object_, text, whole


class Thought(Shape):
    """A decision that was answered."""

    seat = whole()
    asked = whole(metadata={"description": "The version at which the seat was asked."})
    milliseconds = whole(metadata={"description": "From there to the answer."})
    is_late = fields.Boolean(
        required=True, metadata={"description": "Whether the clock answered, since the seat did not."}
    )


class Film(Shape):
    """A match, event by event, as somebody saw it."""

    id = text()
    game = text()
    status = status()
    version = whole(metadata={"description": "The version of the last event."})
    seat = whole(allow_none=True, metadata={"description": "With whose eyes it is seen; null: nobody's, or all cards."})
    eyes = text(
        metadata={"description": "`seat`; `nobody`: what anybody saw; `all`: all cards open, of a match that is over."}
    )
    names = listed(fields.String())
    reel = object_(metadata={"description": "The events, and what the table showed after each."})
    thoughts = listed(Thought)
    forks = listed(fields.Integer())
    next = whole(allow_none=True, metadata={"description": "Where the next part begins: its `after`."})

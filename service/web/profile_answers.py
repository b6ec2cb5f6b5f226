"""The shapes of answers about players, for the OpenAPI document."""

from __future__ import annotations

from marshmallow import fields

from service.web.lobby_answers import MatchSummary, Result, Who
from service.web.shape import Shape, listed, text, whole
from service.web.statistics_answers import OwnResults


class Rival(Shape):
    """Whom somebody has met in matches: a player, or a bot of the house."""

    player = fields.Nested(Who, required=True, allow_none=True)
    bot = text(allow_none=True)
    matches = whole(metadata={"description": "In how many of the newest 200."})


class Profile(Who):
    """A player, and what they have reached."""

    owner = fields.Nested(
        Who, required=True, allow_none=True, metadata={"description": "Who has made the bot account; null: nobody."}
    )
    since = fields.String(required=True, metadata={"format": "date-time"})
    games = listed(OwnResults)
    against = listed(Rival)


class Played(MatchSummary):
    """A finished match of a player's."""

    seat = whole(metadata={"description": "Theirs."})
    place = whole(metadata={"description": "Theirs, 1 is the first; several may share it."})
    result = fields.Nested(Result, required=True)


class Matches(Shape):
    """A page of them."""

    matches = listed(Played)
    next = text(allow_none=True)

"""The shapes of what is counted of finished matches, for the OpenAPI document."""

from __future__ import annotations

from marshmallow import fields

from service.web.shape import Shape, listed, text, whole

FIRST = {"description": "How many were won as the only first."}
SHARED = {"description": "How many were ended as one of several firsts."}


class MoveNumbers(Shape):
    """How many moves matches took."""

    least = whole()
    most = whole()
    mean = fields.Float(required=True)


class Results(Shape):
    """What was reached in so many matches."""

    matches = whole()
    won = whole(metadata=FIRST)
    shared = whole(metadata=SHARED)
    points = fields.Float(required=True, metadata={"description": "Their mean."})


class SeatResults(Results):
    """Of whoever sat there."""

    seat = whole()


class BotResults(Results):
    """Of a bot, on whatever seat."""

    bot = text()


class PlayedTable(Shape):
    """Matches with so many seats."""

    seats = whole()
    matches = whole()
    moves = fields.Nested(MoveNumbers, required=True)
    by_seat = listed(SeatResults)
    by_bot = listed(BotResults)


class GameStatistics(Shape):
    """What is counted of a game, by number of seats."""

    game = text()
    tables = listed(PlayedTable)


class OwnResults(Results):
    """Of a player in a game with so many seats."""

    game = text()
    seats = whole()


class OwnStatistics(Shape):
    """What is counted of a player."""

    games = listed(OwnResults)

"""The shapes of answers to those who play for the bots, for the OpenAPI document."""

from __future__ import annotations

from marshmallow import fields

from service.web.shape import Shape, listed, object_, text, whole


class ToldEvent(Shape):
    """An event as a seat may read it: its public part, with the secrets put in that the seat may read."""

    type = text()
    schema = whole()
    public = object_()


class AskedBot(Shape):
    """A bot that is asked, with what its seat was told after the version that you know it up to."""

    seat = whole()
    decision = whole()
    bot = text()
    wait = fields.Float(
        required=True, metadata={"description": "Seconds until it may be answered; nothing is told before."}
    )
    after = whole()
    events = listed(ToldEvent)
    more = fields.Boolean(required=True, metadata={"description": "Whether there are more events than were told."})


class BotTurnTaken(Shape):
    """What came of a turn."""

    match = text()
    made = fields.Boolean(required=True, metadata={"description": "Whether the move counted."})
    problem = fields.String(
        required=True, allow_none=True, metadata={"description": "The code of what was wrong, if something was."}
    )
    bots = listed(AskedBot)


class BotTurnsTaken(Shape):
    """In the order in which they were asked for."""

    turns = listed(BotTurnTaken)

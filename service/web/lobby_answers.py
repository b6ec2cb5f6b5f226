"""The shapes of answers about matches as the lobby lists them, for the OpenAPI document."""

from __future__ import annotations

from marshmallow import fields

from service.store import LINK, PRIVATE, PUBLIC
from service.web.inputs import HOW, STATUSES, TALK, one_of
from service.web.shape import Shape, listed, text, whole


def status() -> fields.String:
    """Of a match."""
    return one_of(*STATUSES, required=True)


class Who(Shape):
    """A player, as others see them. Of one who is erased only the id is left, and no name."""

    id = text()
    name = text()
    kind = one_of("human", "bot", "erased", required=True)


class Conduct(Shape):
    """What became of a seat on the way, for fair ratings."""

    resigned = fields.Boolean(required=True, metadata={"description": "Its player gave it up for good."})
    by_clock = whole(metadata={"description": "How many moves the clock made for it."})
    handed_over = listed(
        fields.String(metadata={"description": "Why somebody else came to play for it, each time, in order."})
    )


class Chair(Shape):
    """Whose a seat is."""

    seat = whole()
    player = fields.Nested(Who, required=True, allow_none=True)
    bot = text(allow_none=True)
    stand_in = text(allow_none=True, metadata={"description": "The bot that plays for the player."})
    resigned = fields.Boolean(required=True, metadata={"description": "Its player gave it up for good."})
    reserved = fields.Nested(Who, required=True, allow_none=True)
    conduct = fields.Nested(
        Conduct, required=True, allow_none=True, metadata={"description": "Null until the match is over."}
    )


class Allowance(Shape):
    """How long seats may take."""

    allowance = text(metadata={"description": "For a decision; an ISO 8601 duration, like the next two."})
    claims = text(metadata={"description": "For an answer under seal, which costs no bank."})
    bank = text(metadata={"description": "What each seat has beside, for all its decisions together."})
    defaults = whole(metadata={"description": "Moves by the clock in a row after which a bot takes over; 0: never."})


class Points(Shape):
    """By seat."""

    points = listed(fields.Integer())
    ranking = listed(fields.Integer())


class Result(Points):
    """How a match ended that was played to its end."""

    winners = listed(fields.Integer(metadata={"description": "A seat that came first."}))


class Rematch(Shape):
    """Matches of the same players with other seats."""

    of = text(allow_none=True, metadata={"description": "The match whose rematch this is."})
    next = text(allow_none=True, metadata={"description": "The rematch of this one."})


def moment(about: str) -> fields.String:
    """A time, or null."""
    return fields.String(required=True, allow_none=True, metadata={"format": "date-time", "description": about})


class MatchSummary(Shape):
    """A match, as the lobby lists it."""

    id = text()
    game = text()
    status = status()
    visibility = one_of(PUBLIC, LINK, PRIVATE, required=True)
    created = fields.String(required=True, metadata={"format": "date-time"})
    talk = one_of(*TALK, required=True, metadata={"description": "Who hears what is said at the table."})
    clock = fields.Nested(
        Allowance, required=True, allow_none=True, metadata={"description": "Null: there is no hurry."}
    )
    moves_made = whole(metadata={"description": "How many."})
    moved = moment("When the last move was made; null: none was.")
    ended = moment("When it was over; null: it is not.")
    how = one_of(
        *HOW,
        required=True,
        allow_none=True,
        metadata={"description": "How it came to be over: played to its end, or why it was broken off."},
    )
    result = fields.Nested(Result, required=True, allow_none=True)
    rematch = fields.Nested(Rematch, required=True)
    seats = listed(Chair)


class Lobby(Shape):
    """A page of matches, the newest first."""

    matches = listed(MatchSummary)
    next = text(allow_none=True)


class Offer(Shape):
    """A seat whose player wants to pass it on to another player, or to leave it to a bot: one of `to` and `bot` is
    null.
    """

    match = text()
    game = text()
    seat = whole()
    by = fields.Nested(Who, required=True)
    to = fields.Nested(
        Who, required=True, allow_none=True, metadata={"description": "The player; null where it is offered to a bot."}
    )
    bot = text(allow_none=True, metadata={"description": "The bot, by its name; null where it is offered to a player."})
    accepted = fields.Boolean(required=True, metadata={"description": "By whom it is offered to; bots always do."})
    agreed = listed(fields.Integer(metadata={"description": "A seat that agrees; bots always do."}))
    at = fields.String(required=True, metadata={"format": "date-time"})


class Offers(Shape):
    """What is offered."""

    offers = listed(Offer)


class Link(Shape):
    """By what a match is found that is not in the lobby."""

    token = text(metadata={"description": "Say it as `link` in the query of what you ask about the match."})
    url = text(metadata={"format": "uri"})

"""The shapes of what is sent and answered: bodies and queries are checked against them, answers documented by them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from bots import BOTS
from domain.matches import Status
from service.accounts import SCOPES, mailboxes, names
from service.matches import turns
from service.store import LINK, PRIVATE, PUBLIC, RESULTS, SPEEDS
from service.web import clock_inputs
from service.web.reply import LANGS

STATUSES = tuple(status.value for status in Status)
TALK = ("seats", "after", "open", "none")
HOW = ("played", "agreement", "operator", "pause")
SAFE = (1 << 53) - 1
PAGE = 20
MOST = 100
EVENTS = 1000
WAIT = 30
NEWS, TURN = "news", "turn"
SEATS = 100
NAME = names.LENGTH


class Whole(fields.Integer):
    """An integer in JSON, where 4.0 is one and "4" and true are none."""

    def _validated(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
            raise self.make_error("invalid", input=value)
        return super()._validated(int(value))


def whole(least: int = 0, most: int = SAFE, **more: Any) -> Whole:
    """An integer in a body."""
    return Whole(validate=validate.Range(least, most), **more)


def number(least: int, most: int, default: int | None = None) -> fields.Integer:
    """An integer in a query."""
    return fields.Integer(load_default=default, validate=validate.Range(least, most))


def _is_in_calendar(moment: datetime) -> None:
    """A moment that has a date also in UTC."""
    try:
        moment.astimezone(UTC)
    except OverflowError:
        raise ValidationError("Not a valid datetime.") from None


class Name(fields.String):
    """What people call something: taken in the form in which it is kept."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        try:
            return names.enforce(super()._deserialize(value, attr, data, **more))
        except names.BadName as error:
            raise ValidationError(str(error)) from error


class Address(fields.Email):
    """A mail address that can be shown."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        said = super()._deserialize(value, attr, data, **more)
        if not names.is_text(said) or not mailboxes.is_reachable(said):
            raise self.make_error("invalid")
        return said


def name(**more: Any) -> Name:
    """A name in a body."""
    # the document tells the length from the validator
    return Name(validate=validate.Length(1, NAME), **more)


def one_of(*choices: str, **more: Any) -> fields.String:
    """One of these words."""
    return fields.String(validate=validate.OneOf(choices), **more)


class Lang(Schema):
    """In which language texts are told; Accept-Language where it is not said."""

    lang = one_of(*LANGS, load_default=None)


class TokenWanted(Schema):
    """A further token; without scopes it may do what the asking one may, but manage tokens."""

    name = name(load_default="token")
    scopes = fields.List(one_of(*SCOPES), load_default=None, allow_none=True, validate=validate.Length(max=len(SCOPES)))
    expires = fields.AwareDateTime(
        format="iso",
        load_default=None,
        allow_none=True,
        validate=_is_in_calendar,
        metadata={"description": "The moment from which it is refused; without one it lasts until it is revoked."},
    )


class PlaceWanted(Schema):
    """For a bot, or kept for a player; null is for anybody."""

    bot = fields.String(load_default=None, validate=validate.Length(1, NAME))
    player = fields.String(load_default=None, validate=validate.Length(1, NAME))

    @validates_schema
    def _one(self, data: dict[str, Any], **_: Any) -> None:
        if (data["bot"] is None) == (data["player"] is None):
            raise ValidationError("Say bot or player, or null instead of all of it.")


class SeatsWanted(Schema):
    """Whose the seats of a match are to be."""

    seats = fields.List(fields.Nested(PlaceWanted, allow_none=True), required=True, validate=validate.Length(1, SEATS))


class MatchWanted(SeatsWanted):
    """A match to open."""

    game = fields.String(required=True, validate=validate.Length(1, NAME))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    pack = fields.String(load_default=None, allow_none=True, validate=validate.Length(1, NAME))
    visibility = one_of(PUBLIC, LINK, PRIVATE, load_default=PUBLIC)
    clock = clock_inputs.clock()
    talk = one_of(
        *TALK,
        load_default=TALK[0],
        metadata={
            "description": "Who hears what is said at the table, beside the operator: who sits there; everybody who may"
            " look at the match once it is over, or at once; or nothing is said."
        },
    )


class ForkWanted(SeatsWanted):
    """A match to go on with: from which version, with as many seats as the match has; as visible as that one is,
    or less."""

    version = whole(1, SAFE, required=True)
    visibility = one_of(PUBLIC, LINK, PRIVATE, load_default=None, allow_none=True)
    clock = clock_inputs.clock()


class PageQuery(Lang):
    """Which part of a list."""

    limit = number(1, MOST, PAGE)
    cursor = fields.String(load_default=None)


class LobbyQuery(PageQuery):
    """Which matches."""

    game = fields.String(load_default=None)
    status = one_of(*STATUSES, load_default=None)
    seat = one_of("free", load_default=None)
    mine = fields.Boolean(load_default=False)
    player = fields.String(
        load_default=None, validate=validate.Length(1, NAME), metadata={"description": "By id: who plays in it."}
    )
    result = one_of(*RESULTS, load_default=None, metadata={"description": "What that player has reached in it."})
    how = one_of(*HOW, load_default=None, metadata={"description": "How it came to be over."})
    since = fields.AwareDateTime(
        format="iso",
        load_default=None,
        validate=_is_in_calendar,
        metadata={"description": "From when on it was over; the last one first, then."},
    )
    speed = one_of(
        *SPEEDS,
        load_default=None,
        metadata={"description": "What the clock allows for a decision: under an hour, under a day, a day or more."},
    )
    seats = number(1, SEATS)

    @validates_schema
    def _whose(self, data: dict[str, Any], **_: Any) -> None:
        if data["result"] is not None and data["player"] is None:
            raise ValidationError("Say of which player.", "result")


class LinkQuery(Lang):
    """By which link."""

    link = fields.String(
        load_default=None, metadata={"description": "What the link of a match says: it opens a match that has one."}
    )


class SeatQuery(LinkQuery):
    """From which seat: one's own unless it is said, and only who plays the bots may say another."""

    seat = number(0, SEATS)


class TurnsQuery(Schema):
    """Whether to wait, in seconds, until something waits for oneself."""

    wait = number(0, WAIT, 0)


def scene() -> fields.Boolean:
    """In a query: whether to tell how the table is drawn."""
    return fields.Boolean(
        load_default=False,
        metadata={"description": "Whether to tell the `scene` too: how the table is drawn, alike for all games."},
    )


class SceneQuery(SeatQuery):
    """From which seat, and whether to draw it."""

    scene = scene()


class WaitQuery(SceneQuery):
    """Whether to wait, in seconds, until there is something to be told; or, by `until`, until it is one's turn."""

    wait = number(0, WAIT, 0)
    until = one_of(NEWS, TURN, load_default=NEWS)


class TrialQuery(SeatQuery):
    """Which moves, from which seat."""

    moves = fields.String(
        load_default="",
        validate=validate.Length(max=4000),
        metadata={"description": "The ids of the moves that are tried, in their order, with commas between them."},
    )


class TouchQuery(TrialQuery):
    """And what was touched then."""

    touched = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        metadata={"description": "An id of the scene."},
    )


class EventsQuery(SeatQuery):
    """Which part of the log."""

    after = number(0, SAFE, 0)
    limit = number(1, EVENTS, MOST)
    private = fields.Boolean(load_default=False)
    texts = fields.Boolean(load_default=True)
    scenes = fields.Boolean(
        load_default=False,
        metadata={
            "description": "Whether to tell of each event the `scene` after it, as you may see it; null where the event"
            " left the table as it was. Not of private logs."
        },
    )


class NonceWanted(Schema):
    """What somebody who sits down adds to chance: 32 bytes, final for the seat."""

    nonce = fields.String(load_default="", validate=validate.Regexp(r"\A([0-9a-f]{64})?\Z"))


class SeatWanted(NonceWanted):
    """A seat to take; without a number the first free one. The nonce (32 bytes) is final for the seat."""

    seat = whole(0, SEATS, load_default=None, allow_none=True)


class InvitationWanted(Schema):
    """A free seat, and the player to keep it for; null is for nobody."""

    seat = whole(0, SEATS, required=True)
    player = fields.String(required=True, allow_none=True, validate=validate.Length(1, NAME))


class OfferWanted(Schema):
    """To whom a seat is offered: a bot or a player."""

    bot = one_of(*BOTS, load_default=None)
    player = fields.String(load_default=None, validate=validate.Length(1, NAME))

    @validates_schema
    def _one(self, data: dict[str, Any], **_: Any) -> None:
        if (data["bot"] is None) == (data["player"] is None):
            raise ValidationError("Say either bot or player.")


class Nothing(Schema):
    """No body, or an empty object: what can't be taken back is not done for somebody who meant another thing."""


class BotMove(Schema):
    """What a bot answers."""

    seat = whole(0, SEATS, required=True)
    decision = whole(0, SAFE, required=True)
    move = fields.Dict(keys=fields.String(), required=True)


class BotTurnWanted(Schema):
    """A match whose bots are played."""

    match = fields.String(required=True, validate=validate.Length(1, 64))
    known = fields.Dict(
        keys=fields.String(validate=validate.Regexp(r"\A(0|[1-9][0-9]?)\Z")),
        values=whole(0, SAFE),
        load_default=dict,
        metadata={"description": "By seat, the version up to which you know what it was told."},
    )
    move = fields.Nested(BotMove, load_default=None, allow_none=True)


class BotTurns(fields.List[Any]):
    """A list that is read in one go when there is nothing wrong with it: field by field it takes a fifth of a move."""

    def __init__(self) -> None:
        super().__init__(fields.Nested(BotTurnWanted), required=True, validate=validate.Length(1, turns.MATCHES))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        try:
            return msgspec.convert(value, tuple[turns.Turn, ...], str_keys=True)
        except msgspec.ValidationError:
            # what is wrong is said by field; or it is 4.0 where 4 was meant
            said = super()._deserialize(value, attr, data, **more)
            return msgspec.convert(said, tuple[turns.Turn, ...], str_keys=True)


class BotTurnsWanted(Schema):
    """Turns of bots, for those who play them."""

    turns = BotTurns()


class MoveWanted(Schema):
    """A move that answers a decision, by its id or by its fields; seat is for those who play the bots."""

    decision = whole(0, SAFE, required=True)
    id = fields.String(load_default=None, validate=validate.Length(1, 200))
    move = fields.Dict(keys=fields.String(), load_default=None)
    seat = whole(0, SEATS, load_default=None, allow_none=True)

    @validates_schema
    def _one(self, data: dict[str, Any], **_: Any) -> None:
        if (data["id"] is None) == (data["move"] is None):
            raise ValidationError("Say either id or move.")

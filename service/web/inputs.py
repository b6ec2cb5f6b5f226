"""The schemas of queries, and of bodies about seats, moves and messages, against which requests are checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from bots import BOTS, QUICK
from domain.texts import LANGS
from service.accounts import mailboxes, names
from service.clock import stamp
from service.matches import rows
from service.store import RESULTS, SPEEDS
from service.streams import MOST as ITEMS
from service.talk import LENGTH, REASON, enforce
from service.web.contract.operations import SAFE
from service.work import TURNS, Turn

PAGE = 20
MOST = 100
EVENTS = 1000
WAIT = 30
NEWS, TURN = "news", "turn"
SEATS = 100
NAME = names.LENGTH
LINE = r"\A([^,]*,){0,299}[^,]*\Z"
"""Matches at most 300 ids with commas between them."""
LAST = "Last-Event-ID"


class Whole(fields.Integer):
    """An integer in JSON: 4.0 is one, "4" and true are not."""

    def _validated(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
            raise self.make_error("invalid", input=value)
        return super()._validated(int(value))


def whole(least: int = 0, most: int = SAFE, **more: Any) -> Whole:
    """Return the field of an integer in a body."""
    return Whole(validate=validate.Range(least, most), **more)


def number(least: int, most: int, default: int | None = None) -> fields.Integer:
    """Return the field of an integer in a query."""
    return fields.Integer(load_default=default, validate=validate.Range(least, most))


class Truth(fields.Boolean):
    """A field that is true or false in JSON, and nothing else."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Instant(fields.AwareDateTime):
    """A moment, which is read in the form in which it is stored."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        try:
            return stamp(super()._deserialize(value, attr, data, **more))
        except OverflowError:
            # it has no date in UTC
            raise ValidationError("Not a valid datetime.") from None


class Enforced(fields.String):
    """A text, which is read in the form in which it is stored. `enforce` returns that form, or raises ValueError."""

    def __init__(self, enforce: Callable[[str], str], least: int, most: int, **more: Any) -> None:
        # the document gets the length from the validator
        super().__init__(validate=validate.Length(least, most), **more)
        self._enforce = enforce

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        try:
            return self._enforce(text)
        except ValueError as error:
            raise ValidationError(str(error)) from error


class Address(fields.Email):
    """A mail address with visible characters and a public domain."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        address = super()._deserialize(value, attr, data, **more)
        if not names.is_text(address) or not mailboxes.is_reachable(address):
            raise self.make_error("invalid")
        return address


def name(**more: Any) -> Enforced:
    """Return the field of a name in a body."""
    return Enforced(names.enforce, 1, NAME, **more)


def text(most: int, **more: Any) -> fields.String:
    """Return the field of a text of 1 to so many characters."""
    return fields.String(validate=validate.Length(1, most), **more)


def one_of(*choices: str, **more: Any) -> fields.String:
    """Return the field of one of these words."""
    return fields.String(validate=validate.OneOf(choices), **more)


class Lang(Schema):
    """The language of texts; by default that of Accept-Language."""

    lang = one_of(*LANGS, load_default=None)


class PageQuery(Lang):
    """The part of a list."""

    limit = number(1, MOST, PAGE)
    cursor = fields.String(load_default=None)


class LobbyQuery(PageQuery):
    """The matches to list."""

    game = fields.String(load_default=None)
    status = one_of(*rows.STATUSES, load_default=None)
    seat = one_of("free", load_default=None)
    """`free`: only open matches with a seat that is free, or kept for you."""
    mine = fields.Boolean(load_default=False)
    player = text(NAME, load_default=None)
    """A player in the match, by id."""
    result = one_of(*RESULTS, load_default=None)
    """The result of that player's seat, also if they have resigned and a bot has played on."""
    how = one_of(*rows.HOW, load_default=None)
    """How the match ended."""
    since = Instant(format="iso", load_default=None)
    """Only matches that ended since this moment, the last one first."""
    speed = one_of(*SPEEDS, load_default=None)
    """The clock's time for a decision: under an hour, under a day, or a day and more."""
    seats = number(1, SEATS)
    """Only matches with this number of seats."""

    @validates_schema
    def _whose(self, data: dict[str, Any], **_: Any) -> None:
        if data["result"] is not None and data["player"] is None:
            raise ValidationError("Name the player too.", "result")


class LinkQuery(Lang):
    """The link by which the asker found the match."""

    link = fields.String(load_default=None)
    """The token of a match's link, for a match that has one."""


class SeatQuery(LinkQuery):
    """The seat from which to look, by default your own; only those who play the bots may name another one."""

    seat = number(0, SEATS)


class TurnsQuery(Schema):
    """How long to wait, in seconds, for a turn of your own."""

    wait = number(0, WAIT, 0)


class MovesQuery(SeatQuery):
    """The seat from which to look, and how long to wait, in seconds, for a decision of your own."""

    wait = number(0, WAIT, 0)


class SceneQuery(SeatQuery):
    """The seat from which to look, and whether to return the scene."""

    scene = fields.Boolean(load_default=False)
    """Whether to return the `scene` too, the table as data for drawing."""


class WaitQuery(SceneQuery):
    """How long to wait, in seconds, for news of the match or, with `until`, for your turn."""

    wait = number(0, WAIT, 0)
    until = one_of(NEWS, TURN, load_default=NEWS)


class TrialQuery(SeatQuery):
    """The moves to try, and the seat that makes them."""

    moves = fields.String(load_default="", validate=validate.Length(max=4000))
    """The ids of the moves to try, in order, with commas between them; a `+` in an id is written `%2B`."""


class TouchQuery(TrialQuery):
    """The moves to try, and the thing that is touched after them."""

    touched = fields.String(load_default="", validate=validate.Length(max=200))
    """The id of the thing in the scene."""


class EventsQuery(SeatQuery):
    """The part of a log."""

    after = number(0, SAFE, 0)
    limit = number(1, EVENTS, MOST)
    private = fields.Boolean(load_default=False)
    texts = fields.Boolean(load_default=True)
    scenes = fields.Boolean(load_default=False)
    """Whether to return with each event the `scene` after it, as you may see it; null if the event left the table as it
    was. Private logs have no scenes."""
    beside = fields.Boolean(load_default=False)
    """Whether a stream also tells, by items with the members `beside` and `talk`, that something has changed which no
    event tells: who agrees to break the match off or to pause it, offers, kept seats and the rematch (`beside`, a
    mark), and for players messages at the table (`talk`, the number of their last change). The first one comes when
    the stream begins."""


class NonceWanted(Schema):
    """A player's part of the match's chance: 32 bytes, which can't be changed for the seat any more."""

    nonce = fields.String(load_default="", validate=validate.Regexp(r"\A([0-9a-f]{64})?\Z"))


class SeatWanted(NonceWanted):
    """A seat to take, by default the first free one. The nonce (32 bytes) can't be changed for the seat any more."""

    seat = whole(0, SEATS, load_default=None, allow_none=True)
    """The seat to take, from 0; null for the first one that you can take."""


class InvitationWanted(Schema):
    """A free seat, and the player for whom to keep it; null for nobody."""

    seat = whole(0, SEATS, required=True)
    player = text(NAME, required=True, allow_none=True)
    """The player for whom to keep the seat, by id; null for nobody."""


class OfferWanted(Schema):
    """The bot or player to whom a seat is offered."""

    bot = one_of(*BOTS, load_default=None)
    player = text(NAME, load_default=None)

    @validates_schema
    def _one(self, data: dict[str, Any], **_: Any) -> None:
        if (data["bot"] is None) == (data["player"] is None):
            raise ValidationError("Send either bot or player.")


class Nothing(Schema):
    """No body, or an empty object: anything else may be meant for another operation, and this can't be undone."""


class BotMove(Schema):
    """A bot's answer to a decision."""

    seat = whole(0, SEATS, required=True)
    decision = whole(0, SAFE, required=True)
    move = fields.Dict(keys=fields.String(), required=True)


class BotTurnWanted(Schema):
    """A match whose bots are played."""

    match = text(64, required=True)
    known = fields.Dict(
        keys=fields.String(validate=validate.Regexp(r"\A(0|[1-9][0-9]?)\Z")), values=whole(0, SAFE), load_default=dict
    )
    """By seat, the version up to which you have the seat's events."""
    move = fields.Nested(BotMove, load_default=None, allow_none=True)
    """The move to make; null for none."""


class BotTurns(fields.List[Any]):
    """A list of turns. A valid one is read by msgspec, since reading it by field takes a fifth of a move's time."""

    def __init__(self) -> None:
        super().__init__(fields.Nested(BotTurnWanted), required=True, validate=validate.Length(1, TURNS))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        try:
            return msgspec.convert(value, tuple[Turn, ...], str_keys=True)
        except msgspec.ValidationError:
            # marshmallow raises the errors by field, or reads 4.0 as 4
            plain = super()._deserialize(value, attr, data, **more)
            return msgspec.convert(plain, tuple[Turn, ...], str_keys=True)


class BotTurnsWanted(Schema):
    """Turns of bots, for those who play them."""

    turns = BotTurns()


class MoveWanted(Schema):
    """A move that answers a decision, by its id or by its fields; `seat` is for those who play the bots."""

    decision = whole(0, SAFE, required=True)
    id = text(200, load_default=None)
    """The move's id, as `GET …/moves` lists it."""
    move = fields.Dict(keys=fields.String(), load_default=None)
    seat = whole(0, SEATS, load_default=None, allow_none=True)
    """The bot's seat, if you play the bots; null for your own."""

    @validates_schema
    def _one(self, data: dict[str, Any], **_: Any) -> None:
        if (data["id"] is None) == (data["move"] is None):
            raise ValidationError("Send either id or move.")


def last(pattern: str) -> fields.String:
    """Return the field of the last id that the client has read, which browsers send when they reconnect."""
    return fields.String(data_key=LAST, load_default=None, validate=validate.Regexp(pattern))


class MatchHeaders(Schema):
    """The place from which a match's stream continues."""

    last = last(r"^(0|[1-9][0-9]{0,14})(-end)?$")
    """For streams: the `id` of the last event that you have read. It replaces `after`."""


class MyEventsQuery(Lang):
    """The part of your events: a page, or a stream, which has no limit."""

    after = text(1000, load_default=None)
    """The `cursor` of the last event that you have, or a page's `next`."""
    limit = number(1, ITEMS, ITEMS)
    texts = fields.Boolean(load_default=True)


class MyEventsHeaders(Schema):
    """The place from which a player's stream continues."""

    last = last(r"^[A-Za-z0-9_-]{1,1000}$")
    """The `id` of the last event that you have. It replaces `after`."""


class ChoiceQuery(SeatQuery):
    """The seat whose decisions are wanted, and the version after which."""

    after = number(0, SAFE, 0)


class WhatIfQuery(ChoiceQuery):
    """The seat and the version after which the line begins, and its moves."""

    moves = fields.String(load_default="", validate=[validate.Length(max=6000), validate.Regexp(LINE)])
    """The ids of the seat's moves, at most 300, with commas between them; a `+` in an id is written `%2B`."""
    bot = one_of(*QUICK, load_default="greedy")
    """The bot that plays for the other seats."""


class FilmQuery(ChoiceQuery):
    """Which part of a film, and as whom it is seen."""

    nobody = fields.Boolean(load_default=False)
    """Whether to show only what somebody without a seat saw."""


class MessageWanted(Schema):
    """A message to send."""

    text = Enforced(enforce, 1, LENGTH, required=True)
    """Lines of plain text."""


class ReportWanted(Schema):
    """A report of a message to the operator."""

    reason = Enforced(lambda text: enforce(text, REASON), 1, REASON, load_default=None, allow_none=True)
    """The reason, in your words."""


class TalkQuery(LinkQuery):
    """The messages to list: those that are new or erased since then, or else the last ones."""

    since = number(0, SAFE)
    before = number(1, SAFE, SAFE)
    limit = number(1, EVENTS, MOST)


class LessonLearnt(Schema):
    """The game whose lesson you have gone through."""

    game = text(NAME, required=True)


class MuteWanted(Schema):
    """The player to mute: you don't see their messages any more."""

    player = text(NAME, required=True)

"""The schemas of bodies about opening matches, their clocks, and standing orders."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from bots import BOTS
from domain import orders
from domain.happenings import Rule
from domain.orders import COMPARED, PARTS
from service.clock import DURATION, format_duration, parse_duration
from service.matches import Choice, OrderWish, Place, reviews, rows, terms
from service.store import LINK, PRIVATE, PUBLIC
from service.web.contract.operations import SAFE
from service.web.inputs import NAME, SEATS, Truth, one_of, text, whole
from service.work import CLOCKS, ORDERS, HintReport, ReviewReport

T = TypeVar("T")


class Duration(fields.String):
    """A duration by ISO 8601, which is read as milliseconds."""

    def __init__(self, least: int, most: int, **more: Any) -> None:
        self.least, self.most = least, most
        span = f"ISO 8601, {format_duration(least)} to {format_duration(most)}."
        super().__init__(metadata={"description": span, "pattern": DURATION}, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        try:
            length = parse_duration(super()._deserialize(value, attr, data, **more))
        except ValueError as error:
            raise ValidationError(str(error)) from error
        if not self.least <= length <= self.most:
            raise ValidationError(f"From {format_duration(self.least)} to {format_duration(self.most)}.")
        return length


class Few(fields.List[Any]):
    """A list of at most so many objects; a longer one is refused unread, since to read thousands takes a second."""

    def __init__(self, schema: type[Schema], least: int, most: int, *, may_be_null: bool = False, **more: Any) -> None:
        super().__init__(
            fields.Nested(schema, allow_none=may_be_null), validate=validate.Length(least or None, most), **more
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if isinstance(value, list):
            self._validate(value)
        return super()._deserialize(value, attr, data, **more)


class ClockWanted(Schema):
    """The clock of a match: a preset (`GET /api/clocks`), your own times, or a preset with some of its times changed.

    `allowance` is the time for a decision, `claims` the time for an answer under seal (a third of `allowance` by
    default), `bank` the additional time of each seat for all its decisions together. After `defaults` moves in a row
    that the clock made for a seat, `bot` plays for it; 0 for never. `resignation` says what happens when a seat is
    given up: `end` (the default) ends a match of two seats, which the other seat wins, and with more seats that bot
    plays on; `bot`: that bot plays on; `rules`: the rules play their default moves.
    """

    preset = one_of(*terms.PRESETS, load_default=None, allow_none=True)
    allowance = Duration(terms.LEAST, terms.MOST)
    claims = Duration(terms.LEAST, terms.MOST)
    bank = Duration(0, terms.MOST)
    defaults = whole(0, terms.MOST_DEFAULTS)
    bot = one_of(*BOTS)
    resignation = one_of(*terms.RESIGNATIONS)

    @validates_schema
    def _one(self, data: dict[str, Any], **_: Any) -> None:
        if data["preset"] is None and "allowance" not in data:
            raise ValidationError("Send preset or allowance.")

    @post_load
    def _clock(self, data: dict[str, Any], **_: Any) -> terms.TimeControl:
        preset = data.pop("preset")
        if preset is not None:
            has_own_times = {"allowance", "claims", "bank", "defaults"} & data.keys()
            return msgspec.structs.replace(terms.PRESETS[preset], preset=None if has_own_times else preset, **data)
        data.setdefault("claims", max(terms.LEAST, data["allowance"] // 3))
        return terms.TimeControl(**data)


class DueWanted(Schema):
    """Matches in which something may be due. With none, the request only shows that somebody looks after the clocks."""

    matches = fields.List(text(64), required=True, validate=validate.Length(0, CLOCKS))


class VacationWanted(Schema):
    """The length of a vacation that begins now."""

    days = whole(1, 366, required=True)


class StandInWanted(Schema):
    """The bot that plays for you; null for the one with which the match was opened."""

    bot = one_of(*BOTS, load_default=None, allow_none=True)


class PlaceWanted(Schema):
    """A seat for a bot or for a player; null for anybody."""

    bot = text(NAME, load_default=None)
    """The bot that sits there, by its name."""
    player = text(NAME, load_default=None)
    """The player for whom the seat is kept, by id."""

    @validates_schema
    def _one(self, data: dict[str, Any], **_: Any) -> None:
        if (data["bot"] is None) == (data["player"] is None):
            raise ValidationError("Send bot or player, or null for the whole seat.")


def seats() -> fields.List[Any]:
    """Return the field for who gets the seats of a match."""
    return Few(PlaceWanted, 1, SEATS, may_be_null=True, required=True)


class Opening(Schema):
    """A match to open, of which the seats are read as places."""

    clock = fields.Nested(ClockWanted, load_default=None, allow_none=True)

    @post_load
    def _places(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {**data, "seats": tuple(Place(**(seat or {})) for seat in data["seats"])}


class MatchWanted(Opening):
    """A match to open."""

    seats = seats()
    """Who gets the seats, in turn order: null stands for anybody."""
    game = text(NAME, required=True)
    options = fields.Dict(keys=fields.String(), load_default=dict)
    pack = text(NAME, load_default=None, allow_none=True)
    """The pack to play with, by its name; null for the game's first."""
    visibility = one_of(PUBLIC, LINK, PRIVATE, load_default=PUBLIC)
    talk = one_of(*rows.TALK, load_default=rows.TALK[0])
    """Who may read the messages at the table, besides the operator: those who sit there (`seats`); everybody who may
    see the match, once it is over (`after`) or at once (`open`); `none`: there are no messages."""


class ForkWanted(Opening):
    """A fork of a match: the version from which it continues, and who gets its seats, as many as the match has. It
    can't be more visible than the match."""

    seats = seats()
    """Who gets the seats, in turn order, as many as the match has: null stands for anybody."""
    version = whole(1, SAFE, required=True)
    """The version from which to continue; somebody must have been asked for a move there."""
    visibility = one_of(PUBLIC, LINK, PRIVATE, load_default=None, allow_none=True)
    """Who may look on; null for the same as in the match."""


class Compared(fields.Raw):
    """A field that is an integer, a text or a truth value."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int | str | bool):
            raise ValidationError("Not a valid integer, text or truth value.")
        if isinstance(value, str):
            validate.Length(max=orders.LONGEST)(value)
        if isinstance(value, int) and not -orders.LARGEST <= value <= orders.LARGEST:
            raise ValidationError("Number too large.")
        return value


class ComparisonWanted(Schema):
    """A comparison of a value with a constant."""

    of = text(200, required=True)
    """In `where` a field of the move. In `when` a path into your `view` of the match: names, and indexes from 0, with
    dots between; `me` stands for your own index, `size` for the length of a list."""
    relation = one_of(*COMPARED, required=True)
    value = Compared(
        required=True,
        metadata={
            "type": ["integer", "string", "boolean"],
            "minimum": -orders.LARGEST,
            "maximum": orders.LARGEST,
            "maxLength": orders.LONGEST,
        },
    )
    """Texts and truth values can only be equal or not. A text must be a word of the game."""


class PatternWanted(Schema):
    """Moves of one type whose fields pass the comparisons."""

    type = text(64, required=True)
    """The type, as in `GET …/moves`."""
    where = Few(ComparisonWanted, 0, PARTS, load_default=())


class AnswerAgain(Schema):
    """A move of your open decision, to be made again whenever only the kinds of moves are legal that are legal now."""

    decision = whole(0, SAFE, required=True)
    id = text(200, required=True)
    part = Truth(load_default=False)
    """Whether the order ends with the present part of the match (round or deal)."""


class OrderWanted(Schema):
    """A move that is made for you when you are asked: the one that fits the first pattern of `play` which fits exactly
    one legal move. The order does nothing if a legal move fits a pattern of `unless`, or if one of `when` is not true.
    In place of `play`, `unless` and `when` it can be `like` a move that is legal now.
    """

    play = Few(PatternWanted, 1, PARTS)
    unless = Few(PatternWanted, 0, PARTS, load_default=())
    when = Few(ComparisonWanted, 0, PARTS, load_default=())

    like = fields.Nested(AnswerAgain)
    once = Truth(load_default=False)
    """Whether it is a premove: it stands for your next decision alone, and ends with it also if it plays nothing."""

    @validates_schema
    def _either(self, data: dict[str, Any], **_: Any) -> None:
        if "like" not in data and "play" not in data:
            raise ValidationError({"play": ["Missing data for required field."]})
        if "like" in data and ("play" in data or data["unless"] or data["when"]):
            raise ValidationError({"like": ["Send like without play, unless and when."]})

    @post_load
    def _wanted(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        once, like = data.pop("once"), data.pop("like", None)
        if like is None:
            return {"order": OrderWish(rule=msgspec.convert(data, Rule), once=once)}
        choice = Choice(decision=like["decision"], id=like["id"])
        return {"order": OrderWish(like=choice, is_for_part=like["part"], once=once)}


class OrdersDue(Schema):
    """Matches in which a player with orders is asked."""

    matches = fields.List(text(64), required=True, validate=validate.Length(1, ORDERS))


def converted(data: dict[str, Any], kind: type[T]) -> T:
    """Return the data as that struct. Raises ValidationError."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise ValidationError(str(error)) from error


class ReviewWanted(Schema):
    """The seat whose decisions are to be reviewed."""

    seat = whole(0, SEATS, required=True)


class ReviewReported(Schema):
    """What a worker has found out about a seat."""

    seat = whole(0, SEATS, required=True)
    total = whole(0, SAFE, required=True)
    """How many decisions there are."""
    first = whole(0, SAFE, load_default=0)
    """The number of the first of `decisions`, from 0."""
    decisions = fields.List(fields.Dict(), load_default=list, validate=validate.Length(max=reviews.MOST))
    """What further decisions of the seat were worth."""
    account = fields.Dict(load_default=None, allow_none=True)
    """How the result came about, once all decisions are known."""
    failed = Truth(load_default=False)
    """Whether the worker gives up."""

    @post_load
    def _report(self, data: dict[str, Any], **_: Any) -> ReviewReport:
        return converted(data, ReviewReport)


class HintWanted(Schema):
    """The open decision for which a hint is wanted."""

    decision = whole(0, SAFE, required=True)


class HintReported(Schema):
    """What a worker thinks of a decision; with nothing weighed, it gives up."""

    seat = whole(0, SEATS, required=True)
    decision = whole(0, SAFE, required=True)
    weighed = fields.List(fields.Dict(), load_default=list, validate=validate.Length(max=reviews.MOST))
    """The moves that look best, the advised one first."""

    @post_load
    def _report(self, data: dict[str, Any], **_: Any) -> HintReport:
        return converted(data, HintReport)


class ThoughtsReported(Schema):
    """What a worker has found out about a match; with nothing found, it only asks what is wanted."""

    match = text(64, required=True)
    found = fields.List(fields.Nested(ReviewReported), load_default=list, validate=validate.Length(max=SEATS + 1))
    """What was found out about seats."""
    hints = fields.List(fields.Nested(HintReported), load_default=list, validate=validate.Length(max=SEATS + 1))
    """What is thought of decisions."""

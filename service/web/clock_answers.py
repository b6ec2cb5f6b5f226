"""The shapes of answers about time, for the OpenAPI document."""

from __future__ import annotations

from marshmallow import fields

from service.web.shape import Shape, listed, text, whole


class Clock(Shape):
    """A clock: durations in ISO 8601; see what is sent to open a match."""

    preset = text(allow_none=True)
    allowance = text(metadata={"format": "duration"})
    claims = text(metadata={"format": "duration"})
    bank = text(metadata={"format": "duration"})
    defaults = whole()
    bot = text()
    resignation = text()


class Clocks(Shape):
    """Those that have a name; after how many days a pause breaks a match off, and how many of vacation a year has."""

    clocks = listed(Clock)
    pause_days = whole()
    vacation_days = whole()


class MatchClock(Clock):
    """A match's clock, and what each seat has left in its bank."""

    banks = listed(fields.String(metadata={"format": "duration"}))


class Deadline(Shape):
    """When what a seat is asked is due. Under seal you are told of your own alone."""

    seat = whole()
    decision = whole()
    due = text(metadata={"format": "date-time"})


class Pausing(Shape):
    """Whether no time runs; `agreed`: the seats that wish the match paused, or resumed if it is."""

    paused = fields.Boolean(required=True)
    agreed = listed(fields.Integer())


class Looked(Shape):
    """A match whose clock was looked after; `problem`: why it could not be."""

    match = text()
    problem = text(allow_none=True)


class DueDone(Shape):
    """In the order in which they were asked for."""

    matches = listed(Looked)


class Away(Shape):
    """Until when you are on vacation, if you are; and the days of this year."""

    until = text(allow_none=True, metadata={"format": "date-time"})
    days_left = whole()
    days_a_year = whole()

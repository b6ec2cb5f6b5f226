"""A match as the lobby lists it: who sits there, how far it is, and how it ended."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from domain.matches import Status
from service import store
from service.durations import format_duration
from service.shapes import Moment, one_of
from service.store import Allowed, Entry, Who, lobby, people

STATUSES = tuple(status.value for status in Status)
TALK = ("seats", "after", "open", "none")
HOW = ("played", "agreement", "operator", "pause")


class Conduct(Struct, frozen=True):
    """What became of a seat on the way, for fair ratings."""

    resigned: bool
    """Its player gave it up for good."""
    by_clock: int
    """How many moves the clock made for it."""
    handed_over: list[str]
    """Why somebody else came to play for it, each time, in order."""


class Chair(Struct, frozen=True):
    """Whose a seat is."""

    seat: int
    player: Who | None
    bot: str | None
    stand_in: str | None
    """The bot that plays for the player."""
    resigned: bool
    """Its player gave it up for good."""
    reserved: Who | None
    """The player that the seat is kept for; null: for anybody."""
    conduct: Conduct | None
    """Null until the match is over."""


class Allowance(Struct, frozen=True):
    """How long seats may take."""

    allowance: str
    """For a decision; an ISO 8601 duration, like the next two."""
    claims: str
    """For an answer under seal, which costs no bank."""
    bank: str
    """What each seat has beside, for all its decisions together."""
    defaults: int
    """Moves by the clock in a row after which a bot takes over; 0: never."""


class Points(Struct, frozen=True):
    """By seat."""

    points: tuple[int, ...]
    """The points, by seat."""
    ranking: tuple[int, ...]
    """The place of each seat, from 1; those who share one have the same. The rules may go by more than points."""


class Result(Points, frozen=True):
    """How a match ended that was played to its end."""

    winners: list[int]
    """The seats that came first."""


class Rematch(Struct, frozen=True):
    """Matches of the same players with other seats."""

    of: str | None
    """The match whose rematch this is."""
    next: str | None
    """The rematch of this one."""


class MatchSummary(Struct, frozen=True, kw_only=True):
    """A match, as the lobby lists it."""

    id: str
    """The match's id."""
    game: str
    status: Annotated[str, one_of(*STATUSES)]
    visibility: lobby.Visibility
    created: Moment
    talk: Annotated[str, one_of(*TALK)]
    """Who hears what is said at the table."""
    clock: Allowance | None
    """Null: there is no hurry."""
    moves_made: int
    """How many."""
    moved: Moment | None
    """When the last move was made; null: none was."""
    ended: Moment | None
    """When it was over; null: it is not."""
    how: Annotated[str, one_of(*HOW)] | None
    """How it came to be over: played to its end, or why it was broken off."""
    result: Result | None
    """How it ended; null while it has not, and where it was broken off."""
    rematch: Rematch
    seats: list[Chair]
    """The seats, in turn order."""


def summary(entry: Entry) -> MatchSummary:
    """Return the match as the lobby lists it."""
    return MatchSummary(
        id=entry.id,
        game=entry.game,
        status=entry.status,
        visibility=entry.visibility,
        created=entry.created,
        talk=entry.talk or "seats",
        clock=None if entry.clock is None else allowance(entry.clock),
        moves_made=entry.moves or 0,
        moved=entry.moved,
        ended=entry.ended,
        how=entry.how,
        result=result(tuple(chair.points for chair in entry.chairs), tuple(chair.place for chair in entry.chairs)),
        rematch=Rematch(entry.origin, entry.rematch),
        seats=[chair(entry, each) for each in entry.chairs],
    )


def allowance(terms: Allowed) -> Allowance:
    """Return how long seats may take."""
    return Allowance(
        format_duration(terms.allowance), format_duration(terms.claims), format_duration(terms.bank), terms.defaults
    )


def result(points: tuple[int | None, ...], ranking: tuple[int | None, ...]) -> Result | None:
    """Return what the seats have reached; None where a match was not played to its end."""
    reached = tuple(number for number in points if number is not None)
    places = tuple(number for number in ranking if number is not None)
    if not points or len(reached) < len(points) or len(places) < len(ranking):
        return None
    return Result(reached, places, [seat for seat, place in enumerate(places) if place == 1])


def chair(entry: Entry, of: store.Chair) -> Chair:
    """Return whose a seat is, and once the match is over what became of it on the way."""
    return Chair(
        seat=of.seat,
        player=people.who(of.player, of.player_name, of.player_kind),
        bot=of.bot,
        stand_in=of.stand_in,
        resigned=of.resigned,
        reserved=people.who(of.reserved, of.reserved_name, of.reserved_kind),
        conduct=None if entry.ended is None else Conduct(of.has_quit, of.by_clock, of.handed.split()),
    )

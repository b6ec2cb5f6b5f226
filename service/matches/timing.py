"""The time of a match, as an asker may see it now."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict

from domain import deadlines, matches
from service.durations import format_duration
from service.matches import terms
from service.matches.deadlines import moment_of
from service.matches.look import Look
from service.shapes import Duration, Moment


class Clock(Struct, frozen=True):
    """A clock: durations in ISO 8601; see what is sent to open a match."""

    preset: str | None
    """The clock's name, as `GET /api/clocks` lists it; null: times of one's own."""
    allowance: Duration
    """The time for a decision, as an ISO 8601 duration."""
    claims: Duration
    """The time for an answer under seal, which costs no bank, as an ISO 8601 duration."""
    bank: Duration
    """What each seat has beside, for all its decisions together, as an ISO 8601 duration."""
    defaults: int
    """After how many moves in a row that the clock made for a seat a bot plays for it; 0: never."""
    bot: str
    resignation: str
    """Who plays on for a seat that is given up: `bot`, or `rules` by their default move."""


class MatchClock(Clock, frozen=True):
    """A match's clock, and what each seat has left in its bank."""

    banks: list[Duration]
    """What each seat has left in its bank."""


class Deadline(Struct, frozen=True):
    """When what a seat is asked is due. Under seal you are told of your own alone."""

    seat: int
    decision: int
    due: Moment


class Pausing(Struct, frozen=True):
    """Whether no time runs; `agreed`: the seats that wish the match paused, or resumed if it is."""

    paused: bool
    """Whether no time runs."""
    agreed: list[int]


def described(clock: terms.Clock) -> Clock:
    """Return a clock in the form in which one is requested."""
    return Clock(
        preset=clock.preset,
        allowance=format_duration(clock.allowance),
        claims=format_duration(clock.claims),
        bank=format_duration(clock.bank),
        defaults=clock.defaults,
        bot=clock.bot,
        resignation=clock.resignation,
    )


def clock(look: Look) -> MatchClock | None:
    """Return the clock of the match; None if it has none."""
    told, kept = look.state.clocks.terms, look.terms
    if told is None:
        return None
    full = terms.Clock(
        allowance=told.allowance,
        claims=told.claims,
        bank=told.bank,
        defaults=told.defaults,
        bot=kept.bot if kept else terms.STAND_IN,
        resignation="rules" if kept and kept.resignation == terms.RULES else "bot",
        preset=kept.preset if kept else None,
    )
    banks = [format_duration(deadlines.bank(look.state.clocks, chair.seat)) for chair in look.entry.chairs]
    return MatchClock(**asdict(described(full)), banks=banks)


def deadlines_of(look: Look) -> list[Deadline]:
    """Return the deadlines that the asker may know: under seal only their own."""
    state, game = look.state, look.log.game
    if not look.is_playable or state.clocks.terms is None or state.clocks.is_paused:
        return []
    deadlines_known = []
    for seat in matches.to_act(game, state):
        moment = moment_of(matches.due_of(game, state, seat))
        if moment and look.entry.chairs[seat].is_asked_itself:
            deadlines_known.append(Deadline(seat, matches.decision_of(game, state, seat), moment))
    return deadlines_known

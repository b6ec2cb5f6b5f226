"""The clock and the deadlines of a match, as an asker may see them now."""

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
    """A clock, in the form in which a match is opened with one."""

    preset: str | None
    """The clock's name, as `GET /api/clocks` lists it; null if it has none."""
    allowance: Duration
    """The time for a decision, as an ISO 8601 duration."""
    claims: Duration
    """The time for an answer under seal, which never costs time of the bank, as an ISO 8601 duration."""
    bank: Duration
    """The further time of each seat for all its decisions together, as an ISO 8601 duration."""
    defaults: int
    """The number of moves by the clock in a row after which a bot plays for the seat; 0 for never."""
    bot: str
    resignation: str
    """Who plays for a seat that is given up: `bot`, or `rules` with their default moves."""


class MatchClock(Clock, frozen=True):
    """A match's clock, with the time that each seat has left in its bank."""

    banks: list[Duration]
    """The time left in each seat's bank."""


class Deadline(Struct, frozen=True):
    """When an open decision is due. Under seal you see only your own deadline."""

    seat: int
    decision: int
    due: Moment


class Pausing(Struct, frozen=True):
    """Whether the match is paused; `agreed`: the seats that agree to pause it, or to resume it if it is paused."""

    paused: bool
    """Whether the match is paused: no clock runs then."""
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
    logged, kept = look.state.clocks.terms, look.terms
    if logged is None:
        return None
    full = terms.Clock(
        allowance=logged.allowance,
        claims=logged.claims,
        bank=logged.bank,
        defaults=logged.defaults,
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

"""Judges what may happen to a match's time and to who plays its seats. Each function returns events, or refuses.

The service knows what time it is, and passes in moments and durations as facts; these functions judge whether the facts
may be written down. Under seal a clock speaks to a seat in its private log only (`seal_rung`), and nobody comes or
goes, so that nothing shows who was asked. What the clock plays is `Game.default` of what the seat sees, by
`play.played` or `play.seal` with the cause `clock`; `check_default` checks it. What a bot plays for a seat that was
handed over is the seat's own move, and may be any legal one.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from domain import deadlines, matches
from domain import happenings as told
from domain.game import Game, Refusal, Seat
from domain.matches import PLAYING, Match, Status
from domain.play import CLOCK, SERVICE, DecisionClosed, Told, check_open

GRACE_PARTS = 5
"""The allowance divided by this is the grace of a player who comes to a seat that is already asked."""

CONCEDED = 2
"""The number of seats with which a match may be conceded: with more, nothing says who else should win."""

LEAST_GRACE = 60_000
"""The shortest grace in milliseconds, if the allowance is not shorter."""

LONGEST = 10**12
"""The longest duration in milliseconds, some 31 years; also the largest number of defaults in a row."""

_MOMENT = re.compile(r"(2\d{3})-(0[1-9]|1[0-2])-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BOT = re.compile(r"[a-z][a-z0-9-]{0,63}", re.ASCII)


def set_clock(state: Match[Any], terms: told.ClockSet) -> tuple[Told, ...]:
    """Return the event that sets the match's clock. Raises Refusal after the start, and for a second or bad clock."""
    if state.status != Status.OPEN:
        raise Refusal("", "not-open")
    if state.clocks.terms is not None:
        raise Refusal("", "clock-set")
    for name, least in (("allowance", 1), ("claims", 1), ("bank", 0), ("defaults", 0)):
        if not least <= getattr(terms, name) <= LONGEST:
            raise Refusal("", "clock-terms", name=name, least=least, most=LONGEST)
    return (Told(terms, SERVICE, state.moves),)


def set_deadline(game: Game[Any, Any, Any], state: Match[Any], seat: Seat, decision: int, due: str) -> tuple[Told, ...]:
    """Return the event that sets the deadline of the seat's open decision.

    Raises:  Refusal when that decision is not open, is answered under seal, or has a deadline.
    """
    _check_asked(game, state, seat, decision)
    if game.secret(state.table):
        raise Refusal("", "sealed")
    _check_new(game, state, seat, due)
    return (Told(told.DeadlineSet(seat=seat, decision=decision, due=due), CLOCK, state.moves),)


def seal_rung(game: Game[Any, Any, Any], state: Match[Any], seat: Seat, decision: int, due: str) -> Told:
    """Return the event that sets the deadline of a seat's answer under seal. It is for the seat's private log only.

    Raises:  Refusal when that decision is not open, is answered openly, or has a deadline.
    """
    _check_asked(game, state, seat, decision)
    _check_new(game, state, seat, due)
    rung = told.RungSealed(decision=decision, after=state.version, due=due)
    check_rung(game, state, seat, rung)
    return Told(rung, CLOCK, state.moves + 1)


def check_rung(game: Game[Any, Any, Any], state: Match[Any], seat: Seat, rung: told.RungSealed) -> None:
    """Check a deadline in the private log of a seat that owes an answer under seal, set now or earlier.

    Raises:  Refusal when it is for another decision, names an impossible version, or is not a moment.
    """
    if not game.secret(state.table):
        raise Refusal("", "not-sealed")
    now = matches.decision_of(game, state, seat)
    if rung.decision != now or not now:
        raise DecisionClosed(now)
    if not rung.decision <= rung.after <= state.version:
        raise Refusal("", "no-such-version", version=rung.after)
    _check_moment(rung.due)


def use_bank(
    game: Game[Any, Any, Any], state: Match[Any], seat: Seat, decision: int, spent: int, due: str
) -> tuple[Told, ...]:
    """Return the event with which the seat's bank pays for a later deadline of its open decision.

    Raises:  Refusal when there is no deadline, too little is left, or the new deadline is not later.
    """
    _check_asked(game, state, seat, decision)
    if game.secret(state.table):
        raise Refusal("", "sealed")
    before = matches.due_of(game, state, seat)
    if before is None:
        raise Refusal("", "no-deadline", seat=seat)
    left = deadlines.bank(state.clocks, seat)
    if not 1 <= spent <= left:
        raise Refusal("", "bank", seat=seat, left=left)
    _check_moment(due)
    if due <= before.at:
        raise Refusal("", "not-later", due=due)
    return (Told(told.BankUsed(seat=seat, decision=decision, spent=spent, due=due), CLOCK, state.moves),)


def extend_deadline(
    game: Game[Any, Any, Any],
    state: Match[Any],
    seat: Seat,
    decision: int,
    length: int,
    reason: Literal["vacation", "return", "passed"],
) -> tuple[Told, ...]:
    """Return the event that makes the deadline of this seat's open decision later.

    Raises:  Refusal when there is no deadline, under seal, or for an impossible length.
    """
    _check_asked(game, state, seat, decision)
    if game.secret(state.table):
        raise Refusal("", "sealed")
    if matches.due_of(game, state, seat) is None:
        raise Refusal("", "no-deadline", seat=seat)
    _check_length(length, 1)
    extended = told.DeadlineExtended(seat=seat, decision=decision, length=length, reason=reason)
    return (Told(extended, CLOCK, state.moves),)


def grace_of(terms: told.ClockSet) -> int:
    """Return the shortest time, in milliseconds, that a new player of a seat has for a decision already open."""
    return min(terms.allowance, max(terms.allowance // GRACE_PARTS, LEAST_GRACE))


def give_grace(
    game: Game[Any, Any, Any], state: Match[Any], seat: Seat, left: int, reason: Literal["return", "passed"]
) -> tuple[Told, ...]:
    """Return the event that gives the seat's new player a grace for its open decision, once for each decision.

    Shape:   `left`: the milliseconds that they have now, below 0 if the deadline has passed. () if no deadline runs,
             enough is left, or the decision has had its grace.
    Raises:  Refusal under seal.
    """
    decision, terms = matches.decision_of(game, state, seat), state.clocks.terms
    deadline = deadlines.open_deadline(state.clocks, seat, decision) if decision else None
    if terms is None or deadline is None or deadline.has_grace or state.clocks.is_paused:
        return ()
    length = grace_of(terms) - left
    return extend_deadline(game, state, seat, decision, length, reason) if length > 0 else ()


def check_time_runs(state: Match[Any]) -> None:
    """Check that the clock may act. Raises Refusal while the match is paused."""
    if state.clocks.is_paused:
        raise Refusal("", "paused")


def check_deadline(game: Game[Any, Any, Any], state: Match[Any], seat: Seat) -> None:
    """Check that the seat's decision can be overdue, or that nobody plays the seat. Under seal, deadlines are private.

    Raises:  Refusal in a match without a clock, and for an open decision without a deadline.
    """
    can_be_due = state.clocks.terms is not None
    if can_be_due and not game.secret(state.table):
        can_be_due = matches.due_of(game, state, seat) is not None
    if not can_be_due and seat not in state.clocks.resigned:
        raise Refusal("", "no-deadline", seat=seat)


def check_default(game: Game[Any, Any, Any], seen: Match[Any], seat: Seat, move: Any) -> None:
    """Check that the move is the one that the clock plays for a seat that is asked.

    Shape:   `seen` is what the seat was told.
    Raises:  Refusal when it is not `Game.default`.
    """
    if move != game.default(seen.table, seat):
        raise Refusal("", "not-default", seat=seat)


def hand_over(
    game: Game[Any, Any, Any],
    state: Match[Any],
    seat: Seat,
    bot: str,
    reason: Literal["absence", "resignation", "wish", "agreement"],
) -> tuple[Told, ...]:
    """Return the event after which a bot plays for the seat.

    Raises:  Refusal when a bot plays for it already, or the reason does not apply.
    """
    _check_seat(game, state, seat)
    if playing := matches.bot_of(state, seat):
        raise Refusal("", "handed-over", seat=seat, bot=playing)
    if not _BOT.fullmatch(bot):
        raise Refusal("", "bot-name", bot=bot)
    most = state.clocks.terms.defaults if state.clocks.terms else 0
    if reason == "absence" and not 0 < most <= deadlines.absences(state.clocks, seat):
        raise Refusal("", "not-absent", seat=seat)
    if (reason == "resignation") != (seat in state.clocks.resigned):
        raise Refusal("", "resigned" if seat in state.clocks.resigned else "not-resigned", seat=seat)
    actor = {"absence": CLOCK, "resignation": SERVICE, "wish": f"seat:{seat}", "agreement": f"seat:{seat}"}[reason]
    return (Told(told.SeatHandedOver(seat=seat, bot=bot, reason=reason), actor, state.moves),)


def hand_back(game: Game[Any, Any, Any], state: Match[Any], seat: Seat) -> tuple[Told, ...]:
    """Return the event after which the seat's player plays again. Raises Refusal if no bot plays or they resigned."""
    _check_seat(game, state, seat)
    if seat in state.clocks.resigned:
        raise Refusal("", "resigned", seat=seat)
    if not matches.bot_of(state, seat):
        raise Refusal("", "not-handed-over", seat=seat)
    return (Told(told.SeatHandedBack(seat=seat), f"seat:{seat}", state.moves),)


def pass_on(game: Game[Any, Any, Any], state: Match[Any], seat: Seat) -> tuple[Told, ...]:
    """Return the event after which another player plays for the seat. Raises Refusal for a bot's or a resigned seat."""
    _check_seat(game, state, seat)
    if seat in state.clocks.resigned:
        raise Refusal("", "resigned", seat=seat)
    if playing := matches.bot_of(state, seat):
        raise Refusal("", "handed-over", seat=seat, bot=playing)
    return (Told(told.SeatPassedOn(seat=seat), f"seat:{seat}", state.moves),)


def resign(game: Game[Any, Any, Any], state: Match[Any], seat: Seat) -> tuple[Told, ...]:
    """Return the event with which the seat's player gives it up for good. Raises Refusal the second time."""
    _check_seat(game, state, seat)
    if seat in state.clocks.resigned:
        raise Refusal("", "resigned", seat=seat)
    return (Told(told.SeatResigned(seat=seat), f"seat:{seat}", state.moves),)


def concede(game: Game[Any, Any, Any], state: Match[Any], seat: Seat) -> tuple[Told, ...]:
    """Return the events with which the seat's player gives up a match of two: the other seat wins, whatever the points.

    Shape:   `state` is the truth, so that the points are those of the whole table.
    Raises:  Refusal under seal, with any other number of seats, and for a seat that was given up before.
    """
    _check_seat(game, state, seat)
    if (seats := len(state.taken)) != CONCEDED:
        raise Refusal("", "not-conceded", seats=seats)
    if seat in state.clocks.resigned:
        raise Refusal("", "resigned", seat=seat)
    assert state.secret is not None, "only who knows the match's secret ends it"
    finished = told.Finished(
        points=game.standing(state.table).points,
        ranking=tuple(2 if each == seat else 1 for each in range(seats)),
        secret=state.secret,
    )
    conceded = told.MatchConceded(seat=seat)
    return Told(conceded, f"seat:{seat}", state.moves), Told(finished, SERVICE, state.moves)


def pause(state: Match[Any], reason: Literal["agreement", "operator"]) -> tuple[Told, ...]:
    """Return the event that stops all clocks until the match resumes; moves may be made. Raises Refusal in a pause."""
    _check_running(state)
    check_time_runs(state)
    return (Told(told.Paused(reason=reason), SERVICE, state.moves),)


def resume(state: Match[Any], length: int) -> tuple[Told, ...]:
    """Return the event that ends a pause: all deadlines are later by its length. Raises Refusal without a pause."""
    _check_running(state)
    if not state.clocks.is_paused:
        raise Refusal("", "not-paused")
    _check_length(length, 0)
    return (Told(told.Resumed(length=length), SERVICE, state.moves),)


def extend(state: Match[Any], length: int) -> tuple[Told, ...]:
    """Return the event that makes all deadlines, also those under seal, later by the length of an outage.

    Raises:  Refusal while the match is paused, or for an impossible length.
    """
    _check_running(state)
    check_time_runs(state)
    _check_length(length, 1)
    return (Told(told.OutageExtended(length=length), SERVICE, state.moves),)


def _check_running(state: Match[Any]) -> None:
    if state.status is not PLAYING:
        raise Refusal("", f"match-{state.status}")


def _check_seat(game: Game[Any, Any, Any], state: Match[Any], seat: Seat) -> None:
    _check_running(state)
    if not 0 <= seat < len(state.taken):
        raise Refusal("", "no-such-seat", seat=seat, seats=len(state.taken))
    if game.secret(state.table):
        raise Refusal("", "window-open")


def _check_asked(game: Game[Any, Any, Any], state: Match[Any], seat: Seat, decision: int) -> None:
    _check_running(state)
    if not 0 <= seat < len(state.taken):
        raise Refusal("", "no-such-seat", seat=seat, seats=len(state.taken))
    check_time_runs(state)
    check_open(game, state, seat, decision)


def _check_new(game: Game[Any, Any, Any], state: Match[Any], seat: Seat, due: str) -> None:
    if matches.due_of(game, state, seat) is not None:
        raise Refusal("", "deadline-set", seat=seat)
    _check_moment(due)


def _check_moment(due: str) -> None:
    """Check that a moment is in this millennium and has the log's form. Raises Refusal."""
    if (parsed := _MOMENT.fullmatch(due)) is None:
        raise Refusal("", "no-moment", due=due)
    year, month, day = (int(parsed[part]) for part in (1, 2, 3))
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= day <= _DAYS[month - 1] + (month == 2 and is_leap):
        raise Refusal("", "no-moment", due=due)


def _check_length(length: int, least: int) -> None:
    if not least <= length <= LONGEST:
        raise Refusal("", "length", least=least, most=LONGEST)

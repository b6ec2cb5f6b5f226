"""How long seats thought, by the moments in the log."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec

from domain.matches import Cause, MoveMade
from replays.film import Film
from replays.log import TRUTH, Log


class Thought(msgspec.Struct, frozen=True):
    """A decision that was answered."""

    seat: int
    asked: int
    """The version at which the seat was asked."""
    milliseconds: int
    """From then to the answer."""
    is_late: bool
    """Whether the clock answered because the seat did not."""


def thoughts(log: Log, film: Film) -> tuple[Thought, ...]:
    """Return every decision whose answer the film's viewer knows, in the order in which they were asked.

    Who answered under seal is known when the match is over; until then each seat knows only its own answers.
    """
    return tuple(sorted((*_open(film), *_sealed(log, film)), key=lambda thought: (thought.asked, thought.seat)))


def _open(film: Film) -> Iterator[Thought]:
    for frame in film.frames:
        event = frame.event
        # a forced move answers no decision
        if isinstance(event, MoveMade) and event.cause is not Cause.FORCED:
            yield from _thought(film, event.seat, event.decision, frame.at, event.cause)


def _sealed(log: Log, film: Film) -> Iterator[Thought]:
    viewer = film.viewer
    seats = range(log.opening.seats) if viewer == TRUTH else () if viewer is None else (viewer,)
    for seat in seats:
        for stored in log.answers(seat):
            event = log.codec.decode(stored.type, stored.schema, stored.public, stored.secret)
            yield from _thought(film, seat, event.decision, stored.at, event.cause)


def _thought(film: Film, seat: int, asked: int, at: str, cause: Cause) -> Iterator[Thought]:
    # an answer that came meanwhile may belong to a version after the film's end
    if (waited := waited_for(film, asked, at)) is not None:
        yield Thought(seat=seat, asked=asked, milliseconds=waited, is_late=cause is Cause.CLOCK)


def waited_for(film: Film, asked: int, at: str) -> int | None:
    """Return the milliseconds from the version at which a seat was asked to its answer; None beyond the film."""
    if not 1 <= asked <= film.head:
        return None
    # moments of a private log and of the match's log are not in one order, so the difference may be below 0
    return max(0, milliseconds(at) - milliseconds(film.frame(asked).at))


def milliseconds(at: str) -> int:
    """Return a moment of the log as milliseconds since 1970."""
    return round(datetime.fromisoformat(at).timestamp() * 1000)

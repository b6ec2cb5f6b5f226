"""What a webhook can be told of: little, and nothing that its account can't ask for.

A notice is a statement for the transaction of what it tells about; where nobody listens it writes nothing. `at` is when
it happened, as the match's log tells it; `now` is when it is noted, by the clock by which it is sent.
"""

from __future__ import annotations

from typing import Any

import msgspec

from events.store import Statement
from service.ids import digest
from service.store import webhooks

TURN, STARTED, FINISHED = "turn", "match.started", "match.finished"
INVITATION, REMINDER = "invitation", "reminder"
KINDS = (TURN, STARTED, FINISHED, INVITATION, REMINDER)
"""What can be asked for."""

PING = "ping"
"""Sent when the owner wants to see whether it arrives."""

ABOUT_A_DECISION = frozenset({TURN, REMINDER})
"""Told as long as the decision is open."""


def turn(match: str, game: str, player: str, seat: int, decision: int, at: str, now: str) -> Statement:
    """The player is asked. When the answer is due is put in when it is sent: a clock may have moved it by then."""
    return _note(TURN, match, game, player, at, now, seat=seat, decision=decision)


def reminder(match: str, game: str, player: str, seat: int, decision: int, at: str) -> Statement:
    """The player's answer is due before long."""
    return _note(REMINDER, match, game, player, at, at, seat=seat, decision=decision)


def started(match: str, game: str, player: str, seat: int, at: str, now: str) -> Statement:
    """A match in which the player sits has started."""
    return _note(STARTED, match, game, player, at, now, seat=seat)


def finished(match: str, game: str, player: str, seat: int, at: str, status: str, result: Any, now: str) -> Statement:
    """A match in which the player sits is over; `result`: points and ranking, None where it was broken off."""
    return _note(FINISHED, match, game, player, at, now, seat=seat, more={"status": status, "result": result})


def invitation(match: str, game: str, player: str, seat: int, at: str, now: str) -> Statement:
    """A seat is kept for the player; told once a seat, however often it is taken back and given again."""
    return _note(INVITATION, match, game, player, at, now, seat=seat)


def _note(
    kind: str,
    match: str,
    game: str,
    player: str,
    at: str,
    now: str,
    *,
    seat: int,
    decision: int | None = None,
    more: dict[str, Any] | None = None,
) -> Statement:
    about = {"match": match, "game": game, "seat": seat, "decision": decision, **(more or {})}
    body = msgspec.json.encode({name: value for name, value in about.items() if name != "decision" or decision})
    # the same notice has the same key, whoever notes it and however often
    key = digest(f"{kind} {match} {seat} {decision or ''}")[:24]
    open_until = decision if kind in ABOUT_A_DECISION else None
    return webhooks.note(match, player, kind, key, body.decode(), at, now, seat, open_until)

"""A match as the lobby lists it: who sits there, how far it is, and once it is over how it ended and came to."""

from __future__ import annotations

from typing import Any

from service.durations import format_duration
from service.store import Allowed, Chair, Entry


def summary(entry: Entry) -> dict[str, Any]:
    """A match as the lobby lists it."""
    return {
        "id": entry.id,
        "game": entry.game,
        "status": entry.status,
        "visibility": entry.visibility,
        "created": entry.created,
        "talk": entry.talk or "seats",
        "clock": None if entry.clock is None else clock(entry.clock),
        "moves_made": entry.moves or 0,
        "moved": entry.moved,
        "ended": entry.ended,
        "how": entry.how,
        "result": result(tuple(chair.points for chair in entry.chairs), tuple(chair.place for chair in entry.chairs)),
        "rematch": {"of": entry.origin, "next": entry.rematch},
        "seats": [seat(entry, chair) for chair in entry.chairs],
    }


def clock(terms: Allowed) -> dict[str, Any]:
    """How long seats may take."""
    return {
        "allowance": format_duration(terms.allowance),
        "claims": format_duration(terms.claims),
        "bank": format_duration(terms.bank),
        "defaults": terms.defaults,
    }


def result(points: tuple[int | None, ...], ranking: tuple[int | None, ...]) -> dict[str, Any] | None:
    """What the seats have reached; None where a match was not played to its end."""
    if None in points or None in ranking or not points:
        return None
    winners = [seat for seat, place in enumerate(ranking) if place == 1]
    return {"points": points, "ranking": ranking, "winners": winners}


def seat(entry: Entry, chair: Chair) -> dict[str, Any]:
    """Whose a seat is, and once the match is over what became of it on the way."""
    return {
        "seat": chair.seat,
        "player": who(chair.player, chair.player_name, chair.player_kind),
        "bot": chair.bot,
        "stand_in": chair.stand_in,
        "resigned": chair.resigned,
        "reserved": who(chair.reserved, chair.reserved_name, chair.reserved_kind),
        "conduct": None if entry.ended is None else conduct(chair),
    }


def who(player: str | None, name: str | None, kind: str | None) -> dict[str, Any] | None:
    """A player, as others see them; None is nobody."""
    return None if player is None else {"id": player, "name": name, "kind": kind}


def conduct(chair: Chair) -> dict[str, Any]:
    """What a fair rating needs to know of a seat."""
    return {"resigned": chair.has_quit, "by_clock": chair.by_clock, "handed_over": chair.handed.split()}

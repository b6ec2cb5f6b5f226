"""A new match that continues a finished one, with the same hidden cards (docs/log.md, "Forks")."""

from __future__ import annotations

from bisect import bisect
from typing import Any

from domain import matches, play
from domain.game import Refusal
from domain.matches import Match
from domain.play import Told
from replays.log import TRUTH, Log


def fork(log: Log, version: int, secret: str) -> tuple[tuple[Told, ...], Match[Any]]:
    """Return the events that open a fork of the match at that version, and the fork after them, with all seats free.

    Shape:   `secret` is the fork's own, 32 bytes as hexadecimal digits.
    Raises:  Refusal when the match is not over, or nobody was asked at that version; OtherRules.
    """
    log.need_own_rules()
    if not log.is_over:
        raise Refusal("", "match-not-over")
    head = log.store.head(log.id).version
    if not 1 <= version < head:
        raise Refusal("", "fork-point", match=log.id, version=version)
    *events, following = log.events(TRUTH, 0, version + 1)
    parent = matches.fold(log.game, matches.begin(log.game, log.pack.pack, events[0]), events[1:])
    return play.fork_match(
        log.game,
        log.pack.pack,
        parent,
        [event for event in events if not isinstance(event, matches.EVENTS)],
        following,
        id=log.id,
        hash=log.store.read(log.id, version - 1, 1)[0].hash.hex(),
        secret=secret,
    )


def points(log: Log) -> tuple[int, ...]:
    """Return the versions from which one can continue: those at which somebody was asked for a move."""
    events = log.events(TRUTH)
    started = next((at for at, event in enumerate(events) if isinstance(event, matches.Started)), len(events))
    return tuple(at for at, event in enumerate(events) if at > started and matches.begins_move(event))


def nearest(log: Log, version: int) -> tuple[int, ...]:
    """Return the last such version before that one and the first after it, as far as they exist."""
    known = points(log)
    after = bisect(known, version)
    return known[max(0, after - 1) : after + 1]

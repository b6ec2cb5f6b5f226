"""The follower that notes what webhooks are to be told of a match, when its log has grown.

It looks at who is asked then and not at what the event says, so it may be late and told twice: a decision that was
answered meanwhile is nobody's turn any more, and a notice is noted once. A notice is due by the clock of the day, not
at the event's moment, which lies ahead after the clock was set back. Private logs tell it nothing. Under seal each
player is told of their own decision and of nobody else's, and nothing is written that another one could see.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.matches import FINISHED, LAST, OPENED, STARTED
from events.envelope import Stored
from events.store import Reader, Statement
from service import clock
from service.store import Entry, Lobby, Ordered, Webhooks, notices

OURS = "match/"
"""Before the types of a match's own events: one of them begins whatever is stored at once."""

PLAYER = "player:"


class _Result(msgspec.Struct, frozen=True):
    points: tuple[int, ...]
    ranking: tuple[int, ...]


class Noting:
    """See `followers.Handler`."""

    name = "webhooks"

    def __init__(self, log: Reader, now: clock.Now = clock.now) -> None:
        self._log = log
        self._now = now
        self._lobby = Lobby(log)
        self._webhooks = Webhooks(log)
        self._ordered = Ordered(log)

    def effect(self, event: Stored) -> Iterable[Statement]:
        """See `Handler.effect`."""
        match, _, seat = event.stream.partition("/")
        if seat or not event.type.startswith(OURS):
            return ()
        told = self._turns(match, event) if event.type not in LAST else []
        if event.type in {OPENED, STARTED, *LAST} and (entry := self._lobby.find(match)) is not None:
            told += self._stages(entry, event)
        return told

    def _turns(self, match: str, event: Stored) -> list[Statement]:
        """Whose turn it is now."""
        asked = [one for one in self._log.decisions(PLAYER, match) if one.match == match]
        if asked and (ordered := self._ordered.asked(match)):
            # they are asked when their orders say nothing: then it is noted
            asked = [one for one in asked if one.seat not in ordered]
        heard = [one for one in asked if self._webhooks.listens(one.who.removeprefix(PLAYER))]
        if not heard or (entry := self._lobby.find(match)) is None:
            return []
        now = clock.stamp(self._now())
        return [
            notices.turn(match, entry.game, one.who.removeprefix(PLAYER), one.seat, one.since, event.at, now)
            for one in heard
        ]

    def _stages(self, entry: Entry, event: Stored) -> list[Statement]:
        """To whom it is told that the match was opened, has started or is over."""
        now = clock.stamp(self._now())
        if event.type == OPENED:
            invited = [(chair.seat, chair.reserved) for chair in entry.chairs if chair.is_free]
            return [
                notices.invitation(entry.id, entry.game, player, seat, event.at, now)
                for seat, player in invited
                if player is not None and player != entry.creator and self._webhooks.listens(player)
            ]
        here = [(chair.seat, chair.player) for chair in entry.chairs]
        seated = [(seat, player) for seat, player in here if player is not None and self._webhooks.listens(player)]
        if event.type == STARTED:
            return [notices.started(entry.id, entry.game, player, seat, event.at, now) for seat, player in seated]
        status, result = "aborted", None
        if event.type == FINISHED:
            status, result = "finished", msgspec.to_builtins(msgspec.json.decode(event.public, type=_Result))
        return [
            notices.finished(entry.id, entry.game, player, seat, event.at, status, result, now)
            for seat, player in seated
        ]

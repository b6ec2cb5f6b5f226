"""The follower that stores notices when the log of a match has grown, for every channel.

It looks up who is asked at that moment, and does not trust the event for that. So it may run late, and may see an event
twice: a decision that was answered meanwhile is nobody's turn, and a notice is stored once. A notice is due by the
clock of the day, because the event's moment is in the future after the clock was set back. Private logs are ignored.
Under seal each player is told about their own decision only, and nothing is stored that others could see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from domain.matches import FINISHED, HANDED_OVER, LAST, OPENED, STARTED
from events.chain import Stored
from events.store import Reader, Statement
from service import clock
from service.store import Lobby, Notice, Ordered, notices

OURS = "match/"
"""The prefix of the types of a match's own events: whatever is stored at once begins with one of them."""

PLAYER = "player:"


class Noting:
    """The handler that stores notices: see `followers.Handler`."""

    name = "notices"

    def __init__(self, log: Reader) -> None:
        self._log = log
        self._lobby = Lobby(log)
        self._ordered = Ordered(log)

    def effect(self, event: Stored) -> Iterable[Statement]:
        """See `Handler.effect`."""
        match, _, seat = event.stream.partition("/")
        if seat or not event.type.startswith(OURS):
            return ()
        now = clock.now()
        return [
            statement
            for notice in (*self._turns(match, event), *self._news(match, event))
            for statement in notices.note(notice, now)
        ]

    def _turns(self, match: str, event: Stored) -> Iterator[Notice]:
        """Return notices for those whose turn it is, by the open decisions: under seal the log does not say it."""
        if event.type in LAST:
            return
        asked = list(self._log.decisions(PLAYER, match))
        if asked and (ordered := self._ordered.asked(match)):
            # their orders may answer; if they do not, the notice is stored then
            asked = [decision for decision in asked if decision.seat not in ordered]
        heard = [decision for decision in asked if notices.listens(self._log, decision.who.removeprefix(PLAYER))]
        if not heard or (entry := self._lobby.find(match)) is None:
            return
        for decision in heard:
            player = decision.who.removeprefix(PLAYER)
            yield Notice(notices.TURN, match, entry.game, player, decision.seat, event.at, decision.since)

    def _news(self, match: str, event: Stored) -> Iterator[Notice]:
        """Return notices that the match was opened for somebody, has started or is over, or that a bot plays there."""
        if event.type not in {OPENED, STARTED, HANDED_OVER, *LAST} or (entry := self._lobby.find(match)) is None:
            return
        more, mark = dict[str, Any](), ""
        public = msgspec.json.decode(event.public)
        if event.type == HANDED_OVER:
            # a seat may be handed over again
            kind, mark = notices.STAND_IN, str(event.version)
            chair = entry.chairs[public["seat"]]
            whom = [(chair.seat, chair.player)] if chair.stand_in and public["reason"] == "absence" else []
        elif event.type == OPENED:
            kind = notices.INVITATION
            whom = [(chair.seat, chair.reserved) for chair in entry.chairs if chair.is_free]
            whom = [(seat, player) for seat, player in whom if player != entry.creator]
        else:
            kind = notices.STARTED if event.type == STARTED else notices.FINISHED
            whom = [(chair.seat, chair.player) for chair in entry.chairs]
        if event.type == FINISHED:
            more = {"status": "finished", "result": {name: public[name] for name in ("points", "ranking")}}
        elif event.type in LAST:
            more = {"status": "aborted", "result": None}
        for seat, player in whom:
            if player is not None and notices.listens(self._log, player):
                yield Notice(kind, match, entry.game, player, seat, event.at, more=more, mark=mark)

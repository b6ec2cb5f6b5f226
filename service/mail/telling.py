"""The follower that notes what is to be told by mail: whose turn it is, what has begun, and what is over.

What a mail says is found out when it is sent. Here it is noted once that there is something to say, for players who
want to know, in rows that nobody else is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from domain.matches import LAST, OPENED, STARTED
from events.envelope import Stored
from events.store import Reader, Statement, match_of
from service import clock
from service.store import Entry, Lobby, Tiding, mailing, tidings

NEWS_LASTS = timedelta(days=3)
"""How old an event may be that is told as news: who begins to send mails tells no old ones."""

PLAYER = "player:"

OURS = "match/"
"""Before the types of a match's own events."""


class Telling:
    """See `Handler`."""

    name = "mail"

    def __init__(self, log: Reader, after: float, now: clock.Now = clock.now) -> None:
        """`after`: seconds for which a turn must wait before it is told."""
        self._log = log
        self._lobby = Lobby(log)
        self._after = timedelta(seconds=after)
        self._now = now

    def effect(self, event: Stored) -> Iterable[Statement]:
        """See `Handler.effect`."""
        match = match_of(event.stream)
        # one of them begins whatever is stored at once; private logs ask nobody
        if event.stream != match or not event.type.startswith(OURS):
            return ()
        told = [tidings.clear_tidings(match)] if event.type in LAST else list(self._turns(match))
        if event.type in {OPENED, STARTED, *LAST} and self._is_new(event):
            told.extend(self._news(event))
        return told

    def _is_new(self, event: Stored) -> bool:
        return self._now() - datetime.fromisoformat(event.at) < NEWS_LASTS

    def _turns(self, match: str) -> Iterable[Statement]:
        """Who is asked now. That is found in the open decisions: under seal the log does not say it."""
        at = clock.stamp(self._now())
        due = clock.stamp(self._now() + self._after)
        for one in self._log.decisions(PLAYER, match):
            player = one.who.removeprefix(PLAYER)
            wishes = mailing.wishes_of(self._log, player)
            if wishes is not None and wishes.turns == mailing.EACH and not wishes.stopped:
                yield tidings.note(Tiding(match, tidings.TURN, one.seat, player, one.since, at, due))

    def _news(self, event: Stored) -> Iterable[Statement]:
        entry = self._lobby.find(event.stream)
        if entry is None:
            return
        if event.type == OPENED:
            yield from self._each(event, entry, tidings.INVITED, lambda chair: chair.reserved)
        elif event.type == STARTED:
            yield from self._each(event, entry, tidings.STARTED, lambda chair: chair.player)
        else:
            yield from self._each(event, entry, tidings.FINISHED, lambda chair: chair.player)

    def _each(self, event: Stored, entry: Entry, kind: str, whom: Callable[..., str | None]) -> Iterable[Statement]:
        at = clock.stamp(self._now())
        for chair in entry.chairs:
            player = whom(chair)
            is_self = kind == tidings.INVITED and player == entry.creator
            wishes = mailing.wishes_of(self._log, player) if player and not is_self else None
            if player and wishes is not None and wishes.news and not wishes.stopped:
                due = tidings.DIGEST if wishes.turns == mailing.DIGEST else at
                yield tidings.note(Tiding(entry.id, kind, chair.seat, player, event.version, at, due))

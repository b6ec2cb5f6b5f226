"""Saying something at a table, reading on, muting, reporting, erasing.

Who sits there talks, before the start, during play and after it. Whoever opened the match said who else reads it. None
of it is in the log, and none of it wakes who waits for the match: it knows nothing of what is asked under seal.
"""

from __future__ import annotations

from datetime import timedelta

import msgspec

from events.store import BrokenConstraint, NulInText, Store
from service import clock
from service.accounts import Accounts
from service.deeds import ADMIN, OF_OPERATOR, PLAY, READ, Asker, Deed
from service.limits import SETTINGS, TALK
from service.matches import Lobby, seat_of
from service.problems import Conflict, Forbidden, Malformed, Unknown
from service.store import Entry, Once, talk

SEATS, AFTER, OPEN, NONE = "seats", "after", "open", "none"

ERASABLE = timedelta(hours=24)
"""How long one's own message may be erased."""

MESSAGES = 500
"""How often a player says something in a match, at most."""

MUTES = 500
TRIES = 16
"""How often it is said again because somebody else did at that moment."""


class TalkPage(msgspec.Struct, frozen=True):
    """Messages in the order in which they are to be read."""

    messages: tuple[talk.Message, ...]
    since: int
    """The change after which to read on."""
    before: int | None
    """The number before which earlier ones are; None where there are none, or it was read on."""
    more: bool
    """Whether there is more to be read on at once."""


class Talk:
    """The use cases. They raise Problems and the store's errors."""

    def __init__(self, recorder: Store, found: Lobby, accounts: Accounts) -> None:
        self._recorder = recorder
        self._lobby = found
        self.front = accounts.front
        self._accounts = accounts
        self._now = accounts.front.now
        self._spoken = talk.Spoken(recorder)

    @Deed("say", (PLAY,), limits=(TALK,))
    def say(self, asker: Asker, match_id: str, text: str, *, once: Once | None = None) -> talk.Message:
        """Say something, from one's seat. Raises Unknown, Forbidden, Conflict."""
        self._audible(match_id, asker)
        number = int(self.front.do(once, lambda: self._say(match_id, asker, text, once)))
        return self._message(match_id, number)

    def _say(self, match_id: str, asker: Asker, text: str, once: Once | None) -> str:
        for _ in range(TRIES):
            seat = seat_of(self._audible(match_id, asker), asker)
            if seat is None:
                raise Forbidden("not-seated")
            if self._spoken.count(match_id, asker.player) >= MESSAGES:
                raise Conflict("talk-full", most=MESSAGES)
            number, at = self._spoken.last(match_id) + 1, clock.stamp(self._now())
            message = talk.Message(number, number, seat, asker.player, None, None, text, at)
            try:
                self.front.write(once, [talk.say(match_id, message)], str(number))
            except BrokenConstraint:
                # somebody else has said something at that moment, or the same request came twice
                if (before := self.front.answer(once)) is not None:
                    return before
                continue
            return str(number)
        raise Conflict("busy")

    def newest(self, match_id: str, asker: Asker, before: int, limit: int) -> TalkPage:
        """The last messages before that number. Raises Unknown, Forbidden, Conflict."""
        _check_reading(asker)
        self._audible(match_id, asker)
        # first: what changes meanwhile is told again by who reads on
        since = self._spoken.last(match_id)
        found = self._spoken.before(match_id, before, limit + 1)
        page = found[:limit]
        earlier = page[-1].number if len(found) > limit else None
        return TalkPage(self._heard(page[::-1], asker), since, earlier, more=False)

    def since(self, match_id: str, asker: Asker, change: int, limit: int) -> TalkPage:
        """What was said and what was erased after that change. Raises Unknown, Forbidden, Conflict."""
        _check_reading(asker)
        self._audible(match_id, asker)
        found = self._spoken.since(match_id, change, limit + 1)
        page = found[:limit]
        return TalkPage(self._heard(page, asker), page[-1].change if page else change, None, len(found) > limit)

    @Deed("eraseMessage", (PLAY, ADMIN), limits=(TALK,), is_silent=True)
    def erase(self, asker: Asker, match_id: str, number: int, *, once: Once | None = None) -> None:
        """Erase what one has said, as long as it may be, or as the operator anything. Twice is once.

        Raises:  Unknown, Forbidden, Conflict.
        """
        self._audible(match_id, asker)
        message = self._message(match_id, number)
        if not asker.may(ADMIN):
            if message.player != asker.player:
                raise Forbidden("not-your-message")
            if message.at < clock.stamp(self._now() - ERASABLE):
                raise Conflict("too-late-to-erase", hours=int(ERASABLE.total_seconds()) // 3600)
        for _ in range(TRIES):
            try:
                self.front.write(once, [talk.erase(match_id, number)])
            except BrokenConstraint:
                continue  # something was said at that moment
            return
        raise Conflict("busy")

    @Deed("reportMessage", (PLAY,), limits=(TALK,), is_silent=True)
    def report(self, asker: Asker, match_id: str, number: int, reason: str = "", *, once: Once | None = None) -> None:
        """Have the operator look at a message. Twice is once. Raises Unknown, Forbidden, Conflict."""
        self._audible(match_id, asker)
        if self._message(match_id, number).text is None:
            raise Unknown("unknown-message", message=number)
        at = clock.stamp(self._now())
        self.front.write(once, [talk.report(match_id, number, asker.player, reason, at)])

    def reports(self, asker: Asker, after: talk.Place, limit: int) -> tuple[tuple[talk.Report, ...], bool]:
        """What the operator is to look at, the oldest first, and whether there is more. Raises Forbidden."""
        asker.need(ADMIN)
        found = self._spoken.reports(after, limit + 1)
        return found[:limit], len(found) > limit

    @Deed("settleReport", (ADMIN,), free=OF_OPERATOR)
    def settle(self, asker: Asker, match_id: str, number: int) -> None:
        """The operator has looked at it. Raises Forbidden."""
        self._recorder.write([talk.settle(match_id, number)])

    def mutes(self, asker: Asker) -> tuple[talk.Muted, ...]:
        """Whom the asker wants to hear nothing of. Raises Forbidden."""
        asker.need(READ, PLAY)
        return self._spoken.mutes(asker.player)

    @Deed("mutePlayer", (PLAY,), limits=(SETTINGS,), is_silent=True)
    def mute(self, asker: Asker, player: str, *, once: Once | None = None) -> None:
        """Hear nothing of the player any longer, wherever they sit; nobody else is told. Raises Unknown, Conflict."""
        self._accounts.find(player)
        if player == asker.player:
            raise Malformed("mute-yourself")
        if len(self._spoken.mutes(asker.player)) >= MUTES:
            raise Conflict("too-many-mutes", most=MUTES)
        self.front.write(once, [talk.mute(asker.player, player, clock.stamp(self._now()))])

    @Deed("unmutePlayer", (PLAY,), limits=(SETTINGS,), is_silent=True)
    def unmute(self, asker: Asker, player: str, *, once: Once | None = None) -> None:
        """Hear them again."""
        try:
            self.front.write(once, [talk.unmute(asker.player, player)])
        except NulInText:
            return  # nobody has such an id

    def _audible(self, match_id: str, asker: Asker) -> Entry:
        """The match, whose talk the asker may hear. Raises Unknown, Forbidden, Conflict."""
        entry = self._lobby.entry(match_id, asker)
        if entry.talk == NONE:
            raise Conflict("no-talk")
        is_open = entry.talk == OPEN or (entry.talk == AFTER and entry.is_over)
        if not is_open and seat_of(entry, asker) is None and not asker.may(ADMIN):
            raise Forbidden("talk-of-seats")
        return entry

    def _message(self, match_id: str, number: int) -> talk.Message:
        if (found := self._spoken.message(match_id, number)) is None:
            raise Unknown("unknown-message", message=number)
        return found

    def _heard(self, page: tuple[talk.Message, ...], asker: Asker) -> tuple[talk.Message, ...]:
        """Without those of whom the asker wants to hear nothing."""
        muted = {one.player.id for one in self._spoken.mutes(asker.player)} if asker.player and page else set()
        return tuple([one for one in page if one.player not in muted])


def _check_reading(asker: Asker) -> None:
    """Raises Forbidden for a token that may not read; strangers hear what is open to all."""
    if asker.player:
        asker.need(READ, PLAY, ADMIN)

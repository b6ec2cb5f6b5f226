"""Talk at a table: saying, reading, muting, reporting and erasing messages.

The players who sit at the table talk, before the start, during play and after it. The player who opened the match chose
who else may read. No message is in the log, and none wakes requests that wait for the match. Talk knows nothing of
decisions under seal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from unicodedata import category, normalize

import msgspec

from events.store import BrokenConstraint, NulInText, Store
from service.accounts import Accounts, Unsuitable, names
from service.deeds import ADMIN, OF_OPERATOR, PLAY, READ, Asker, Deed
from service.limits import SETTINGS, TALK
from service.matches import Lobby, own_seat, seat_of
from service.problems import Conflict, Forbidden, Malformed, Unauthorized, Unknown
from service.store import Entry, Once, talk

SEATS, AFTER, OPEN, NONE = "seats", "after", "open", "none"

ERASABLE = timedelta(hours=24)
"""For how long players may erase a message of theirs."""

MESSAGES = 500
"""The most messages of a player in a match."""

MUTES = 500
TRIES = 16
"""The most tries to store a change, if somebody else stores one at that moment."""

LENGTH = 500
"""The most characters of a message, both as it is sent and as it is stored."""

LINES = 12

REASON = 200
"""The most characters of a report's reason."""

JOINED = re.compile("(?<=(.))\u200d(?=(.))")
"""A joiner, and the characters on both sides."""


class Page(msgspec.Struct, frozen=True):
    """Messages, the oldest first; with `since` also those that were erased since then."""

    messages: tuple[talk.Message, ...]
    since: int
    """The `since` of the next request for new messages."""
    before: int | None
    """The `before` of a request for earlier messages; null if there are none."""
    more: bool
    """Whether there are more new messages already."""


class Talk:
    """The use cases. They raise Problems and the store's errors."""

    def __init__(self, recorder: Store, found: Lobby, accounts: Accounts, wake: Callable[[str], object]) -> None:
        """`wake` is told the match in which something was said, for those who listen to its table."""
        self._recorder = recorder
        self._lobby = found
        self.front = accounts.front
        self._accounts = accounts
        self._spoken = talk.Spoken(recorder)
        self._wake = wake

    @Deed("say", (PLAY,), limits=(TALK,))
    def say(self, asker: Asker, match_id: str, text: str, *, once: Once | None = None) -> talk.Message:
        """Store a message of the asker, who must have a seat. Raises Unknown, Forbidden, Conflict."""

        def store() -> str:
            seat = own_seat(self._audible(match_id, asker), asker)
            # first: a message that is stored after it has this number, so this one is not stored beyond the count
            number, at = self._spoken.last(match_id) + 1, self.front.at()
            if self._spoken.count(match_id, asker.player) >= MESSAGES:
                raise Conflict("talk-full", most=MESSAGES)
            said = talk.say(match_id, number, number, seat, asker.player, text, at)
            self.front.write_for([asker.player], once, [said], str(number))
            self._wake(match_id)
            return str(number)

        return self._message(match_id, int(self.front.do(once, lambda: self._retried(store, once))))

    def _retried(self, store: Callable[[], str], once: Once | None) -> str:
        """Return what `store` returns; try again if somebody else stores a change at that moment. Raises Conflict."""
        for _ in range(TRIES):
            with suppress(BrokenConstraint):
                return store()
            # the same request may have come twice, and been stored at that moment
            if (before := self.front.answer(once)) is not None:
                return before
        raise Conflict("busy")

    def newest(self, match_id: str, asker: Asker, before: int, limit: int) -> Page:
        """Return the last messages before that number. Raises Unknown, Forbidden, Conflict."""
        _check_reading(asker)
        self._audible(match_id, asker)
        # read first: a change meanwhile is then read once more, and not missed
        since = self._spoken.last(match_id)
        messages = self._spoken.before(match_id, before, limit + 1)
        page = messages[:limit]
        earlier = page[-1].number if len(messages) > limit else None
        return Page(self._heard(page[::-1], asker), since, earlier, more=False)

    def since(self, match_id: str, asker: Asker, change: int, limit: int) -> Page:
        """Return the messages that were said or erased after that change. Raises Unknown, Forbidden, Conflict."""
        _check_reading(asker)
        self._audible(match_id, asker)
        found = self._spoken.since(match_id, change, limit + 1)
        page = found[:limit]
        messages = self._heard(tuple([message for _, message in page]), asker)
        return Page(messages, page[-1][0] if page else change, None, len(found) > limit)

    @Deed("eraseMessage", (PLAY, ADMIN), limits=(TALK,), is_silent=True)
    def erase(self, asker: Asker, match_id: str, number: int, *, once: Once | None = None) -> None:
        """Erase a message: players a recent one of theirs, the operator any. A second call changes nothing."""
        message = self._spoken.message(match_id, number)
        is_theirs = message is not None and message.player is not None and message.player.id == asker.player
        if not is_theirs:
            # who has left the table erases what they said there, and learns of nothing else
            self._audible(match_id, asker)
            message = self._message(match_id, number)
        assert message is not None
        if not asker.may(ADMIN):
            if not is_theirs:
                raise Forbidden("not-your-message")
            if message.at < self.front.at(-ERASABLE):
                raise Conflict("too-late-to-erase", hours=int(ERASABLE.total_seconds()) // 3600)
        self._retried(lambda: str(self.front.write(once, [talk.erase(match_id, number)])), once)
        self._wake(match_id)

    @Deed("reportMessage", (PLAY,), limits=(TALK,), is_silent=True)
    def report(self, asker: Asker, match_id: str, number: int, reason: str = "", *, once: Once | None = None) -> None:
        """Ask the operator to look at a message. A second call changes nothing. Raises Unknown, Forbidden, Conflict."""
        self._audible(match_id, asker)
        author = self._author(match_id, number)
        said = talk.report(match_id, number, asker.player, reason, self.front.at())
        try:
            self.front.write_for([asker.player, author], once, [said])
        except Unauthorized:
            self._author(match_id, number)  # raises Unknown if that account was erased meanwhile
            raise

    def reports(self, asker: Asker, after: talk.Place, limit: int) -> tuple[tuple[talk.Report, ...], bool]:
        """Return the reports that the operator has not settled, oldest first, and whether there are more."""
        asker.need(ADMIN)
        reports = self._spoken.reports(after, limit + 1)
        return reports[:limit], len(reports) > limit

    @Deed("settleReport", (ADMIN,), free=OF_OPERATOR)
    def settle(self, asker: Asker, match_id: str, number: int) -> None:
        """Note that the operator has looked at a reported message. Raises Forbidden."""
        self._recorder.write([talk.settle(match_id, number)])

    def mutes(self, asker: Asker) -> tuple[talk.Muted, ...]:
        """Return the players whom the asker has muted. Raises Forbidden."""
        asker.need(READ, PLAY)
        return self._spoken.mutes(asker.player)

    @Deed("mutePlayer", (PLAY,), limits=(SETTINGS,), is_silent=True)
    def mute(self, asker: Asker, player: str, *, once: Once | None = None) -> None:
        """Hide the player's messages from the asker in every match. Nobody else learns of it."""
        self._accounts.find(player)
        if player == asker.player:
            raise Malformed("mute-yourself")
        try:
            self.front.write_for([asker.player, player], once, talk.mute(asker.player, player, self.front.at(), MUTES))
        except Unauthorized:
            # either account was erased meanwhile
            self._accounts.find(player)
            self._accounts.player(asker)
            raise Conflict("too-many-mutes", most=MUTES) from None

    @Deed("unmutePlayer", (PLAY,), limits=(SETTINGS,), is_silent=True)
    def unmute(self, asker: Asker, player: str, *, once: Once | None = None) -> None:
        """Show the player's messages to the asker again."""
        try:
            self.front.write(once, [talk.unmute(asker.player, player)])
        except NulInText:
            return  # nobody has such an id

    def _audible(self, match_id: str, asker: Asker) -> Entry:
        """Return the match, if the asker may read its talk. Raises Unknown, Forbidden, Conflict."""
        entry = self._lobby.entry(match_id, asker)
        if entry.talk == NONE:
            raise Conflict("no-talk")
        is_open = entry.talk == OPEN or (entry.talk == AFTER and entry.is_over)
        if not is_open and seat_of(entry, asker) is None and not asker.may(ADMIN):
            raise Forbidden("talk-of-seats")
        return entry

    def _message(self, match_id: str, number: int) -> talk.Message:
        if (message := self._spoken.message(match_id, number)) is None:
            raise Unknown("unknown-message", message=number)
        return message

    def _author(self, match_id: str, number: int) -> str:
        """Return who wrote the message. Raises Unknown if it was erased, or the author was."""
        message = self._message(match_id, number)
        if message.text is None or message.player is None:
            raise Unknown("unknown-message", message=number)
        return message.player.id

    def _heard(self, page: tuple[talk.Message, ...], asker: Asker) -> tuple[talk.Message, ...]:
        """Return the messages without those of players whom the asker has muted."""
        muted = {mute.player.id for mute in self._spoken.mutes(asker.player)} if asker.player and page else set()
        return tuple([message for message in page if message.player is None or message.player.id not in muted])


def _check_reading(asker: Asker) -> None:
    """Raise Forbidden for a token that may not read. Strangers may read what is open to all."""
    if asker.player:
        asker.need(READ, PLAY, ADMIN)


def enforce(said: str, most: int = LENGTH) -> str:
    """Return the text as it is stored: normal form C, single spaces, no empty lines at its ends. Raises Unsuitable."""
    if len(said) > most:
        raise Unsuitable(f"Longer than maximum length {most}.")
    lines = re.split(r"\r\n?|\n", said.translate(names.VARIANTS))
    lines = [re.sub(r"[^\S\n]+", " ", normalize("NFC", line)).strip() for line in lines]
    text = "\n".join(lines).strip("\n")
    if not text or not any(category(char)[0] in "LNPS" for char in text):
        raise Unsuitable("A message needs visible characters.")
    if len(text) > most:
        raise Unsuitable(f"Longer than maximum length {most}.")
    if text.count("\n") >= LINES:
        raise Unsuitable(f"A message has {LINES} lines at most.")
    for line in lines:
        _check(line)
    return text


def _check(line: str) -> None:
    if line and not names.is_text(_without_joints(line)):
        raise Unsuitable("A message can't contain control characters or characters that show nothing.")
    piled = 0
    for char in line:
        piled = piled + 1 if category(char) in {"Mn", "Me"} else 0
        if piled > names.MARKS:
            raise Unsuitable(f"A letter can have {names.MARKS} marks at most, and a mark needs a letter.")


def _without_joints(line: str) -> str:
    """Return the line without joiners between two pictures, which show nothing themselves."""
    return JOINED.sub(lambda joint: "" if {*map(category, joint.groups())} <= {"So", "Sk"} else joint[0], line)

"""The players' settings of mail: reading them, changing them, and unsubscribing with one click."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from events.store import Store
from service.deeds import PLAY, READ, Asker, Deed, Front
from service.limits import SETTINGS
from service.mail.channel import next_digest
from service.mail.tokens import MailTokens
from service.matches import Lobby
from service.problems import Conflict, Malformed, Unknown
from service.signing import NotOurs
from service.store import Once, Wishes, mailing


class Wishing:
    """The use cases. They raise Problems, and the store's errors."""

    def __init__(self, store: Store, lobby: Lobby, tokens: MailTokens, front: Front) -> None:
        self.front = front
        self._store = store
        self._lobby = lobby
        self._tokens = tokens
        self._now = front.now

    def of(self, asker: Asker) -> Wishes:
        """Return the asker's settings. Raises Forbidden, and Conflict if the asker has no confirmed address."""
        asker.need(READ, PLAY)
        wishes = mailing.wishes_of(self._store, asker.player)
        if wishes is None:
            raise Conflict("no-confirmed-address")
        return wishes

    @Deed("setMail", (PLAY,), limits=(SETTINGS,))
    def change(self, asker: Asker, said: dict[str, Any], *, once: Once | None = None) -> Wishes:
        """Change the asker's settings to the values in `said`; its `on` says whether anything is sent at all."""
        before = self.of(asker)
        zone = said.get("zone", before.zone)
        if not is_zone(zone):
            raise Malformed("unknown-zone", zone=zone)
        changed = {name: said[name] for name in ("lang", "turns", "news", "hour", "zone") if name in said}
        after = msgspec.structs.replace(before, **changed)
        if (is_on := said.get("on")) is not None:
            stopped = "" if is_on else before.stopped or mailing.UNSUBSCRIBED
            after = msgspec.structs.replace(after, stopped=stopped, bounces=0 if is_on else before.bounces)
        is_daily = after.turns == mailing.DIGEST and not after.stopped
        after = msgspec.structs.replace(after, digest=next_digest(after, self._now()) if is_daily else "")
        self.front.done(once, lambda: self.front.write(once, [mailing.change(after)]))
        return self.of(asker)

    @Deed("muteMatch", (PLAY,), limits=(SETTINGS,))
    def hush(self, asker: Asker, match_id: str) -> None:
        """Stop mails about a match. Raises Unknown."""
        self._lobby.entry(match_id, asker)
        self._store.write([mailing.hush(match_id, asker.player)])

    @Deed("unmuteMatch", (PLAY,), limits=(SETTINGS,))
    def unhush(self, asker: Asker, match_id: str) -> None:
        """Allow mails about a match again. Raises Unknown."""
        self._lobby.entry(match_id, asker)
        self._store.write([mailing.unhush(match_id, asker.player)])

    def read(self, token: str) -> tuple[str, str]:
        """Return the player and the match of an unsubscribe link; the match is "" for all mails. Raises Unknown."""
        try:
            return self._tokens.read_unsubscribe(token)
        except (NotOurs, ValueError, TypeError) as error:
            raise Unknown("unknown-link") from error

    @Deed("unsubscribe", limits=(SETTINGS,), is_silent=True)
    def unsubscribe(self, asker: Asker, token: str, *, once: Once | None = None) -> None:
        """End the mails that the link is for. Raises Unknown."""
        player, match = self.read(token)
        if match:
            self.front.write(once, [mailing.hush(match, player)])
        elif (wishes := mailing.wishes_of(self._store, player)) is not None and not wishes.stopped:
            self.front.write(once, [mailing.stop(player, wishes.address, mailing.UNSUBSCRIBED)])


def is_zone(name: str) -> bool:
    """Return whether the text is the name of a time zone."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True

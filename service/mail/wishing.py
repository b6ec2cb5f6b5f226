"""What players want by mail: looked at, changed, and ended at a click."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from events.store import Store
from service import clock
from service.accounts import PLAY, READ, Asker
from service.mail.channel import next_digest
from service.mail.tokens import MailTokens
from service.matches import Lobby
from service.problems import Conflict, Malformed, Unknown
from service.signing import NotOurs
from service.store import Wishes, mailing


class Wishing:
    """The use cases. They raise Problems, and the store's errors."""

    def __init__(self, store: Store, lobby: Lobby, tokens: MailTokens, now: clock.Now) -> None:
        self._store = store
        self._lobby = lobby
        self._tokens = tokens
        self._now = now

    def of(self, asker: Asker) -> Wishes:
        """What the asker wants. Raises Conflict where they have no confirmed address."""
        asker.need(READ, PLAY)
        found = mailing.wishes_of(self._store, asker.player)
        if found is None:
            raise Conflict("no-confirmed-address")
        return found

    def change(self, asker: Asker, said: dict[str, Any]) -> Wishes:
        """Want it so from now on; `on`: whether anything is sent at all."""
        asker.need(PLAY)
        before = self.of(asker)
        zone = said.get("zone", before.zone)
        if not is_zone(zone):
            raise Malformed("unknown-zone", zone=zone)
        told = {name: said[name] for name in ("lang", "turns", "news", "hour", "zone") if name in said}
        after = msgspec.structs.replace(before, **told)
        if (is_on := said.get("on")) is not None:
            stopped = "" if is_on else before.stopped or mailing.UNSUBSCRIBED
            after = msgspec.structs.replace(after, stopped=stopped, bounces=0 if is_on else before.bounces)
        is_daily = after.turns == mailing.DIGEST and not after.stopped
        after = msgspec.structs.replace(after, digest=next_digest(after, self._now()) if is_daily else "")
        self._store.write([mailing.change(after)])
        return after

    def hush(self, asker: Asker, match_id: str, *, is_quiet: bool) -> None:
        """Have no mails of a match, or have them again. Raises Unknown."""
        asker.need(PLAY)
        self._lobby.entry(match_id, asker)
        self._store.write([(mailing.hush if is_quiet else mailing.unhush)(match_id, asker.player)])

    def read(self, token: str) -> tuple[str, str]:
        """Player and match ("": all of them) that a link is for. Raises Unknown."""
        try:
            return self._tokens.read_unsubscribe(token)
        except (NotOurs, ValueError, TypeError) as error:
            raise Unknown("unknown-link") from error

    def unsubscribe(self, token: str) -> None:
        """End the mails that the link is for. Raises Unknown."""
        player, match = self.read(token)
        if match:
            self._store.write([mailing.hush(match, player)])
        elif (found := mailing.wishes_of(self._store, player)) is not None and not found.stopped:
            self._store.write([mailing.stop(player, found.address, mailing.UNSUBSCRIBED)])


def is_zone(name: str) -> bool:
    """Whether it is the name of a time zone."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True

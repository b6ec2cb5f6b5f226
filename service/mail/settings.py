"""The settings of mail: the operator's; and the players', who change theirs, and unsubscribe with one click."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from ipaddress import ip_address
from typing import Any
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

import msgspec

from events.store import MissingValue, Store
from service import clock
from service.config import Config
from service.deeds import PLAY, READ, Asker, Deed, Front
from service.limits import SETTINGS
from service.mail.situation import NO_ZONE, MailTokens, zone_of
from service.matches import Lobby, is_open_to
from service.problems import Conflict, Malformed, Unauthorized, Unknown
from service.signing import NotOurs
from service.store import Entry, Once, Wishes, deliveries, mailing

TRIES = 50
"""How often a change is tried while others are made at the same moment."""

PORTS = {"smtp": 587, "smtps": 465}


class Relay(msgspec.Struct, frozen=True):
    """The mail server through which mails are sent."""

    host: str
    port: int
    is_tls: bool
    """Whether the connection is encrypted from the first byte; else it is as soon as the server offers it."""
    user: str
    password: str

    @property
    def name(self) -> str:
        """A name that may be shown: it contains no password."""
        return f"{self.host}, port {self.port}"

    @property
    def is_near(self) -> bool:
        """Whether the server runs on this machine, so that nobody can listen on the way."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def relay_of(config: Config) -> Relay | None:
    """Return the mail server; None if no mails are to be sent. Raises ValueError for an invalid port."""
    if not (config.smtp and config.mail_from):
        return None
    parts = urlsplit(config.smtp)  # the configuration has checked it
    return Relay(
        host=parts.hostname or "",
        port=parts.port or PORTS[parts.scheme],
        is_tls=parts.scheme == "smtps",
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )


def place_of(said: str) -> tuple[str, int]:
    """Return the host and the port of `HOST:PORT`."""
    host, _, port = said.rpartition(":")
    return host.strip("[]"), int(port)


class Wishing:
    """The use cases. They raise Problems, and the store's errors."""

    def __init__(self, store: Store, lobby: Lobby, tokens: MailTokens, front: Front) -> None:
        self.front = front
        self.store = store
        self.lobby = lobby
        self.tokens = tokens

    def of(self, asker: Asker) -> Wishes:
        """Return the asker's settings. Raises Forbidden, and Conflict if the asker has no confirmed address."""
        asker.need(READ, PLAY)
        wishes = mailing.wishes_of(self.store, asker.player)
        if wishes is None:
            raise Conflict("no-confirmed-address")
        return wishes

    @Deed("setMail", (PLAY,), limits=(SETTINGS,))
    def change(self, asker: Asker, said: dict[str, Any], *, once: Once | None = None) -> Wishes:
        """Change the asker's settings to the values in `said`; its `on` says whether anything is sent at all."""
        for times in range(TRIES):
            before = self.of(asker)
            try:
                after = self._changed(before, said)
                statements = mailing.change(before, after)
                if after.turns != before.turns:
                    # no digest tells it any longer
                    statements += deliveries.release(asker.player, self.front.at(), self.store.partitions)
                self.front.write_once(once, statements)
                break
            except MissingValue:
                # something else was changed in between, which stays so
                if times == TRIES - 1:
                    raise
        return self.of(asker)

    def _changed(self, before: Wishes, said: dict[str, Any]) -> Wishes:
        """Raises Malformed."""
        zone = said.get("zone", before.zone)
        try:
            ZoneInfo(zone)
        except NO_ZONE as error:
            raise Malformed("unknown-zone", zone=zone) from error
        changed = {name: said[name] for name in ("lang", "turns", "news", "hour", "zone") if name in said}
        after = msgspec.structs.replace(before, **changed)
        if (is_on := said.get("on")) is not None:
            stopped = "" if is_on else before.stopped or mailing.UNSUBSCRIBED
            after = msgspec.structs.replace(after, stopped=stopped, bounces=0 if is_on else before.bounces)
        is_daily, now = after.turns == mailing.DIGEST and not after.stopped, self.front.now()
        if is_daily and "" < before.digest <= clock.stamp(now):
            return after  # one is due: it is sent first
        return msgspec.structs.replace(after, digest=next_digest(after, now) if is_daily else "")

    @Deed("muteMatch", (PLAY,), limits=(SETTINGS,))
    def hush(self, asker: Asker, match_id: str) -> None:
        """Stop mails about a match. Raises Unknown."""
        self.lobby.entry(match_id, asker)
        self.front.write_for([asker.player], None, [mailing.hush(match_id, asker.player)])

    @Deed("unmuteMatch", (PLAY,), limits=(SETTINGS,))
    def unhush(self, asker: Asker, match_id: str, *, once: Once | None = None) -> None:
        """Allow mails about a match again. Raises Unknown."""
        self.lobby.entry(match_id, asker)
        self.front.write_once(once, [mailing.unhush(match_id, asker.player)])

    def quiet(self, asker: Asker) -> tuple[Entry, ...]:
        """Return the matches about which the asker wants no mails, as far as they may still know of them."""
        found = map(self.lobby.find, mailing.quiet(self.store, asker.player))
        return tuple([entry for entry in found if entry is not None and is_open_to(entry, asker)])

    def read(self, token: str) -> tuple[str, str]:
        """Return the player and the match of an unsubscribe link; the match is "" for all mails. Raises Unknown."""
        try:
            return self.tokens.read_unsubscribe(token)
        except (NotOurs, ValueError, TypeError) as error:
            raise Unknown("unknown-link") from error

    @Deed("unsubscribe", limits=(SETTINGS,), is_silent=True)
    def unsubscribe(self, asker: Asker, token: str, *, once: Once | None = None) -> None:
        """End the mails that the link is for. Raises Unknown."""
        player, match = self.read(token)
        if match:
            # who was erased meanwhile gets no mails
            with suppress(Unauthorized):
                self.front.write_for([player], once, [mailing.hush(match, player)])
        elif (wishes := mailing.wishes_of(self.store, player)) is not None and not wishes.stopped:
            self.front.write(once, [mailing.stop(player, wishes.address, mailing.UNSUBSCRIBED)])


def next_digest(wishes: Wishes, now: datetime) -> str:
    """Return when the player's next digest is due: the next time that it is the hour in the player's zone."""
    local = now.astimezone(zone_of(wishes.zone))
    at = local.replace(hour=wishes.hour, minute=0, second=0, microsecond=0)
    while at <= local:
        at = (at + timedelta(days=1)).replace(hour=wishes.hour)
    return clock.stamp(at)

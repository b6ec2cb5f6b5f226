"""The operator's settings of mail."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

import msgspec

from service.config import Config

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


class MailSettings(msgspec.Struct, frozen=True):
    """The settings that sending and receiving need."""

    relay: Relay
    sender: str
    """The address that mails come from."""
    domain: str
    """The domain of replies and bounces; "" if no mail comes in."""
    url: str
    """The URL at which people reach the service."""
    after: float
    """Seconds for which a turn waits before it is mailed."""

    @property
    def own_domain(self) -> str:
        """The domain at the end of Message-IDs."""
        return self.domain or self.sender.rpartition("@")[2]


def relay_of(url: str) -> Relay:
    """Return the server that the URL names; the configuration has checked it. Raises ValueError for an invalid port."""
    parts = urlsplit(url)
    return Relay(
        host=parts.hostname or "",
        port=parts.port or PORTS[parts.scheme],
        is_tls=parts.scheme == "smtps",
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )


def settings_of(config: Config) -> MailSettings | None:
    """Return the settings of mail; None if no mails are to be sent."""
    if not (config.smtp and config.mail_from):
        return None
    return MailSettings(
        relay=relay_of(config.smtp),
        sender=config.mail_from,
        domain=config.mail_domain,
        url=config.address,
        after=config.mail_after,
    )


def place_of(said: str) -> tuple[str, int]:
    """Return the host and the port of `HOST:PORT`."""
    host, _, port = said.rpartition(":")
    return host.strip("[]"), int(port)

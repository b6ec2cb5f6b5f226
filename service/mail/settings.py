"""What an operator has said of mail, taken apart."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

import msgspec

from service.config import Config

PORTS = {"smtp": 587, "smtps": 465}


class Relay(msgspec.Struct, frozen=True):
    """The server that takes what is sent."""

    host: str
    port: int
    is_tls: bool
    """Encrypted from the first byte; else as soon as the server offers it."""
    user: str
    password: str

    @property
    def name(self) -> str:
        """What may be said of it: not its password."""
        return f"{self.host}, port {self.port}"

    @property
    def is_near(self) -> bool:
        """Whether it runs on this machine, so that nobody can listen on the way."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


class MailSettings(msgspec.Struct, frozen=True):
    """By whom mails are sent, from where, and where answers come."""

    relay: Relay
    sender: str
    """The address that mails come from."""
    domain: str
    """Of replies and bounces; "": nothing comes back."""
    url: str
    """Where people reach the service."""
    after: float
    """Seconds for which a turn must wait before it is told."""

    @property
    def own_domain(self) -> str:
        """What names of mails end with."""
        return self.domain or self.sender.rpartition("@")[2]


def relay_of(url: str) -> Relay:
    """The server that the URL names; the configuration has checked it. Raises ValueError for a port that is none."""
    found = urlsplit(url)
    return Relay(
        host=found.hostname or "",
        port=found.port or PORTS[found.scheme],
        is_tls=found.scheme == "smtps",
        user=unquote(found.username or ""),
        password=unquote(found.password or ""),
    )


def settings_of(config: Config) -> MailSettings | None:
    """What mails need to be sent; None where they are not to be."""
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
    """Host and port of a place at which to listen."""
    host, _, port = said.rpartition(":")
    return host.strip("[]"), int(port)

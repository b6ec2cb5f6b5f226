"""Checks the settings of mail, and whether its server answers."""

from __future__ import annotations

from collections.abc import Iterator

from service.config import Config
from service.mail import Unreachable, connected, settings_of
from service.run.doctor.report import Finding, fault, good, warning

AREA = "mail"
PATIENCE = 5.0


def examine(config: Config) -> Iterator[Finding]:
    """Check the settings, and the server that they name."""
    values = {
        "FOLDTABLE_SMTP": config.smtp,
        "FOLDTABLE_MAIL_FROM": config.mail_from,
        "FOLDTABLE_MAIL_DOMAIN": config.mail_domain,
        "FOLDTABLE_MAIL_LISTEN": config.mail_listen,
    }
    if not any(values.values()):
        yield good(AREA, "none is sent: no server is named")
        return
    missing = [name for name in ("FOLDTABLE_SMTP", "FOLDTABLE_MAIL_FROM") if not values[name]]
    if missing:
        yield fault(AREA, f"no mail is sent without {' and '.join(missing)}", "say it, or nothing of mail")
        return
    yield from _replies(config)
    yield from _server(config)


def _replies(config: Config) -> Iterator[Finding]:
    if config.mail_listen and not config.mail_domain:
        yield fault(AREA, "mail is listened for, and no mail says where to", "say FOLDTABLE_MAIL_DOMAIN")
    elif config.mail_domain and not config.mail_listen:
        do = "say FOLDTABLE_MAIL_LISTEN where the service's mail process is to listen, if none does elsewhere"
        yield warning(AREA, f"replies go to {config.mail_domain}, and this process would not listen for them", do)
    if not config.public_url:
        do = "say FOLDTABLE_PUBLIC_URL, as people reach it"
        yield warning(AREA, f"links in mails lead to {config.address}", do)


def _server(config: Config) -> Iterator[Finding]:
    try:
        settings = settings_of(config)
    except ValueError:
        yield fault(AREA, "FOLDTABLE_SMTP names a port that is none", "say smtp://USER:PASSWORD@HOST:PORT")
        return
    assert settings is not None, "it is configured"
    try:
        with connected(settings.relay, PATIENCE):
            yield good(AREA, f"{settings.relay.name} takes mails")
    except Unreachable as error:
        yield fault(AREA, f"{settings.relay.name}: {error}", "start it, or correct FOLDTABLE_SMTP; mails wait for days")

"""What `service mail` runs: it sends what is due, and takes in what comes back. Any number of processes may."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from threading import Event

import structlog

from events.store import StoreError, StoreUnusable
from service import wiring
from service.config import Config
from service.mail import Mail, MailListener, MailReceiver, place_of
from service.run.deliver import run

logger = structlog.get_logger(__name__)


class CannotMail(Exception):
    """Mail can't be sent or taken in: one line that says why."""


def mail(config: Config, stop: Event) -> None:
    """Send and listen until it is stopped. Raises CannotMail, LoopEnded."""
    if not (config.smtp and config.mail_from):
        raise CannotMail("name a server and a sender: FOLDTABLE_SMTP and FOLDTABLE_MAIL_FROM")
    if config.mail_listen and not config.mail_domain:
        raise CannotMail("name the domain whose mail comes to FOLDTABLE_MAIL_LISTEN: FOLDTABLE_MAIL_DOMAIN")
    with ExitStack() as stack:
        try:
            # its metrics are told under its own name
            service = wiring.build(replace(config, metrics=""))
        except (StoreUnusable, StoreError) as error:
            raise CannotMail(str(error)) from error
        stack.callback(service.close)
        found = service.mail
        assert found is not None, "it is configured"
        if config.mail_listen:
            listener = _listen(config, found)
            stack.callback(listener.close)
            logger.info("listening for mail", place=config.mail_listen)
        run(found.loop, stop)


def _listen(config: Config, found: Mail) -> MailListener:
    host, port = place_of(config.mail_listen)
    try:
        return MailListener(MailReceiver(found.answering), host, port, found.settings.domain)
    except OSError as error:
        raise CannotMail(f"{config.mail_listen} can't be listened at: {error.strerror}") from error
    except UnicodeError as error:
        # a label that is empty, or too long
        raise CannotMail(f"{config.mail_listen} can't be listened at: this is no name of a host") from error

"""What `service deliver` and `service mail` run: loops that send what the outbox has. Any number of processes may."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from threading import Event
from time import monotonic

import structlog
from click import ClickException

from service import folder, wiring
from service.config import Config
from service.heartbeat import beat
from service.mail import Mail, MailListener, MailReceiver, place_of
from service.outbox import DeliveryLoop, Slots
from service.run.follow import beside, wait_for_store
from service.signing import Signer
from service.webhooks import Sender, WebhookChannel

ENDING = 5.0
"""Seconds for what is under way, once it is to stop; what is cut off is delivered once more."""

PAUSE = 0.5
"""Seconds between two looks whether the loop goes on."""

HUNG = 180.0
"""Seconds over one delivery after which the loop is taken to hang."""

logger = structlog.get_logger(__name__)


def deliver(config: Config, stop: Event) -> None:
    """Deliver until it is stopped. Raises StoreUnusable, by its kinds; Exit."""
    if (effects := wait_for_store(config, stop)) is None:
        return
    slots = Slots()
    try:
        secret = folder.prepare(config).secret
        channel = WebhookChannel(Signer(secret), Sender(config.webhook_private), config.address)
        run(DeliveryLoop(effects.log, channel, begin=slots.begin), stop)
    finally:
        slots.close(ENDING)
        effects.close()


def run(loop: DeliveryLoop, stop: Event) -> None:
    """Run the loop until it is stopped, and give signs of life as long as it goes on. Raises Exit."""
    with beside({"deliveries": lambda: loop.run(stop)}, stop):
        while not stop.wait(PAUSE):
            if monotonic() - loop.alive < HUNG:
                beat()


def mail(config: Config, stop: Event) -> None:
    """Send and listen until it is stopped. Raises ClickException, StoreUnusable, by its kinds; Exit."""
    if not (config.smtp and config.mail_from):
        raise ClickException("name a server and a sender: FOLDTABLE_SMTP and FOLDTABLE_MAIL_FROM")
    if config.mail_listen and not config.mail_domain:
        raise ClickException("name the domain whose mail comes to FOLDTABLE_MAIL_LISTEN: FOLDTABLE_MAIL_DOMAIN")
    if (effects := wait_for_store(config, stop)) is None:
        return
    effects.close()  # building the service would make a store where there is none
    with ExitStack() as stack:
        # its metrics are told under its own name
        service = wiring.build(replace(config, metrics=""))
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
        return MailListener(MailReceiver(found.answering), host, port, config.mail_domain)
    except OSError as error:
        raise ClickException(f"{config.mail_listen} can't be listened at: {error.strerror}") from error
    except UnicodeError as error:
        # a label that is empty, or too long
        raise ClickException(f"{config.mail_listen} can't be listened at: this is no name of a host") from error

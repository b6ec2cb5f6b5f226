"""What `service deliver` runs: the loop that sends webhooks, beside any number of others. It needs the store alone."""

from __future__ import annotations

from threading import Event, Thread
from time import monotonic

from service import folder
from service.config import Config
from service.heartbeat import beat
from service.outbox import DeliveryLoop, Slots
from service.run.follow import wait_for_store
from service.signing import Signer
from service.webhooks import Sender, WebhookChannel

ENDING = 5.0
"""Seconds for what is under way, once it is to stop; what is cut off is delivered once more."""

PAUSE = 0.5
"""Seconds between two looks whether the loop goes on."""

HUNG = 180.0
"""Seconds over one delivery after which the loop is taken to hang."""


class LoopEnded(Exception):
    """The loop ended by an error that nobody foresaw; the process is to be started again."""


def deliver(config: Config, stop: Event) -> None:
    """Deliver until it is stopped. Raises StoreUnusable, by its kinds; LoopEnded."""
    if (effects := wait_for_store(config, stop)) is None:
        return
    slots = Slots()
    channel = WebhookChannel(Signer(folder.prepare(config).secret), Sender(config.webhook_private), config.address)
    try:
        run(DeliveryLoop(effects.log, channel, begin=slots.begin), stop)
    finally:
        slots.close(ENDING)
        effects.close()


def run(loop: DeliveryLoop, stop: Event) -> None:
    """Run the loop until it is stopped, and give signs of life as long as it goes on. Raises LoopEnded."""
    errors: list[BaseException] = []

    def deliver_all() -> None:
        try:
            loop.run(stop)
        except BaseException as error:
            errors.append(error)
            stop.set()

    thread = Thread(target=deliver_all, name="deliveries")
    thread.start()
    while not stop.wait(PAUSE):
        if monotonic() - loop.alive < HUNG:
            beat()
    thread.join()
    if errors:
        raise LoopEnded(f"the deliveries have ended: {type(errors[0]).__name__}") from errors[0]

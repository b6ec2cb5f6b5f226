"""What a channel is: it takes a delivery, renders it as its readers need it, and sends it.

To add one: a module with a class like `Channel`, a template or struct for what it says, and a row of `subscriptions`
for each player who wants it. What is noted, tried again, given up, disabled and sent once more is the loop's.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Protocol

import msgspec

from service.store import Delivery, Statement, Subscription, deliveries

AT_ONCE = 4
"""DeliveryTable that one player has under way at a time in a process; one, where they fail."""

AWAY = 15.0
"""Seconds until a channel that was away is tried again."""

Begin = Callable[[Callable[[], None]], bool]
"""Has something done, now or beside; returns False when there is no room for it."""


def at_once(deed: Callable[[], None]) -> bool:
    """See `Begin`: do it now."""
    deed()
    return True


class ChannelOutcome(msgspec.Struct, frozen=True):
    """What came of a try."""

    status: str = deliveries.DELIVERED
    """What becomes of the delivery; `WAITING`: it is tried again, as long as that is worth it."""
    answer: int | None = None
    """The status that was answered."""
    problem: str | None = None
    """A code for what was wrong."""
    after: int = 0
    """Seconds that the receiver asks to be left alone."""
    ends: str = ""
    """Why nothing more is to be sent to the subscription, if so."""
    beside: tuple[Statement, ...] = ()
    """Written with it."""


class ChannelAway(Exception):
    """A channel can send nothing to anybody now."""


class Channel(Protocol):
    """Sends one kind of message."""

    name: str
    """As it stands in `deliveries` and `subscriptions`."""
    claim: timedelta
    """For how long a delivery is claimed; then another process may send it."""
    has_subscriptions: bool
    """Whether those are its settings: then a delivery whose subscription is gone or disabled is dropped."""

    def delay(self, kind: str) -> timedelta:
        """Return for how long that kind waits, so that it is not told if the player has seen it by then."""
        ...

    def open(self) -> None:
        """Called before each look at what is due: note what the hour brings. Raises StoreError."""
        ...

    def send(self, one: Delivery, to: Subscription | None, due: str) -> ChannelOutcome:
        """Send it, and return what came of it. `due`: when its decision is, "" where none is or it has no limit.

        Raises:  ChannelAway, when nothing can be sent to anybody; StoreError.
        """
        ...

    def close(self) -> None:
        """Called after each look: let go of connections."""
        ...

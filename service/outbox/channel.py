"""The base class of channels: a channel renders a delivery for its readers, and sends it.

To add one, write a module with a class like `Channel`, and a template or structs for its messages. `Noting` stores the
notices; `DeliveryLoop` claims them, tries again, gives up, and disables what fails.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import timedelta

import msgspec

from service.store import Delivery, Statement, Subscription, deliveries


class ChannelOutcome(msgspec.Struct, frozen=True):
    """The result of one try to send a delivery."""

    status: str = deliveries.DELIVERED
    """The delivery's new status. If it is `WAITING`, the loop tries again, unless it has tried often enough."""
    answer: int | None = None
    """The status code of the receiver's answer."""
    problem: str | None = None
    """A code for what was wrong."""
    after: int = 0
    """Seconds for which the receiver asks not to be sent anything."""
    ends: str = ""
    """Why the subscription is disabled; "" if it is not."""
    beside: tuple[Statement, ...] = ()
    """Statements for the transaction that stores the outcome."""


class ChannelAway(Exception):
    """The channel can send nothing to anybody now."""


class Channel(ABC):
    """Sends one kind of message."""

    name: str
    """The channel's name in `deliveries` and `subscriptions`."""
    claim: timedelta
    """For how long a delivery is claimed; then another process may send it."""
    waits: tuple[int, ...]
    """Seconds from each try to the next. After the last of them a delivery is given up."""
    has_subscriptions = True
    """Whether a delivery is dropped if its subscription is gone or disabled."""

    def delay(self, kind: str) -> timedelta:
        """Return how long a notice of the kind waits, so that it is not sent if the player acts meanwhile."""
        return timedelta()

    def open(self) -> None:  # noqa: B027  # most have nothing to prepare
        """Prepare a look at what is due. Raises StoreError."""

    @abstractmethod
    def send(self, one: Delivery, to: Subscription | None, due: str) -> ChannelOutcome:
        """Send the delivery. Returns the result.

        Shape:   `due` is when its decision is due, "" if it has none, or one without a limit.
        Raises:  ChannelAway; StoreError.
        """

    def close(self) -> None:  # noqa: B027
        """Close connections, after each look."""

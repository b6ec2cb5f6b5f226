"""What reaches players who are not looking: notices of one follower, told by channels that one loop delivers."""

from __future__ import annotations

from service.outbox.channel import ChannelAway, ChannelOutcome
from service.outbox.loop import DeliveryLoop
from service.outbox.noting import Noting
from service.outbox.slots import Slots

__all__ = ["ChannelAway", "ChannelOutcome", "DeliveryLoop", "Noting", "Slots"]

"""What reaches players who are not looking: notices of one follower, told by channels that one loop delivers."""

from __future__ import annotations

from service.outbox.channel import AT_ONCE, Begin, Channel, ChannelAway, ChannelOutcome, at_once
from service.outbox.loop import DeliveryLoop
from service.outbox.noting import Noting
from service.outbox.slots import Slots

__all__ = [
    "AT_ONCE",
    "AWAY",
    "Begin",
    "Channel",
    "ChannelAway",
    "ChannelOutcome",
    "DeliveryLoop",
    "Noting",
    "Slots",
    "at_once",
]

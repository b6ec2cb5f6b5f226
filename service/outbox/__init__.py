"""What players are told outside of requests: one follower stores notices, and one loop sends them by the channels."""

from __future__ import annotations

from service.outbox.channel import Channel, ChannelAway, ChannelOutcome
from service.outbox.loop import DeliveryLoop
from service.outbox.noting import Noting
from service.outbox.slots import Slots

__all__ = ["Channel", "ChannelAway", "ChannelOutcome", "DeliveryLoop", "Noting", "Slots"]

"""The outbox of notices and letters to players: one follower stores notices, and one loop sends by the channels."""

from __future__ import annotations

from service.outbox.loop import Channel, ChannelAway, ChannelOutcome, DeliveryLoop, Slots
from service.outbox.noting import Noting

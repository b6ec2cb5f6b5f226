"""The outbox of notices and letters to players: one follower stores notices, and one loop sends by the channels."""

from __future__ import annotations

from service.outbox.channel import Channel, ChannelAway, ChannelOutcome
from service.outbox.loop import DeliveryLoop
from service.outbox.noting import Noting
from service.outbox.slots import Slots

"""Wakes requests that wait for a match to grow, in this process and in others."""

from __future__ import annotations

from service.wakeups.listener import Listener
from service.wakeups.players import Players
from service.wakeups.publisher import CHANNEL, Publisher
from service.wakeups.tokens import WaitingTokens, token_name
from service.wakeups.waiting import Bell, Bells, TooManyWait

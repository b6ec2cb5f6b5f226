"""The turns of bots: found by a sweep over open decisions, queued, and played by workers through the HTTP door."""

from __future__ import annotations

from service.bots import job
from service.bots.queue import Turn, connect, socket_url
from service.bots.sweep import Follower, Outage
from service.bots.worker import Worker, keep_working, work

__all__ = ["Follower", "Outage", "Turn", "Worker", "connect", "job", "keep_working", "socket_url", "work"]

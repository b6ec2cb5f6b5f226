"""The turns of bots: found by a sweep over open decisions, queued, and played by workers through the HTTP door."""

from __future__ import annotations

from service.bots import job
from service.bots.queue import socket_url
from service.bots.sweep import TurnSweeper
from service.bots.worker import work

__all__ = ["TurnSweeper", "job", "socket_url", "work"]

"""The turns of bots: found by a sweep over open decisions, queued, and played by workers through the HTTP door."""

from __future__ import annotations

from service.bots import job
from service.bots.queue import BotJob, connect, socket_url
from service.bots.sweep import OutageLog, TurnSweeper
from service.bots.worker import Worker, keep_working, work

__all__ = ["BotJob", "OutageLog", "TurnSweeper", "Worker", "connect", "job", "keep_working", "socket_url", "work"]

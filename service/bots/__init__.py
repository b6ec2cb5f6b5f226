"""The turns of bots: a sweep finds them among the open decisions, and workers take them from a queue and play them
through the service's HTTP interface.
"""

from __future__ import annotations

from service.bots import job
from service.bots.queue import socket_url
from service.bots.sweep import TurnSweeper
from service.bots.worker import work

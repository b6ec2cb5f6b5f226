"""What an operator sees of a running process: its log, and its metrics."""

from __future__ import annotations

from service.telemetry import logs, metrics
from service.telemetry.exposing import Watch, addresses, exposed

__all__ = ["Watch", "addresses", "exposed", "logs", "metrics"]

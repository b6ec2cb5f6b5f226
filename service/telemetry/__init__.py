"""The log and the metrics of a running process, for its operator."""

from service.telemetry import logs, metrics
from service.telemetry.exposing import addresses, exposed, exposed_by_web
from service.telemetry.logs import OutageLog

"""How much anybody may ask: counted in this process, and shared with the others that know the same Redis."""

from __future__ import annotations

from service.limits.addresses import Addresses, Caller
from service.limits.holders import Holders
from service.limits.limits import Asking, Limits
from service.limits.operations import FREE, LIMITED
from service.limits.settings import (
    DEFAULT,
    GUESSES,
    INVITATIONS,
    LETTERS,
    LOGINS,
    MOST,
    VARIABLES,
    Network,
    Settings,
    networks,
    read_settings,
)

__all__ = [
    "DEFAULT",
    "FREE",
    "GUESSES",
    "INVITATIONS",
    "LETTERS",
    "LIMITED",
    "LOGINS",
    "MOST",
    "VARIABLES",
    "Addresses",
    "Asking",
    "Caller",
    "Holders",
    "Limits",
    "Network",
    "Settings",
    "networks",
    "read_settings",
]

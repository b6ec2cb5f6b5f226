"""How much anybody may ask: counted in this process, and shared with the others that know the same Redis."""

from __future__ import annotations

from service.limits.addresses import Addresses, Caller
from service.limits.holders import Holders
from service.limits.limits import Asking, Limits
from service.limits.operations import LIMITED
from service.limits.settings import (
    DEFAULT,
    GUESSES,
    INVITATIONS,
    INVITED,
    INVITED_BY_ONE,
    LETTERS,
    LOGINS,
    MOST,
    VARIABLES,
    Network,
    Rate,
    Settings,
    networks,
    read_settings,
)

__all__ = [
    "DEFAULT",
    "GUESSES",
    "INVITATIONS",
    "INVITED",
    "INVITED_BY_ONE",
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
    "Rate",
    "Settings",
    "networks",
    "read_settings",
]

"""Limits of what callers may ask: counted in this process, and shared with the processes that use the same Redis."""

from __future__ import annotations

from service.limits.limits import Addresses, Asking, Caller, Holders, Limits
from service.limits.settings import (
    DEEDS,
    DEFAULT,
    GUESSES,
    HINTS,
    INVITATIONS,
    INVITED,
    INVITED_BY_ONE,
    LETTERS,
    LOGINS,
    MOST,
    MOVES,
    OPENINGS,
    ORDERS,
    PINGS,
    REVIEWS,
    SETTINGS,
    SIGN_UPS,
    SITTINGS,
    STREAMS,
    TALK,
    TOKENS,
    VARIABLES,
    WAITS,
    Network,
    Rate,
    Settings,
    networks,
    read_settings,
)

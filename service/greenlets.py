"""Patches the standard library for gevent: greenlets that wait let others run, on one thread."""

from __future__ import annotations

import threading

from gevent import monkey


def patch() -> None:
    """Patch the standard library. Call this before a module is imported that may wait."""
    local = threading.local
    # `os` is not patched: patched files stay open, and locked, until the event loop runs again
    monkey.patch_all(os=False, signal=False, subprocess=False)
    # `local` stays one for the thread instead of one for each greenlet: no greenlet switches while it reads from SQLite
    threading.local = local

"""Has everything in a process that waits let the others go on, on one thread."""

from __future__ import annotations

import threading

from gevent import monkey


def patch() -> None:
    """To be called before anything else is imported that may wait."""
    local = threading.local
    # files are closed when we say so: patched they stay open, and locked, until the loop comes round
    monkey.patch_all(os=False, signal=False, subprocess=False)
    # one for the thread, not for each greenlet: none is left while it reads from SQLite
    threading.local = local

"""Everything impure: HTTP, the queue, the clock, accounts. The domain decides; the service stores and shows it."""

import sys

if not {"rich", "structlog"} & sys.modules.keys():
    # structlog loads rich wherever it is, for tracebacks on a terminal, which no log here has. It takes a tenth of the
    # start of a process.
    sys.modules["rich"] = None  # type: ignore[assignment]  # so an import of it fails
    import structlog

    del sys.modules["rich"]

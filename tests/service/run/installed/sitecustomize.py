"""Hides what tests and research install beside the service's own packages, and the service's own look for.

structlog and sqlite-utils import these wherever they are, which makes every start of a process a fourth longer, and no
installed service has them.
"""

import sys

for name in ("numpy", "rich"):
    sys.modules[name] = None  # type: ignore[assignment]  # so an import of it fails

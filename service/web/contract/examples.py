"""The examples in the document: requests to a running service and its answers. `make examples` writes them anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "examples.json"


def examples() -> dict[str, Any]:
    """Return for each operationId the `body` that was sent, and the `answers` by status."""
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content

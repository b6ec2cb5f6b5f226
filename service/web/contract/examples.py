"""What a running service was asked and has answered, by operation; `make examples` writes it anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "examples.json"


def examples() -> dict[str, Any]:
    """By operationId: the `body` that was sent, and the `answers` by status."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found

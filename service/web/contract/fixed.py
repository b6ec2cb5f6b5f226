"""What the document says besides what the routes declare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

FIXED: dict[str, Any] = msgspec.yaml.decode((Path(__file__).parent / "fixed.yaml").read_bytes())
"""The content of the file, whose comments explain it. It must not be changed."""

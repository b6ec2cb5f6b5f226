"""One test over the rows of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def each(*rows: Any) -> Iterator[Any]:
    """Yield the rows, and print each first: of a test that fails pytest shows them, and the failing one is the last."""
    for row in rows:
        print(row)
        yield row

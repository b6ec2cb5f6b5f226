"""What the house does in a second, on this machine."""

from __future__ import annotations

Figures = dict[str, dict[str, float | str]]
"""What was measured, by name: `value` and `unit`."""

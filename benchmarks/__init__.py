"""The benchmarks: how fast foldtable is on this machine."""

from __future__ import annotations

Figures = dict[str, dict[str, float | str]]
"""The measured figures by name, each with its `value` and `unit`."""

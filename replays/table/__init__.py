"""The one renderer of tables, in the browser: modules, styles and how pages come by them."""

from __future__ import annotations

from replays.table.files import FOLDER, MODULES, STYLES, bundle, styles
from replays.table.palette import palette_css

__all__ = ["FOLDER", "MODULES", "STYLES", "bundle", "palette_css", "styles"]

"""The browser's renderer of tables: modules, styles, and how pages include them."""

from __future__ import annotations

from replays.table.files import FOLDER, MODULES, STYLES, bundle, styles
from replays.table.palette import palette_css

"""The one player of matches, in the browser: on the service's replay page, and in the report that is one file."""

from __future__ import annotations

from replays.player.files import FOLDER, MODULES, STYLE, bundle
from replays.player.words import SAY

__all__ = ["FOLDER", "MODULES", "SAY", "STYLE", "bundle"]

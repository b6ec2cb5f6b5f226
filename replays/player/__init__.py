"""The browser's player of matches, for the service's replay page and for the report, which is a single file."""

from __future__ import annotations

from domain import texts
from replays.player.files import FOLDER, MODULES, STYLE, bundle

SAY = texts.read("replays.player", "words")
"""The player's texts by language and name; the page fills `{…}` in."""

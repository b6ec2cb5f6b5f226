"""The browser's player of matches, for the service's replay page and for the report, which is a single file."""

from __future__ import annotations

from pathlib import Path

from domain import texts
from replays import table

SAY = texts.read("replays.player", "words")
"""The player's texts by language and name; the page fills `{…}` in."""

FOLDER = Path(__file__).parent
STYLE = "player.css"
MODULES = ("dom.js", "film.js", "chart.js", "times.js", "verdict.js", "layout.js", "player.js")
"""Each after those that it imports; `player.js` is the one that pages load."""


def bundle() -> str:
    """Return the renderer and the player as one script. Their exports are members of the constant `foldtable`."""
    return table.bundle(*(FOLDER / module for module in MODULES))

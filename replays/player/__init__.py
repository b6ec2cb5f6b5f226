"""The browser's player of matches, for the service's replay page and for the report, which is a single file."""

from __future__ import annotations

import re
from pathlib import Path

from domain import texts
from replays import table

SAY = texts.read("replays.player", "words")
"""The player's texts by language and name; the page fills `{…}` in."""

FOLDER = Path(__file__).parent
STYLE = "player.css"
MODULES = ("dom.js", "film.js", "chart.js", "times.js", "verdict.js", "layout.js", "player.js")
"""Each after those that it imports; `player.js` is the one that pages load."""

_OF_TABLE = re.compile(r"^import (\{[^}]*\}) from '\.\./table/table\.js'\n", re.MULTILINE)
_OWN = re.compile(r"^(?:import|export) \{[^}]*\} from '\./[\w-]+\.js'\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function|const|class)", re.MULTILINE)


def bundle() -> str:
    """Return the renderer and the player as one script: each module uses the names of those before it."""
    parts = [table.bundle("foldtable")]
    for module in MODULES:
        text = (FOLDER / module).read_text(encoding="utf-8")
        parts.append(_EXPORT.sub("", _OWN.sub("", _OF_TABLE.sub(r"const \1 = foldtable\n", text))))
    return "\n".join(parts)

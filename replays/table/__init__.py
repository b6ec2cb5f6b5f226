"""The browser's renderer of tables: modules, styles, and how pages include them."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent
STYLES = ("table.css", "pieces.css", "layers.css")
"""In the order in which a page links them."""
MODULES = (
    "lit-html.js", "words.js", "scene.js", "touch.js", "palette.js", "emblem.js", "pieces.js", "draw.js", "matching.js",
    "flights.js", "details.js", "keys.js", "table.js",
)  # fmt: skip
"""Each after those that it imports; `table.js` is the one that pages load."""

_IMPORT = re.compile(r"^import (\{[^}]*\}) from '[./\w-]+\.js'\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function|const|class)", re.MULTILINE)
_PASSED = re.compile(r"^export \{[^}]*\} from '[./\w-]+\.js'\n", re.MULTILINE)
"""Exports of names from other modules, which are exported where they are defined."""
_NAMED = re.compile(r"^(?:async )?(?:function\*?|const|class) (\w+)")
_COMMENT = re.compile(r"^ *(?://.*|/\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
"""Comments in lines of their own: a page that is one file is mailed, and is lighter without them."""
_LISTED = re.compile(r"export\{([^}]*)\};?\s*(?://# sourceMappingURL=\S+\s*)?$")


def styles() -> str:
    """Return the renderer's whole style but the colours of games."""
    return "\n".join(_COMMENT.sub("", (FOLDER / name).read_text(encoding="utf-8")) for name in STYLES)


def bundle(*further: Path) -> str:
    """Return all modules, and further ones, as one script. Their exports are members of the constant `foldtable`."""
    parts = ["const foldtable = {}"]
    for path in (*(FOLDER / module for module in MODULES), *further):
        text = path.read_text(encoding="utf-8")
        parts.append(f"Object.assign(foldtable, (() => {{\n{_wrapped(text)}\n}})())")
    return "\n".join(parts)


def _wrapped(text: str) -> str:
    """Return a module's text as the body of a function that returns the module's exports."""
    if listed := _LISTED.search(text):
        pairs = [entry.split(" as ") for entry in listed[1].split(",")]
        returned = ", ".join(f"{outer}: {inner}" for inner, outer in pairs)
        return f"{text[: listed.start()]}\nreturn {{ {returned} }}"
    text = _COMMENT.sub("", _PASSED.sub("", text))
    names = [match[1] for part in _EXPORT.split(text)[1:] if (match := _NAMED.match(part))]
    body = _EXPORT.sub("", _IMPORT.sub(r"const \1 = foldtable\n", text))
    return f"{body}\nreturn {{ {', '.join(names)} }}"

"""The renderer's files: as they are served, and as one script for a page that is a single file."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent
STYLES = ("table.css", "pieces.css", "layers.css")
"""In the order in which a page links them."""
MODULES = (
    "lit-html.js", "words.js", "scene.js", "touch.js", "palette.js", "pieces.js", "draw.js", "matching.js",
    "flights.js", "details.js", "keys.js", "table.js",
)  # fmt: skip
"""Each after those that it imports; `table.js` is the door."""

_IMPORT = re.compile(r"^import \{([^}]*)\} from '\./([\w-]+\.js)'\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function|const|class)", re.MULTILINE)
_PASSED = re.compile(r"^export \{[^}]*\} from '\./[\w-]+\.js'\n", re.MULTILINE)
"""What the door hands on, which is exported where it is made."""
_NAMED = re.compile(r"^(?:async )?(?:function\*?|const|class) (\w+)")
_LISTED = re.compile(r"export\{([^}]*)\};?\s*(?://# sourceMappingURL=\S+\s*)?$")


def styles() -> str:
    """The renderer's whole style, but for the colours of games."""
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in STYLES)


def bundle(name: str = "foldtable") -> str:
    """All modules as one script, for a page that can load none: what they export is in a constant of that name."""
    parts = [f"const {name} = (() => {{", "const modules = {}"]
    for module in MODULES:
        text = (FOLDER / module).read_text(encoding="utf-8")
        parts.append(f"modules['{module}'] = (() => {{\n{_wrapped(text)}\n}})()")
    parts.append("return Object.assign({}, ...Object.values(modules))\n})()")
    return "\n".join(parts)


def _wrapped(text: str) -> str:
    """A module's text as a function's body, which returns what the module exports."""
    if listed := _LISTED.search(text):
        pairs = [entry.split(" as ") for entry in listed[1].split(",")]
        returned = ", ".join(f"{outer}: {inner}" for inner, outer in pairs)
        return f"{text[: listed.start()]}\nreturn {{ {returned} }}"
    text = _PASSED.sub("", text)
    names = [found[1] for part in _EXPORT.split(text)[1:] if (found := _NAMED.match(part))]
    body = _EXPORT.sub("", _IMPORT.sub(lambda found: f"const {{{found[1]}}} = modules['{found[2]}']\n", text))
    return f"{body}\nreturn {{ {', '.join(names)} }}"

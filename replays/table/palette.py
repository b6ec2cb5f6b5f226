"""A game's tones as a style sheet: pages allow no style attributes, so colours are set by classes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from domain.scene import Tone

_NAME = re.compile(r"[a-z0-9-]+")
_COLOUR = re.compile(r"#[0-9a-f]{6}")


def palette_css(slug: str, palette: Sequence[Tone]) -> str:
    """Return the style sheet of a game's palette; palette.js makes the same, byte for byte.

    Raises:  ValueError for a name or colour that can't be part of a style sheet.
    """
    if not _NAME.fullmatch(slug):
        raise ValueError(f"a game can't be called {slug} in a style sheet")
    for tone in palette:
        if not (_NAME.fullmatch(tone.name) and _COLOUR.fullmatch(tone.light) and _COLOUR.fullmatch(tone.dark)):
            raise ValueError(f"the tone {tone.name} of {slug} can't stand in a style sheet")
    light = [(tone.name, tone.light) for tone in palette]
    dark = [(tone.name, tone.dark) for tone in palette]
    return (
        _rules(slug, "", light)
        + "@media (prefers-color-scheme: dark){\n"
        + _rules(slug, ':root:not([data-theme="light"]) ', dark)
        + "}\n"
        + _rules(slug, ':root[data-theme="dark"] ', dark)
    )


def _rules(slug: str, before: str, tones: Sequence[tuple[str, str]]) -> str:
    return "".join(f'{before}.ft-table[data-game="{slug}"] .tone-{name}{{--tone:{colour}}}\n' for name, colour in tones)

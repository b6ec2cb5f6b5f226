"""The tones of stones and magic cards: everybody sees their backs, so a card has the tone of its back."""

from __future__ import annotations

from domain.games.ttmp.components import STONE
from domain.games.ttmp.text.describe import NAMES
from domain.scene import BackPattern, Frame, Shade, Style, Surface, Tone
from domain.texts import spoken

LEVEL = {STONE: "stone", 1: "level-1", 2: "level-2"}
"""The tone of a stone or of a magic card, by its level."""


def _tone(level: int, light: str, dark: str, sign: str) -> Tone:
    name = LEVEL[level]
    return Tone(name, spoken(NAMES, f"tone-{name}"), light, dark, sign)


PALETTE = (
    _tone(STONE, "#a3460f", "#b8560f", "M7 3h10l5 6-10 12L2 9z"),
    _tone(1, "#1f6391", "#2e78ab", "M12 7l9 9-3 3-6-6-6 6-3-3z"),
    _tone(2, "#6b3fa0", "#8156b8", "M12 2l9 9-3 3-6-6-6 6-3-3zM12 10l9 9-3 3-6-6-6 6-3-3z"),
)
"""The signs are a gem, a chevron, two chevrons."""

STYLE = Style(
    Surface.SLATE,
    ground=Shade("#3a474f", "#1a2126"),
    board=Shade("#f2f4f3", "#262f34"),
    back=Shade("#45606d", "#43606e"),
    frame=Frame.NOTCHED,
    pattern=BackPattern.CHECKS,
)
"""The table is a blackboard."""

"""The tones of stones and magic cards: everybody sees their backs, so a card has the tone of its back."""

from __future__ import annotations

from domain.games.ttmp.components import STONE
from domain.games.ttmp.text.describe import NAMES
from domain.scene import BackPattern, Frame, Shade, Style, Surface, Tone
from domain.texts import spoken

LEVEL = {STONE: "stone", 1: "level-1", 2: "level-2"}
"""The tone of a stone or of a magic card, by its level."""

PALETTE = (
    Tone(
        name=LEVEL[STONE],
        title=spoken(NAMES, "tone-stone"),
        light="#a3460f",
        dark="#b8560f",
        sign="M7 3h10l5 6-10 12L2 9z",
    ),
    Tone(
        name=LEVEL[1],
        title=spoken(NAMES, "tone-level-1"),
        light="#1f6391",
        dark="#2e78ab",
        sign="M12 7l9 9-3 3-6-6-6 6-3-3z",
    ),
    Tone(
        name=LEVEL[2],
        title=spoken(NAMES, "tone-level-2"),
        light="#6b3fa0",
        dark="#8156b8",
        sign="M12 2l9 9-3 3-6-6-6 6-3-3zM12 10l9 9-3 3-6-6-6 6-3-3z",
    ),
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

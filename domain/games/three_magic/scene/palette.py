"""The colours of the cards and of od, and signs for those who do not see the colours."""

from __future__ import annotations

from domain.games.three_magic.components import Attribute
from domain.games.three_magic.text.describe import NAMES
from domain.scene import BackPattern, Frame, Shade, Style, Surface, Tone
from domain.texts import spoken

OD = "od"
"""The tone of od."""


def _attribute(attribute: Attribute, light: str, dark: str, sign: str) -> Tone:
    return Tone(attribute.value, spoken(NAMES, f"attribute-{attribute}"), light, dark, sign)


PALETTE = (
    # a flame
    _attribute(
        Attribute.FIRE, "#b0281e", "#c2463a", "M13 1c1 5 6 8 6 13a7 8 0 0 1-14 0c0-4 2-5 3-8 2 1 3 3 3 5 2-2 3-6 2-10z"
    ),
    # a leaf on its stalk
    _attribute(Attribute.WOOD, "#2c6b34", "#397f43", "M21 3C10 3 4 8 4 15q0 2 1 4l-3 3 1 1 3-3c8 3 15-3 15-17z"),
    # a drop
    _attribute(Attribute.WATER, "#1d5ba6", "#3672bc", "M12 1C8 8 5 11 5 15a7 7 0 0 0 14 0c0-4-3-7-7-14z"),
    # a coin with a hole
    Tone(
        OD, spoken(NAMES, "tone-od"), "#775800", "#8a690e", "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 5l5 5-5 5-5-5z"
    ),
)

STYLE = Style(
    Surface.FELT,
    ground=Shade("#2f5f49", "#152a20"),
    board=Shade("#f1f5ec", "#22332b"),
    back=Shade("#8c2f24", "#8c3a2f"),
    frame=Frame.DOUBLE,
    pattern=BackPattern.WAVES,
)
"""The table is of green felt, with red backs."""

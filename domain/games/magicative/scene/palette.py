"""The tones of the pieces: the three schools, and pieces of no school."""

from __future__ import annotations

from domain.games.magicative.components import SCHOOLS, School
from domain.games.magicative.text.describe import NAMES
from domain.scene import BackPattern, Frame, Shade, Style, Surface, Tone
from domain.texts import spoken

INNOCENT_TONE = "innocent"
ARTEFACT_TONE = "artefact"
CHIP_TONE = "chip"


def _school(school: School, light: str, dark: str, sign: str) -> Tone:
    return Tone(school.value, spoken(NAMES, f"school-{school}"), light, dark, sign)


MAGIC, ALCHEMY, ASTROLOGY = SCHOOLS
PALETTE = (
    # a spark
    _school(MAGIC, "#8a2f5c", "#b0487a", "M12 1l3 8 8 3-8 3-3 8-3-8-8-3 8-3z"),
    # a flask
    _school(ALCHEMY, "#2c6b3f", "#347849", "M8 2h8v2h-2v5l6 10c1 2 0 3-2 3H6c-2 0-3-1-2-3l6-10V4H8z"),
    # a crescent
    _school(ASTROLOGY, "#2a4d8f", "#4a70b8", "M14 2a10 10 0 1 0 8 14A9 9 0 0 1 14 2z"),
    # a full circle
    Tone(INNOCENT_TONE, spoken(NAMES, "innocent"), "#5c5c66", "#6e6e7a", "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z"),
    # a gem
    Tone(ARTEFACT_TONE, spoken(NAMES, "tone-artefact"), "#8a4020", "#a8552f", "M6 3h12l5 6-11 13L1 9z"),
    # a hexagon
    Tone(CHIP_TONE, spoken(NAMES, "tone-chip"), "#7d6108", "#876a10", "M12 2l9 5v10l-9 5-9-5V7z"),
)

STYLE = Style(
    Surface.CLOTH,
    ground=Shade("#4b2a52", "#23142a"),
    board=Shade("#f7f1f7", "#30233a"),
    back=Shade("#5a3a78", "#5f4180"),
    frame=Frame.DOUBLE,
    pattern=BackPattern.STRIPES,
)
"""The table is a cloth."""

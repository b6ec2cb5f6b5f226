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
    title = spoken(NAMES, f"school-{school}")
    return Tone(name=school.value, title=title, light=light, dark=dark, sign=sign)


MAGIC, ALCHEMY, ASTROLOGY = SCHOOLS
PALETTE = (
    # a spark
    _school(MAGIC, "#8a2f5c", "#b0487a", "M12 1l3 8 8 3-8 3-3 8-3-8-8-3 8-3z"),
    # a flask
    _school(ALCHEMY, "#2c6b3f", "#347849", "M8 2h8v2h-2v5l6 10c1 2 0 3-2 3H6c-2 0-3-1-2-3l6-10V4H8z"),
    # a crescent
    _school(ASTROLOGY, "#2a4d8f", "#4a70b8", "M14 2a10 10 0 1 0 8 14A9 9 0 0 1 14 2z"),
    # a full circle
    Tone(
        name=INNOCENT_TONE,
        title=spoken(NAMES, "innocent"),
        light="#5c5c66",
        dark="#6e6e7a",
        sign="M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z",
    ),
    # a gem
    Tone(
        name=ARTEFACT_TONE,
        title=spoken(NAMES, "tone-artefact"),
        light="#8a4020",
        dark="#a8552f",
        sign="M6 3h12l5 6-11 13L1 9z",
    ),
    # a hexagon
    Tone(
        name=CHIP_TONE,
        title=spoken(NAMES, "scene-chip"),
        light="#7d6108",
        dark="#876a10",
        sign="M12 2l9 5v10l-9 5-9-5V7z",
    ),
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

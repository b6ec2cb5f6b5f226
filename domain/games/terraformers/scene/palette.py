"""The colours and signs of boxes, cards, tips and stars."""

from __future__ import annotations

from domain.games.terraformers.components import Box, Kind
from domain.games.terraformers.text.describe import NAMES
from domain.scene import BackPattern, Frame, Shade, Style, Surface, Tone
from domain.texts import spoken

TIP, STAR = "tip", "star"
FAMILY = {Kind.SPECIES: "being", Kind.BOX: "sigil"}
"""The emblems of planet cards: each species has a head of its own, each power box a sign."""


def _box(box: Box, light: str, dark: str, sign: str) -> Tone:
    return Tone(box.value, spoken(NAMES, f"box-{box}"), light, dark, sign)


def _card(kind: Kind, light: str, dark: str, sign: str) -> Tone:
    return Tone(f"card-{kind.value}", spoken(NAMES, f"kind-{kind}"), light, dark, sign)


PALETTE = (
    # houses
    _box(Box.CITY, "#7a5230", "#96663d", "M2 21V9h6v12zM9 21V3h7v18zM17 21v-9h5v9z"),
    # a leaf
    _box(Box.GREEN, "#2c6e2f", "#3a8a3e", "M4 20C2 9 9 4 21 3c1 12-5 18-13 17l6-9-8 9z"),
    # a flask
    _box(
        Box.SCIENCE,
        "#0b6bab",
        "#1c80c4",
        "M8 2h8v2h-2v5l6 11a1.500 1.500 0 0 1-1 2H5a1.500 1.500 0 0 1-1-2l6-11V4H8z",
    ),
    # a planet with its ring
    _box(
        Box.COSMO,
        "#5b3aa6",
        "#7656c4",
        "M12 6a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM1 16l1 2c6 0 15-5 21-10l-1-2C16 9 7 15 1 16z",
    ),
    # bubbles
    _box(Box.OXYGEN, "#007a80", "#0b8d94", "M9 3a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM18 13a4 4 0 1 1 0 8 4 4 0 0 1 0-8z"),
    # two swords, crossed
    _box(
        Box.WAR,
        "#9b2222",
        "#bb3a3a",
        "M2 2h4l13 13 2-2 1 1-3 3 3 3-2 2-3-3-3 3-1-1 2-2L2 6zM22 2h-4L5 15l-2-2-1 1 3 3-3 3 2 2 3-3 3 3 1-1-2-2L22 6z",
    ),
    # a balloon
    _box(Box.CARNIVAL, "#b0246f", "#cc3d88", "M12 1a7 8 0 0 1 2 15.500l1 2.500h-2v4h-2v-4H9l1-2.500A7 8 0 0 1 12 1z"),
    # a face with large eyes, on a blue planet card (TF-1)
    _card(
        Kind.SPECIES,
        "#27477d",
        "#3f66a8",
        "M12 2c5 0 8 4 8 8 0 6-5 12-8 12S4 16 4 10c0-4 3-8 8-8z"
        "M6 10c0 3 2 5 5 5 0-3-2-5-5-5zM18 10c-3 0-5 2-5 5 3 0 5-2 5-5z",
    ),
    # a crate, on a red one
    _card(Kind.BOX, "#a63a1e", "#c2522f", "M12 1l10 5v12l-10 5L2 18V6zM12 4L6 7l6 3 6-3z"),
    Tone(
        TIP,
        spoken(NAMES, "table-tip"),
        "#5d5a1c",
        "#7d792c",
        "M12 2a4.500 4.500 0 0 1 2.500 8.200L18 19v3H6v-3l3.500-8.800A4.500 4.500 0 0 1 12 2z",
    ),
    Tone(
        STAR,
        spoken(NAMES, "table-star"),
        "#8f6400",
        "#a87a0c",
        "M12 1l3.100 7.600 8.100.600-6.200 5.300 1.900 8L12 18.200 5.100 22.500l1.900-8L.800 9.200l8.100-.600z",
    ),
)

STYLE = Style(
    Surface.NIGHT,
    ground=Shade("#161d3a", "#0c1124"),
    board=Shade("#eef1f9", "#1c2542"),
    back=Shade("#2c4a86", "#34549a"),
    frame=Frame.CUT,
    pattern=BackPattern.RINGS,
)
"""The table is the sky."""

"""The colours of cards, of counters, and of the seats' pawns."""

from __future__ import annotations

from domain.game import Seat, Spoken
from domain.games.troll_master.components import ICON, Kind, Magic
from domain.games.troll_master.printed import Face
from domain.games.troll_master.text.describe import NAMES
from domain.scene import BackPattern, Frame, Shade, Style, Surface, Tone, emblem
from domain.texts import LANGS, seat_name, spoken

FAMILIAR, MANA, CHIP = "familiar", "mana", "chip"


def _tone(name: str, light: str, dark: str, sign: str) -> Tone:
    return Tone(name, spoken(NAMES, f"tone-{name}"), light, dark, sign)


def _pawn(seat: Seat, light: str, dark: str, sign: str) -> Tone:
    return Tone(f"seat-{seat}", Spoken(*(seat_name(NAMES[lang], seat) for lang in LANGS)), light, dark, sign)


PALETTE = (
    _tone(
        Magic.TOME.value,
        "#2f5d9b",
        "#4a7bc0",
        "M2 5c3-1.5 6-1.5 9 .5v14c-3-2-6-2-9-.5zM22 5c-3-1.5-6-1.5-9 .5v14c3-2 6-2 9-.5z",
    ),
    _tone(Magic.FLASK.value, "#2f7a4d", "#368a59", "M9 2h6v2h-1v5l6 10c1 2 0 3-2 3H6c-2 0-3-1-2-3l6-10V4H9z"),
    _tone(Magic.WAND.value, "#a8352f", "#c9524a", "M3 19 14 8l2 2L5 21zM18 1l1 3 3 1-3 1-1 3-1-3-3-1 3-1z"),
    _tone(Magic.CRYSTAL.value, "#6b3fa0", "#8a63c4", "M7 3h10l5 6-10 13L2 9z"),
    _tone(
        FAMILIAR,
        "#6b5a45",
        "#8d7860",
        "M12 11c3 0 6 4 6 7s-3 3-6 2c-3 1-6 1-6-2s3-7 6-7zM5 7a2 2.5 0 1 1 0 5 2 2.5 0 0 1 0-5z"
        "M19 7a2 2.5 0 1 1 0 5 2 2.5 0 0 1 0-5zM9 2a2 2.5 0 1 1 0 5 2 2.5 0 0 1 0-5z"
        "M15 2a2 2.5 0 1 1 0 5 2 2.5 0 0 1 0-5z",
    ),
    _tone(MANA, "#1f7083", "#28859a", "M12 2c4 6 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7 7-13z"),
    _tone(CHIP, "#85650f", "#9a7a1e", "m12 2 3 7 7 .5-5.5 4.5 2 7.5-6.5-4-6.5 4 2-7.5L2 9.5 9 9z"),
    _pawn(0, "#b23a2e", "#cf5548", "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z"),
    _pawn(1, "#23619f", "#3f82c6", "M4 4h16v16H4z"),
    _pawn(2, "#3b7530", "#4a8c3c", "M12 3l10 18H2z"),
    _pawn(3, "#84469c", "#a263bb", "M12 2l10 10-10 10L2 12z"),
    _pawn(4, "#8f5511", "#ad6d20", "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z"),
)
HELPS = {
    **{kind.value: icon.value for kind, icon in ICON.items()},
    "defence": ICON[Kind.ATTACK].value,
}
"""For the timing of an ability: the tone of the actions that it helps."""


WORN = {
    "planning": "wings",
    "summon": "crown",
    "brew": "feelers",
    "attack": "horns",
    "defence": "ears",
    "divination": "hare",
    "scoring": "flame",
}
"""For the timing of an ability: what a familiar's head wears."""
STRONG = 3
"""The power from which on a familiar shows fangs."""


def tone_of(card: Face) -> str:
    """Return the tone of the actions that the familiar helps, by the first of its abilities that helps one."""
    return next((HELPS[ability.at] for ability in card.abilities if ability.at in HELPS), FAMILIAR)


def emblem_of(card: Face) -> str:
    """Return the emblem of the familiar: what it wears on its head tells when it helps, and who has power has fangs."""
    worn = next((WORN[ability.at] for ability in card.abilities), "bald")
    certain = (worn, *(("fangs",) if card.power >= STRONG else ()))
    return emblem("being", card.name.en, *certain)


def tone_of_seat(seat: Seat) -> str:
    """Return the tone of a seat's pawn."""
    return f"seat-{seat}"


STYLE = Style(
    Surface.WOOD,
    ground=Shade("#6f4c2e", "#2d2016"),
    board=Shade("#f6eedd", "#33291e"),
    back=Shade("#4f3a63", "#57436d"),
    frame=Frame.ARCHED,
    pattern=BackPattern.DIAMONDS,
)
"""The table is a workbench, with parchment on it."""

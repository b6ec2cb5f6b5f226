"""What the pack prints, laid out to be looked at: magic cards, the workshop row, the black cat and the familiars."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import Lang
from domain.games.troll_master.components import COPIES, FAMILIAR_COPIES, MAGICS
from domain.games.troll_master.pack import Pack
from domain.games.troll_master.printed import Card, Space, printed
from domain.games.troll_master.scene import pieces
from domain.games.troll_master.text.phrases import WORDS
from domain.games.troll_master.view import ActionView
from domain.scene import Piece, Zone, ZoneKind

TITLES: dict[Lang, dict[str, str]] = {
    "en": {"magics": "Magic cards", "cat": "What everybody begins with", "familiars": "Familiars"},
    "ja": {"magics": "魔法カード", "cat": "全員が最初に持つ使い魔", "familiars": "使い魔"},
}


def showcase(pack: Pack, lang: Lang) -> tuple[Zone, ...]:
    """The magic cards, the actions from left to right, the black cat, and all 22 familiars. Rule: TM-1, TM-3."""
    found, titles = printed(pack), TITLES[lang]
    magics = tuple(replace(pieces.magic(lang, f"printed/magics/{one.value}", one), count=COPIES) for one in MAGICS)
    row = tuple(_action(lang, space) for space in found.row[1:])
    familiars = tuple(_familiar(lang, card, FAMILIAR_COPIES) for card in found.familiars)
    return (
        Zone("printed/magics", ZoneKind.ROW, titles["magics"], magics),
        Zone("printed/row", ZoneKind.TRACK, WORDS[lang].scene["row"], row),
        Zone("printed/cat", ZoneKind.ROW, titles["cat"], (_familiar(lang, found.black_cat, 1),)),
        Zone("printed/familiars", ZoneKind.ROW, titles["familiars"], familiars),
    )


def _action(lang: Lang, space: Space) -> Piece:
    shown = ActionView(
        number=space.number, kind=space.kind, value=space.value, cost=space.cost, icon=space.icon, pawn=()
    )
    return replace(pieces.action(lang, shown, is_done_now=False), id=f"printed/row/{space.number}")


def _familiar(lang: Lang, card: Card, count: int) -> Piece:
    """With the charges that it comes with. Rule: TM-25."""
    return pieces.familiar(lang, f"printed/familiars/{card.number}", card.face, card.charges, count=count)

"""The print of the pack, laid out to be looked at: stones, and the magic cards of each level."""

from __future__ import annotations

from domain.game import Lang
from domain.games.ttmp.components import LEVELS, STONE
from domain.games.ttmp.pack import MagicCard, Pack, StoneCard
from domain.games.ttmp.scene.cards import label
from domain.games.ttmp.scene.palette import LEVEL
from domain.games.ttmp.text.cards import effect_text
from domain.games.ttmp.text.describe import WORDS, stone_name
from domain.scene import Kind, Look, Mark, Piece, Zone, ZoneKind, emblem
from domain.texts import Words


def showcase(pack: Pack, lang: Lang) -> tuple[Zone, ...]:
    """Return a row of stones, and a row for each level. Rule: TT-1."""
    words = WORDS[lang]
    stones = tuple(_stone(words, stone) for stone in pack.stones)
    return (
        Zone("printed/stones", ZoneKind.ROW, words["zone-stones"], stones),
        *(
            Zone(
                f"printed/level-{level}",
                ZoneKind.ROW,
                words["showcase-level"].format(level=level),
                tuple(_card(words, at, card) for at, card in enumerate(pack.cards) if card.level == level),
            )
            for level in LEVELS
        ),
    )


def _stone(words: Words, stone: StoneCard) -> Piece:
    """Rule: TT-16: one of them makes its holder summoner."""
    return Piece(
        f"printed/stones/{stone.points}",
        Kind.CARD,
        str(stone.points),
        stone_name(words, stone.points),
        tone=LEVEL[STONE],
        count=stone.copies,
        marks=(Mark(Look.BRIGHT, words["print-summons"]),) if stone.summons else (),
    )


def _card(words: Words, at: int, card: MagicCard) -> Piece:
    return Piece(
        f"printed/level-{card.level}/{at}",
        Kind.CARD,
        label(card.effect),
        card.ja if words.lang == "ja" else card.name,
        text=effect_text(card.effect, words),
        tone=LEVEL[card.level],
        emblem=emblem("sigil", card.name),
        count=card.copies,
    )

"""All that is printed on the cards of a pack, as Markdown for the rules."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang
from domain.games.troll_master.components import ICON
from domain.games.troll_master.pack import Pack
from domain.games.troll_master.text.phrases import WORDS, abilities_text, does
from domain.games.troll_master.text.words import Words

ROW = {
    "en": "| action | what it does | cost |\n|---|---|---|",
    "ja": "| アクション | 効果 | コスト |\n|---|---|---|",
}
FAMILIARS = {
    "en": (
        "| familiar | cost | power | ribbons | initial charges | points | what it does |\n|---|---|---|---|---|---|---|"
    ),
    "ja": "| 使い魔 | コスト | 戦闘力 | リボン | 初期チャージ | 勝利点 | 能力 |\n|---|---|---|---|---|---|---|",
}
NOTHING = "–"


def cards(pack: Pack, lang: Lang) -> str:
    """The workshop row from left to right, then the black cat and the familiars in the pack's order."""
    return "\n".join(_lines(pack, WORDS[lang], lang))


def _lines(pack: Pack, words: Words, lang: Lang) -> Iterator[str]:
    yield ROW[lang]
    actions = [action for card in pack.workshop for action in (card.left, card.right)]
    for number, action in enumerate(actions, 1):
        what = does(words, action.kind, action.value)
        yield f"| {number} | {what} | {action.cost} × {words.magic[ICON[action.kind]]} |"
    yield ""
    yield FAMILIARS[lang]
    for card in (pack.black_cat, *pack.familiars):
        name = card.ja if lang == "ja" else card.name
        numbers = " | ".join(map(str, (card.cost, card.power, card.ribbons, card.charges, card.points)))
        yield f"| {name} | {numbers} | {abilities_text(words, card.abilities) or NOTHING} |"

"""The print of a pack's cards as Markdown, for the rules page; the names of the pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.game import Lang, Names
from domain.games.troll_master.components import ICON, MAGICS
from domain.games.troll_master.pack import Action, Familiar, Pack, actions_by_seats, actions_of
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
BY_SEATS = {
    "en": "With {seats} seats these stand in the place of those above (TM-50):",
    "ja": "{seats}人では、上のものの代わりに次のものを使う（TM-50）：",
}


def cards(pack: Pack, lang: Lang) -> str:
    """Return the workshop row from left to right, then the black cat and the familiars in the pack's order."""
    return "\n".join(_lines(pack, WORDS[lang], lang))


def _lines(pack: Pack, words: Words, lang: Lang) -> Iterator[str]:
    yield from _row(enumerate(actions_of(pack), 1), words, lang)
    yield ""
    yield from _familiars((pack.black_cat, *pack.familiars), words, lang)
    for changes in pack.by_seats:
        yield f"\n{BY_SEATS[lang].format(seats=changes.seats)}"
        if actions := actions_by_seats(pack, changes.seats):
            yield ""
            yield from _row(actions, words, lang)
        if changes.familiars:
            yield ""
            yield from _familiars(changes.familiars, words, lang)


def _row(actions: Iterable[tuple[int, Action]], words: Words, lang: Lang) -> Iterator[str]:
    yield ROW[lang]
    for number, action in actions:
        effect = does(words, action.kind, action.value)
        yield f"| {number} | {effect} | {action.cost} × {words.magic[ICON[action.kind]]} |"


def _familiars(cards: Iterable[Familiar], words: Words, lang: Lang) -> Iterator[str]:
    yield FAMILIARS[lang]
    for card in cards:
        name = card.ja if lang == "ja" else card.name
        numbers = " | ".join(map(str, (card.cost, card.power, card.ribbons, card.charges, card.points)))
        yield f"| {name} | {numbers} | {abilities_text(words, card.abilities) or NOTHING} |"


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of magic cards, of the pack's familiars, and of the black cat, which options cannot name."""
    is_ja, cat = lang == "ja", pack.black_cat
    return {
        "magic": {magic.value: WORDS[lang].magic[magic] for magic in MAGICS},
        "familiar": {card.name: card.ja if is_ja else card.name for card in pack.familiars},
        "black cat": {cat.name: cat.ja if is_ja else cat.name},
    }

"""The print of a pack's cards as Markdown, for the rules page; the names of the pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.game import Lang, Names
from domain.games.troll_master.components import ICON, MAGICS
from domain.games.troll_master.pack import Action, Familiar, Pack, actions_by_seats, actions_of
from domain.games.troll_master.text.describe import WORDS, abilities_text, does
from domain.texts import Words

NOTHING = "–"


def cards(pack: Pack, lang: Lang) -> str:
    """Return the workshop row from left to right, then the black cat and the familiars in the pack's order."""
    return "\n".join(_lines(pack, WORDS[lang]))


def _lines(pack: Pack, words: Words) -> Iterator[str]:
    yield from _row(enumerate(actions_of(pack), 1), words)
    yield ""
    yield from _familiars((pack.black_cat, *pack.familiars), words)
    for changes in pack.by_seats:
        yield "\n" + words["print-by-seats"].format(seats=changes.seats)
        if actions := actions_by_seats(pack, changes.seats):
            yield ""
            yield from _row(actions, words)
        if changes.familiars:
            yield ""
            yield from _familiars(changes.familiars, words)


def _row(actions: Iterable[tuple[int, Action]], words: Words) -> Iterator[str]:
    yield words["print-row"] + "\n|---|---|---|"
    for number, action in actions:
        effect, icon = does(words, action.kind, action.value), words[f"magic-{ICON[action.kind]}"]
        yield f"| {number} | {effect} | {action.cost} × {icon} |"


def _familiars(cards: Iterable[Familiar], words: Words) -> Iterator[str]:
    yield words["print-familiars"] + "\n|---|---|---|---|---|---|---|"
    for card in cards:
        name = card.ja if words.lang == "ja" else card.name
        numbers = " | ".join(map(str, (card.cost, card.power, card.ribbons, card.charges, card.points)))
        yield f"| {name} | {numbers} | {abilities_text(words, card.abilities) or NOTHING} |"


TERMS = ("points", "mana", "familiars", "pawn", "rivals", "result")
"""The parts of which the worth of a position is made: see `Game.terms`."""


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of magic cards, of the pack's familiars, and of the black cat, which options cannot name.

    And those of the parts of a position's worth.
    """
    is_ja, cat = lang == "ja", pack.black_cat
    return {
        "magic": {magic.value: WORDS[lang][f"magic-{magic}"] for magic in MAGICS},
        "familiar": {card.name: card.ja if is_ja else card.name for card in pack.familiars},
        "black cat": {cat.name: cat.ja if is_ja else cat.name},
        "term": {name: WORDS[lang][f"term-{name}"] for name in TERMS},
    }

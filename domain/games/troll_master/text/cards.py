"""The print of a pack's cards as Markdown, for the rules page; the names of the pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.game import Lang, Names
from domain.games.troll_master.components import ICON, MAGICS
from domain.games.troll_master.pack import Action, Familiar, Pack, actions_by_seats, actions_of
from domain.games.troll_master.text.describe import WORDS, abilities_text, does
from domain.texts import Words, table

NOTHING = "–"


def cards(pack: Pack, lang: Lang) -> str:
    """Return the workshop row from left to right, then the black cat and the familiars in the pack's order."""
    return "\n\n".join(_parts(pack, WORDS[lang]))


def _parts(pack: Pack, words: Words) -> Iterator[str]:
    yield _row(enumerate(actions_of(pack), 1), words)
    yield _familiars((pack.black_cat, *pack.familiars), words)
    for changes in pack.by_seats:
        yield words["print-by-seats"].format(seats=changes.seats)
        if actions := actions_by_seats(pack, changes.seats):
            yield _row(actions, words)
        if changes.familiars:
            yield _familiars(changes.familiars, words)


def _row(actions: Iterable[tuple[int, Action]], words: Words) -> str:
    icons = {kind: words[f"magic-{icon}"] for kind, icon in ICON.items()}
    rows = ((str(at), does(words, one.kind, one.value), f"{one.cost} × {icons[one.kind]}") for at, one in actions)
    return table(words["print-row"], rows)


def _familiars(cards: Iterable[Familiar], words: Words) -> str:
    return table(words["print-familiars"], (_familiar(card, words) for card in cards))


def _familiar(card: Familiar, words: Words) -> tuple[str, ...]:
    name = card.ja if words.lang == "ja" else card.name
    numbers = map(str, (card.cost, card.power, card.ribbons, card.charges, card.points))
    return name, *numbers, abilities_text(words, card.abilities) or NOTHING


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

"""The print of the pack, laid out to be looked at: cards of each school, aptitude cards, artefacts and the sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from domain.game import Lang
from domain.games.magicative.components import INNOCENT, NUMBERS, SCHOOLS, Card, School, card_of, named
from domain.games.magicative.pack import Pack
from domain.games.magicative.scene import ids
from domain.games.magicative.scene.cards import artefact_piece, card_piece, sheet_piece
from domain.games.magicative.text.cards import ARTEFACTS
from domain.games.magicative.text.describe import WORDS, aptitude_name
from domain.games.magicative.view import CardView, sheet_of
from domain.scene import Kind, Piece, Zone, ZoneKind
from domain.texts import Words, sentence


def showcase(pack: Pack, lang: Lang) -> tuple[Zone, ...]:
    """Return a row for each school, the innocents, the aptitude cards, the artefacts, and the scores.

    Rule:    MG-1, MG-2, MG-13.
    """
    words = WORDS[lang]
    sheet = sheet_of(pack)
    innocent = _card(words, "printed/innocent/0", INNOCENT, pack.deck.innocents)
    tools = tuple(
        artefact_piece(words, f"printed/{ids.artefact(artefact)}", artefact, sheet)
        for artefact in (ARTEFACTS[type(tool.power)] for tool in pack.artefacts)
    )
    scores = (sheet_piece(words, "printed/sheet/0", sheet),)
    return (
        *(_school(words, school, pack.deck.copies) for school in SCHOOLS),
        Zone("printed/innocent", ZoneKind.ROW, words["showcase-innocent"], (innocent,) if pack.deck.innocents else ()),
        Zone("printed/aptitudes", ZoneKind.ROW, words["scene-aptitudes"], tuple(_aptitudes(words, pack))),
        Zone("printed/artefacts", ZoneKind.ROW, words["showcase-artefacts"], tools),
        Zone("printed/sheet", ZoneKind.COUNTERS, words["showcase-sheet"], scores),
    )


def _school(words: Words, school: School, copies: int) -> Zone:
    at = f"printed/{school.value}"
    cards = tuple(_card(words, f"{at}/{number}", card_of(school, number), copies) for number in range(1, NUMBERS + 1))
    return Zone(at, ZoneKind.ROW, sentence(words[f"school-{school}"]), cards)


def _card(words: Words, at: str, card: Card, copies: int) -> Piece:
    return card_piece(words, at, CardView(card, (), ()), count=copies)


def _aptitudes(words: Words, pack: Pack) -> Iterator[Piece]:
    """Rule: MG-2, MG-16."""
    for aptitudes in pack.aptitudes:
        for number, copies in sorted(Counter(aptitudes.numbers).items()):
            yield Piece(
                f"printed/aptitudes/{aptitudes.school.value}-{number}",
                Kind.TILE,
                str(number),
                aptitude_name(words, aptitudes.school, number, named(number, aptitudes.reach)),
                tone=aptitudes.school.value,
                count=copies,
            )

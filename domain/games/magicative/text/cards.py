"""The print of a pack in words, for RULES.md: the deck, the artefacts, and the sheet of formulas.

And the names of the pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from domain.game import Lang, Names
from domain.games.magicative.abilities import (
    POWERS,
    AllNumbers,
    AllRuns,
    AnyPower,
    EqualRuns,
    FatePower,
    Group,
    InnocentPower,
    NumberInEverySchool,
    PastPower,
    RunInEverySchool,
)
from domain.games.magicative.components import FORMS, KINDS, NUMBERS, RUNS, SCHOOLS, Artefact
from domain.games.magicative.pack import Pack, deck_of
from domain.games.magicative.text.describe import WORDS, card_name, special_name
from domain.texts import Words, figure, table

ARTEFACTS: dict[type[Any], Artefact] = dict(zip(POWERS, Artefact, strict=True))
RUN, THREE = 0, RUNS + 1
"""The forms that serve as examples: 123 and 222."""


def cards(pack: Pack, lang: Lang) -> str:
    """Return four Markdown tables: cards, aptitude cards, artefacts, the sheet. [H] marks house numbers."""
    words = WORDS[lang]
    return "\n\n".join(
        (
            table(words["print-cards"], _deck(words, pack)),
            table(words["print-aptitudes"], _aptitudes(words, pack)),
            table(words["print-artefacts"], _artefacts(words, pack)),
            table(words["print-sheet"], _sheet(words, pack)),
        )
    )


def _marked(words: Words, entry: Any, field: str, value: object) -> str:
    """Return the number, marked if it is a house number."""
    return str(value) if field in entry.rulebook else words["print-house"].format(value=value)


def _deck(words: Words, pack: Pack) -> Iterable[tuple[str, ...]]:
    deck = pack.deck
    for school in SCHOOLS:
        name = words["print-numbers"].format(school=words[f"school-{school}"], most=NUMBERS)
        yield name, _marked(words, deck, "copies", deck.copies)
    yield words["innocent"], _marked(words, deck, "innocents", deck.innocents)
    yield words["print-sum"].format(sum=len(deck_of(pack))), ""


def _aptitudes(words: Words, pack: Pack) -> Iterable[tuple[str, ...]]:
    for aptitudes in pack.aptitudes:
        numbers = words["comma"].join(map(str, aptitudes.numbers)) or words["nothing"]
        names = words["print-reach" if aptitudes.reach else "print-own"].format(reach=aptitudes.reach)
        yield (
            words[f"school-{aptitudes.school}"],
            _marked(words, aptitudes, "numbers", numbers),
            _marked(words, aptitudes, "reach", names),
        )


def _artefacts(words: Words, pack: Pack) -> Iterable[tuple[str, ...]]:
    for tool in pack.artefacts:
        name = words[f"artefact-{ARTEFACTS[type(tool.power)]}"]
        yield name, _marked(words, tool, "points", figure(tool.points)), effect(words, tool.power)


def effect(words: Words, power: AnyPower) -> str:
    """Return what an artefact does. Rule: MG-15."""
    match power:
        case FatePower(cards=count):
            return words["print-fate"].format(cards=count)
        case PastPower(cards=count):
            return words["print-past"].format(number=count)
        case InnocentPower():
            return words["print-innocent"]
        case _:
            assert_never(power)


def _sheet(words: Words, pack: Pack) -> Iterable[tuple[str, ...]]:
    chips = _marked(words, pack.play, "formula", pack.play.formula)
    yield chips, words["print-run"], _example(words, (0, RUN))
    yield chips, words["print-three"], _example(words, (0, THREE))
    for special in pack.specials:
        name = words["print-special"].format(name=special_name(words, special.group))
        points = _marked(words, special, "points", special.points)
        yield points, name, _example(words, *_group(special.group))


def _example(words: Words, *formulas: tuple[int, int]) -> str:
    """Return formulas, given by school and form."""
    return words["between-cards"].join(
        words["card"].format(school=words[f"school-{SCHOOLS[school]}"], number="".join(map(str, FORMS[form])))
        for school, form in formulas
    )


def _group(group: Group) -> tuple[tuple[int, int], ...]:
    """Return formulas that complete the group."""
    match group:
        case EqualRuns(times=times):
            return ((0, RUN),) * times
        case RunInEverySchool():
            return tuple((school, RUN) for school in range(len(SCHOOLS)))
        case NumberInEverySchool():
            return tuple((school, THREE) for school in range(len(SCHOOLS)))
        case AllNumbers():
            return (0, RUN), (0, RUN + 3), (0, len(FORMS) - 1)
        case AllRuns():
            return tuple((0, run) for run in range(RUNS))
        case _:
            assert_never(group)


TERMS = ("chips", "aptitudes", "formulas", "hand", "result")
"""The parts of which the worth of a position is made: see `Game.terms`."""


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of cards, schools, artefacts, and of parts of a position's worth, which every pack has."""
    words = WORDS[lang]
    return {
        "card": {str(card): card_name(words, card) for card in KINDS},
        "school": {school.value: words[f"school-{school}"] for school in SCHOOLS},
        "artefact": {artefact.value: words[f"artefact-{artefact}"] for artefact in Artefact},
        "term": {name: words[f"term-{name}"] for name in TERMS},
    }

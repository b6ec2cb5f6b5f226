"""The print of a pack in words, for RULES.md: the deck, the artefacts, and the sheet of formulas.

And the names of the pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from domain.game import Lang, Names
from domain.games.magicative.abilities import (
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
from domain.games.magicative.text.phrases import WORDS, card_name, special_name

TEXTS: dict[Lang, dict[str, str]] = {
    "en": {
        "cards": "| cards | copies of each |",
        "numbers": "{school} 1 to {most}",
        "sum": "all of them together: {sum}",
        "aptitudes": "| aptitude cards | numbers | each names |",
        "reach": "its number and those up to {reach} from it",
        "own": "its number",
        "artefacts": "| artefact | points | effect |",
        "fate": "In your turn before the discard, or right before the turn's draw: look at the top {cards} cards of "
        "the deck and put them back in any order.",
        "past": "In your turn before the discard: put {cards} hand cards at the left end of your row, then take any "
        "{cards} of its other cards.",
        "innocent": "In your turn before the discard: a hand card counts as innocent in a formula fixed at once.",
        "sheet": "| points | formula or special | for example |",
        "run": "formula: three numbers in a row, of one school",
        "three": "formula: three equal numbers, of one school",
        "special": "special: {name}",
        "house": "{value} [H]",
    },
    "ja": {
        "cards": "| カード | それぞれの枚数 |",
        "numbers": "{school} 1〜{most}",
        "sum": "合計 {sum}",
        "aptitudes": "| 適性カード | 数字 | それぞれが示す数字 |",
        "reach": "その数字と、前後{reach}つまでの数字",
        "own": "その数字",
        "artefacts": "| 三賢者の魔具 | 点 | 効果 |",
        "fate": "自分の手番で捨てる前、または手番の始めに引く直前：山札の上{cards}枚を見て、好きな順に戻す。",
        "past": "自分の手番で捨てる前：手札{cards}枚を自分の列の左端に差し込み、列の他の札から好きな{cards}枚を取る。",
        "innocent": "自分の手番で捨てる前：手札1枚を無垢として使い、ただちに魔法式を確定する。",
        "sheet": "| 点 | 魔法式・特殊式 | 例 |",
        "run": "魔法式：同じ術の3枚の連番",
        "three": "魔法式：同じ術の同じ数字3枚",
        "special": "特殊式：{name}",
        "house": "{value} [H]",
    },
}
ARTEFACTS: dict[type[Any], Artefact] = {
    FatePower: Artefact.FATE,
    PastPower: Artefact.PAST,
    InnocentPower: Artefact.INNOCENT,
}
RUN, THREE = 0, RUNS + 1
"""The forms that serve as examples: 123 and 222."""


def cards(pack: Pack, lang: Lang) -> str:
    """Return four Markdown tables: cards, aptitude cards, artefacts, the sheet. [H] marks house numbers."""
    texts = TEXTS[lang]
    return "\n\n".join(
        (
            _table(texts["cards"], 2, _deck(pack, lang)),
            _table(texts["aptitudes"], 3, _aptitudes(pack, lang)),
            _table(texts["artefacts"], 3, _artefacts(pack, lang)),
            _table(texts["sheet"], 3, _sheet(pack, lang)),
        )
    )


def _table(head: str, columns: int, rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join((head, "|---" * columns + "|", *(f"| {' | '.join(row)} |" for row in rows)))


def _marked(entry: Any, field: str, value: object, lang: Lang) -> str:
    """Return the number, marked if it is a house number."""
    return str(value) if field in entry.rulebook else TEXTS[lang]["house"].format(value=value)


def _deck(pack: Pack, lang: Lang) -> Iterable[tuple[str, ...]]:
    texts, words, deck = TEXTS[lang], WORDS[lang], pack.deck
    for school in SCHOOLS:
        name = texts["numbers"].format(school=words.school[school], most=NUMBERS)
        yield name, _marked(deck, "copies", deck.copies, lang)
    yield words.innocent, _marked(deck, "innocents", deck.innocents, lang)
    yield texts["sum"].format(sum=len(deck_of(pack))), ""


def _aptitudes(pack: Pack, lang: Lang) -> Iterable[tuple[str, ...]]:
    words = WORDS[lang]
    for aptitudes in pack.aptitudes:
        numbers = words.comma.join(map(str, aptitudes.numbers)) or words.nothing
        names = TEXTS[lang]["reach"].format(reach=aptitudes.reach) if aptitudes.reach else TEXTS[lang]["own"]
        yield (
            words.school[aptitudes.school],
            _marked(aptitudes, "numbers", numbers, lang),
            _marked(aptitudes, "reach", names, lang),
        )


def _artefacts(pack: Pack, lang: Lang) -> Iterable[tuple[str, ...]]:
    for tool in pack.artefacts:
        name = WORDS[lang].artefact[ARTEFACTS[type(tool.power)]]
        yield name, _marked(tool, "points", tool.points, lang), effect(tool.power, lang)


def effect(power: AnyPower, lang: Lang) -> str:
    """Return what an artefact does. Rule: MG-15."""
    texts = TEXTS[lang]
    match power:
        case FatePower(cards=count):
            return texts["fate"].format(cards=count)
        case PastPower(cards=count):
            return texts["past"].format(cards=count)
        case InnocentPower():
            return texts["innocent"]
        case _:
            assert_never(power)


def _sheet(pack: Pack, lang: Lang) -> Iterable[tuple[str, ...]]:
    texts, words = TEXTS[lang], WORDS[lang]
    chips = _marked(pack.play, "formula", pack.play.formula, lang)
    yield chips, texts["run"], _example(lang, (0, RUN))
    yield chips, texts["three"], _example(lang, (0, THREE))
    for special in pack.specials:
        name = texts["special"].format(name=special_name(words, special.group))
        points = _marked(special, "points", special.points, lang)
        yield points, name, _example(lang, *_group(special.group))


def _example(lang: Lang, *formulas: tuple[int, int]) -> str:
    """Return formulas, given by school and form."""
    words = WORDS[lang]
    return words.between_cards.join(
        words.card.format(school=words.school[SCHOOLS[school]], number="".join(map(str, FORMS[form])))
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


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of cards, schools and artefacts, which every pack has."""
    words = WORDS[lang]
    return {
        "card": {str(card): card_name(words, card) for card in KINDS},
        "school": {school.value: words.school[school] for school in SCHOOLS},
        "artefact": {artefact.value: words.artefact[artefact] for artefact in Artefact},
    }

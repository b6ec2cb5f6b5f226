"""What the pack prints, in words, for RULES.md: the sixty cards, the prices, and what a win scores."""

from __future__ import annotations

from collections.abc import Iterable

from domain.game import Lang
from domain.games.three_magic.components import ATTRIBUTES, DECK, attribute_of, has_star, number_of
from domain.games.three_magic.pack import Pack
from domain.games.three_magic.text.phrases import WORDS

TEXTS: dict[Lang, dict[str, str]] = {
    "en": {
        "cards": "| attribute | number | copies | with a star |",
        "numbers": "| od | |",
        "start": "in the hand at the start (3M-3)",
        "reach": "for reach (3M-19)",
        "pledge_own": "for the first, the second pledge of the own attribute (3M-15)",
        "pledge_other": "for the first, the second pledge of another attribute (3M-15)",
        "manager": "added to the ley line by the manager (3M-28, 3M-32)",
        "attribute": "for one, two, three spells of the counted attribute (3M-23)",
        "equal": "for two, three equal spells of equal numbers (3M-24)",
        "one_direction": "for two, three equal sequences in one direction (3M-24)",
        "mixed": "for two, three equal sequences in mixed directions (3M-24)",
        "star": "for one, two, three spells of stars alone (3M-25)",
        "catalyst": "for each card that an indicator names, and each indicator (3M-26)",
        "catalyst_from": "from which on catalysts score (3M-26)",
    },
    "ja": {
        "cards": "| 属性 | 数字 | 枚数 | 星つき |",
        "numbers": "| オド | |",
        "start": "最初の持ち点(3M-3)",
        "reach": "リーチ(3M-19)",
        "pledge_own": "自分の属性の誓約、1回目、2回目(3M-15)",
        "pledge_other": "他の属性の誓約、1回目、2回目(3M-15)",
        "manager": "管理者が霊脈に加える(3M-28、3M-32)",
        "attribute": "数える属性の呪文1つ、2つ、3つ(3M-23)",
        "equal": "同じ同数の呪文2つ、3つ(3M-24)",
        "one_direction": "同じ並びの呪文2つ、3つ、統一(3M-24)",
        "mixed": "同じ並びの呪文2つ、3つ、ばらばら(3M-24)",
        "star": "星だけの呪文1つ、2つ、3つ(3M-25)",
        "catalyst": "触媒表示が示すカード1枚、触媒表示1枚ごとに(3M-26)",
        "catalyst_from": "触媒が数えられる最低点(3M-26)",
    },
}


def cards(pack: Pack, lang: Lang) -> str:
    """Two Markdown tables: the cards, and the pack's numbers in od."""
    return "\n\n".join((_table(TEXTS[lang]["cards"], 4, _faces(lang)), _numbers(pack, lang)))


def _faces(lang: Lang) -> Iterable[tuple[str, ...]]:
    for attribute in ATTRIBUTES:
        for number in range(5):
            copies = [card for card in DECK if (attribute_of(card), number_of(card)) == (attribute, number)]
            stars = sum(map(has_star, copies))
            yield WORDS[lang].attribute[attribute], str(number), str(len(copies)), str(stars)


def _numbers(pack: Pack, lang: Lang) -> str:
    rows = []
    for part in (pack.prices, pack.scores):
        for name in part.__struct_fields__:
            value = getattr(part, name)
            od = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            rows.append((od, TEXTS[lang][name]))
    return _table(TEXTS[lang]["numbers"], 2, rows)


def _table(head: str, columns: int, rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join((head, "|---" * columns + "|", *(f"| {' | '.join(row)} |" for row in rows)))

"""The print of planet cards, in words that are made from their effects; the names of the pieces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import assert_never

from domain.game import Lang, Names
from domain.games.terraformers import abilities
from domain.games.terraformers.abilities import Amount, AnyEffect, Compare, Extreme, Happening, Lasting, Of, Whose
from domain.games.terraformers.components import Kind
from domain.games.terraformers.pack import Pack
from domain.games.terraformers.text.describe import BRIEF, WORDS, counted
from domain.texts import Words, listed, sentence, table


def cards(pack: Pack, lang: Lang) -> str:
    """Return all cards of the pack as Markdown, a table for each kind, in the pack's order."""
    words = WORDS[lang]
    heads = {kind: words["cards-head"].format(kind=words[f"kind-{kind}"]) for kind in Kind}
    return "\n\n".join(table(head, _rows(pack, kind, lang)) for kind, head in heads.items())


def _rows(pack: Pack, kind: Kind, lang: Lang) -> Iterator[tuple[str, ...]]:
    for card in pack.cards:
        if card.kind is kind:
            name = card.ja if lang == "ja" else f"{card.name} {card.ja}"
            yield name, str(card.cost), card_text(kind, card.effects, lang)


@lru_cache
def card_text(kind: Kind, effects: tuple[AnyEffect, ...], lang: Lang, *, is_brief: bool = False) -> str:
    """Return the print of a card, a sentence for each effect; in fewer words for labels (`is_brief`).

    What a named player does stands last, as it happens last; there is one such player.

    Rule:    TF-43.
    """
    words = (BRIEF if is_brief else WORDS)[lang]
    texts = [_effect(words, kind, effect) for effect in effects if not isinstance(effect, abilities.Provoke)]
    provokes = (effect for effect in effects if isinstance(effect, abilities.Provoke))
    texts += [_provoke(words, effect, "provoke-too" if number else "provoke") for number, effect in enumerate(provokes)]
    return words["between-sentences"].join(map(sentence, texts))


def _provoke(words: Words, effect: abilities.Provoke, key: str) -> str:
    return words[key].format(tips=counted(words["tips"], effect.tips), box=words[f"box-{effect.box}"])


def _effect(words: Words, kind: Kind, effect: Happening | Lasting | Compare) -> str:
    if isinstance(effect, Happening):
        is_everybodys = kind is Kind.BOX and not abilities.is_for_all(effect)
        when = words[f"when-for-all-{effect.when}" if is_everybodys else f"when-{effect.when}"]
        return _happening(words, effect, when)
    if isinstance(effect, Lasting):
        return _lasting(words, effect)
    return _compare(words, effect)


def _amount(words: Words, amount: Amount) -> str:
    n = amount.plus
    if amount.of is Of.NOTHING:
        return str(max(0, n))
    text = words["amount-plus" if n > 0 else "amount-minus" if n < 0 else "amount-of"]
    return text.format(of=words[f"of-{amount.of}"], n=abs(n))


def _numbered(words: Words, amount: Amount, what: str) -> str:
    """Return so many points or tips: `3 points`, or `points equal to your city level − 2`."""
    if amount.of is Of.NOTHING:
        return counted(words[what], max(0, amount.plus))
    return words[f"{what}-equal"].format(amount=_amount(words, amount))


def _happening(words: Words, effect: Happening, when: str) -> str:
    match effect:
        case abilities.GainPoints(amount=amount, all_placed=all_placed):
            text = words["gain-points-all" if all_placed else "gain-points"]
            return text.format(when=when, points=_numbered(words, amount, "points"))
        case abilities.TakeTips(amount=amount):
            return words["take-tips"].format(when=when, tips=_numbered(words, amount, "tips"))
        case abilities.PayTips(tips=tips):
            return words["pay-tips"].format(when=when, tips=counted(words["tips"], tips))
        case abilities.Fill(level=level, boxes=boxes):
            filled = counted(words["check-boxes"], boxes)
            return words["fill"].format(when=when, level=words[f"level-{level}"], boxes=filled)
        case abilities.MarkStars(stars=stars):
            return words["mark-stars"].format(when=when, stars=counted(words["stars"], stars))
        case abilities.AddTips():
            return _add_tips(words, effect, when)
        case abilities.Outdo(level=level, points=points):
            lost = counted(words["points"], points)
            return words["outdo"].format(when=when, level=words[f"level-{level}"], points=lost)
        case abilities.Contest(level=level):
            gains = {name: counted(words["points"], getattr(effect, name)) for name in ("highest", "tied", "otherwise")}
            return words["contest"].format(when=when, level=words[f"level-{level}"], **gains)
        case _:
            assert_never(effect)


def _add_tips(words: Words, effect: abilities.AddTips, when: str) -> str:
    others = "-others" if effect.whose is Whose.OTHERS else ""
    text = words[f"add-tips{others}-occupied" if effect.occupied else f"add-tips{others}"]
    row = listed(words, [words["box-in-row"].format(box=words[f"box-{box}"]) for box in effect.boxes])
    boxes = words["whose-boxes"].format(number=len(effect.boxes), boxes=row)
    return text.format(when=when, tips=counted(words["tips"], effect.tips), boxes=boxes)


def compare_text(words: Words, effect: Compare) -> str:
    """Return how players are compared at the game's end, for a label: without a full stop. Rule: TF-25."""
    return _compare(words, effect).rstrip(".。")


def _compare(words: Words, effect: Compare) -> str:
    change = words["gain" if effect.points >= 0 else "lose"]
    return words["compare"].format(
        of=words[f"most-{effect.of}" if effect.extreme is Extreme.HIGHEST else f"least-{effect.of}"],
        at_least=words["at-least"].format(n=effect.at_least) if effect.at_least else "",
        change=change.format(points=counted(words["points"], abs(effect.points))),
    )


def _lasting(words: Words, effect: Lasting) -> str:
    match effect:
        case abilities.ScienceCounts(science=science):
            return words["science-counts"].format(science=science)
        case abilities.PowerBase(amount=amount):
            return words["power-base"].format(amount=_amount(words, amount))
        case abilities.WarBonus(amount=amount, without_tips=without_tips):
            text = words["war-bonus-always" if without_tips else "war-bonus"]
            return text.format(amount=_amount(words, amount))
        case abilities.Bar(box=box):
            return words["bar"].format(box=words[f"box-{box}"])
        case abilities.OxygenSucceeds():
            return words["always-oxygen"]
        case abilities.OxygenSurplus(points=points):
            return words["oxygen-surplus"].format(points=counted(words["points"], points))
        case abilities.NoCarnival():
            return words["no-carnival"]
        case abilities.Clings():
            return words["clings"]
        case abilities.Copies(tips=tips):
            return words["copies"].format(tips=counted(words["tips"], tips))
        case _:
            assert_never(effect)


TERMS = ("points", "hopes", "rivals")
"""The parts of which the worth of a position is made: see `Game.terms`."""


def names(pack: Pack, lang: Lang) -> Names:
    """Return the names of the pack's planet cards and scenarios, and of the parts of a position's worth."""
    is_ja = lang == "ja"
    return {
        "card": {card.name: card.ja if is_ja else card.name for card in pack.cards},
        "scenario": {scenario.name: scenario.ja if is_ja else scenario.title for scenario in pack.scenarios},
        "term": {name: WORDS[lang][f"term-{name}"] for name in TERMS},
    }

"""The table as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang
from domain.games.magicative.components import SCHOOLS, Lying, card_of
from domain.games.magicative.text.phrases import (
    WORDS,
    card_name,
    card_names,
    number_names,
    seat_name,
    sentence,
)
from domain.games.magicative.text.words import Words
from domain.games.magicative.view import AptitudeView, CardView, FormulaView, PlaceView, TableView


def draw(shown: TableView, lang: Lang) -> str:
    """The table: where the turn stands, what lies in the middle, then each seat's place."""
    words = WORDS[lang]
    lines = [_head(words, shown), *_middle(words, shown)]
    for place in shown.places:
        lines += ["", *_place(words, place)]
    return "\n".join(lines)


def _head(words: Words, shown: TableView) -> str:
    step = words.step[shown.step]
    turn = words.turn.format(seat=seat_name(words, shown.turn[0]), step=step) if shown.turn else step
    parts = [sentence(words.head.format(turn=turn, goal=shown.goal)), *_work(words, shown)]
    return words.comma.join(parts)


def _work(words: Words, shown: TableView) -> Iterator[str]:
    work = shown.work
    for other in work.other:
        yield words.work_other.format(other=seat_name(words, other))
    for card in work.imitating:
        yield words.work_imitating.format(card=card_name(words, _code(card)))
    for school in work.school:
        yield words.work_school.format(school=words.school[school])
    if work.done:
        yield words.work_done.format(done=work.done)
    if work.taken:
        yield words.work_taken.format(taken=work.taken)
    if shown.swapped:
        yield words.swapped


def _middle(words: Words, shown: TableView) -> Iterator[str]:
    deck = [words.deck.format(deck=shown.deck), *[words.rebuilt] * shown.rebuilt]
    if shown.top:
        deck.append(words.top.format(cards=_cards(words, shown.top)))
    elif shown.known:
        deck.append(words.known.format(seat=seat_name(words, shown.known[0])))
    yield words.comma.join(deck)
    artefacts = words.comma.join(words.artefact[artefact] for artefact in shown.artefacts)
    yield words.artefacts.format(artefacts=artefacts or words.nothing)
    decks = (
        words.aptitude_deck.format(school=words.school[school], count=count)
        for school, count in zip(SCHOOLS, shown.aptitudes, strict=True)
    )
    yield words.aptitudes.format(decks=words.comma.join(decks))


def _place(words: Words, place: PlaceView) -> Iterator[str]:
    head = words.place.format(seat=sentence(seat_name(words, place.seat)), points=place.points, chips=place.chips)
    used = [words.used.format(artefact=words.artefact[artefact]) for artefact in place.artefact]
    yield words.comma.join([head, *used])
    yield "  " + words.hand.format(cards=_cards(words, place.hand))
    yield "  " + words.row.format(cards=_cards(words, place.row))
    if place.formulas:
        formulas = words.comma.join(_formula(words, formula) for formula in place.formulas)
        yield "  " + words.formulas.format(formulas=formulas)
    if place.awakened:
        yield "  " + words.awakened.format(cards=_cards(words, place.awakened))
    if place.aptitudes:
        aptitudes = words.comma.join(_aptitude(words, aptitude) for aptitude in place.aptitudes)
        yield "  " + words.own_aptitudes.format(cards=aptitudes)


def _code(card: CardView) -> int:
    return card_of(card.school[0], card.number) if card.school else 0


def _cards(words: Words, cards: tuple[CardView | None, ...]) -> str:
    lying: Lying = tuple(None if card is None else _code(card) for card in cards)
    return card_names(words, lying)


def _formula(words: Words, formula: FormulaView) -> str:
    plain = tuple(CardView((formula.school,), number) for number in formula.numbers)
    text = words.formula if formula.cards == plain else words.formula_with
    return text.format(
        school=words.school[formula.school], numbers=number_names(formula.numbers), cards=_cards(words, formula.cards)
    )


def _aptitude(words: Words, aptitude: AptitudeView) -> str:
    number = words.hidden if aptitude.number is None else str(aptitude.number)
    text = words.aptitude.format(school=words.school[aptitude.school], number=number)
    return words.shown.format(card=text) if aptitude.shown else text

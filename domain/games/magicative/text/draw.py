"""The table as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang
from domain.games.magicative.components import AWAKENING, SCHOOLS, Lying, card_of
from domain.games.magicative.text.phrases import (
    WORDS,
    card_name,
    card_names,
    counted,
    hand_names,
    number_names,
    seat_name,
    sentence,
)
from domain.games.magicative.text.words import Words
from domain.games.magicative.view import AptitudeView, CardView, FormulaView, PlaceView, TableView


def draw(shown: TableView, lang: Lang) -> str:
    """The table: who is to do what, what lies in the middle, then each seat's place."""
    words = WORDS[lang]
    lines = [_head(words, shown), *_middle(words, shown)]
    for place in shown.places:
        lines += ["", *_place(words, place)]
    return "\n".join(lines)


def _head(words: Words, shown: TableView) -> str:
    text = words.swap_own if shown.turn and shown.turn == shown.work.other else words.step[shown.step]
    parts = [sentence(text.format(**_step(words, shown)))]
    if shown.ranking:
        parts.append(_result(words, shown))
    parts.append(words.goal.format(points=counted(words.points, shown.goal)))
    if shown.swapped:
        parts.append(words.swapped)
    return words.clause.join(parts)


def _step(words: Words, shown: TableView) -> dict[str, str]:
    """What the first line can name of the decision that is open."""
    work = shown.work
    fields = {"done": str(work.done), "taken": str(work.taken), "imitating": ""}
    for seat in shown.turn:
        fields["seat"] = seat_name(words, seat)
    for other in work.other:
        fields |= {
            "other": seat_name(words, other),
            "taken": card_name(words, shown.places[other].row[-1].card),
        }
    for school in work.school:
        fields["school"] = words.school[school]
    for card in work.imitating:
        fields["imitating"] = words.imitating.format(card=card_name(words, card.card))
    return fields


def _result(words: Words, shown: TableView) -> str:
    """Who has won; a draw where nobody is second."""
    if max(shown.ranking) == 1:
        return words.all_draw
    winner = shown.places[shown.ranking.index(1)]
    return words.has_won.format(seat=seat_name(words, winner.seat), points=counted(words.points, winner.points))


def _middle(words: Words, shown: TableView) -> Iterator[str]:
    deck = [words.deck.format(cards=counted(words.cards, shown.deck)), *[words.rebuilt] * shown.rebuilt]
    if shown.top:
        deck.append(words.top.format(cards=_cards(words, shown.top)))
    elif shown.known:
        deck.append(words.known.format(seat=seat_name(words, shown.known[0])))
    yield words.clause.join(deck)
    artefacts = words.comma.join(words.artefact[artefact] for artefact in shown.artefacts)
    yield words.artefacts.format(artefacts=artefacts or words.nothing)
    decks = (
        words.part.format(name=words.school[school], count=count)
        for school, count in zip(SCHOOLS, shown.aptitudes, strict=True)
    )
    yield words.aptitudes.format(decks=words.comma.join(decks))


def _place(words: Words, place: PlaceView) -> Iterator[str]:
    yield words.place.format(
        seat=sentence(seat_name(words, place.seat)),
        points=counted(words.points, place.points),
        parts=words.comma.join(
            words.part.format(name=name, count=count) for name, count in _points(words, place).items()
        ),
    )
    yield "  " + words.hand.format(cards=hand_names(words, _lying(place.hand)))
    yield "  " + words.row.format(cards=_cards(words, place.row))
    if place.formulas:
        formulas = words.comma.join(_formula(words, formula) for formula in place.formulas)
        yield "  " + words.formulas.format(formulas=formulas)
    if place.awakened:
        yield "  " + words.awakened.format(count=AWAKENING, cards=_cards(words, place.awakened))
    if place.aptitudes:
        aptitudes = words.comma.join(_aptitude(words, aptitude) for aptitude in place.aptitudes)
        yield "  " + words.own_aptitudes.format(cards=aptitudes)


def _points(words: Words, place: PlaceView) -> dict[str, int]:
    """What the points of a seat come from."""
    by_aptitudes = sum(
        formula.numbers.count(aptitude.number)
        for aptitude in place.aptitudes
        for formula in place.formulas
        if aptitude.shown and aptitude.number is not None and formula.school is aptitude.school
    )
    parts = {words.by_chips: place.chips}
    if any(aptitude.shown for aptitude in place.aptitudes):
        parts[words.by_aptitudes] = by_aptitudes
    for artefact in place.artefact:
        parts[words.artefact[artefact]] = place.points - place.chips - by_aptitudes
    return parts


def _cards(words: Words, cards: tuple[CardView | None, ...]) -> str:
    return card_names(words, _lying(cards))


def _lying(cards: tuple[CardView | None, ...]) -> Lying:
    return tuple(None if card is None else card.card for card in cards)


def _formula(words: Words, formula: FormulaView) -> str:
    plain = [card_of(formula.school, number) for number in formula.numbers]
    text = words.formula if [card.card for card in formula.cards] == plain else words.formula_with
    return text.format(
        school=words.school[formula.school], numbers=number_names(formula.numbers), cards=_cards(words, formula.cards)
    )


def _aptitude(words: Words, aptitude: AptitudeView) -> str:
    text = words.shown if aptitude.shown else words.unshown
    school = words.school[aptitude.school]
    if aptitude.number is None:
        return text.format(card=school)
    return text.format(card=words.card.format(school=school, number=aptitude.number))

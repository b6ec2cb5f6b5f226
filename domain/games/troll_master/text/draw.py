"""The table as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang, rank
from domain.games.troll_master.components import GOAL, ROUNDS, Kind
from domain.games.troll_master.printed import Face
from domain.games.troll_master.rules.actions import count
from domain.games.troll_master.state import Step
from domain.games.troll_master.text.phrases import (
    WORDS,
    abilities_text,
    amount,
    card_name,
    does,
    listed,
    magic_names,
    needs,
    seat_name,
    sentence,
    won,
)
from domain.games.troll_master.text.words import Words
from domain.games.troll_master.view import ActionView, OwnedView, PlaceView, TableView

PLANS = (Step.DISCARD, Step.PLANNING)
"""While it matters who has passed: later everybody has."""


def draw(shown: TableView, lang: Lang) -> str:
    """The table: where the round stands, the magic cards, the row, the supply, then each seat's place."""
    words = WORDS[lang]
    return "\n".join(_lines(words, shown, lang))


def _lines(words: Words, shown: TableView, lang: Lang) -> Iterator[str]:
    yield sentence(_head(words, shown))
    yield words.piles.format(
        open=magic_names(words, shown.open),
        deck=shown.deck,
        discards=shown.discards,
        top=magic_names(words, shown.top),
    )
    if shown.step in words.doing:
        yield _doing(words, shown)
    yield ""
    yield words.row
    for action in shown.row:
        yield "  " + _action(words, action)
    yield ""
    yield words.supply
    for pile in shown.supply:
        yield "  " + words.pile.format(left=pile.left, card=_card(words, pile.card, pile.card.charges, lang))
    for place in shown.places:
        yield ""
        yield from _place(words, shown, place, lang)


def _head(words: Words, shown: TableView) -> str:
    """Whose turn it is and for what, or who has won."""
    if shown.step is Step.OVER:
        points, mana = [place.points for place in shown.places], [place.mana for place in shown.places]
        ranking = rank(tuple(zip(points, mana, strict=True)))
        return words.over.format(round=shown.round, result=won(words, points, mana, ranking))
    step = words.step[shown.step]
    if shown.turn:
        if shown.step is Step.PLANNING and not shown.places[shown.turn[0]].pawn:
            step = words.placing
        step = words.turn.format(seat=seat_name(words, shown.turn[0]), step=step)
    head = words.last_head if shown.round == ROUNDS else words.head
    return head.format(round=shown.round, goal=amount(words, "points", GOAL), step=step)


def _doing(words: Words, shown: TableView) -> str:
    """How the action stands that is being done, with all that was added to it; once its pawn has left, it is done."""
    action, acting = shown.row[shown.action[0] - 1], shown.places[shown.turn[0]]
    if not action.pawn:
        return words.doing[Step.CHAIN].format(action=action.number)
    added = shown.bonus if action.kind is Kind.SUMMON and shown.step is Step.SUMMON else action.value
    return words.doing[shown.step].format(
        action=action.number,
        does=does(words, action.kind, added),
        needs=needs(words, action.icon, action.cost, count(shown.open, action.icon)),
        seat=seat_name(words, acting.seat),
        attacker=seat_name(words, action.pawn[0]),
        strength=sum(shown.strength),
        power=_power(acting) + shown.bonus,
    )


def _power(place: PlaceView) -> int:
    return sum(owned.card.power for owned in place.familiars)


def _action(words: Words, action: ActionView) -> str:
    text = words.action.format(
        number=action.number,
        does=does(words, action.kind, action.value),
        cards=amount(words, action.icon.value, action.cost),
    )
    return text + "".join(words.pawn.format(seat=seat_name(words, seat)) for seat in action.pawn)


def _card(words: Words, card: Face, charges: int, lang: Lang, covered: str = "") -> str:
    """What is printed on a card, and how many charges are on it."""
    text = words.card.format(
        name=card_name(card.name, lang),
        cost=card.cost,
        power=card.power,
        points=amount(words, "points", card.points),
        number=card.points,
        charges=amount(words, "of ribbons", card.ribbons, charges=charges),
        covered=covered,
        abilities=abilities_text(words, card.abilities),
    )
    return text.rstrip()


def _place(words: Words, shown: TableView, place: PlaceView, lang: Lang) -> Iterator[str]:
    line = words.place.format(
        seat=sentence(seat_name(words, place.seat)),
        points=amount(words, "points", place.points),
        chips=amount(words, "by chips", place.chips),
        mana=amount(words, "mana", place.mana),
        power=_power(place),
    )
    marks = (
        (words.start, shown.start == place.seat),
        (words.broom, shown.broom == place.seat),
        (words.out, place.is_out),
        (words.passed, place.has_passed and not place.is_out and shown.step in PLANS),
    )
    yield words.comma.join([line, *(mark for mark, stands in marks if stands)])
    if place.hand:
        yield "  " + words.hand_line.format(cards=magic_names(words, place.hand))
    for owned in place.familiars:
        yield "  " + _card(words, owned.card, owned.charges, lang, _covered(words, owned, lang))


def _covered(words: Words, owned: OwnedView, lang: Lang) -> str:
    if not owned.covered:
        return ""
    return words.covered.format(names=listed(words, [card_name(name, lang) for name in owned.covered]))

"""The table as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang, Spoken
from domain.games.ttmp.components import STONE
from domain.games.ttmp.state import ACTION, AFTER, DEALING, OVER, STOCK
from domain.games.ttmp.text.phrases import (
    WORDS,
    card_name,
    card_names,
    counted,
    dice_shown,
    result,
    seat_name,
    sentence,
    stone_names,
)
from domain.games.ttmp.text.words import Words
from domain.games.ttmp.view import Levels, PlaceView, TableView


def draw(shown: TableView, lang: Lang) -> str:
    """The table: how far the match is, who is to do what, dice and decks, then what lies before each seat."""
    words = WORDS[lang]
    first, second = shown.decks
    lines = [_head(words, shown), _terms(words, shown), _turn(words, shown)]
    if shown.turns and shown.dice:
        text = words.dice_left if shown.step is STOCK else words.dice
        lines.append(text.format(dice=dice_shown(words, shown.dice), action=words.action[shown.action]))
    stones = counted(words, "stones", shown.stones)
    lines.append(words.decks.format(stones=stones, first=first.cards, second=second.cards))
    for level, deck in enumerate(shown.decks, 1):
        if deck.discards:
            cards = words.comma.join(card_name(card.name, lang) for card in deck.discards)
            lines.append(words.discards.format(level=level, cards=cards))
    for place in shown.places:
        lines.append("")
        lines.extend(_place(words, lang, shown, place))
    return "\n".join(lines)


def _head(words: Words, shown: TableView) -> str:
    """How far the match is, and what was agreed on."""
    phase = "over" if shown.step is OVER else "turn" if shown.turns else "start" if shown.round else "before"
    said = words.phase[phase].format(round=shown.round, turn=shown.turns, start=seat_name(words, shown.start))
    modes = words.comma.join(words.mode[mode] for mode in shown.modes) or words.standard
    return words.head.format(phase=said, modes=modes)


def _terms(words: Words, shown: TableView) -> str:
    """How many cards a hand holds, and what wins. Rule: TT-2, TT-17, TT-20, TT-22, TT-23."""
    goal = words.terms["goal" if shown.goal else "pass" if shown.needed else "rank"]
    said = goal.format(goal=sum(shown.goal), needed=sum(shown.needed))
    return words.terms["limit" if shown.limit else "any"].format(limit=sum(shown.limit), goal=said)


def _turn(words: Words, shown: TableView) -> str:
    """Who is to act, and how; at the end, who has won."""
    if shown.step is OVER:
        return result(words, shown.points, shown.winners)
    if shown.step is DEALING:
        return words.step[shown.step]
    step = words.or_.join(_may(words, shown)) if shown.step in (ACTION, AFTER) else words.step[shown.step]
    return sentence(words.turn.format(seat=seat_name(words, shown.turn[0]), step=step))


def _may(words: Words, shown: TableView) -> Iterator[str]:
    """What may be done in a turn now. Rule: TT-7 to TT-10."""
    for level in shown.may_draw:
        if level == STONE:
            yield words.may["stone" if shown.stones else "take"]
        else:
            yield words.may["draw"].format(level=level)
    if shown.may_use:
        yield words.may["use"]
    yield words.may["act" if shown.step is ACTION else "end"]


def _place(words: Words, lang: Lang, shown: TableView, place: PlaceView) -> Iterator[str]:
    out = words.out if place.is_out else ""
    if shown.points:
        out += words.points.format(points=counted(words, "points", shown.points[place.seat]))
    yield sentence(seat_name(words, place.seat)) + out
    yield words.stones.format(stones=stone_names(words, place.stones))
    yield words.hand.format(cards=card_names(words, lang, _names(place.hand)))
    if any(place.stock):
        yield words.stock.format(cards=card_names(words, lang, _names(place.stock)))


def _names(levels: Levels) -> Iterator[tuple[Spoken | None, ...]]:
    return (tuple(None if card is None else card.name for card in cards) for cards in levels)

"""Words for seats, cards, stones, dice, and the result."""

from __future__ import annotations

from collections.abc import Iterable

from domain import texts
from domain.game import Lang, Seat, Spoken
from domain.games.ttmp.components import ALLOWED, STONE, Card, Dice, LyingStones, is_triple
from domain.texts import Words, listed, seat_name, sentence

NAMES = texts.read("domain.games.ttmp.text", "names")
WORDS = texts.later("domain.games.ttmp.text", "names", "words")


def seat_names(words: Words, seats: Iterable[Seat]) -> str:
    """Return several seats, at least one, as a list in a sentence."""
    return listed(words, [seat_name(words, seat) for seat in seats])


def counted(words: Words, what: str, count: int) -> str:
    """Return so many of something: "1 stone", "2 stones"."""
    return words[f"count-{what}"].format(number=count)


def card_name(card: Card | Spoken, lang: Lang) -> str:
    """Return the name on a magic card; in Japanese with brackets, because many are numbers with a sign."""
    return f"「{card.ja}」" if lang == "ja" else card.en


def stone_names(words: Words, stones: LyingStones) -> str:
    """Return stones by their points, with the number of those that the reader does not know."""
    names = [words["stone"].format(points=stone) for stone in stones if stone is not None]
    if unknown := stones.count(None):
        names.append(counted(words, "face-down", unknown))
    return words["comma"].join(names) or words["none"]


def stones_said(words: Words, stones: LyingStones) -> str:
    """Return stones in a sentence: "stones of 1, 2 and 2 points"."""
    if len(stones) < 2 or None in stones:
        return stone_names(words, stones)
    *points, last = map(str, stones)
    row = words["before-last-points"].join((words["between-points"].join(points), last))
    return words["stones-of"].format(points=row)


def dice_names(words: Words, dice: Iterable[int]) -> str:
    """Return faces one after the other."""
    return " ".join(map(str, dice)) or words["none"]


def dice_shown(words: Words, dice: Dice) -> str:
    """Return all three dice, and whether they are a triple, a pair or a run. Rule: TT-10."""
    shown, shape = dice_names(words, dice), dice_shape(words, dice)
    return words["shown"].format(dice=shown, shape=shape) if shape else shown


def dice_shape(words: Words, dice: Dice) -> str:
    """Return a triple, a pair or a run in words; "" if the dice are none of these. Rule: TT-10."""
    kinds = (STONE,) if is_triple(dice) else ALLOWED[dice]
    return "".join(words[f"shape-{kind}"] for kind in kinds)


def result(words: Words, points: tuple[int, ...], winners: tuple[Seat, ...]) -> str:
    """Return who has won, with how many points. Rule: TT-18."""
    names = [{"seat": seat_name(words, seat), "points": counted(words, "points", points[seat])} for seat in winners]
    if not names:
        return words["won-nobody"]
    if len(names) == 1:
        return sentence(words["won-one"].format(**names[0]))
    return sentence(
        words["won-several"].format(winners=listed(words, [words["winner"].format(**name) for name in names]))
    )

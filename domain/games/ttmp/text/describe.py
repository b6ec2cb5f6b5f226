"""Events and moves in words, without the table. If an event hides a card, the sentence says so.

Each class has a sentence in each language, which is filled with its fields by their names.

The words for seats, cards, stones, dice and the result come first: labels, refusals and scenes use them too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from domain import texts
from domain.game import Lang, Seat, Spoken
from domain.games.ttmp import events, moves
from domain.games.ttmp.components import ALLOWED, STONE, Action, Card, Dice, LyingStones, Stone, Stones, is_triple
from domain.games.ttmp.events import TtmpEvent
from domain.games.ttmp.moves import TtmpMove
from domain.texts import Words, listed, seat_name, seat_names, sentence

NAMES = texts.read("domain.games.ttmp.text", "names")
WORDS = texts.later("domain.games.ttmp.text", "names", "words")


def counted(words: Words, what: str, count: int) -> str:
    """Return so many of something: "1 stone", "2 stones"."""
    return words[f"count-{what}"].format(number=count)


def card_name(words: Words, card: Card | Spoken) -> str:
    """Return the name on a magic card; in Japanese with brackets, because many are numbers with a sign."""
    return f"「{card.ja}」" if words.lang == "ja" else card.en


AN = frozenset({8, 11, 18})
"""The points of stones, up to 20, that are spoken with a vowel first in English."""


def stone_name(words: Words, points: Stone) -> str:
    """Return a stone by its points."""
    return words["stone-an" if points in AN else "stone"].format(points=points)


def stone_names(words: Words, stones: LyingStones) -> str:
    """Return stones by their points, with the number of those that the reader does not know."""
    names = [stone_name(words, stone) for stone in stones if stone is not None]
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


SEATS = frozenset({"seat", "start", "highest"})
STONES = frozenset({"stone", "drawn"})


def describe(told: TtmpEvent | TtmpMove, lang: Lang) -> str:
    """Return the event or the move in words."""
    words = WORDS[lang]
    fields = {name: _word(words, name, getattr(told, name)) for name in told.__struct_fields__}
    return sentence(_text(words, told).format(**{**fields, **_more(words, told)}))


def _more(words: Words, told: TtmpEvent | TtmpMove) -> dict[str, str]:
    """Return the words that a sentence needs besides the fields."""
    match told:
        case events.CardsShuffled(cards=cards) | events.DeckRefilled(cards=cards):
            return {"count": counted(words, "cards", len(cards))}
        case events.StonesShuffled(stones=stones) | events.StonesMixed(stones=stones):
            return {"count": counted(words, "stones", len(stones))}
        case events.RestTaken(stones=stones):
            return {"stones": stones_said(words, stones)}
        case events.StartRolled():
            return _start(words, told)
        case events.StoneTaken(owner=owner):
            return {"owner": seat_name(words, owner)}
        case events.SummonerFound(stone=stone) | events.FamiliarSummoned(stone=stone):
            return {"points": counted(words, "points", stone)}
        case events.RoundEnded(returned=returned) if returned:
            return {"back": words["goes-back"].format(returned=seat_names(words, returned))}
        case events.RoundEnded():
            return {"back": words["discards-go-back"]}
        case events.StonesShown(stones=shown):
            return {"shown": words["semicolon"].join(_holdings(words, shown))}
        case events.FinalRolled():
            return _verdict(words, told)
        case events.MatchEnded(points=points, winners=winners):
            return {"result": result(words, points, winners)}
        case _:
            return {}


def _holdings(words: Words, shown: tuple[Stones, ...]) -> Iterator[str]:
    for seat, own in enumerate(shown):
        yield words["holds"].format(seat=seat_name(words, seat), stones=stones_said(words, own))


def _start(words: Words, told: events.StartRolled) -> dict[str, str]:
    """Return what each seat rolled, and who rolled least."""
    rolled = zip(told.seats, told.dice, strict=True)
    rolls = [words["roll"].format(seat=seat_name(words, seat), die=die) for seat, die in rolled]
    return {"rolls": listed(words, rolls, "and-rolls"), "lowest": seat_names(words, _lowest(told))}


def _lowest(told: events.StartRolled) -> list[int]:
    return [seat for seat, die in zip(told.seats, told.dice, strict=True) if die == min(told.dice)]


def _verdict(words: Words, told: events.FinalRolled) -> dict[str, str]:
    """Return whether a final value passes, if it has to."""
    verdict = words["passes"] if told.value >= told.needed else words["fails"]
    return {
        "points": counted(words, "points", told.points),
        "sum": str(sum(told.dice)),
        "verdict": verdict.format(needed=told.needed) if told.needed else "",
    }


def _text(words: Words, told: TtmpEvent | TtmpMove) -> str:
    """Return the sentence, which may differ if something is hidden, or came by chance."""
    match told:
        case moves.Use(to=()) | events.CardUsed(rolled=True):
            return words[f"{type(told).__name__}-to-roll"]
        case events.StoneSummoned(owner=(), drawn=drawn):
            return words["StoneSummoned-deck-unseen"] if drawn is None else words["StoneSummoned-deck"]
        case (
            events.CardDrawn(card=None)
            | events.CardStocked(card=None)
            | moves.Stock(card=None)
            | events.StoneDrawn(stone=None)
            | events.StoneTaken(stone=None)
            | events.StoneSummoned(drawn=None)
        ):
            return words[f"{type(told).__name__}-unseen"]
        case events.StartRolled() if len(_lowest(told)) > 1:
            return words["StartRolled-tied"]
        case events.RoundBegan(round=1):
            return words["RoundBegan-first"]
        case events.DiceRolled(action=Action.FIRST):
            return words["rolled-first"]
        case events.DiceRolled(rolled=rolled):
            return words[f"rolled-{len(rolled)}"]
        case events.DrawAnnounced(level=level) if level == STONE:
            return words["DrawAnnounced-stone"]
        case events.RoundEnded(taker=()):
            return words["RoundEnded-ran-out"]
        case _:
            return words[type(told).__name__]


def _word(words: Words, field: str, value: Any) -> str:
    """Return a field in words."""
    match value:
        case Card():
            return card_name(words, value)
        case int() if field in SEATS:
            return seat_name(words, value)
        case int() if field in STONES:
            return stone_name(words, value)
        case tuple() if field in {"owner", "taker"} and value:
            return seat_names(words, value)
        case tuple() if field in {"dice", "kept", "rolled", "changed", "to"}:
            return dice_names(words, value)
        case tuple() if field == "left":
            return stones_said(words, value)
        case Action():
            return words[f"action-{value}"]
        case _:
            return str(value)

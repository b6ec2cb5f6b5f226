"""Events, moves and chapters in words, without the table. If an event hides a card, the sentence says so.

Each class has a sentence in each language, which is filled with its fields by their names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain.game import Lang
from domain.games.ttmp import events, moves
from domain.games.ttmp.components import STONE, Action, Card, Stones
from domain.games.ttmp.events import RoundBegan, TtmpEvent
from domain.games.ttmp.moves import TtmpMove
from domain.games.ttmp.text.phrases import (
    WORDS,
    card_name,
    counted,
    dice_names,
    result,
    seat_names,
    stones_said,
)
from domain.texts import Words, listed, seat_name, sentence

SEATS = frozenset({"seat", "start", "highest"})
STONES = frozenset({"stone", "drawn"})


def describe(told: TtmpEvent | TtmpMove, lang: Lang) -> str:
    """Return the event or the move in words."""
    words = WORDS[lang]
    fields = {name: _word(words, lang, name, getattr(told, name)) for name in told.__struct_fields__}
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


def _word(words: Words, lang: Lang, field: str, value: Any) -> str:
    """Return a field in words."""
    match value:
        case Card():
            return card_name(value, lang)
        case int() if field in SEATS:
            return seat_name(words, value)
        case int() if field in STONES:
            return words["stone"].format(points=value)
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


def chapter(event: Any, lang: Lang) -> str | None:
    """Return the name of the chapter that begins with the event; None if none does."""
    return WORDS[lang]["chapter"].format(round=event.round) if isinstance(event, RoundBegan) else None

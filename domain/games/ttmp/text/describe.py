"""Events and moves in words, told without the table; what is hidden in an event is told as hidden.

Each class has a sentence in each language, which is filled with the fields' own names.
"""

from __future__ import annotations

from typing import Any

from domain.game import Lang, Seat
from domain.games.ttmp.components import STONE, Action, Card
from domain.games.ttmp.events import (
    CardDrawn,
    CardsShuffled,
    CardStocked,
    CardUsed,
    DeckRefilled,
    DiceRolled,
    DrawAnnounced,
    FinalRolled,
    MatchEnded,
    RestTaken,
    RoundEnded,
    StartRolled,
    StoneDrawn,
    StonesMixed,
    StonesShown,
    StonesShuffled,
    StoneSummoned,
    StoneTaken,
    TtmpEvent,
)
from domain.games.ttmp.moves import Stock, TtmpMove, Use
from domain.games.ttmp.text.phrases import WORDS, card_name, dice_names, seat_name, sentence, stone_names
from domain.games.ttmp.text.words import Words

SEATS = frozenset({"seat", "start", "highest"})
STONES = frozenset({"stone", "drawn"})


def describe(told: TtmpEvent | TtmpMove, lang: Lang) -> str:
    """The event or the move in words."""
    words = WORDS[lang]
    fields = {name: _word(words, lang, name, getattr(told, name)) for name in told.__struct_fields__}
    text = _text(words, told)
    match told:
        case CardsShuffled(cards=cards) | DeckRefilled(cards=cards):
            fields["count"] = str(len(cards))
        case StonesShuffled(stones=stones) | StonesMixed(stones=stones) | RestTaken(stones=stones):
            fields["count"] = str(len(stones))
        case StartRolled(seats=seats, dice=dice):
            fields["rolls"] = _by_seat(words, dict(zip(seats, dice, strict=True)))
        case StoneTaken(owner=owner):
            fields["owner"] = seat_name(words, owner)
        case StonesShown(stones=shown):
            fields["stones"] = _by_seat(words, {seat: stone_names(words, own) for seat, own in enumerate(shown)})
        case FinalRolled(value=value, needed=needed, dice=dice):
            fields["sum"] = str(sum(dice))
            verdict = words.passes if value >= needed else words.fails
            fields["verdict"] = verdict.format(needed=needed) if needed else ""
        case MatchEnded(points=points, ranking=ranking):
            fields["result"] = _result(words, points, ranking)
        case _:
            pass
    return sentence(text.format(**fields))


def _text(words: Words, told: TtmpEvent | TtmpMove) -> str:
    """The sentence: some say otherwise what is hidden, or came by chance."""
    match told:
        case Use(to=()):
            return words.use_to_roll
        case CardDrawn(card=None) | CardStocked(card=None) | Stock(card=None):
            return words.card_unseen[type(told)]
        case StoneDrawn(stone=None) | StoneTaken(stone=None):
            return words.stone_unseen[type(told)]
        case StoneSummoned(owner=(), drawn=drawn):
            return words.mixed_with_deck_unseen if drawn is None else words.mixed_with_deck
        case StoneSummoned(drawn=None):
            return words.stone_unseen[StoneSummoned]
        case CardUsed(rolled=True):
            return words.used_to_roll
        case DiceRolled(action=Action.FIRST):
            return words.rolled_first
        case DrawAnnounced(level=level) if level == STONE:
            return words.announced_stone
        case RoundEnded(taker=()):
            return words.round_ran_out
        case _:
            return words.told[type(told)]


def _word(words: Words, lang: Lang, field: str, value: Any) -> str:
    """A field as it stands in a sentence."""
    match value:
        case Card():
            return card_name(value, lang)
        case int() if field in SEATS:
            return seat_name(words, value)
        case int() if field in STONES:
            return words.stone.format(points=value)
        case tuple() if field in {"owner", "winners", "returned", "taker"}:
            return words.comma.join(seat_name(words, seat) for seat in value) or words.nobody
        case tuple() if field in {"dice", "kept", "rolled", "changed", "to"}:
            return dice_names(words, value)
        case tuple() if field == "left":
            return stone_names(words, value)
        case Action():
            return words.action[value]
        case _:
            return str(value)


def _by_seat(words: Words, told: dict[Seat, Any]) -> str:
    return words.comma.join(f"{seat_name(words, seat)}: {said}" for seat, said in told.items())


def _result(words: Words, points: tuple[int, ...], ranking: tuple[int, ...]) -> str:
    seats = sorted(range(len(points)), key=lambda seat: ranking[seat])
    return words.comma.join(
        words.result.format(rank=ranking[seat], seat=seat_name(words, seat), points=points[seat]) for seat in seats
    )

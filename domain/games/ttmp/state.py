"""The table that is folded from the events.

A face that the reader may not see is None; None has no other meaning. The back of a magic card stays known, because
cards are kept by level.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from domain.game import Seat, Value
from domain.games.ttmp.abilities import AnyEffect, ways
from domain.games.ttmp.components import (
    GOAL,
    HAND,
    LEVELS,
    Action,
    Card,
    Cards,
    Dice,
    Die,
    Levels,
    Lying,
    LyingStones,
    Mode,
    Options,
    Stone,
    Stones,
    laid,
    without,
)
from domain.games.ttmp.moves import Use
from domain.games.ttmp.pack import Pack


class Step(StrEnum):
    """The choice for which the table waits."""

    DEALING = "dealing"
    """Nobody is to act: more events of a move follow."""
    ACTION = "action"
    """Use magic cards, then choose the dice action. Rule: TT-7."""
    AFTER = "after"
    """Draw and use magic cards as the action allows; the turn change begins with a re-roll or without. Rule: TT-8."""
    DISCARD = "discard"
    """The hand is full: discard a card, then the announced draw follows. Rule: TT-2."""
    STOCK = "stock"
    """In the turn change: a card may be set aside. Rule: TT-11."""
    LIMIT = "limit"
    """At the beginning of a round: discard from a hand over the limit. Rule: TT-12."""
    SUMMON = "summon"
    """The summoner chooses the stones with which to mix. Rule: TT-23."""
    OVER = "over"
    """The match is over."""


# In Python 3.11 `Step.AFTER` costs ten times as much as a global name, and every move looks up a few.
DEALING, ACTION, AFTER, DISCARD, STOCK, LIMIT, SUMMON, OVER = Step
NO_ACTION, FIRST, A, B, C = Action


class Kind(Value, frozen=True, cache_hash=True):
    """A kind of magic card, in the form that the rules read."""

    card: Card
    level: int
    effect: AnyEffect


class Printed(Value, frozen=True):
    """All cards of a pack."""

    stones: Stones
    summoning: Stone
    """The stone that makes its holder summoner; there is one."""
    kinds: tuple[Kind, ...]
    """The kinds, by a card's number."""
    decks: tuple[Cards, Cards]
    """The cards of each level."""


class Terms(Value, frozen=True):
    """The settings of the match."""

    printed: Printed
    modes: tuple[Mode, ...]
    limit: int
    """How many cards a hand may have; 0: any number. Rule: TT-2, TT-23."""
    is_kind: bool
    """Whether all seats but the taker of a stone keep their magic cards at the end of a round. Rule: TT-21."""
    goal: int
    """The points of stones that win at once; 0: the final exam decides. Rule: TT-23."""


class Place(Value, frozen=True):
    """All that one seat has."""

    stones: LyingStones = ()
    hand: Levels = ((), ())
    """The hand, in the order in which the cards came."""
    stock: Levels = ((), ())
    is_out: bool = False
    """Whether the seat has left the first exam. Rule: TT-3."""
    exam: tuple[Die, ...] = ()
    """The dice of the final exam as they fell; none before it. Rule: TT-17."""
    plain: tuple[bool, ...] = ()
    """In knockout, for each stone: whether everybody knows that it is not the summoning stone, as it was drawn from the
    deck and made no summoner. Rule: TT-23."""


class Deck(Value, frozen=True):
    """The magic cards of a level that nobody holds."""

    cards: Lying
    """The deck; the first card is drawn next."""
    discards: Cards = ()
    """The face-up discards, the last one on top. Rule: TT-14."""


class Stage(Value, frozen=True):
    """The step of the turn."""

    step: Step = DEALING
    seat: Seat = 0
    """The seat that is to act."""
    turn: int = 0
    """The number of the turn in the round, from 1."""
    action: Action = NO_ACTION
    drew: bool = False
    """Whether a magic card was drawn in this turn."""
    used: bool = False
    """Whether a magic card was used after the dice action."""
    kept: Dice = ()
    """The dice that were not rolled in the dice action."""
    level: int = 0
    """In a discard before a draw: the level of the card that will be drawn; 0: a stone."""


class Table(Value, frozen=True):
    """The state of a match."""

    terms: Terms
    places: tuple[Place, ...]
    stones: LyingStones
    """The deck of stones; the first one is drawn next."""
    decks: tuple[Deck, Deck]
    """The decks of each level."""
    stage: Stage = Stage()
    dice: Dice = ()
    """The dice in ascending order; none before the first roll."""
    round: int = 0
    """The number of the round, from 1."""
    start: Seat = 0
    """The start player (SP) of this round."""
    is_shown: bool = False
    """Whether all players' stones are open. Rule: TT-16."""
    points: tuple[int, ...] = ()
    """The result; empty before the end."""
    ranking: tuple[int, ...] = ()


def initial(options: Options, seats: int, pack: Pack) -> Table:
    """Return the table before the first event, with the decks unshuffled. Rule: TT-1, TT-2, TT-23."""
    cards = printed(pack)
    is_knockout = Mode.KNOCKOUT in options.modes
    terms = Terms(
        printed=cards,
        modes=options.modes,
        limit=0 if is_knockout else HAND[seats],
        is_kind=Mode.KIND in options.modes,
        goal=GOAL[seats] if is_knockout else 0,
    )
    first, second = cards.decks
    return Table(terms=terms, places=(Place(),) * seats, stones=cards.stones, decks=(Deck(first), Deck(second)))


@lru_cache
def printed(pack: Pack) -> Printed:
    """Return the pack's cards in this form."""
    kinds = tuple(
        Kind(Card(number, card.name, card.ja), card.level, card.effect) for number, card in enumerate(pack.cards)
    )
    first, second = (
        tuple(
            kind.card
            for kind, card in zip(kinds, pack.cards, strict=True)
            if kind.level == level
            for _ in range(card.copies)
        )
        for level in LEVELS
    )
    return Printed(
        stones=tuple(stone.points for stone in pack.stones for _ in range(stone.copies)),
        summoning=next(stone.points for stone in pack.stones if stone.summons),
        kinds=kinds,
        decks=(first, second),
    )


@lru_cache(maxsize=1 << 13)
def uses(kind: Kind, dice: Dice) -> tuple[Use, ...]:
    """Return every way to use a card of this kind on these dice. Rule: TT-7."""
    return tuple(Use(kind.card, old, new) for old, new in ways(kind.effect, dice))


@lru_cache(maxsize=1 << 13)
def changed(dice: Dice, old: Dice, new: Dice) -> Dice:
    """Return the dice after some of them have changed."""
    return laid(without(dice, old), new)


def held(place: Place) -> int:
    """Return how many magic cards the seat has in hand."""
    first, second = place.hand
    return len(first) + len(second)


def is_full(table: Table, place: Place) -> bool:
    """Return whether a draw would exceed the hand limit; stocked cards do not count. Rule: TT-2, TT-14."""
    limit = table.terms.limit
    return limit > 0 and len(place.stones) + held(place) >= limit


def next_in(table: Table, seat: Seat) -> Seat:
    """Return the next seat clockwise that is still in the first exam. Rule: TT-3, TT-11."""
    places = table.places
    count = len(places)
    seat = (seat + 1) % count
    while places[seat].is_out:
        seat = (seat + 1) % count
    return seat

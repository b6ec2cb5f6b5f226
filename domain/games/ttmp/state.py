"""The table as the events have told it.

Somebody who may not see a face has a None in its place: None means unknown, and nothing else does. The back of a card
stays known by where it lies: magic cards lie by level.
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
    """What the table waits for."""

    DEALING = "dealing"
    """Nobody is to act: a decision is being told."""
    ACTION = "action"
    """Magic cards, then the dice action. Rule: TT-7."""
    AFTER = "after"
    """Draws and magic cards as the action allows; the turn change begins with a re-roll or without. Rule: TT-8."""
    DISCARD = "discard"
    """The hand is full: a card is discarded, then the announced draw follows. Rule: TT-2."""
    STOCK = "stock"
    """In the turn change: a card may be set aside. Rule: TT-11."""
    LIMIT = "limit"
    """At the beginning of a round: a hand over the limit. Rule: TT-12."""
    SUMMON = "summon"
    """A summoner says with which stones to mix. Rule: TT-23."""
    OVER = "over"
    """The match is over."""


# In Python 3.11 a member looked up in its enum costs ten times a name, and every move looks up a few.
DEALING, ACTION, AFTER, DISCARD, STOCK, LIMIT, SUMMON, OVER = Step
NO_ACTION, FIRST, A, B, C = Action


class Kind(Value, frozen=True):
    """A kind of magic card, as it is played with."""

    card: Card
    level: int
    effect: AnyEffect


class Printed(Value, frozen=True):
    """All cards of a pack."""

    stones: Stones
    summoning: Stone
    """The stone that makes its holder summoner: there is one."""
    kinds: tuple[Kind, ...]
    """By a card's number."""
    decks: tuple[Cards, Cards]
    """By level."""


class Terms(Value, frozen=True):
    """What was settled before the match."""

    printed: Printed
    modes: tuple[Mode, ...]
    limit: int
    """Cards in a hand; 0: any number. Rule: TT-2, TT-23."""
    is_kind: bool
    """Whether everybody but the taker of a stone keeps magic cards at the end of a round. Rule: TT-21."""
    goal: int
    """Points of stones that win at once; 0: the final exam decides. Rule: TT-23."""


class Place(Value, frozen=True):
    """What lies before one seat."""

    stones: LyingStones = ()
    hand: Levels = ((), ())
    """In the order in which they came."""
    stock: Levels = ((), ())
    is_out: bool = False
    """Of the first exam. Rule: TT-3."""


class Deck(Value, frozen=True):
    """The magic cards of a level that nobody holds."""

    cards: Lying
    """The next one is the first."""
    discards: Cards = ()
    """Face up, the last on top. Rule: TT-14."""


class Stage(Value, frozen=True):
    """Where the turn stands."""

    step: Step = DEALING
    seat: Seat = 0
    """Who is to act."""
    turn: int = 0
    """Of the round, from 1."""
    action: Action = NO_ACTION
    drew: bool = False
    """A magic card, in this turn."""
    used: bool = False
    """A magic card, after the dice action."""
    kept: Dice = ()
    """The dice that were not rolled in the dice action."""
    level: int = 0
    """In a discard before a draw: of what will be drawn."""


class Table(Value, frozen=True):
    """The match."""

    terms: Terms
    places: tuple[Place, ...]
    stones: LyingStones
    """The deck of stones; the next one is the first."""
    decks: tuple[Deck, Deck]
    """By level."""
    stage: Stage = Stage()
    dice: Dice = ()
    """In ascending order; nothing before the first roll."""
    round: int = 0
    """From 1."""
    start: Seat = 0
    """Of this round: the start player, SP."""
    is_called: bool = False
    """Whether a summoner was found in the first exam, so that the summoning stone has left its deck. Rule: TT-23."""
    is_shown: bool = False
    """Whether all players' stones are open. Rule: TT-16."""
    points: tuple[int, ...] = ()
    """The result; empty while there is none."""
    ranking: tuple[int, ...] = ()


def initial(options: Options, seats: int, pack: Pack) -> Table:
    """The table before anything happened: the decks as they come out of the box. Rule: TT-1, TT-2, TT-23."""
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
    """The pack's cards, sorted."""
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
    """Every way to use such a card on these dice. Rule: TT-7."""
    return tuple(Use(kind.card, old, new) for old, new in ways(kind.effect, dice))


@lru_cache(maxsize=1 << 13)
def changed(dice: Dice, old: Dice, new: Dice) -> Dice:
    """The dice when some of them show something else."""
    return laid(without(dice, old), new)


def held(place: Place) -> int:
    """Magic cards in the seat's hand."""
    first, second = place.hand
    return len(first) + len(second)


def is_full(table: Table, place: Place) -> bool:
    """Whether a draw would exceed the hand limit; stocked cards don't count. Rule: TT-2, TT-14."""
    limit = table.terms.limit
    return limit > 0 and len(place.stones) + held(place) >= limit


def next_in(table: Table, seat: Seat) -> Seat:
    """The next one clockwise who is still in the first exam. Rule: TT-3, TT-11."""
    places = table.places
    count = len(places)
    seat = (seat + 1) % count
    while places[seat].is_out:
        seat = (seat + 1) % count
    return seat

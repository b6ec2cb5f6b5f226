"""Turns: who is to act, the legal moves, the events of a move, and the moves that the engine plays by itself."""

from __future__ import annotations

from typing import assert_never

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.ttmp import moves
from domain.games.ttmp.components import ALL_DICE, CHOICES, Card
from domain.games.ttmp.events import DiceLeft, DieRerolled, Events, TtmpEvent
from domain.games.ttmp.moves import TtmpMove
from domain.games.ttmp.rules.drawing import (
    discard,
    draw_card,
    drawable,
    may_draw_stone,
    mix,
    start_drawing_stone,
    take_from,
    takeable,
)
from domain.games.ttmp.rules.playing import keep_dice, may_use, roll_dice, usable, use
from domain.games.ttmp.rules.rounds import mixable, pass_turn
from domain.games.ttmp.rules.stocking import may_stock, stock
from domain.games.ttmp.state import ACTION, AFTER, DEALING, DISCARD, LIMIT, OVER, STOCK, SUMMON, Place, Step, Table

Moves = tuple[TtmpMove, ...]

KEEP_DICE, LEAVE_DICE, STOCK_NOTHING, MIX_WITH_DECK = (
    moves.KeepDice(),
    moves.LeaveDice(),
    moves.StockNothing(),
    moves.MixWithDeck(),
)
DRAW_STONE = moves.DrawStone()
DRAW_CARD = {level: moves.DrawCard(level) for level in (1, 2)}
ACTIONS: dict[tuple[int, ...], Moves] = {
    dice: (*(moves.Roll(some) for n in (3, 2, 1) for some in CHOICES[dice, n]), KEEP_DICE) for dice in ALL_DICE
}
"""By dice: the dice actions. Rule: TT-8."""
ENDS: dict[tuple[int, ...], Moves] = {
    dice: (*(moves.Reroll(die) for (die,) in CHOICES[dice, 1]), LEAVE_DICE) for dice in ALL_DICE
}
"""By dice: the moves that begin the turn change. Rule: TT-11."""

# The longest list. Cards are used in at most 85 ways on the same dice, see pack.py. Before the action there are also 8
# dice actions; after it a level, a stone or its 3 owners, 3 re-rolls and leaving the dice: 93 at most. There are at
# most 20 kinds of cards to discard or to stock.


def to_act(table: Table) -> tuple[Seat, ...]:
    """Return the seat that is to act, if there is one. Rule: TT-6, TT-7, TT-12."""
    step = table.stage.step
    return () if step is DEALING or step is OVER else (table.stage.seat,)


def legal(table: Table, seat: Seat) -> Moves:
    """Return every move that the seat may make now; none with cards that are not known. Rule: TT-7 to TT-12, TT-23."""
    stage = table.stage
    if stage.seat != seat:
        return ()
    step = stage.step
    if step is ACTION:
        return (*usable(table, seat), *ACTIONS[table.dice])
    if step is AFTER:
        return _after_the_action(table, seat)
    if step is STOCK:
        return _stocks(table.places[seat])
    if step is DISCARD or step is LIMIT:
        return tuple(map(moves.Discard, _kinds(table.places[seat])))
    return _mixes(table, seat) if step is SUMMON else ()


def _after_the_action(table: Table, seat: Seat) -> Moves:
    """Return the moves after the dice action: draws, uses, and the ways to end the turn.

    Rule:    TT-6, TT-8, TT-9, TT-11.
    """
    choices = ENDS[table.dice]
    if may_use(table.stage):
        choices = usable(table, seat) + choices
    if levels := drawable(table):
        choices = (*map(DRAW_CARD.__getitem__, levels), *choices)
    if may_draw_stone(table):
        stones = (DRAW_STONE,) if table.stones else tuple(map(moves.TakeStone, takeable(table, seat)))
        choices = (*stones, *choices)
    return choices


def _kinds(place: Place) -> tuple[Card, ...]:
    first, second = place.hand
    return tuple(card for card in dict.fromkeys(first + second) if card is not None)


def _stocks(place: Place) -> Moves:
    """Return a move for each kind of card in hand, and the one for none. Rule: TT-11."""
    levels = enumerate(place.hand, 1)
    return (
        *(moves.Stock(level, card) for level, cards in levels for card in dict.fromkeys(cards) if card),
        STOCK_NOTHING,
    )


def _mixes(table: Table, seat: Seat) -> Moves:
    """Return the moves by which the summoner may mix. Rule: TT-23."""
    *seats, deck = mixable(table, seat)
    others = tuple(moves.MixWith(other) for other, may in enumerate(seats) if may)
    return (*others, MIX_WITH_DECK) if deck else others


def forced(table: Table) -> tuple[Seat, TtmpMove] | None:
    """Return the move that the engine plays by itself: that of a summoner with one choice.

    Everybody sees how many stones each seat and the deck have. Everything else leaves a choice, or would show a card of
    a hand.

    Rule:    TT-23.
    """
    stage = table.stage
    if stage.step is SUMMON and len(only := _mixes(table, stage.seat)) == 1:
        return stage.seat, only[0]
    return None


def decide(table: Table, seat: Seat, move: TtmpMove, chance: Chance) -> Events:
    """Return the events that the move causes.

    Raises:  Refusal, with the clause.
    """
    _check_step(table, seat, move)
    match move:
        case moves.Roll(dice=dice):
            return roll_dice(table, seat, dice, chance)
        case moves.LeaveDice():
            return _change_turn(table, seat, DiceLeft(seat), chance)
        case moves.Reroll(die=die):
            return _reroll(table, seat, die, chance)
        case moves.Use():
            return use(table, seat, move, chance)
        case moves.StockNothing():
            return pass_turn(table, (), chance)
        case moves.Stock(level=level, card=card):
            return pass_turn(table, stock(table, seat, level, card), chance)
        case moves.KeepDice():
            return keep_dice(table, seat)
        case moves.DrawCard(level=level):
            return draw_card(table, seat, level, chance)
        case moves.DrawStone():
            return start_drawing_stone(table, seat, chance)
        case moves.TakeStone(seat=owner):
            return take_from(table, seat, owner, chance)
        case moves.Discard(card=card):
            return discard(table, seat, card, chance)
        case moves.MixWith(seat=owner):
            return mix(table, seat, (owner,), chance)
        case moves.MixWithDeck():
            return mix(table, seat, (), chance)
        case _:
            assert_never(move)


STEPS: dict[type[TtmpMove], tuple[Step, ...]] = {
    moves.Use: (ACTION, AFTER),
    moves.Roll: (ACTION,),
    moves.KeepDice: (ACTION,),
    moves.DrawCard: (AFTER,),
    moves.DrawStone: (AFTER,),
    moves.TakeStone: (AFTER,),
    moves.Reroll: (AFTER,),
    moves.LeaveDice: (AFTER,),
    moves.Discard: (DISCARD, LIMIT),
    moves.Stock: (STOCK,),
    moves.StockNothing: (STOCK,),
    moves.MixWith: (SUMMON,),
    moves.MixWithDeck: (SUMMON,),
}
"""By class of move: the steps to which it belongs. Rule: TT-2, TT-7, TT-8, TT-11, TT-12, TT-23."""
CLAUSE = {ACTION: "TT-7", AFTER: "TT-8", STOCK: "TT-11", DISCARD: "TT-2", LIMIT: "TT-12", SUMMON: "TT-23"}


def _check_step(table: Table, seat: Seat, move: TtmpMove) -> None:
    """Refuse a move that is not for this seat to make now. Rule: TT-7."""
    stage = table.stage
    step = stage.step
    if stage.seat == seat and step in STEPS[type(move)]:
        return
    if step is OVER:
        raise Refusal("TT-18", "over")
    if stage.seat != seat:
        raise Refusal("TT-7", "not-your-turn", seat=stage.seat)
    raise Refusal(CLAUSE[step], "wrong-step", step=step)


def _reroll(table: Table, seat: Seat, die: int, chance: Chance) -> Events:
    """Roll one die again, to spoil the dice of the next player. Rule: TT-11."""
    dice = table.dice
    if die not in dice:
        raise Refusal("TT-11", "no-such-die", dice=dice)
    to = chance.roll()
    at = dice.index(die)
    after = tuple(sorted((*dice[:at], to, *dice[at + 1 :])))
    return _change_turn(table, seat, DieRerolled(seat=seat, die=die, to=to, dice=after), chance)


def _change_turn(table: Table, seat: Seat, told: TtmpEvent, chance: Chance) -> Events:
    """Ask the seat whether to set a card aside, if it may; otherwise pass the turn at once. Rule: TT-11."""
    return (told,) if may_stock(table, seat) else pass_turn(table, (told,), chance)

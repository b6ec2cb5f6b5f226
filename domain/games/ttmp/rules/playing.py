"""Magic cards that are used, and the dice action."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.ttmp.components import CHOICES, Card, Dice, laid, without
from domain.games.ttmp.events import CardUsed, DiceKept, DiceRolled, TtmpEvent
from domain.games.ttmp.moves import Use
from domain.games.ttmp.state import NO_ACTION, A, B, Kind, Stage, Table, changed, uses


def may_use(stage: Stage) -> bool:
    """Whether magic cards may be used: before the dice action always, then after A and B. Rule: TT-6 to TT-9."""
    action = stage.action
    return action is NO_ACTION or action is A or action is B


def usable(table: Table, seat: Seat) -> tuple[Use, ...]:
    """Every way to use a card of the seat's hand, as far as it is known. Rule: TT-7."""
    first, second = table.places[seat].hand
    if not first and not second:
        return ()
    kinds, dice = table.terms.printed.kinds, table.dice
    found: tuple[Use, ...] = ()
    for card in dict.fromkeys(first + second):
        if card is not None:
            found += uses(kinds[card.number], dice)
    return found


def use(table: Table, seat: Seat, move: Use, chance: Chance) -> tuple[TtmpEvent, ...]:
    """The card changes dice and is laid aside.

    Rule:    TT-7, TT-8, TT-9.
    Raises:  Refusal, when no card may be used, the seat does not hold it, or it can't change the dice so.
    """
    if not may_use(table.stage):
        raise Refusal("TT-8", "no-use")
    kind = kind_in_hand(table, seat, move.card)
    if move not in uses(kind, table.dice):
        raise Refusal("TT-7", "no-such-use", card=(kind.card.en, kind.card.ja))
    to = move.to or tuple(chance.roll() for _ in move.dice)
    return (
        CardUsed(
            seat=seat,
            level=kind.level,
            card=kind.card,
            changed=move.dice,
            to=to,
            rolled=not move.to,
            dice=changed(table.dice, move.dice, to),
        ),
    )


def kind_in_hand(table: Table, seat: Seat, card: Card) -> Kind:
    """The kind of a card that the seat holds. Raises Refusal when it holds none. Rule: TT-7."""
    first, second = table.places[seat].hand
    if card not in first and card not in second:
        raise Refusal("TT-7", "no-such-card")
    return table.terms.printed.kinds[card.number]


def roll_dice(table: Table, seat: Seat, some: Dice, chance: Chance) -> tuple[TtmpEvent, ...]:
    """Dice action A or B: these dice are rolled.

    Rule:    TT-8.
    Raises:  Refusal, unless they lie on the table.
    """
    dice = table.dice
    count = len(some)
    if some not in CHOICES.get((dice, count), ()):
        raise Refusal("TT-8", "no-such-dice", dice=dice)
    kept = without(dice, some)
    rolled = tuple(chance.roll() for _ in some)
    action = B if count == 1 else A
    return (DiceRolled(seat=seat, action=action, kept=kept, rolled=rolled, dice=laid(kept, rolled)),)


def keep_dice(table: Table, seat: Seat) -> tuple[TtmpEvent, ...]:
    """Dice action C: no dice are rolled. Rule: TT-8."""
    return (DiceKept(seat, table.dice),)

"""Using magic cards, and the dice action."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.ttmp.components import CHOICES, Card, Dice, laid, without
from domain.games.ttmp.events import CardUsed, DiceKept, DiceRolled, Events
from domain.games.ttmp.moves import Use
from domain.games.ttmp.state import NO_ACTION, A, B, Kind, Stage, Table, changed, uses


def may_use(stage: Stage) -> bool:
    """Return whether magic cards may be used: always before the dice action, and after A and B. Rule: TT-6 to TT-9."""
    action = stage.action
    return action is NO_ACTION or action is A or action is B


def usable(table: Table, seat: Seat) -> tuple[Use, ...]:
    """Return every way to use a known card of the seat's hand. Rule: TT-7."""
    first, second = table.places[seat].hand
    if not first and not second:
        return ()
    kinds, dice = table.terms.printed.kinds, table.dice
    choices: tuple[Use, ...] = ()
    for card in dict.fromkeys(first + second):
        if card is not None:
            choices += uses(kinds[card.number], dice)
    return choices


def use(table: Table, seat: Seat, move: Use, chance: Chance) -> Events:
    """Change dice by the card, and put the card aside.

    Rule:    TT-7, TT-8, TT-9.
    Raises:  Refusal, when no card may be used, the seat does not hold it, or it cannot change the dice like this.
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
    """Return the kind of a card that the seat holds. Raises Refusal if it does not hold the card. Rule: TT-7."""
    first, second = table.places[seat].hand
    if card not in first and card not in second:
        raise Refusal("TT-7", "no-such-card")
    return table.terms.printed.kinds[card.number]


def roll_dice(table: Table, seat: Seat, some: Dice, chance: Chance) -> Events:
    """Take dice action A or B: roll these dice.

    Rule:    TT-8.
    Raises:  Refusal, unless they are on the table.
    """
    dice = table.dice
    count = len(some)
    if some not in CHOICES.get((dice, count), ()):
        raise Refusal("TT-8", "no-such-dice", dice=dice)
    kept = without(dice, some)
    rolled = tuple(chance.roll() for _ in some)
    action = B if count == 1 else A
    return (DiceRolled(seat=seat, action=action, kept=kept, rolled=rolled, dice=laid(kept, rolled)),)


def keep_dice(table: Table, seat: Seat) -> Events:
    """Take dice action C: roll no dice. Rule: TT-8."""
    return (DiceKept(seat, table.dice),)

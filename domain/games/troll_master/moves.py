"""The moves of a seat. Every decision is one choice from a list of at most 100."""

from __future__ import annotations

from domain.game import Move
from domain.games.troll_master.abilities import Paid
from domain.games.troll_master.components import ActionNumber, Magic, Name


class Draw(Move, frozen=True):
    """Use the broom: draw a magic card, and discard one next. Rule: TM-8."""


class Discard(Move, frozen=True):
    """Discard a magic card of that kind from hand; it does not matter which of several copies. Rule: TM-8, TM-17."""

    card: Magic


class Reveal(Move, frozen=True):
    """Reveal a hand card of that kind, and place or move the pawn. Rule: TM-10, TM-11, TM-12."""

    card: Magic
    action: ActionNumber
    """From 1, the leftmost."""


class Pass(Move, frozen=True):
    """Leave the broom alone, pass in planning (be out, without a pawn), or pass an action. Rule: TM-8, TM-10, TM-23."""


class Act(Move, frozen=True):
    """Do the action on which the pawn is, and buy the cards that are missing. Rule: TM-21, TM-22."""


class Use(Move, frozen=True):
    """Pay for an ability with charges of the familiar on which it is printed. Rule: TM-36, TM-46."""

    familiar: Name
    ability: Paid
    """As it is printed on the card."""


class Summon(Move, frozen=True):
    """Acquire a familiar and put it beside the others. Rule: TM-25."""

    familiar: Name


class Train(Move, frozen=True):
    """Acquire a familiar and cover one of the seat's own with it. Rule: TM-25."""

    own: Name
    familiar: Name


class Charge(Move, frozen=True):
    """Put a mana from the hand as a charge on one of the seat's familiars. Rule: TM-26."""

    familiar: Name


class Attack(Move, frozen=True):
    """Declare the attack on all other seats. Rule: TM-27."""


class Answer(Move, frozen=True):
    """Compare the attack with the defence as it is now. Rule: TM-27."""


class ChainTo(Move, frozen=True):
    """Move the pawn to an action by the chain. Rule: TM-43."""

    action: ActionNumber
    """From 1, the leftmost."""


class Done(Move, frozen=True):
    """Carry on: acquire nothing, charge no more, use no more abilities, or leave the chain. Rule: TM-46."""


TrollMasterMove = (
    Draw | Discard | Reveal | Pass | Act | Use | Summon | Train | Charge | Attack | Answer | ChainTo | Done
)

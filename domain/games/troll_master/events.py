"""The events of a match. An event has all that is needed to change the table, and to describe it without the table."""

from __future__ import annotations

from typing import Annotated

from domain.game import Event, Seat
from domain.games.troll_master.abilities import Ability, Paid
from domain.games.troll_master.components import (
    ActionNumber,
    Chips,
    Kind,
    Lying,
    Magic,
    Magics,
    Mana,
    Name,
    OnCard,
    Power,
)
from domain.secrecy import Hidden, HiddenEach


class FamiliarsLaidOut(Event, frozen=True):
    """The kinds of this match, both copies of each, in the order of the supply. Rule: TM-2."""

    familiars: tuple[Name, ...]
    """By name."""


class BroomTaken(Event, frozen=True):
    """The seat took the broom, and starts the next round. Rule: TM-4, TM-15."""

    seat: Seat


class Shuffled(Event, frozen=True):
    """The magic cards that were not in play became the new deck, the next card first. Rule: TM-5, TM-7."""

    cards: Annotated[Lying, Hidden()]


class RoundStarted(Event, frozen=True):
    """A round begins; the start player will deal and take the first turn. Rule: TM-5, TM-10."""

    round: int
    """From 1."""
    start: Seat


class CardsTurned(Event, frozen=True):
    """The next cards of the deck were turned face up. Rule: TM-5."""

    cards: Magics


class CardsDealt(Event, frozen=True):
    """The next cards of the deck were dealt one at a time, clockwise. Rule: TM-5, TM-6."""

    first: Seat
    """The seat that got the first card."""
    count: int
    """The number of cards for all seats together."""
    hands: Annotated[tuple[Magics | None, ...], HiddenEach()]
    """The cards that each seat got, in the order dealt."""


class BroomReady(Event, frozen=True):
    """The broom's holder may use it. Rule: TM-8."""

    seat: Seat


class CardDrawn(Event, frozen=True):
    """The seat drew the next card of the deck, and discards a hand card next. Rule: TM-8, TM-17."""

    seat: Seat
    card: Annotated[Magic | None, Hidden("seat")]
    """Null if the reader may not know it."""


class CardDiscarded(Event, frozen=True):
    """The seat discarded a hand card face up. Rule: TM-8, TM-17.

    The card drawn last takes the place of the discarded one, so that the order of the hand does not show which one it
    was.
    """

    seat: Seat
    card: Magic


class TurnCame(Event, frozen=True):
    """It is the seat's planning turn. Rule: TM-10."""

    seat: Seat


class CardRevealed(Event, frozen=True):
    """The seat revealed a hand card and put its pawn on an action. Rule: TM-10."""

    seat: Seat
    card: Magic
    action: ActionNumber


class PlanningPassed(Event, frozen=True):
    """The seat plans no more in this round. Rule: TM-10, TM-14."""

    seat: Seat


class WentOut(Event, frozen=True):
    """The seat could not place its pawn anywhere, and is out for this round. Rule: TM-16."""

    seat: Seat
    lacks: Magics
    """The kinds that could have placed a pawn. Everybody knows now that the hand has none of them."""


class OutPaid(Event, frozen=True):
    """A seat that is out was paid when planning ended. Rule: TM-16."""

    seat: Seat
    mana: Mana


class HandRevealed(Event, frozen=True):
    """The rest of a hand was revealed, and belongs to nobody now. Rule: TM-19."""

    seat: Seat
    cards: Magics


class ActionReached(Event, frozen=True):
    """The cost of the rightmost pawn's action was checked; the action is done or passed next.

    Rule:    TM-20, TM-21, TM-22.
    """

    seat: Seat
    action: ActionNumber
    kind: Kind
    cost: int
    """The cost in cards of the action's kind."""
    found: int
    """How many cards count for it."""
    price: int
    """The mana that the missing cards cost."""


class ActionPassed(Event, frozen=True):
    """The seat took mana instead of doing the action, and its pawn went home. Rule: TM-23."""

    seat: Seat
    action: ActionNumber
    mana: Mana


class CardsBought(Event, frozen=True):
    """The seat paid mana for missing cards. Rule: TM-22."""

    seat: Seat
    cards: int
    """How many."""
    mana: Mana


class SummonBegun(Event, frozen=True):
    """The seat began a summon, and may acquire a familiar. Rule: TM-25."""

    seat: Seat
    action: ActionNumber
    reduction: int
    """The reduction of the action, without abilities."""


class BrewBegun(Event, frozen=True):
    """The seat took the printed mana, and may charge its familiars. Rule: TM-26."""

    seat: Seat
    action: ActionNumber
    mana: Mana


class AttackBegun(Event, frozen=True):
    """The seat began an attack on all other seats. Rule: TM-27."""

    seat: Seat
    action: ActionNumber
    power: int
    """The power of the action, without familiars and abilities."""


class DivinationBegun(Event, frozen=True):
    """The seat took the printed chips. Rule: TM-29."""

    seat: Seat
    action: ActionNumber
    chips: Chips


class AbilityFired(Event, frozen=True):
    """An ability without a cost took effect. Rule: TM-37, TM-47."""

    seat: Seat
    familiar: Name
    ability: Ability
    """As it is printed on the card."""


class AbilityUsed(Event, frozen=True):
    """The seat paid charges for an ability, and it took effect. Rule: TM-36."""

    seat: Seat
    familiar: Name
    ability: Paid
    """As it is printed on the card."""


class FamiliarSummoned(Event, frozen=True):
    """The seat acquired a familiar from the supply. Rule: TM-25."""

    seat: Seat
    familiar: Name
    mana: Mana
    charges: OnCard


class FamiliarTrained(Event, frozen=True):
    """The seat covered a familiar with a new one from the supply. Rule: TM-25."""

    seat: Seat
    own: Name
    lost: int
    """How many charges of the covered familiar went back to the stock."""
    familiar: Name
    mana: Mana
    charges: OnCard


class FamiliarCharged(Event, frozen=True):
    """The seat put a mana as a charge on a familiar. Rule: TM-26."""

    seat: Seat
    familiar: Name


class AttackDeclared(Event, frozen=True):
    """The seat declared its attack, with its final strength. Rule: TM-27."""

    seat: Seat
    strength: Power


class DefenderAsked(Event, frozen=True):
    """The next seat is to answer the attack. Rule: TM-27."""

    seat: Seat
    attacker: Seat
    power: int
    """The power of the defender's uncovered familiars."""


class AttackSucceeded(Event, frozen=True):
    """The attack was stronger than this defence. Rule: TM-27."""

    seat: Seat
    """The attacker."""
    defender: Seat
    strength: Power
    defence: Power
    chips: Chips


class AttackFailed(Event, frozen=True):
    """The attack was not stronger than this defence. Rule: TM-27."""

    seat: Seat
    """The attacker."""
    defender: Seat
    strength: Power
    defence: Power


class ChainOffered(Event, frozen=True):
    """The action is done, and the seat can pay for a chain. Rule: TM-43, TM-48."""

    seat: Seat


class PawnChained(Event, frozen=True):
    """The chain moved the pawn to another action on its left. Rule: TM-43."""

    seat: Seat
    action: ActionNumber


class PawnReturned(Event, frozen=True):
    """The action is over, and the pawn went home. Rule: TM-24."""

    seat: Seat
    action: ActionNumber


class PointsCounted(Event, frozen=True):
    """The round is over, and the points were counted. Rule: TM-31."""

    round: int
    """The round, from 1."""
    points: tuple[int, ...]
    """By seat."""


class CardsCleared(Event, frozen=True):
    """All face-up magic cards went to the discard pile, in the order revealed. Rule: TM-32."""

    count: int
    """How many."""


class MatchEnded(Event, frozen=True):
    """The last round is over. Rule: TM-32, TM-33, TM-34."""

    points: tuple[int, ...]
    """By seat."""
    mana: tuple[int, ...]
    """The mana of each seat, which decides between equal points."""
    ranking: tuple[int, ...]
    """The place of each seat, 1 is first; seats that tie share the better place."""


TrollMasterEvent = (
    FamiliarsLaidOut
    | BroomTaken
    | Shuffled
    | RoundStarted
    | CardsTurned
    | CardsDealt
    | BroomReady
    | CardDrawn
    | CardDiscarded
    | TurnCame
    | CardRevealed
    | PlanningPassed
    | WentOut
    | OutPaid
    | HandRevealed
    | ActionReached
    | ActionPassed
    | CardsBought
    | SummonBegun
    | BrewBegun
    | AttackBegun
    | DivinationBegun
    | AbilityFired
    | AbilityUsed
    | FamiliarSummoned
    | FamiliarTrained
    | FamiliarCharged
    | AttackDeclared
    | DefenderAsked
    | AttackSucceeded
    | AttackFailed
    | ChainOffered
    | PawnChained
    | PawnReturned
    | PointsCounted
    | CardsCleared
    | MatchEnded
)

Events = tuple[TrollMasterEvent, ...]

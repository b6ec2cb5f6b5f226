"""The view of a table: the viewer's own hand, and all that is open."""

from __future__ import annotations

from functools import lru_cache

from domain.game import ALL, Count, Maybe, Seat, Value, View
from domain.games.troll_master.components import HOME, ActionNumber, Kind, Lying, Magic, Magics, Name
from domain.games.troll_master.printed import Face, Printed
from domain.games.troll_master.rules.turn import to_act
from domain.games.troll_master.state import Owned, Pile, Place, Step, Table, points


class OwnedView(Value, frozen=True):
    """A familiar in play."""

    card: Face
    """The print of the card."""
    charges: Count
    """How many charges are on it."""
    covered: tuple[Name, ...]
    """The names of the familiars that it covers, from the bottom."""


class PlaceView(Value, frozen=True):
    """All that one seat has."""

    seat: Seat
    mana: Count
    """The mana in the hand, without charges."""
    chips: Count
    """The chips, a point each."""
    points: int
    """The points as they would be counted now. Rule: TM-31."""
    hand: Lying
    """Magic cards; None is a card that is face down to the viewer."""
    familiars: tuple[OwnedView, ...]
    """In the order in which they were summoned."""
    pawn: Maybe[ActionNumber]
    """The number of the action on which the pawn is; none while the pawn is at home."""
    has_passed: bool
    """Whether the seat plans no more in this round."""
    is_out: bool
    """Whether the seat could not place its pawn in this round."""


class ActionView(Value, frozen=True):
    """An action of the workshop row."""

    number: ActionNumber
    """From 1, the leftmost."""
    kind: Kind
    """The kind of the action."""
    value: int
    """Brew: mana gained; summon: reduction of the cost; attack: power added; divination: chips gained."""
    cost: Count
    """The cost in cards of its icon."""
    icon: Magic
    """The magic card that the action costs, and that places a pawn there."""
    pawn: Maybe[Seat]
    """The seat whose pawn is there."""


class PileView(Value, frozen=True):
    """Copies of a familiar in the supply."""

    card: Face
    """The print of the card."""
    left: Count
    """How many copies are left."""


class TableView(View, frozen=True, tag="troll-master"):
    """The whole table."""

    step: Step
    """The choice for which the table waits."""
    round: Count
    """From 1; 0 before the first."""
    start: Seat
    """The seat that starts this round."""
    broom: Seat
    """The seat that holds the broom: it starts this round, and from the end of planning on the next one."""
    action: Maybe[ActionNumber]
    """The number of the action that is being done."""
    price: Count
    """The mana that its missing cards cost, until it begins."""
    bonus: int
    """The amount that is added: to a summon's reduction, to the attack's power, to the power of the defence."""
    strength: Maybe[int]
    """The strength of the declared attack, while it is answered."""
    deck: Count
    """How many cards are left in the deck."""
    discards: Count
    """How many cards are in the discard pile."""
    top: Maybe[Magic]
    """The top card of the discard pile. Rule: TM-9."""
    open: Magics
    """The face-up cards, in the order revealed."""
    row: tuple[ActionView, ...]
    """The workshop row, from the left."""
    supply: tuple[PileView, ...]
    """The piles of the supply, in their order."""
    places: tuple[PlaceView, ...]
    """The places of the seats, in seat order."""


def view(table: Table, viewer: Seat | None) -> TableView:
    """Return the table as the viewer sees it: a seat, None for a spectator, or `ALL`. Rule: TM-6, TM-9."""
    stage, cards = table.stage, table.cards
    return TableView(
        turn=to_act(table),
        step=stage.step,
        round=table.round,
        start=table.start,
        broom=table.broom,
        action=_number(stage.action),
        price=stage.price,
        bonus=stage.bonus,
        strength=(stage.strength,) if stage.step is Step.DEFENCE else (),
        deck=len(cards.deck),
        discards=len(cards.discards),
        top=cards.discards[-1:],
        open=cards.open,
        row=_show_row(table.terms.printed, tuple([place.pawn for place in table.places])),
        supply=_show_supply(table.supply),
        places=tuple([_show_place(seat, place, viewer in (seat, ALL)) for seat, place in enumerate(table.places)]),
    )


# what most moves leave as it is, or bring about again, is made once
@lru_cache(maxsize=1 << 10)
def _show_row(printed: Printed, pawns: tuple[int, ...]) -> tuple[ActionView, ...]:
    return tuple(
        [
            ActionView(
                number=space.number,
                kind=space.kind,
                value=space.value,
                cost=space.cost,
                icon=space.icon,
                pawn=(pawns.index(space.number),) if space.number in pawns else (),
            )
            for space in printed.row[1:]
        ]
    )


@lru_cache(maxsize=1 << 10)
def _show_supply(supply: tuple[Pile, ...]) -> tuple[PileView, ...]:
    return tuple([PileView(pile.card.face, pile.left) for pile in supply])


@lru_cache(maxsize=1 << 10)
def _show_familiars(familiars: tuple[Owned, ...]) -> tuple[OwnedView, ...]:
    return tuple([OwnedView(owned.card.face, owned.charges, owned.covered) for owned in familiars])


def _number(action: int) -> Maybe[int]:
    return () if action == HOME else (action,)


@lru_cache(maxsize=1 << 10)
def _show_place(seat: Seat, place: Place, may_see: bool) -> PlaceView:
    return PlaceView(
        seat=seat,
        mana=place.mana,
        chips=place.chips,
        points=points(place),
        hand=place.hand if may_see else (None,) * len(place.hand),
        familiars=_show_familiars(place.familiars),
        pawn=_number(place.pawn),
        has_passed=place.has_passed,
        is_out=place.is_out,
    )

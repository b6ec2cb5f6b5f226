"""What a table shows to somebody: their own hand, and all that lies open."""

from __future__ import annotations

from domain.game import ALL, Count, Maybe, Seat, Value, View
from domain.games.troll_master.components import HOME, ActionNumber, Kind, Lying, Magic, Magics, Name
from domain.games.troll_master.printed import Face
from domain.games.troll_master.rules.turn import to_act
from domain.games.troll_master.state import Place, Step, Table, points


class OwnedView(Value, frozen=True):
    """A familiar in play."""

    card: Face
    """What is printed on it."""
    charges: Count
    """That lie on it."""
    covered: tuple[Name, ...]
    """Those that it covers, from the bottom, by name."""


class PlaceView(Value, frozen=True):
    """What lies before one seat."""

    seat: Seat
    mana: Count
    """In the hand, without charges."""
    chips: Count
    """A point each."""
    points: int
    """As they would be counted now. Rule: TM-31."""
    hand: Lying
    """Magic cards; None is a card that is face down to the viewer."""
    familiars: tuple[OwnedView, ...]
    """In the order in which they were summoned."""
    pawn: Maybe[ActionNumber]
    """The number of the action on which it stands; none while it is at home."""
    has_passed: bool
    """Whether the seat plans no more in this round."""
    is_out: bool
    """Whether it could place its pawn nowhere in this round."""


class ActionView(Value, frozen=True):
    """An action of the workshop row."""

    number: ActionNumber
    """From 1, the leftmost."""
    kind: Kind
    """What it does."""
    value: int
    """Brew: mana; summon: what falls off the cost; attack: power; divination: chips."""
    cost: Count
    """In cards of its icon."""
    icon: Magic
    """What it costs, and which card takes a pawn there."""
    pawn: Maybe[Seat]
    """Whose pawn stands there."""


class PileView(Value, frozen=True):
    """Copies of a familiar in the supply."""

    card: Face
    """What is printed on it."""
    left: Count
    """How many."""


class TableView(View, frozen=True, tag="troll-master"):
    """The whole table."""

    step: Step
    """What the table waits for."""
    round: Count
    """From 1; 0 before the first."""
    start: Seat
    """Who starts this round."""
    broom: Seat
    """The broom's holder, who starts the next one."""
    action: Maybe[ActionNumber]
    """The number of the action that is being done."""
    price: Count
    """Mana for its missing cards, until it begins."""
    bonus: int
    """What is added: to a summon's reduction, to the attack's power, to the power of the defence."""
    strength: Maybe[int]
    """Of the declared attack, while it is answered."""
    deck: Count
    """Cards left in it."""
    discards: Count
    """Cards in the discard pile."""
    top: Maybe[Magic]
    """The top card of the discard pile. Rule: TM-9."""
    open: Magics
    """Face up, in the order revealed."""
    row: tuple[ActionView, ...]
    """The workshop row, from the left."""
    supply: tuple[PileView, ...]
    """In its order."""
    places: tuple[PlaceView, ...]
    """In seat order."""


def view(table: Table, viewer: Seat | None) -> TableView:
    """The table as the viewer sees it: a seat, None for a spectator, or `ALL`. Rule: TM-6, TM-9."""
    stage, cards = table.stage, table.cards
    pawns = [place.pawn for place in table.places]
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
        row=tuple(
            ActionView(
                number=space.number,
                kind=space.kind,
                value=space.value,
                cost=space.cost,
                icon=space.icon,
                pawn=(pawns.index(space.number),) if space.number in pawns else (),
            )
            for space in table.terms.printed.row[1:]
        ),
        supply=tuple(PileView(pile.card.face, pile.left) for pile in table.supply),
        places=tuple(_show_place(seat, place, viewer in (seat, ALL)) for seat, place in enumerate(table.places)),
    )


def _number(action: int) -> Maybe[int]:
    return () if action == HOME else (action,)


def _show_place(seat: Seat, place: Place, may_see: bool) -> PlaceView:
    return PlaceView(
        seat=seat,
        mana=place.mana,
        chips=place.chips,
        points=points(place),
        hand=place.hand if may_see else (None,) * len(place.hand),
        familiars=tuple(OwnedView(owned.card.face, owned.charges, owned.covered) for owned in place.familiars),
        pawn=_number(place.pawn),
        has_passed=place.has_passed,
        is_out=place.is_out,
    )

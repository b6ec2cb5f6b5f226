"""What a table shows to somebody: their own hand, and all that lies open."""

from __future__ import annotations

from domain.game import ALL, Seat, Value
from domain.games.troll_master.components import Kind, Lying, Magic, Magics, Name
from domain.games.troll_master.printed import Face
from domain.games.troll_master.state import Place, Step, Table, points


class OwnedView(Value, frozen=True):
    """A familiar in play."""

    card: Face
    charges: int
    covered: tuple[Name, ...]
    """From the bottom."""


class PlaceView(Value, frozen=True):
    """What lies before one seat."""

    seat: Seat
    mana: int
    chips: int
    points: int
    """As they would be counted now. Rule: TM-31."""
    hand: Lying
    """None is a card that is face down to the viewer."""
    familiars: tuple[OwnedView, ...]
    pawn: int
    """The action on which it stands; 0: at home."""
    has_passed: bool
    is_out: bool


class ActionView(Value, frozen=True):
    """An action of the workshop row."""

    number: int
    """From 1, the leftmost."""
    kind: Kind
    value: int
    """Brew: mana; summon: what falls off the cost; attack: power; divination: chips."""
    cost: int
    icon: Magic
    """What it costs, and which card takes a pawn there."""
    pawns: tuple[Seat, ...]
    """Whose pawn stands there, or nobody's."""


class PileView(Value, frozen=True):
    """Copies of a familiar in the supply."""

    card: Face
    left: int


class TableView(Value, frozen=True):
    """The whole table."""

    round: int
    step: Step
    turn: tuple[Seat, ...]
    """Who is to act."""
    start: Seat
    """Of this round."""
    broom: Seat
    """Its holder."""
    action: int
    """Which is being done; 0: none."""
    price: int
    """Mana for its missing cards, until it begins."""
    bonus: int
    """What is added: to a summon's reduction, to the attack's power, to the power of the defence."""
    strength: int
    """Of the declared attack."""
    deck: int
    """Cards left in it."""
    discards: int
    """Cards in the discard pile."""
    top: Magics
    """The top card of the discard pile, or nothing. Rule: TM-9."""
    open: Magics
    """Face up, in the order revealed."""
    row: tuple[ActionView, ...]
    supply: tuple[PileView, ...]
    places: tuple[PlaceView, ...]
    """In seat order."""


def view(table: Table, viewer: Seat | None) -> TableView:
    """The table as the viewer sees it: a seat, None for a spectator, or `ALL`. Rule: TM-6, TM-9."""
    stage, cards = table.stage, table.cards
    pawns = [place.pawn for place in table.places]
    return TableView(
        round=table.round,
        step=stage.step,
        turn=() if stage.step in (Step.DEALING, Step.OVER) else (stage.seat,),
        start=table.start,
        broom=table.broom,
        action=stage.action,
        price=stage.price,
        bonus=stage.bonus,
        strength=stage.strength,
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
                pawns=(pawns.index(space.number),) if space.number in pawns else (),
            )
            for space in table.terms.printed.row[1:]
        ),
        supply=tuple(PileView(pile.card.face, pile.left) for pile in table.supply),
        places=tuple(_show_place(seat, place, viewer in (seat, ALL)) for seat, place in enumerate(table.places)),
    )


def _show_place(seat: Seat, place: Place, may_see: bool) -> PlaceView:
    return PlaceView(
        seat=seat,
        mana=place.mana,
        chips=place.chips,
        points=points(place),
        hand=place.hand if may_see else (None,) * len(place.hand),
        familiars=tuple(OwnedView(owned.card.face, owned.charges, owned.covered) for owned in place.familiars),
        pawn=place.pawn,
        has_passed=place.has_passed,
        is_out=place.is_out,
    )

"""What a table shows to somebody: their own cards, and of the others what lies open."""

from __future__ import annotations

from domain.game import ALL, Seat, Value
from domain.games.three_magic.components import (
    Attribute,
    Card,
    Spell,
    attribute_of,
    has_star,
    number_of,
)
from domain.games.three_magic.state import Lain, Phase, Place, Table


class CardView(Value, frozen=True):
    """A card face up."""

    attribute: Attribute
    number: int
    star: bool


class DiscardView(Value, frozen=True):
    """A discard in its row."""

    card: CardView
    reach: bool
    """Whether reach was declared with it."""


class PlaceView(Value, frozen=True):
    """What lies before one seat."""

    seat: Seat
    attribute: Attribute
    od: int
    laid: int
    """The od that lie before the player."""
    hand: tuple[CardView | None, ...]
    """In its order; None is a card that is face down to the viewer."""
    drawn: tuple[CardView | None, ...]
    """The card drawn and not yet inserted, or nothing."""
    inserted: tuple[int, ...]
    """Position of the card that was just inserted, or nothing."""
    asked: bool | None
    """While claims are open: whether this seat is asked; None where the viewer can't know."""
    discards: tuple[DiscardView, ...]
    pledges: tuple[tuple[CardView, ...], ...]
    in_reach: bool


class TableView(Value, frozen=True):
    """The whole table."""

    deal: int
    lap: int
    laps: int
    manager: Seat
    phase: Phase
    turn: Seat
    """Who is in turn; while claims are open, who discarded."""
    wall: int
    """Cards left to draw."""
    ley_line: int
    indicators: tuple[CardView, ...]
    claimed: tuple[CardView, ...]
    """While claims are open: the discard, which is also the last of its row; otherwise nothing."""
    places: tuple[PlaceView, ...]
    """In seat order; empty before the attributes are drawn."""


def show_card(card: Card) -> CardView:
    """The card face up."""
    return CardView(attribute=attribute_of(card), number=number_of(card), star=has_star(card))


def _show_spell(spell: Spell) -> tuple[CardView, ...]:
    return tuple(map(show_card, spell))


def _show_lain(lain: Lain) -> DiscardView:
    return DiscardView(card=show_card(lain.card), reach=lain.reach)


def _show_held(cards: tuple[Card | None, ...], may_see: bool) -> tuple[CardView | None, ...]:
    return tuple(show_card(card) if may_see and card is not None else None for card in cards)


def _show_place(table: Table, seat: Seat, place: Place, viewer: Seat | None) -> PlaceView:
    deal = table.deal
    own = viewer in {seat, ALL}
    in_turn = seat == deal.turn
    return PlaceView(
        seat=seat,
        attribute=table.attributes[seat],
        od=table.od[seat],
        laid=place.laid,
        hand=_show_held(place.hand, own or place.is_shown),
        drawn=_show_held(deal.drawn, own) if in_turn else (),
        inserted=deal.inserted if in_turn else (),
        asked=_asked(table, seat, own),
        discards=tuple(map(_show_lain, place.row)),
        pledges=tuple(map(_show_spell, place.pledges)),
        in_reach=place.in_reach,
    )


def _asked(table: Table, seat: Seat, own: bool) -> bool | None:
    """A seat knows whether it is asked, and everybody that nobody is while no claims are open or of their own discard.

    Rule:    3M-12.
    """
    deal = table.deal
    if deal.phase is not Phase.CLAIMS or seat == deal.turn:
        return False
    return deal.asked[seat] if own else None


def view(table: Table, viewer: Seat | None) -> TableView:
    """The table as the seat sees it; None is a spectator, ALL lays all hands open.

    Rule:    3M-6, 3M-12, and "What nobody else sees".
    """
    deal = table.deal
    claimed = (deal.places[deal.turn].row[-1].card,) if deal.phase is Phase.CLAIMS else ()
    return TableView(
        deal=table.number,
        lap=table.lap,
        laps=table.terms.laps,
        manager=table.manager,
        phase=deal.phase,
        turn=deal.turn,
        wall=len(deal.wall),
        ley_line=table.ley_line,
        indicators=tuple(map(show_card, deal.indicators)),
        claimed=tuple(map(show_card, claimed)),
        places=tuple(_show_place(table, seat, place, viewer) for seat, place in enumerate(deal.places)),
    )

"""The view of a table: the viewer's own cards, and all that is open."""

from __future__ import annotations

from collections.abc import Callable

from domain.game import ALL, Count, Maybe, Seat, Value, View
from domain.games.three_magic.components import (
    KINDS,
    SEATS,
    Attribute,
    Card,
    Number,
    Position,
    Spell,
    attribute_of,
    has_star,
    number_of,
)
from domain.games.three_magic.rules.claims import discard_claimed
from domain.games.three_magic.rules.turn import to_act
from domain.games.three_magic.state import LAIN, Phase, Place, Table


class CardView(Value, frozen=True):
    """A face-up card."""

    card: Card
    """The number by which moves and events name it."""
    attribute: Attribute
    """The attribute of the card."""
    number: Number
    """The number on it, from 0 to 4."""
    star: bool
    """Whether it bears a star."""


class DiscardView(Value, frozen=True):
    """A discard in its row."""

    card: CardView
    """The card, face up."""
    reach: bool
    """Whether reach was declared with it."""


class PlaceView(Value, frozen=True):
    """All that one seat has in a deal."""

    seat: Seat
    attribute: Attribute
    """The attribute of the player, which decides what pledges cost and how spells count."""
    od: int
    """The od of the player, without those laid before the player; negative is debt."""
    laid: Count
    """The od that are laid before the player."""
    hand: tuple[CardView | None, ...]
    """In its order; None is a card that is face down to the viewer."""
    drawn: Maybe[CardView | None]
    """The card drawn and not yet inserted; None inside is a card that is face down to the viewer."""
    inserted: Maybe[Position]
    """The position of the card that was just inserted, until the discard."""
    asked: bool | None
    """While claims are open: whether this seat is asked; None if the viewer may not know it."""
    discards: tuple[DiscardView, ...]
    """The discards in their order, without those that were claimed."""
    pledges: tuple[tuple[CardView, ...], ...]
    """Spells that were laid open, three cards each."""
    in_reach: bool
    """Whether the player has declared reach in this deal."""


class TableView(View, frozen=True, tag="three-magic"):
    """The whole table."""

    step: Phase
    """The choice for which the deal waits."""
    discarder: Maybe[Seat]
    """While claims are open: the seat that discarded."""
    claimed: Maybe[CardView]
    """While claims are open: the discard, which is also the last of its row."""
    deal: Count
    """The number of the deal, from 1; 0 before the first."""
    lap: Count
    """The number of the lap, from 1; 0 before the first."""
    laps: Count
    """How many laps are played."""
    manager: Seat
    """The manager of this deal, who takes its first turn."""
    wall: Count
    """How many cards are left to draw."""
    ley_line: Count
    """The od of the ley line."""
    indicators: tuple[CardView, ...]
    """The indicators in their order: the first one counts for all, the others for a winner in reach."""
    places: tuple[PlaceView, ...]
    """In seat order; empty before the attributes are drawn."""


show_card: Callable[[Card], CardView] = tuple(
    CardView(card=card, attribute=attribute_of(card), number=number_of(card), star=has_star(card))
    for card in range(KINDS)
).__getitem__
"""Returns the face-up card."""


def _show_spell(spell: Spell) -> tuple[CardView, ...]:
    return tuple(map(show_card, spell))


_LAIN = tuple([tuple([DiscardView(show_card(lain.card), lain.reach) for lain in of_card]) for of_card in LAIN])
"""By the card, and whether it was discarded with reach."""


def _show_held(cards: tuple[Card | None, ...], may_see: bool) -> tuple[CardView | None, ...]:
    return tuple([None if card is None else show_card(card) for card in cards]) if may_see else (None,) * len(cards)


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
        discards=tuple([_LAIN[lain.card][lain.reach] for lain in place.row]),
        pledges=tuple(map(_show_spell, place.pledges)),
        in_reach=place.in_reach,
    )


def _asked(table: Table, seat: Seat, own: bool) -> bool | None:
    """Return whether the seat is asked; None to other viewers while claims are open.

    Everybody knows that no seat is asked about its own discard, or while no claims are open.

    Rule:    3M-12.
    """
    deal = table.deal
    if deal.phase is not Phase.CLAIMS or seat == deal.turn:
        return False
    return deal.asked[seat] if own else None


def _turn(table: Table, viewer: Seat | None) -> tuple[Seat, ...]:
    """Return who is to act; while claims are open, only the seats that the viewer knows to be asked. Rule: 3M-12."""
    deal = table.deal
    if deal.phase is Phase.CLAIMS:
        return tuple(seat for seat in range(SEATS) if _asked(table, seat, viewer in (seat, ALL)))
    return to_act(table)


def view(table: Table, viewer: Seat | None) -> TableView:
    """Return the table as the seat sees it; None is a spectator, ALL shows all hands.

    Rule:    3M-6, 3M-12, and "What nobody else sees".
    """
    deal = table.deal
    is_open = deal.phase is Phase.CLAIMS
    return TableView(
        turn=_turn(table, viewer),
        step=deal.phase,
        discarder=(deal.turn,) if is_open else (),
        claimed=(show_card(discard_claimed(table)[1]),) if is_open else (),
        deal=table.number,
        lap=table.lap,
        laps=table.terms.laps,
        manager=table.manager,
        wall=len(deal.wall),
        ley_line=table.ley_line,
        indicators=tuple(map(show_card, deal.indicators)),
        places=tuple([_show_place(table, seat, place, viewer) for seat, place in enumerate(deal.places)]),
    )

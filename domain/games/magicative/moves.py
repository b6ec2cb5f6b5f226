"""The moves of a seat. Every decision is one choice from a list of at most 100; cards are named by their kind."""

from __future__ import annotations

from typing import Annotated, final

from domain.game import Move, Seat
from domain.games.magicative.components import Artefact, Card, Number, Numbers, School, Spot
from domain.secrecy import Hidden


class Draw(Move, frozen=True):
    """Draw, without using Fate before it. Rule: MG-5, MG-15."""


class Swap(Move, frozen=True):
    """Take the last discard of that seat; the card to give for it is named next. Rule: MG-8."""

    other: Seat


class Give(Move, frozen=True):
    """Put that hand card in the place of the discard that is taken. Rule: MG-8."""

    card: Card


@final
class Fix(Move, frozen=True):
    """Fix a formula. Rule: MG-9, MG-10."""

    school: School
    numbers: Numbers
    innocents: tuple[Number, ...] = ()
    """The numbers as which innocents are declared, ascending; the others are cards of the school."""


class Declare(Move, frozen=True):
    """Fix a formula of that school with innocents in it; the formula is named next. Rule: MG-10."""

    school: School


class Awaken(Move, frozen=True):
    """Set four of that card aside. Rule: MG-11."""

    card: Card


class TakeAptitude(Move, frozen=True):
    """Take an aptitude card of that school. Rule: MG-11."""

    school: School


class Show(Move, frozen=True):
    """Show all aptitude cards that are not shown. Rule: MG-16."""


class ShowOne(Move, frozen=True):
    """Show one of several aptitude cards, by its place among those that the seat has taken, from 0 in their order.
    Rule: MG-16.

    Everybody sees these cards except for their faces, each with the cards that were set aside for it.
    """

    at: Spot


class Use(Move, frozen=True):
    """Take an artefact and use it. Rule: MG-15."""

    artefact: Artefact


class Arrange(Move, frozen=True):
    """Fate: put that card of those looked at next from the top. Rule: MG-15."""

    card: Annotated[Card | None, Hidden("seat")]
    """Null if the reader may not know it."""


class ArrangeLast(Move, frozen=True):
    """Fate: put the last card below the others. Rule: MG-15."""


class Put(Move, frozen=True):
    """Past: put that hand card into the seat's own row, right of those put before. Rule: MG-15."""

    card: Card


class Take(Move, frozen=True):
    """Past: take the card at that place of the seat's own row, counted from 0 at the left end. Rule: MG-15."""

    at: Spot


class Imitate(Move, frozen=True):
    """Innocent: let that hand card count as innocent. Rule: MG-15."""

    card: Card


@final
class Discard(Move, frozen=True):
    """Discard that hand card and end the turn. Rule: MG-7."""

    card: Card


class End(Move, frozen=True):
    """End the turn if there is no card to discard. Rule: MG-7."""


MagicativeMove = (
    Draw
    | Swap
    | Give
    | Fix
    | Declare
    | Awaken
    | TakeAptitude
    | Show
    | ShowOne
    | Use
    | Arrange
    | ArrangeLast
    | Put
    | Take
    | Imitate
    | Discard
    | End
)

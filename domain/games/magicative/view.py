"""The view of a table: the viewer's own cards, what the viewer knows of others' hands, and all that is open."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from domain.game import ALL, Count, Maybe, Seat, Value, View
from domain.games.magicative.abilities import POWERS, AnyPower, Group
from domain.games.magicative.components import (
    FORMS,
    KINDS,
    SCHOOLS,
    Artefact,
    Card,
    Cards,
    Number,
    Pile,
    School,
    cards_of,
    named,
    number_of,
    school_of,
)
from domain.games.magicative.pack import Pack
from domain.games.magicative.rules.turn import to_act
from domain.games.magicative.state import (
    ARRANGE,
    FORMULA,
    PUT,
    SWAP,
    TAKE,
    Aptitude,
    Formula,
    Place,
    Step,
    Table,
    points,
    size_of,
)


class CardView(Value, frozen=True):
    """A face-up card."""

    card: Card
    """The number by which moves and events name it."""
    school: Maybe[School]
    """The school of the card; an innocent has none."""
    number: Maybe[Number]
    """The number on it, from 1 to 7; an innocent has none."""


class FormulaView(Value, frozen=True):
    """A fixed formula."""

    school: School
    """The school as which it counts."""
    numbers: tuple[Number, ...]
    """The numbers as which its cards count."""
    cards: tuple[CardView, ...]
    """The cards themselves."""


class AptitudeView(Value, frozen=True):
    """An aptitude card that a seat has taken."""

    school: School
    """The school, which everybody sees."""
    number: Number | None
    """The number; None if the viewer may not see it."""
    shown: bool
    """Whether it is face up, and counts."""
    names: tuple[Number, ...]
    """The numbers of the cards that it counts; empty if the viewer may not see it."""


class PlaceView(Value, frozen=True):
    """All that one seat has."""

    seat: Seat
    points: int
    """The sum of chips, shown aptitude cards, and the points of a used artefact."""
    chips: Count
    """The chips that were taken for formulas and specials."""
    hand: tuple[CardView | None, ...]
    """The cards that the viewer knows, sorted; None is a card that the viewer does not know."""
    row: tuple[CardView, ...]
    """The discards from left to right; the last one can be swapped."""
    formulas: tuple[FormulaView, ...]
    """The formulas, in the order in which they were fixed."""
    awakened: tuple[CardView, ...]
    """One card of each four that were set aside."""
    aptitudes: tuple[AptitudeView, ...]
    """The aptitude cards, in the order in which they were taken."""
    artefact: Maybe[Artefact]
    """The artefact that was used."""


class WorkView(Value, frozen=True):
    """The choices made so far in an action of several steps."""

    other: Maybe[Seat]
    """The seat whose last discard is being taken."""
    school: Maybe[School]
    """The school of the formula that is being fixed with innocents."""
    imitating: Maybe[CardView]
    """The card that counts as innocent."""
    done: Count
    """How many cards were arranged by Fate, or put by Past."""
    taken: Count
    """How many cards were taken by Past."""


class ToolView(Value, frozen=True):
    """An artefact as it is printed."""

    power: AnyPower
    """The kind of artefact, and what it does."""
    points: int
    """The cost to its user, 0 or less."""


class SpecialView(Value, frozen=True):
    """A special as it is printed."""

    group: Group
    """The pattern of its formulas."""
    points: Count
    """The points that it gives."""


class SheetView(Value, frozen=True):
    """The printed sheet, which is the same throughout a match."""

    formula: Count
    """The points for a formula."""
    specials: tuple[SpecialView, ...]
    """The specials, in the pack's order."""
    tools: tuple[ToolView, ...]
    """All artefacts, used or not, in the order in which they are named."""


class TableView(View, frozen=True, tag="magicative"):
    """The whole table."""

    step: Step
    """The choice for which the table waits."""
    swapped: bool
    """Whether the swap of this turn is done."""
    work: WorkView
    goal: Count
    """The points that win."""
    sheet: SheetView
    deck: Count
    """How many cards are left."""
    rebuilt: bool
    """Whether the deck was made of discards: when it runs out again, the match is a draw."""
    top: tuple[CardView, ...]
    """The cards on top of the deck that the viewer knows, the next one first."""
    known: Maybe[Seat]
    """The seat that knows cards on top of the deck, if one does."""
    artefacts: tuple[Artefact, ...]
    """The artefacts in the middle."""
    aptitudes: tuple[Count, ...]
    """How many aptitude cards are left, by school."""
    places: tuple[PlaceView, ...]
    """The places of the seats, in seat order."""
    ranking: tuple[int, ...]
    """The place of each seat once the match is over, all 1 in a draw; empty before."""


def view(table: Table, viewer: Seat | None) -> TableView:
    """Return the table as the seat sees it; None is a spectator, ALL shows everything.

    Rule:    MG-3, MG-7, MG-11, MG-15.
    """
    stage, middle = table.stage, table.middle
    is_looker = viewer is not None and viewer in (middle.looker, ALL)
    return TableView(
        turn=to_act(table),
        step=stage.step,
        swapped=stage.has_swapped,
        work=_work(table),
        goal=table.terms.goal,
        sheet=sheet_of(table.terms.pack),
        deck=len(table.deck),
        rebuilt=middle.is_rebuilt,
        top=_show(tuple(card for card in table.deck[: middle.looked] if card is not None)) if is_looker else (),
        known=(middle.looker,) if middle.looked else (),
        artefacts=middle.artefacts,
        aptitudes=tuple(map(len, middle.aptitudes)),
        places=tuple([_place(place, seat, viewer, is_looker) for seat, place in enumerate(table.places)]),
        ranking=middle.ranking,
    )


@lru_cache(maxsize=1 << 4)
def sheet_of(pack: Pack) -> SheetView:
    """Return the print of the sheet and of the artefacts. Rule: MG-9, MG-13, MG-15."""
    tools = {type(tool.power): ToolView(tool.power, tool.points) for tool in pack.artefacts}
    return SheetView(
        formula=pack.play.formula,
        specials=tuple(SpecialView(special.group, special.points) for special in pack.specials),
        tools=tuple(tools[power] for power in POWERS),
    )


show_card: Callable[[Card], CardView] = {
    card: CardView(card, (school_of(card),), (number_of(card),)) if card else CardView(card, (), ()) for card in KINDS
}.__getitem__
"""Returns a face-up card."""


@lru_cache(maxsize=1 << 12)
def _show(cards: Cards) -> tuple[CardView, ...]:
    return tuple(map(show_card, cards))


@lru_cache(maxsize=1 << 12)
def _show_pile(pile: Pile) -> tuple[CardView, ...]:
    return _show(cards_of(pile))


def _work(table: Table) -> WorkView:
    step, work = table.stage.step, table.stage.work
    return WorkView(
        other=(work.other,) if step is SWAP else (),
        school=work.school if step is FORMULA else (),
        imitating=_show(work.aside),
        done=work.done if step in (ARRANGE, PUT, TAKE) else 0,
        taken=work.of if step is TAKE else 0,
    )


def _place(place: Place, seat: Seat, viewer: Seat | None, is_looker: bool) -> PlaceView:
    hand, won = place.hand, place.won
    own = viewer in (seat, ALL)
    pile = hand.secret if own else hand.traced if is_looker else 0
    known = _show_pile(hand.taken + (pile or 0))
    return PlaceView(
        seat=seat,
        points=points(won),
        chips=won.chips,
        hand=known + (None,) * (size_of(hand) - len(known)),
        row=_show(place.row),
        formulas=_show_formulas(won.formulas),
        awakened=_show(won.awakened),
        aptitudes=tuple([_aptitude(aptitude, own) for aptitude in won.aptitudes]),
        artefact=won.artefact,
    )


@lru_cache(maxsize=1 << 12)
def _show_formulas(formulas: tuple[Formula, ...]) -> tuple[FormulaView, ...]:
    return tuple([FormulaView(SCHOOLS[one.school], FORMS[one.form], _show(one.cards)) for one in formulas])


def _aptitude(aptitude: Aptitude, is_own: bool) -> AptitudeView:
    number = aptitude.number if is_own or aptitude.is_shown else None
    names = named(number, aptitude.reach) if number is not None else ()
    return AptitudeView(aptitude.school, number, aptitude.is_shown, names)

"""The table as the events have told it: places, the deck, what lies in the middle, and the step of the turn.

Somebody who may not see a card has a None in its place: None means unknown, and nothing else does.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import assert_never

from domain.game import Seat, Value, put
from domain.games.magicative.abilities import FatePower, InnocentPower, PastPower
from domain.games.magicative.components import (
    FORMS,
    NUMBERS,
    SCHOOLS,
    Artefact,
    Card,
    Cards,
    Lying,
    Options,
    Pile,
    School,
    named,
    number_of,
    school_of,
    size,
)
from domain.games.magicative.pack import Pack


class Step(StrEnum):
    """What the table waits for."""

    DEALING = "dealing"
    """Nobody is to act: a decision is being told."""
    START = "start"
    """A turn begins: Fate, or draw. Rule: MG-15."""
    TURN = "turn"
    """Anything of a turn, up to the discard. Rule: MG-6."""
    SWAP = "swap"
    """Which card is given for a discard? Rule: MG-8."""
    FORMULA = "formula"
    """Which formula with innocents? Rule: MG-10."""
    SHOWING = "showing"
    """Too few cards are left to draw, which ends the match: aptitude cards may be shown before. Rule: MG-16, MG-19."""
    APTITUDE = "aptitude"
    """An aptitude card of which school? Rule: MG-11."""
    ARRANGE = "arrange"
    """Fate: which card lies next from the top? Rule: MG-15."""
    PUT = "put"
    """Past: which card goes into the row?"""
    TAKE = "take"
    """Past: which card is taken?"""
    IMITATE = "imitate"
    """Which card counts as innocent?"""
    DECLARE = "declare"
    """With it: a formula of which school?"""
    OVER = "over"
    """The match is over."""


# In Python 3.11 a member looked up in its enum costs ten times a name, and every move looks up a few.
DEALING, START, TURN, SWAP, FORMULA, SHOWING, APTITUDE, ARRANGE, PUT, TAKE, IMITATE, DECLARE, OVER = Step


class Hand(Value, frozen=True):
    """Cards in hand, whose order does not matter."""

    taken: Pile = 0
    """Those taken openly from a row: known to everybody until they are played."""
    hidden: int = 0
    """How many others there are."""
    secret: Pile | None = 0
    """These others."""
    traced: Pile | None = 0
    """Those of the others that Fate's user saw in the deck before they were drawn; nothing of the user's own."""


class Formula(Value, frozen=True):
    """A fixed formula."""

    school: int
    """Its place among the schools."""
    form: int
    """Its place among the forms: what it counts as, for ever. Rule: MG-10."""
    cards: Cards
    """The cards themselves, each where its number stands."""


class Aptitude(Value, frozen=True):
    """An aptitude card that somebody took."""

    school: School
    number: int | None
    is_shown: bool
    reach: int = 0
    """How far from its number the numbers are that it names, as printed."""


class Won(Value, frozen=True):
    """What a seat has made of its cards."""

    formulas: tuple[Formula, ...] = ()
    """In the order in which they were fixed."""
    chips: int = 0
    """Only counted: they never run out. Rule: MG-20."""
    awakened: Cards = ()
    """One of each four that were set aside."""
    aptitudes: tuple[Aptitude, ...] = ()
    """In the order in which they were taken."""
    artefact: tuple[Artefact, ...] = ()
    """The one that the seat has used."""
    penalty: int = 0
    """Of that artefact, 0 or less."""


class Place(Value, frozen=True):
    """What lies before one seat."""

    hand: Hand = Hand()
    row: Cards = ()
    """Discards from left to right."""
    won: Won = Won()


class Work(Value, frozen=True):
    """What a step has to keep in mind; what it does not need keeps its default."""

    other: Seat = 0
    """Whose last discard is taken."""
    school: tuple[School, ...] = ()
    """Of the formula to be named."""
    aside: Cards = ()
    """The card that counts as innocent: it has left the hand."""
    done: int = 0
    """Cards arranged, put or taken."""
    of: int = 0
    """How many are to be."""
    before_draw: bool = False
    """Fate was used at the turn's start."""


class Stage(Value, frozen=True):
    """Where the turn stands."""

    step: Step = Step.DEALING
    seat: Seat = 0
    has_swapped: bool = False
    work: Work = Work()


class Middle(Value, frozen=True):
    """What lies in the middle beside the deck."""

    artefacts: tuple[Artefact, ...]
    """Those that nobody has used."""
    aptitudes: tuple[tuple[int | None, ...], ...] = ((), (), ())
    """The numbers of each school's deck; the next card is the first."""
    looker: Seat = 0
    """Who knows the top of the deck, if anybody does."""
    looked: int = 0
    """How many cards of it."""
    ranking: tuple[int, ...] = ()
    """The result; empty while there is none."""
    is_rebuilt: bool = False
    """The deck has been made of discards: when it runs out again, the match is a draw. Rule: MG-19."""


class Edition(Value, frozen=True):
    """What differs between the versions of the rules that can be played; the rules ask it, and no version's number."""

    shows_at_any_time: bool
    """Whether aptitude cards may be shown at any time of one's turn, before a draw that ends the match too; if not,
    between a turn's draw and its discard. Rule: MG-16."""


EDITIONS = {2: Edition(shows_at_any_time=False), 3: Edition(shows_at_any_time=True)}
"""By the version of the rules."""
LATEST = EDITIONS[max(EDITIONS)]


class Terms(Value, frozen=True):
    """What was settled before the match."""

    edition: Edition
    pack: Pack
    goal: int
    fate: int
    """How many cards Fate looks at."""
    past: int
    """How many cards Past puts and takes."""
    costs: tuple[int, ...]
    """Of each artefact, 0 or less."""
    reaches: tuple[int, ...]
    """How far the aptitude cards of each school reach from their numbers. Rule: MG-2."""


class Table(Value, frozen=True):
    """The match."""

    terms: Terms
    places: tuple[Place, ...]
    stage: Stage
    deck: Lying
    """The next card is the first."""
    middle: Middle


def initial(options: Options, seats: int, pack: Pack, edition: Edition = LATEST) -> Table:
    """The table before anything happened. Rule: MG-3."""
    return Table(
        terms=_terms(pack, edition),
        places=(Place(),) * seats,
        stage=Stage(),
        deck=(),
        middle=Middle(artefacts=tuple(Artefact)),
    )


@lru_cache(maxsize=1 << 4)
def _terms(pack: Pack, edition: Edition) -> Terms:
    """What the pack says of artefacts, where the rules find it at once."""
    fate = past = 0
    costs = dict.fromkeys(Artefact, 0)
    for tool in pack.artefacts:
        match tool.power:
            case FatePower(cards=fate):
                costs[Artefact.FATE] = tool.points
            case PastPower(cards=past):
                costs[Artefact.PAST] = tool.points
            case InnocentPower():
                costs[Artefact.INNOCENT] = tool.points
            case _:
                assert_never(tool.power)
    reach = {aptitudes.school: aptitudes.reach for aptitudes in pack.aptitudes}
    return Terms(
        edition=edition,
        pack=pack,
        goal=pack.play.goal,
        fate=fate,
        past=past,
        costs=tuple(costs.values()),
        reaches=tuple(reach[school] for school in SCHOOLS),
    )


def held(hand: Hand) -> Pile:
    """The cards of a hand for somebody who knows them: decisions know every card, a seat knows its own."""
    return hand.taken + hand.secret  # type: ignore[operator]  # a cast would be a call


def size_of(hand: Hand) -> int:
    """How many cards a hand holds, which everybody knows."""
    return hand.hidden + size(hand.taken)


def unshown(won: Won) -> tuple[Aptitude, ...]:
    """The aptitude cards of a seat that it has not shown."""
    return tuple([aptitude for aptitude in won.aptitudes if not aptitude.is_shown])


def aptitude_points(formulas: tuple[Formula, ...], aptitude: Aptitude) -> int:
    """What an aptitude card counts: 1 for each card of its school that it names, innocents as declared; 0 of one that
    is not known.

    Rule:    MG-16.
    """
    number, reach = aptitude.number, aptitude.reach
    if number is None:
        return 0
    counted = NAMED[number, reach]
    return sum([counted[formula.form] for formula in formulas if SCHOOLS[formula.school] is aptitude.school])


NAMED = {
    (number, reach): tuple(sum(one in named(number, reach) for one in numbers) for numbers in FORMS)
    for number in range(1, NUMBERS + 1)
    for reach in range(NUMBERS)
}
"""By an aptitude card's number and reach: how many cards of each form it names."""


def points(won: Won) -> int:
    """The points of a seat: chips, shown aptitude cards, and what a used artefact costs. Rule: MG-17."""
    total = won.chips + won.penalty
    for aptitude in won.aptitudes:
        if aptitude.is_shown:
            total += aptitude_points(won.formulas, aptitude)
    return total


def with_one_shown(won: Won, at: int, card: Card) -> Won:
    """What the seat has after it has shown the aptitude card at that place, which is this card.

    Raises:  ValueError when another card is known to lie there.
    """
    shown = put(won.aptitudes, at, _shown(won.aptitudes[at], card))
    return Won(won.formulas, won.chips, won.awakened, shown, won.artefact, won.penalty)


def with_shown(won: Won, cards: tuple[Card | None, ...]) -> Won:
    """What the seat has after it has shown all aptitude cards; these are those not shown before, in their order.

    Raises:  ValueError when other cards are known to lie there.
    """
    told = iter(cards)
    shown = tuple(aptitude if aptitude.is_shown else _shown(aptitude, next(told, None)) for aptitude in won.aptitudes)
    return Won(won.formulas, won.chips, won.awakened, shown, won.artefact, won.penalty)


def _shown(aptitude: Aptitude, card: Card | None) -> Aptitude:
    if card is None or school_of(card) is not aptitude.school or aptitude.number not in (None, number_of(card)):
        raise ValueError(f"aptitude card {card} is shown where {aptitude} lies")
    return Aptitude(aptitude.school, number_of(card), True, aptitude.reach)

"""The table that is folded from the events: places, the deck, the middle, and the step of the turn.

A card that the reader may not see is None; None has no other meaning.
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
    """The choice for which the table waits."""

    DEALING = "dealing"
    """Nobody is to act: cards are being dealt."""
    START = "start"
    """A turn begins: use Fate, or draw. Rule: MG-15."""
    TURN = "turn"
    """Any action of a turn, until the discard. Rule: MG-6."""
    SWAP = "swap"
    """Choose the card to give for a discard. Rule: MG-8."""
    FORMULA = "formula"
    """Choose a formula with innocents. Rule: MG-10."""
    SHOWING = "showing"
    """Too few cards are left to draw, which ends the match: aptitude cards may be shown before. Rule: MG-16, MG-19."""
    APTITUDE = "aptitude"
    """Choose the school of an aptitude card. Rule: MG-11."""
    ARRANGE = "arrange"
    """Fate: choose the card that is next from the top. Rule: MG-15."""
    PUT = "put"
    """Past: choose the card that goes into the row."""
    TAKE = "take"
    """Past: choose the card to take."""
    IMITATE = "imitate"
    """Choose the card that counts as innocent."""
    DECLARE = "declare"
    """Choose the school of the formula with that card."""
    OVER = "over"
    """The match is over."""


# In Python 3.11 `Step.TURN` costs ten times as much as a global name, and every move looks up a few.
DEALING, START, TURN, SWAP, FORMULA, SHOWING, APTITUDE, ARRANGE, PUT, TAKE, IMITATE, DECLARE, OVER = Step


class Hand(Value, frozen=True):
    """The cards in a hand, in no order."""

    taken: Pile = 0
    """The cards that were taken openly from a row: everybody knows them until they are played."""
    hidden: int = 0
    """How many other cards there are."""
    secret: Pile | None = 0
    """These other cards; None if they are unknown."""
    traced: Pile | None = 0
    """Those of the other cards that Fate's user saw in the deck before they were drawn; none for the user's own hand.
    """


class Formula(Value, frozen=True):
    """A fixed formula."""

    school: int
    """Its index in `SCHOOLS`."""
    form: int
    """Its index in `FORMS`: the numbers as which it counts for ever. Rule: MG-10."""
    cards: Cards
    """The cards themselves, in the order of their numbers."""


class Aptitude(Value, frozen=True):
    """An aptitude card that a seat has taken."""

    school: School
    number: int | None
    is_shown: bool
    reach: int = 0
    """How far from its number the numbers are that it names."""


class Won(Value, frozen=True):
    """All that a seat has made of its cards."""

    formulas: tuple[Formula, ...] = ()
    """The formulas, in the order in which they were fixed."""
    chips: int = 0
    """The number of chips, which never run out. Rule: MG-20."""
    awakened: Cards = ()
    """One card of each four that were set aside."""
    aptitudes: tuple[Aptitude, ...] = ()
    """The aptitude cards, in the order in which they were taken."""
    artefact: tuple[Artefact, ...] = ()
    """The artefact that the seat has used, if any."""
    penalty: int = 0
    """The points of that artefact, 0 or less."""


class Place(Value, frozen=True):
    """All that one seat has."""

    hand: Hand = Hand()
    row: Cards = ()
    """The discards from left to right."""
    won: Won = Won()


class Work(Value, frozen=True):
    """The data of a step that is part of a longer action; a step that does not need a field leaves its default."""

    other: Seat = 0
    """The seat whose last discard is taken."""
    school: tuple[School, ...] = ()
    """The school of the formula to be named."""
    aside: Cards = ()
    """The card that counts as innocent, which has left the hand."""
    done: int = 0
    """How many cards were arranged, or put."""
    of: int = 0
    """How many cards are to be arranged or drawn; in Past: how many were taken."""
    before_draw: bool = False
    """Whether Fate was used before the turn's draw."""


class Stage(Value, frozen=True):
    """The step of the turn."""

    step: Step = Step.DEALING
    seat: Seat = 0
    has_swapped: bool = False
    work: Work = Work()


class Middle(Value, frozen=True):
    """All that is in the middle except the deck."""

    artefacts: tuple[Artefact, ...]
    """The artefacts that nobody has used."""
    aptitudes: tuple[tuple[int | None, ...], ...] = ((), (), ())
    """The numbers of each school's deck; the first card is taken next."""
    looker: Seat = 0
    """The seat that knows the top of the deck, if one does."""
    looked: int = 0
    """How many cards of the deck that seat knows."""
    ranking: tuple[int, ...] = ()
    """The result; empty before the end."""
    is_rebuilt: bool = False
    """Whether the deck was made of discards: when it runs out again, the match is a draw. Rule: MG-19."""


class Edition(Value, frozen=True):
    """The differences between the versions of the rules that can be played. Rules ask for these, not for a version."""

    shows_at_any_time: bool
    """Whether aptitude cards may be shown at any time of the seat's own turn, also before a draw that ends the match;
    if not, only between a turn's draw and its discard.

    Rule:    MG-16.
    """


EDITIONS = {2: Edition(shows_at_any_time=False), 3: Edition(shows_at_any_time=True)}
"""By the version of the rules."""
LATEST = EDITIONS[max(EDITIONS)]


class Terms(Value, frozen=True):
    """The settings of the match."""

    edition: Edition
    pack: Pack
    goal: int
    fate: int
    """How many cards Fate looks at."""
    past: int
    """How many cards Past puts and takes."""
    costs: tuple[int, ...]
    """The points of each artefact, 0 or less."""
    reaches: tuple[int, ...]
    """For each school: how far from their numbers the numbers are that its aptitude cards name. Rule: MG-2."""


class Table(Value, frozen=True):
    """The state of a match."""

    terms: Terms
    places: tuple[Place, ...]
    stage: Stage
    deck: Lying
    """The deck; the first card is drawn next."""
    middle: Middle


def initial(options: Options, seats: int, pack: Pack, edition: Edition = LATEST) -> Table:
    """Return the table before the first event. Rule: MG-3."""
    return Table(
        terms=_terms(pack, edition),
        places=(Place(),) * seats,
        stage=Stage(),
        deck=(),
        middle=Middle(artefacts=tuple(Artefact)),
    )


@lru_cache(maxsize=1 << 4)
def _terms(pack: Pack, edition: Edition) -> Terms:
    """Return what the pack says about artefacts, in a form that the rules read quickly."""
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
    """Return the cards of a hand. They must be known: decisions know every card, a seat knows its own."""
    return hand.taken + hand.secret  # type: ignore[operator]  # a cast would be a call


def size_of(hand: Hand) -> int:
    """Return how many cards a hand has, which everybody knows."""
    return hand.hidden + size(hand.taken)


def unshown(won: Won) -> tuple[Aptitude, ...]:
    """Return the aptitude cards of a seat that it has not shown."""
    return tuple([aptitude for aptitude in won.aptitudes if not aptitude.is_shown])


def aptitude_points(formulas: tuple[Formula, ...], aptitude: Aptitude) -> int:
    """Return the points of an aptitude card: 1 for each card of its school that it names, innocents as declared.

    An unknown aptitude card gives 0.

    Rule:    MG-16.
    """
    number, reach = aptitude.number, aptitude.reach
    if number is None:
        return 0
    counted = NAMED[number, reach]
    return sum([counted[formula.form] for formula in formulas if SCHOOLS[formula.school] is aptitude.school])


NAMED = {
    (number, reach): tuple(sum(each in named(number, reach) for each in numbers) for numbers in FORMS)
    for number in range(1, NUMBERS + 1)
    for reach in range(NUMBERS)
}
"""By an aptitude card's number and reach: how many cards of each form it names."""


def points(won: Won) -> int:
    """Return the points of a seat: chips, shown aptitude cards, and the points of a used artefact. Rule: MG-17."""
    total = won.chips + won.penalty
    for aptitude in won.aptitudes:
        if aptitude.is_shown:
            total += aptitude_points(won.formulas, aptitude)
    return total


def with_one_shown(won: Won, at: int, card: Card) -> Won:
    """Return what the seat has after it has shown this aptitude card, at that place.

    Raises:  ValueError when another card is known to be there.
    """
    shown = put(won.aptitudes, at, _shown(won.aptitudes[at], card))
    return Won(won.formulas, won.chips, won.awakened, shown, won.artefact, won.penalty)


def with_shown(won: Won, cards: tuple[Card | None, ...]) -> Won:
    """Return what the seat has after it has shown all aptitude cards; `cards` are those not shown before, in order.

    Raises:  ValueError when other cards are known to be there.
    """
    faces = iter(cards)
    shown = tuple(aptitude if aptitude.is_shown else _shown(aptitude, next(faces, None)) for aptitude in won.aptitudes)
    return Won(won.formulas, won.chips, won.awakened, shown, won.artefact, won.penalty)


def _shown(aptitude: Aptitude, card: Card | None) -> Aptitude:
    if card is None or school_of(card) is not aptitude.school or aptitude.number not in (None, number_of(card)):
        raise ValueError(f"aptitude card {card} is shown where {aptitude} lies")
    return Aptitude(aptitude.school, number_of(card), True, aptitude.reach)

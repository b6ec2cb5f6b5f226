"""The table that is folded from the events: magic cards, places, and the step of the round.

A card that the reader may not see is None; None has no other meaning.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from domain.game import Seat, Value
from domain.games.troll_master.abilities import MorePoints
from domain.games.troll_master.components import HOME, MANA, Kind, Lying, Magics, Name, Options
from domain.games.troll_master.pack import Pack, for_seats
from domain.games.troll_master.printed import Card, Printed, printed


class Step(StrEnum):
    """The choice for which the table waits."""

    DEALING = "dealing"
    """Nobody is to act: the cards of a round are dealt."""
    BROOM = "broom"
    """The holder of the broom may draw. Rule: TM-8."""
    DISCARD = "discard"
    """The seat that drew a card discards one. Rule: TM-8, TM-17."""
    PLANNING = "planning"
    """The seat whose turn it is reveals a card, passes or uses abilities. Rule: TM-10."""
    ACT = "act"
    """The rightmost pawn's action is done or passed. Rule: TM-20."""
    SUMMON = "summon"
    """Familiars are acquired. Rule: TM-25."""
    BREW = "brew"
    """Familiars are charged. Rule: TM-26."""
    ATTACK = "attack"
    """An attack is prepared and declared. Rule: TM-27."""
    DEFENCE = "defence"
    """A seat answers an attack. Rule: TM-27."""
    DIVINATION = "divination"
    """Abilities are used before the divination ends. Rule: TM-29."""
    CHAIN = "chain"
    """The action is done, and a chain may follow. Rule: TM-48."""
    CHAIN_TO = "chain-to"
    """The chain is paid for, and its target is chosen."""
    OVER = "over"
    """The match is over."""


# In Python 3.11 `Step.BROOM` costs ten times as much as a global name, and every move looks up a few.
DEALING, BROOM, DISCARD, PLANNING, ACT, SUMMON, BREW, ATTACK, DEFENCE, DIVINATION, CHAIN, CHAIN_TO, OVER = Step


class Stage(Value, frozen=True):
    """The step of the round, and the state of the action that is being done."""

    step: Step = Step.DEALING
    seat: Seat = 0
    """The seat that is to act."""
    actor: Seat = 0
    """The seat whose action is being done."""
    action: int = HOME
    """The number of that action."""
    price: int = 0
    """The mana that its missing cards cost, until it begins."""
    bonus: int = 0
    """The amount that the action and abilities add: to the reduction of a summon, or to the power of an attack."""
    strength: int = 0
    """The strength of a declared attack; the bonus is then the defender's."""
    is_charging: bool = False
    """Whether a charge was put by hand in this brew. Rule: TM-47."""
    is_charged: bool = False
    """Whether an ability was paid for after that, which ends charging by hand. Rule: TM-47."""
    has_acquired: bool = False
    """Whether a familiar was acquired in this summon, which allows no other. Rule: TM-25, TM-47."""
    has_turn: bool = False
    """At a discard: whether the planning turn has begun, so that it goes on and does not begin again. Rule: TM-49."""
    has_paid: bool = False
    """In planning: whether an ability was paid for after it was seen that the seat is not stuck. Rule: TM-16."""
    redrawn: int = 0
    """How many draws without a cost were made in the planning turn. Rule: TM-49."""
    to: tuple[Kind, ...] = ()
    """The kind of action to which a paid chain leads."""


class Owned(Value, frozen=True, cache_hash=True):
    """A familiar in play, with those that it covers."""

    card: Card
    charges: int
    covered: tuple[Name, ...] = ()
    """The names of the familiars that it covers, from the bottom."""


class Place(Value, frozen=True):
    """All that one seat has."""

    mana: int
    """The mana in the hand, without charges."""
    familiars: tuple[Owned, ...]
    """The familiars, in the order in which they were summoned."""
    chips: int = 0
    hand: Lying = ()
    """The hand, in the order dealt."""
    pawn: int = HOME
    """The action on which the pawn is."""
    has_passed: bool = False
    """Whether the seat plans no more in this round. Rule: TM-14."""
    is_out: bool = False
    """Whether the seat could not place its pawn in this round. Rule: TM-16."""
    lacks: Magics = ()
    """Of a seat that is out: the kinds that its hand is known not to have."""


class Remade(Value, frozen=True):
    """What can be known since the discards became the deck in this round. Rule: TM-7."""

    made: Magics = ()
    """The cards of that deck. Empty: there was none in this round."""
    shown: Magics = ()
    """The cards that lay face up then. All others were in hands."""
    turned: Magics = ()
    """The cards of that deck that were turned up."""
    before: tuple[Lying, ...] = ()
    """The hand of each seat at that moment."""
    after: tuple[Lying, ...] = ()
    """The cards that came to it since then."""
    gone: tuple[Magics, ...] = ()
    """The cards that have left it since then."""


class Cards(Value, frozen=True):
    """The magic cards that nobody holds."""

    deck: Lying = ()
    """The deck; the first card is drawn next."""
    discards: Magics = ()
    """The last card is the top one. All of them were seen, but a view shows only the top one. Rule: TM-9."""
    open: Magics = ()
    """The face-up cards, in the order revealed."""
    remade: Remade = Remade()


class Pile(Value, frozen=True):
    """Copies of a familiar in the supply."""

    card: Card
    left: int


class Terms(Value, frozen=True):
    """The settings of the match."""

    printed: Printed
    familiars: tuple[str, ...]
    """The names of the familiars to lay out; empty if they are drawn by chance."""


class Table(Value, frozen=True):
    """The state of a match."""

    terms: Terms
    places: tuple[Place, ...]
    stage: Stage = Stage()
    cards: Cards = Cards()
    supply: tuple[Pile, ...] = ()
    round: int = 0
    """The number of the round, from 1."""
    start: Seat = 0
    """The start player of this round."""
    broom: Seat = 0
    """The holder of the broom."""


def initial(options: Options, seats: int, pack: Pack) -> Table:
    """Return the table before the first event: each seat has mana, a black cat and a pawn. Rule: TM-3."""
    cards = printed(for_seats(pack, seats))
    place = Place(mana=MANA, familiars=(Owned(cards.black_cat, cards.black_cat.charges),))
    chosen = () if options.familiars == "random" else options.familiars
    return Table(terms=Terms(printed=cards, familiars=chosen), places=(place,) * seats)


def power(place: Place) -> int:
    """Return the power of all uncovered familiars of a seat. Rule: TM-27."""
    return sum([owned.card.power for owned in place.familiars])


def points(place: Place) -> int:
    """Return a seat's points: chips, points of uncovered familiars, and the points that scoring abilities add.

    Rule:    TM-31, TM-45.
    """
    return place.chips + _points_of(place.familiars)


@lru_cache(maxsize=1 << 12)
def _points_of(familiars: tuple[Owned, ...]) -> int:
    total = 0
    for owned in familiars:
        total += owned.card.points
        for ability in owned.card.scoring:
            total += more_points(ability, owned.charges, len(familiars))
    return total


def more_points(ability: MorePoints, charges: int, familiars: int) -> int:
    """Return the points that a scoring ability adds to its familiar's points. Rule: TM-45."""
    if ability.of == "itself":
        return ability.points
    return (charges if ability.of == "charges" else familiars) // ability.every * ability.points

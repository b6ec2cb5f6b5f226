"""The table as the events have told it: magic cards, places, and the step at which the round stands.

Somebody who may not see a card has a None in its place: None means unknown, and nothing else does.
"""

from __future__ import annotations

from enum import StrEnum

from domain.game import Seat, Value
from domain.games.troll_master.abilities import MorePoints
from domain.games.troll_master.components import HOME, MANA, Kind, Lying, Magics, Name, Options
from domain.games.troll_master.pack import Pack, for_seats
from domain.games.troll_master.printed import Card, Printed, printed


class Step(StrEnum):
    """What the table waits for."""

    DEALING = "dealing"
    """Nobody is to act: a decision is being told."""
    BROOM = "broom"
    """The broom's holder may draw. Rule: TM-8."""
    DISCARD = "discard"
    """Who drew discards. Rule: TM-8, TM-17."""
    PLANNING = "planning"
    """Who has the turn reveals a card, passes or uses abilities. Rule: TM-10."""
    ACT = "act"
    """The rightmost pawn's action is done or passed. Rule: TM-20."""
    SUMMON = "summon"
    """Familiars are acquired. Rule: TM-25."""
    BREW = "brew"
    """Familiars are charged. Rule: TM-26."""
    ATTACK = "attack"
    """An attack is prepared and declared. Rule: TM-27."""
    DEFENCE = "defence"
    """Somebody answers an attack. Rule: TM-27."""
    DIVINATION = "divination"
    """Abilities are used before it is over. Rule: TM-29."""
    CHAIN = "chain"
    """The action is done and may go on. Rule: TM-48."""
    CHAIN_TO = "chain-to"
    """The chain is paid: where to?"""
    OVER = "over"
    """The match is over."""


# In Python 3.11 a member looked up in its enum costs ten times a name, and every move looks up a few.
DEALING, BROOM, DISCARD, PLANNING, ACT, SUMMON, BREW, ATTACK, DEFENCE, DIVINATION, CHAIN, CHAIN_TO, OVER = Step


class Stage(Value, frozen=True):
    """Where the round stands."""

    step: Step = Step.DEALING
    seat: Seat = 0
    """Who is to act."""
    actor: Seat = 0
    """Whose action is being done."""
    action: int = HOME
    """Which one."""
    price: int = 0
    """Mana for its missing cards, until it begins."""
    bonus: int = 0
    """What the action and abilities add: to the reduction of a summon, to the power of an attack."""
    strength: int = 0
    """Of a declared attack; the bonus is then the defender's."""
    is_charging: bool = False
    """In a brew: a charge was put by hand. Rule: TM-47."""
    is_charged: bool = False
    """And an ability was paid for after it, so no more charges by hand. Rule: TM-47."""
    has_acquired: bool = False
    """In a summon: a familiar was acquired, so no other. Rule: TM-25, TM-47."""
    has_turn: bool = False
    """At a discard: the planning turn has begun, so nothing fires any more that fires when it does. Rule: TM-49."""
    redrawn: int = 0
    """How many draws without a cost the planning turn has had. Rule: TM-49."""
    to: tuple[Kind, ...] = ()
    """The kind of action that a paid chain leads to."""


class Owned(Value, frozen=True):
    """A familiar in play, with those that it covers."""

    card: Card
    charges: int
    covered: tuple[Name, ...] = ()
    """From the bottom."""


class Place(Value, frozen=True):
    """What lies before one seat."""

    mana: int
    """In the hand; charges don't count."""
    familiars: tuple[Owned, ...]
    """In the order in which they were summoned."""
    chips: int = 0
    hand: Lying = ()
    """In the order dealt."""
    pawn: int = HOME
    """The action on which it stands."""
    has_passed: bool = False
    """Plans no more in this round. Rule: TM-14."""
    is_out: bool = False
    """Could place the pawn nowhere in this round. Rule: TM-16."""
    lacks: Magics = ()
    """Of a seat that is out: kinds that its hand is known not to hold."""


class Cards(Value, frozen=True):
    """The magic cards that nobody holds."""

    deck: Lying = ()
    """The next card is the first."""
    discards: Magics = ()
    """The last lies on top. All of them were seen; a view shows the top only. Rule: TM-9."""
    open: Magics = ()
    """Face up, in the order revealed."""


class Pile(Value, frozen=True):
    """Copies of a familiar in the supply."""

    card: Card
    left: int


class Terms(Value, frozen=True):
    """What was settled before the match."""

    printed: Printed
    familiars: tuple[str, ...]
    """Names of those to be laid out; empty: drawn by chance."""


class Table(Value, frozen=True):
    """The match."""

    terms: Terms
    places: tuple[Place, ...]
    stage: Stage = Stage()
    cards: Cards = Cards()
    supply: tuple[Pile, ...] = ()
    round: int = 0
    """From 1."""
    start: Seat = 0
    """Of this round."""
    broom: Seat = 0
    """Its holder."""


def initial(options: Options, seats: int, pack: Pack) -> Table:
    """The table before anything happened: mana, a black cat and a pawn each. Rule: TM-3."""
    cards = printed(for_seats(pack, seats))
    place = Place(mana=MANA, familiars=(Owned(cards.black_cat, cards.black_cat.charges),))
    chosen = () if options.familiars == "random" else options.familiars
    return Table(terms=Terms(printed=cards, familiars=chosen), places=(place,) * seats)


def power(place: Place) -> int:
    """The power of all uncovered familiars before a seat. Rule: TM-27."""
    return sum([owned.card.power for owned in place.familiars])


def points(place: Place) -> int:
    """A seat's points: chips, points of uncovered familiars, and what scoring abilities add. Rule: TM-31, TM-45."""
    total = place.chips
    for owned in place.familiars:
        total += owned.card.points
        for ability in owned.card.scoring:
            total += more_points(ability, owned.charges, len(place.familiars))
    return total


def more_points(ability: MorePoints, charges: int, familiars: int) -> int:
    """What a scoring ability adds to its familiar's points. Rule: TM-45."""
    if ability.of == "itself":
        return ability.points
    return (charges if ability.of == "charges" else familiars) // ability.every * ability.points

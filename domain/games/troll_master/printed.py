"""The cards of a pack in the form that the rules read: abilities sorted by timing, with the moves that name them."""

from __future__ import annotations

from functools import lru_cache

from domain.game import Value
from domain.games.troll_master.abilities import (
    Ability,
    Chain,
    ChargeAnother,
    ChargeItself,
    Charging,
    MorePoints,
    Redraw,
    Timing,
    fires_on_success,
    timing_of,
)
from domain.games.troll_master.components import ICON, MAGICS, Kind, Magic, Name
from domain.games.troll_master.moves import Charge, Reveal, Summon, Use
from domain.games.troll_master.pack import Action, Familiar, Pack, actions_of

Fires = tuple[Ability, ...]
Uses = tuple[Use, ...]


class Chaining(Value, frozen=True):
    """A chain that is printed on a card."""

    use: Use
    to: Kind
    cost: int


class Face(Value, frozen=True):
    """The print of a familiar's card, as a view shows it."""

    name: Name
    cost: int
    """The cost in mana."""
    power: int
    """The power that it adds to an attack or to the defence."""
    ribbons: int
    """The most charges that it holds."""
    charges: int
    """The charges with which it comes into play."""
    points: int
    """The points that it counts."""
    abilities: Fires
    """The abilities, in the order in which they are printed."""


class Card(Value, frozen=True, cache_hash=True):
    """A familiar's card. A tuple that is sorted "by timing" has `Timing` as its index."""

    number: int
    """0 is the black cat, the others follow in the pack's order."""
    name: Name
    cost: int
    power: int
    ribbons: int
    charges: int
    points: int
    fires: tuple[Fires, ...]
    """By timing: the abilities that fire by themselves. Rule: TM-37."""
    charging: tuple[tuple[Charging, ...], ...]
    """By timing: the abilities that fire by themselves and charge a card, after all gains. Rule: TM-42, TM-47."""
    redraws: tuple[Redraw, ...]
    """The abilities that fire by themselves in planning and draw a card, one by one when all others have fired.

    Rule:    TM-49.
    """
    on_success: Fires
    """The abilities that a success of an attack sets off. Rule: TM-28."""
    uses: tuple[Uses, ...]
    """By timing: the abilities that may be paid for, except chains. Rule: TM-36."""
    chains: tuple[tuple[Chaining, ...], ...]
    """By timing: the chains that may be paid for, or used for nothing, when the action is done. Rule: TM-43."""
    scoring: tuple[MorePoints, ...]
    """The abilities that raise its points when points are counted. Rule: TM-45."""
    summon: Summon
    charge: Charge
    face: Face


class Space(Value, frozen=True):
    """An action of the workshop row."""

    number: int
    """From 1, the leftmost."""
    kind: Kind
    timing: Timing
    icon: Magic
    value: int
    cost: int


class Printed(Value, frozen=True, cache_hash=True):
    """All cards of a pack."""

    row: tuple[Space, ...]
    """The actions of the row. The leftmost one is also at `HOME`, so that the index of each action is its number."""
    reveals: tuple[tuple[Magic, tuple[Reveal, ...]], ...]
    """For each magic card: the reveals that it allows, from left to right. Rule: TM-11."""
    black_cat: Card
    familiars: tuple[Card, ...]
    begins_turns: bool
    """Whether any card has an ability without a cost in planning. Rule: TM-49."""


@lru_cache
def printed(pack: Pack) -> Printed:
    """Return the pack's cards in this form."""
    row = tuple(_space(number, action) for number, action in enumerate(actions_of(pack), 1))
    cards = tuple(_card(number, familiar) for number, familiar in enumerate((pack.black_cat, *pack.familiars)))
    return Printed(
        row=(*row[:1], *row),
        reveals=tuple(
            (magic, tuple(Reveal(magic, space.number) for space in row if magic in (space.icon, Magic.CRYSTAL)))
            for magic in MAGICS
        ),
        black_cat=cards[0],
        familiars=cards[1:],
        begins_turns=any(map(begins_turns, cards)),
    )


def begins_turns(card: Card) -> bool:
    """Return whether something fires when its owner's planning turn begins. Rule: TM-49."""
    return bool(card.fires[Timing.PLANNING] or card.charging[Timing.PLANNING] or card.redraws)


def _space(number: int, action: Action) -> Space:
    return Space(
        number=number,
        kind=action.kind,
        timing=Timing[action.kind.name],
        icon=ICON[action.kind],
        value=action.value,
        cost=action.cost,
    )


def _card(number: int, familiar: Familiar) -> Card:
    name = Name(familiar.name, familiar.ja)
    fires: list[list[Ability]] = [[] for _ in Timing]
    charging: list[list[Charging]] = [[] for _ in Timing]
    uses: list[list[Use]] = [[] for _ in Timing]
    chains: list[list[Chaining]] = [[] for _ in Timing]
    scoring: list[MorePoints] = []
    on_success: list[Ability] = []
    for ability in familiar.abilities:
        at = timing_of(ability)
        if isinstance(ability, Chain):
            chains[at].append(Chaining(Use(name, ability), ability.to, ability.cost))
        elif isinstance(ability, MorePoints):
            scoring.append(ability)
        elif isinstance(ability, ChargeItself | ChargeAnother):
            charging[at].append(ability)
        elif ability.cost:
            uses[at].append(Use(name, ability))
        elif not isinstance(ability, Redraw):
            (on_success if fires_on_success(ability) else fires[at]).append(ability)
    return Card(
        number=number,
        name=name,
        cost=familiar.cost,
        power=familiar.power,
        ribbons=familiar.ribbons,
        charges=familiar.charges,
        points=familiar.points,
        fires=tuple(map(tuple, fires)),
        charging=tuple(map(tuple, charging)),
        redraws=tuple(ability for ability in familiar.abilities if isinstance(ability, Redraw) and not ability.cost),
        on_success=tuple(on_success),
        uses=tuple(map(tuple, uses)),
        chains=tuple(map(tuple, chains)),
        scoring=tuple(scoring),
        summon=Summon(name),
        charge=Charge(name),
        face=_face(name, familiar),
    )


def _face(name: Name, familiar: Familiar) -> Face:
    return Face(
        name=name,
        cost=familiar.cost,
        power=familiar.power,
        ribbons=familiar.ribbons,
        charges=familiar.charges,
        points=familiar.points,
        abilities=familiar.abilities,
    )

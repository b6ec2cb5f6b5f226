"""The cards of a pack as they are played with: sorted by when they matter, with the moves that name them."""

from __future__ import annotations

from functools import lru_cache

from domain.game import Value
from domain.games.troll_master.abilities import (
    TIMING_OF,
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
    """A chain as it stands on a card."""

    use: Use
    to: Kind
    cost: int


class Face(Value, frozen=True):
    """What is printed on a familiar's card, as a view shows it."""

    name: Name
    cost: int
    """In mana."""
    power: int
    """What it adds to an attack, or to the defence."""
    ribbons: int
    """How many charges it holds at most."""
    charges: int
    """Those it comes with."""
    points: int
    """What it counts."""
    abilities: Fires
    """In the order in which they are printed."""


class Card(Value, frozen=True, cache_hash=True):
    """A familiar's card. What stands in a tuple by timing is found there at the `Timing`."""

    number: int
    """0 is the black cat, the others follow in the pack's order."""
    name: Name
    cost: int
    power: int
    ribbons: int
    charges: int
    points: int
    fires: tuple[Fires, ...]
    """By timing: what fires by itself. Rule: TM-37."""
    charging: tuple[tuple[Charging, ...], ...]
    """By timing: what fires by itself and charges a card, which comes after all gains. Rule: TM-42, TM-47."""
    redraws: tuple[Redraw, ...]
    """What fires by itself in planning and draws a card, one after the other when all else has fired. Rule: TM-49."""
    on_success: Fires
    """What a success of an attack sets off. Rule: TM-28."""
    uses: tuple[Uses, ...]
    """By timing: what may be paid for, but for chains. Rule: TM-36."""
    chains: tuple[tuple[Chaining, ...], ...]
    """By timing: what may be paid for, or taken for nothing, when the action is done. Rule: TM-43."""
    scoring: tuple[MorePoints, ...]
    """What raises its points when they are counted. Rule: TM-45."""
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


class Printed(Value, frozen=True):
    """All cards of a pack."""

    row: tuple[Space, ...]
    """At `HOME` the leftmost action once more, so that each stands at its number."""
    reveals: tuple[tuple[Magic, tuple[Reveal, ...]], ...]
    """By magic card: where it may take a pawn, from left to right. Rule: TM-11."""
    black_cat: Card
    familiars: tuple[Card, ...]
    begins_turns: bool
    """Whether any card has an ability without a cost in planning. Rule: TM-49."""


@lru_cache
def printed(pack: Pack) -> Printed:
    """The pack's cards, sorted."""
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
    """Whether something fires when its owner's planning turn begins. Rule: TM-49."""
    return bool(card.fires[Timing.PLANNING] or card.charging[Timing.PLANNING] or card.redraws)


def _space(number: int, action: Action) -> Space:
    return Space(
        number=number,
        kind=action.kind,
        timing=TIMING_OF[action.kind],
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
        redraws=tuple(one for one in familiar.abilities if isinstance(one, Redraw) and not one.cost),
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

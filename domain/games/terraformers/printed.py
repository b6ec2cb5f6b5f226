"""The planet cards of a pack, laid out so that the rules find quickly what they need."""

from __future__ import annotations

from functools import lru_cache

from domain.game import Value
from domain.games.terraformers import abilities
from domain.games.terraformers.abilities import Amount, Happening, Of, When
from domain.games.terraformers.components import Box, Kind, Levels, Name
from domain.games.terraformers.moves import Acquire, UseCard
from domain.games.terraformers.pack import Card, Pack

Happenings = tuple[Happening, ...]


class Ability(Value, frozen=True, cache_hash=True):
    """The effects of a player's species together."""

    science: tuple[int, ...] = ()
    """The number as which science counts; empty: as on the sheet."""
    base: tuple[Amount, ...] = ()
    """The amount from which power is counted; empty: science."""
    war: tuple[abilities.WarBonus, ...] = ()
    barred: tuple[Box, ...] = ()
    oxygen_succeeds: bool = False
    surplus: int = 0
    """The points for each by which green and oxygen power exceed city."""
    no_carnival: bool = False
    clings: bool = False
    copy_price: int = 0
    """The tips that naming another species costs; 0: it cannot name one."""
    acquired: Happenings = ()
    round_start: Happenings = ()
    turn_start: Happenings = ()
    game_end: Happenings = ()


NONE = Ability()
"""The ability of a player without a species."""


class Laid(Value, frozen=True, cache_hash=True):
    """A planet card."""

    name: Name
    kind: Kind
    cost: int
    is_box: bool
    use: UseCard
    acquire: Acquire
    used: Happenings = ()
    """The effects when this box card is used."""
    round_start: Happenings = ()
    """The effects of this box card at the round's start, for the first player."""
    for_each: Happenings = ()
    """Those of them that it has for every other player. Rule: TF-7."""
    game_end: Happenings = ()
    provokes: tuple[abilities.Provoke, ...] = ()
    compares: tuple[abilities.Compare, ...] = ()
    ability: Ability = NONE
    """The ability of this species."""


@lru_cache
def printed(pack: Pack) -> tuple[Laid, ...]:
    """Return all cards of the pack, in its order."""
    return tuple(map(_lay, pack.cards))


def _lay(card: Card) -> Laid:
    """Return a card of the pack in this form."""
    name = Name(card.name, card.ja)
    happenings = tuple(effect for effect in card.effects if isinstance(effect, Happening))
    is_box = card.kind is Kind.BOX
    round_start = _at(happenings, When.ROUND_START) if is_box else ()
    return Laid(
        name=name,
        kind=card.kind,
        cost=card.cost,
        is_box=is_box,
        use=UseCard(name),
        acquire=Acquire(name),
        used=_at(happenings, When.USED),
        round_start=round_start,
        for_each=tuple(effect for effect in round_start if not abilities.is_for_all(effect)),
        game_end=_at(happenings, When.GAME_END) if is_box else (),
        provokes=tuple(effect for effect in card.effects if isinstance(effect, abilities.Provoke)),
        compares=tuple(effect for effect in card.effects if isinstance(effect, abilities.Compare)),
        ability=NONE if is_box else _ability(card, happenings),
    )


def _at(happenings: Happenings, when: When) -> Happenings:
    return tuple(effect for effect in happenings if effect.when is when)


def _ability(card: Card, happenings: Happenings) -> Ability:
    effects = card.effects
    return Ability(
        science=tuple(effect.science for effect in effects if isinstance(effect, abilities.ScienceCounts)),
        base=tuple(effect.amount for effect in effects if isinstance(effect, abilities.PowerBase)),
        war=tuple(effect for effect in effects if isinstance(effect, abilities.WarBonus)),
        barred=tuple(effect.box for effect in effects if isinstance(effect, abilities.Bar)),
        oxygen_succeeds=any(isinstance(effect, abilities.OxygenSucceeds) for effect in effects),
        surplus=sum(effect.points for effect in effects if isinstance(effect, abilities.OxygenSurplus)),
        no_carnival=any(isinstance(effect, abilities.NoCarnival) for effect in effects),
        clings=any(isinstance(effect, abilities.Clings) for effect in effects),
        copy_price=sum(effect.tips for effect in effects if isinstance(effect, abilities.Copies)),
        acquired=_at(happenings, When.ACQUIRED),
        round_start=_at(happenings, When.ROUND_START),
        turn_start=_at(happenings, When.TURN_START),
        game_end=_at(happenings, When.GAME_END),
    )


def with_copy(own: Ability, copied: Ability) -> Ability:
    """Return the ability of a species that copies another one: its own ability, and what it gains of the other's.

    It does not gain round-start and on-acquisition effects, clinging and copying; nor game-end effects, as a copy does
    not last until then. If both change science or power's base, the copied one counts.

    Rule:    TF-38.
    """
    return Ability(
        science=copied.science or own.science,
        base=copied.base or own.base,
        war=own.war + copied.war,
        barred=own.barred + copied.barred,
        oxygen_succeeds=own.oxygen_succeeds or copied.oxygen_succeeds,
        surplus=own.surplus + copied.surplus,
        no_carnival=own.no_carnival or copied.no_carnival,
        clings=own.clings,
        copy_price=own.copy_price,
        acquired=own.acquired,
        round_start=own.round_start,
        turn_start=own.turn_start + copied.turn_start,
        game_end=own.game_end,
    )


OF_AT = {of: at for at, of in enumerate((Of.CITY, Of.GREEN, Of.SCIENCE, Of.COSMO, Of.STARS, Of.PLACED, Of.NOTHING))}


def value_of(of: Of, levels: Levels, stars: int, placed: int = 0) -> int:
    """Return the number by which an amount is counted: a level, the stars, the tips placed, or 0."""
    return (*levels, stars, placed, 0)[OF_AT[of]]


def worth(amount: Amount, levels: Levels, stars: int, placed: int = 0) -> int:
    """Return the amount with these levels, at least 0. Rule: TF-28."""
    return max(0, value_of(amount.of, levels, stars, placed) + amount.plus)

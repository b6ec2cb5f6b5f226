"""Planet cards as they lie on the table: a pack's cards laid out so that rules find what they look for at once."""

from __future__ import annotations

from functools import lru_cache

from domain.game import Value
from domain.games.terraformers import abilities
from domain.games.terraformers.abilities import Amount, Happening, Of, When
from domain.games.terraformers.components import Box, Kind, Levels, Name
from domain.games.terraformers.moves import Acquire, UseCard
from domain.games.terraformers.pack import Card, Pack

Happenings = tuple[Happening, ...]


class Ability(Value, frozen=True):
    """What the effects of a player's species come to."""

    science: tuple[int, ...] = ()
    """What science counts as; nothing: as on the sheet."""
    base: tuple[Amount, ...] = ()
    """What power is counted from; nothing: science."""
    war: tuple[abilities.WarBonus, ...] = ()
    barred: tuple[Box, ...] = ()
    oxygen_succeeds: bool = False
    surplus: int = 0
    """Points for each by which green and oxygen power exceed city."""
    no_carnival: bool = False
    clings: bool = False
    copy_price: int = 0
    """The tips that naming another species costs; 0: it can't be done."""
    acquired: Happenings = ()
    round_start: Happenings = ()
    turn_start: Happenings = ()
    game_end: Happenings = ()


NONE = Ability()
"""The ability of a player without species."""


class Laid(Value, frozen=True):
    """A planet card."""

    name: Name
    kind: Kind
    cost: int
    is_box: bool
    use: UseCard
    acquire: Acquire
    used: Happenings = ()
    """What happens when this box card is used."""
    round_start: Happenings = ()
    """What this box card does at the round's start, for the first player."""
    for_each: Happenings = ()
    """What of that it does for every other player. Rule: TF-7."""
    game_end: Happenings = ()
    provokes: tuple[abilities.Provoke, ...] = ()
    compares: tuple[abilities.Compare, ...] = ()
    ability: Ability = NONE
    """Of this species."""


@lru_cache
def printed(pack: Pack) -> tuple[Laid, ...]:
    """All cards of the pack, in its order."""
    return tuple(map(_lay, pack.cards))


def _lay(card: Card) -> Laid:
    """The card of the pack as it lies on the table."""
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
    """What a species does that copies another one: its own ability, and what it gains of the other's.

    Not gained: round-start and on-acquisition effects, clinging, copying, and what happens at the game's end, for a
    copy does not last so long. Where both count science or power by something else, the copied one is the later word.

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


OF_AT = {
    of: at
    for at, of in enumerate(
        (
            Of.CITY,
            Of.GREEN,
            Of.SCIENCE,
            Of.COSMO,
            Of.STARS,
            Of.PLACED,
            Of.NOTHING,
        )
    )
}


def value_of(of: Of, levels: Levels, stars: int, placed: int = 0) -> int:
    """The number that an amount is counted by: a level, the stars, the tips placed, or 0."""
    return (*levels, stars, placed, 0)[OF_AT[of]]


def worth(amount: Amount, levels: Levels, stars: int = 0, placed: int = 0) -> int:
    """The number that an amount comes to with these levels, at least 0. Rule: TF-28."""
    return max(0, value_of(amount.of, levels, stars, placed) + amount.plus)

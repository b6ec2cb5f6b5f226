"""The printed names, numbers and effects of the game, and their reading from a pack file. Rule: TF-1, TF-2, TF-15."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import Meta

from domain.game import PackError, Value
from domain.games.terraformers import abilities
from domain.games.terraformers.abilities import Amount, AnyEffect, Of, ScienceCounts, When
from domain.games.terraformers.components import CARDS, HALF, MOST_TIPS, PLANET, RANDOM, Kind
from domain.pack import Rulebook, Text, read_pack

Price = Annotated[int, Meta(ge=1, le=99)]


class Column(Value, frozen=True):
    """A level: its start, and the prices of its check boxes from the top. Rule: TF-3, TF-15."""

    start: Annotated[int, Meta(ge=0, le=20)]
    prices: Annotated[tuple[Price, ...], Meta(max_length=20)]
    rulebook: Rulebook = ()


class Levels(Value, frozen=True):
    """The four columns of a sheet."""

    city: Column
    green: Column
    science: Column
    cosmo: Column


class Oxygen(Value, frozen=True):
    """The points that are lost if oxygen fails. Rule: TF-16."""

    lose: Annotated[int, Meta(ge=0, le=50)]
    rulebook: Rulebook = ()


class War(Value, frozen=True):
    """The points of the first and the second of the war. Rule: TF-17."""

    first: Annotated[int, Meta(ge=0, le=50)]
    second: Annotated[int, Meta(ge=0, le=50)]
    rulebook: Rulebook = ()


class Card(Value, frozen=True):
    """A planet card."""

    name: Text
    ja: Text
    kind: Kind
    cost: Annotated[int, Meta(ge=0, le=50)]
    effects: Annotated[tuple[AnyEffect, ...], Meta(min_length=1, max_length=6)]
    rulebook: Rulebook = ()


class Scenario(Value, frozen=True):
    """Eight planet cards that go together. Rule: TF-2."""

    name: Text
    title: Text
    ja: Text
    cards: tuple[str, ...]
    rulebook: Rulebook = ()


class Pack(Value, frozen=True, cache_hash=True):
    """The printed numbers of the game."""

    name: Text
    levels: Levels
    oxygen: Oxygen
    war: War
    scenarios: tuple[Scenario, ...]
    cards: tuple[Card, ...]


def parse_pack(data: bytes, file: str) -> Pack:
    """Read a pack from TOML and check all of it.

    Rule:    TF-1, TF-2, TF-15.
    Raises:  PackError with the file, the entry (a card, a scenario, a table) and the field.
    """
    pack = read_pack(data, file, Pack)
    _check_cards(pack, file)
    _check_scenarios(pack, file)
    _check_tips(pack, file)
    for entry, value in _entries(pack):
        _check_rulebook(value, file, entry)
    return pack


def id_of(name: str) -> str:
    """Return the card's name as the short names of moves have it; no two cards may have the same."""
    return name.lower().replace(" ", "_")


def _check_cards(pack: Pack, file: str) -> None:
    """Check that there are 22 different cards, half of each kind. Rule: TF-1."""
    _check_once((card.name for card in pack.cards), file)
    for card in pack.cards:
        for at, effect in enumerate(card.effects):
            _check_effect(card, effect, file, f"{card.name}.effects[{at}]")
        _check_single(card, file)
    for kind in Kind:
        count = sum(card.kind is kind for card in pack.cards)
        if count != HALF:
            message = f"of the {CARDS} cards {HALF} are of the kind {kind.value}, not {count}"
            raise PackError(file, "cards", "kind", message)


def _check_once(names: Iterable[str], file: str) -> None:
    seen = set()
    for name in names:
        if id_of(name) in seen:
            raise PackError(file, name, "name", "comes twice")
        seen.add(id_of(name))


HAPPENS = {
    Kind.BOX: (When.USED, When.ROUND_START),
    Kind.SPECIES: (When.ACQUIRED, When.ROUND_START, When.TURN_START),
}
"""When effects of each kind of card may happen; any card may also give points at the game's end. Rule: TF-7, TF-25."""


def _check_effect(card: Card, effect: AnyEffect, file: str, entry: str) -> None:
    """Refuse an effect that no card of that kind can have, or not at that time."""
    match effect:
        case abilities.Happens():
            may = HAPPENS[card.kind]
            if isinstance(effect, abilities.GainPoints):
                may = (*may, When.GAME_END)
            # A round may have any number of turns, so tips for each turn would have no limit.
            if isinstance(effect, abilities.TakeTips):
                may = tuple(when for when in may if when is not When.TURN_START)
            if effect.when not in may:
                raise PackError(file, entry, "when", f"must be one of {', '.join(may)} on a {card.kind} card")
            _check_placed(effect, file, entry)
        case abilities.Provoke() | abilities.Compare():
            if card.kind is not Kind.BOX:
                raise PackError(file, entry, "effect", "only a box card does that")
            if isinstance(effect, abilities.Compare) and effect.of in (Of.NOTHING, Of.PLACED):
                raise PackError(file, entry, "of", "players are compared by a level or by stars")
        case _:
            if card.kind is not Kind.SPECIES:
                raise PackError(file, entry, "effect", "only a species does that")
            if isinstance(effect, abilities.PowerBase | abilities.WarBonus) and effect.amount.of is Of.PLACED:
                raise PackError(file, entry, "amount", "nothing is placed when this is counted")


def _check_placed(effect: Any, file: str, entry: str) -> None:
    """Refuse an effect that counts placed tips at a time when none are placed."""
    if effect.when in (When.USED, When.ACQUIRED):
        return
    if isinstance(effect, abilities.GainPoints) and effect.all_placed:
        raise PackError(file, entry, "all_placed", "no tips are placed then")
    if isinstance(effect, abilities.GainPoints | abilities.TakeTips) and effect.amount.of is Of.PLACED:
        raise PackError(file, entry, "amount", "no tips are placed then")


def _check_single(card: Card, file: str) -> None:
    """Refuse a second science count, power base or copying on a card."""
    for cls in (abilities.ScienceCounts, abilities.PowerBase, abilities.Copies):
        places = [at for at, effect in enumerate(card.effects) if isinstance(effect, cls)]
        if len(places) > 1:
            raise PackError(file, f"{card.name}.effects[{places[1]}]", "effect", "comes twice")


def _check_scenarios(pack: Pack, file: str) -> None:
    """Check that each scenario has eight different cards of the pack. Rule: TF-2."""
    _check_once((scenario.name for scenario in pack.scenarios), file)
    names = {card.name for card in pack.cards}
    for scenario in pack.scenarios:
        if scenario.name == RANDOM:
            raise PackError(file, scenario.name, "name", "means a planet by chance")
        for name in scenario.cards:
            if name not in names:
                raise PackError(file, scenario.name, "cards", f"there is no card {name!r}")
        if doubled := [name for name, times in Counter(scenario.cards).items() if times > 1]:
            raise PackError(file, scenario.name, "cards", f"{doubled[0]} comes twice")
        if len(scenario.cards) != PLANET:
            raise PackError(file, scenario.name, "cards", f"has {PLANET} cards, not {len(scenario.cards)}")


def _check_tips(pack: Pack, file: str) -> None:
    """Refuse a pack with which a hand could outgrow the lists of moves.

    A hand grows by the city level at the round's start, and by each card at most once a round: tips lie on a card from
    its use or acquisition to the round's end (TF-11), and a player holds one species when the round starts (TF-21). At
    the round's start a box card gives to everybody only once (TF-7). Science may count as more than its column has
    (TF-30).
    """
    top = {name: column.start + len(column.prices) for name, column in _columns(pack)}
    counts = (effect.science for card in pack.cards for effect in card.effects if isinstance(effect, ScienceCounts))
    top["science"] = max(top["science"], *counts, 0)
    gifts = sorted((sum(_most(effect, top) for effect in card.effects) for card in pack.cards), reverse=True)
    most = top["city"] + sum(gifts[:PLANET])
    if most > MOST_TIPS:
        raise PackError(file, "levels", "city", f"a hand could grow to {most} tips, and {MOST_TIPS} are the most")


def _most(effect: AnyEffect, top: dict[str, int]) -> int:
    """Return the most tips that the effect gives, with stars and placed tips at their most."""
    if not isinstance(effect, abilities.TakeTips):
        return 0
    return max(0, _top(effect.amount, top))


def _top(amount: Amount, top: dict[str, int]) -> int:
    if amount.of is Of.NOTHING:
        return amount.plus
    return top.get(amount.of, MOST_TIPS) + amount.plus


def _columns(pack: Pack) -> tuple[tuple[str, Column], ...]:
    levels = pack.levels
    return (("city", levels.city), ("green", levels.green), ("science", levels.science), ("cosmo", levels.cosmo))


def _entries(pack: Pack) -> Iterable[tuple[str, Any]]:
    """Yield each entry that has a `rulebook`, with its name in errors."""
    yield from ((f"levels.{name}", column) for name, column in _columns(pack))
    yield from (("oxygen", pack.oxygen), ("war", pack.war))
    for scenario in pack.scenarios:
        yield scenario.name, scenario
    for card in pack.cards:
        yield card.name, card
        yield from ((f"{card.name}.effects[{at}]", effect) for at, effect in enumerate(card.effects))


def _check_rulebook(value: Any, file: str, entry: str) -> None:
    fields = {*type(value).__struct_fields__, type(value).__struct_config__.tag_field} - {"rulebook"}
    if wrong := [name for name in value.rulebook if name not in fields]:
        raise PackError(file, entry, "rulebook", f"there is no field {wrong[0]!r}")

"""What is printed on the cards, and its reading from a pack file."""

from __future__ import annotations

from collections.abc import Set
from typing import Annotated

from msgspec import Meta

from domain.game import PackError, Value
from domain.games.troll_master.abilities import (
    RIBBONS,
    Ability,
    ChargeAnother,
    Charges,
    Timing,
    cost_of,
    fires_on_success,
    timing_of,
)
from domain.games.troll_master.components import FAMILIARS, WORKSHOP_CARDS, Kind
from domain.pack import read_pack

Text = Annotated[str, Meta(min_length=1, max_length=40)]
Number = Annotated[int, Meta(ge=0, le=30)]

ABILITIES = 4
"""No card has more: with it no list of legal moves passes 100, see rules/turn.py."""


class Action(Value, frozen=True):
    """An action space on a workshop card. Rule: TM-1."""

    kind: Kind
    value: Number
    """Brew: mana; summon: what falls off the cost; attack: power; divination: chips."""
    cost: Number
    """In magic cards of its kind. Rule: TM-21."""
    rulebook: tuple[str, ...] = ()
    """The fields that are printed in the rulebook; all others are house numbers."""


class WorkshopCard(Value, frozen=True):
    """A card of the workshop row 工房カード: two actions. Rule: TM-1."""

    left: Action
    right: Action


class Familiar(Value, frozen=True):
    """A familiar 使い魔, or the black cat 黒猫."""

    name: Text
    ja: Text
    cost: Number
    power: Number
    ribbons: Annotated[int, Meta(ge=0, le=RIBBONS)]
    """The most charges it holds. Rule: TM-26."""
    charges: Charges
    """Those it comes with. Rule: TM-25."""
    points: Number
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=ABILITIES)] = ()
    rulebook: tuple[str, ...] = ()
    """The fields that are printed in the rulebook, `abilities[0].does` being what the first ability does; all others
    are house numbers."""


class Pack(Value, frozen=True):
    """The printed cards of the game."""

    name: Text
    workshop: Annotated[tuple[WorkshopCard, ...], Meta(min_length=WORKSHOP_CARDS, max_length=WORKSHOP_CARDS)]
    """From left to right."""
    black_cat: Familiar
    familiars: Annotated[tuple[Familiar, ...], Meta(min_length=FAMILIARS, max_length=FAMILIARS)]


def parse_pack(data: bytes, file: str) -> Pack:
    """Read a pack from TOML and check all of it.

    Raises:  PackError with the file, the card and the field.
    """
    pack = read_pack(data, file, Pack)
    for i, card in enumerate(pack.workshop):
        for side, action in (("left", card.left), ("right", card.right)):
            _check_rulebook(action.rulebook, _ACTION_FIELDS, file, f"workshop[{i}].{side}")
    found: set[str] = set()
    cards = (pack.black_cat, *pack.familiars)
    for familiar in cards:
        _check_familiar(familiar, file)
        if (short := familiar.name.lower().replace(" ", "_")) in found:
            raise PackError(file, familiar.name, "name", "stands on two cards")
        found.add(short)
    for familiar in cards:
        _check_charging(familiar, cards, file)
    return pack


def _check_familiar(card: Familiar, file: str) -> None:
    if card.charges > card.ribbons:
        raise PackError(file, card.name, "charges", f"are more than the {card.ribbons} ribbons hold")
    printed = set(_FAMILIAR_FIELDS)
    for i, ability in enumerate(card.abilities):
        _check_ability(ability, file, f"{card.name}.abilities[{i}]")
        if ability in card.abilities[:i]:
            raise PackError(file, card.name, f"abilities[{i}]", "stands twice on the card")
        printed.update(f"abilities[{i}].{field}" for field in ("does", *ability.__struct_fields__))
    _check_rulebook(card.rulebook, printed, file, card.name)


def _check_ability(ability: Ability, file: str, entry: str) -> None:
    """Refuse what the rules have no moment for. Rule: TM-28."""
    if fires_on_success(ability) and (timing_of(ability) is not Timing.ATTACK or cost_of(ability)):
        raise PackError(file, entry, "on_success", "is said of attack abilities without a cost only")


def _check_charging(card: Familiar, cards: tuple[Familiar, ...], file: str) -> None:
    """A familiar that an ability charges is another one of the pack, by both its names, and has room. Rule: TM-42."""
    for i, ability in enumerate(card.abilities):
        if not isinstance(ability, ChargeAnother):
            continue
        entry, name = f"{card.name}.abilities[{i}]", ability.familiar
        named = next((other for other in cards if (other.name, other.ja) == (name.en, name.ja)), None)
        if named is None:
            raise PackError(file, entry, "familiar", f"names {name.en!r} ({name.ja!r}), which is no familiar here")
        if named is card:
            raise PackError(file, entry, "familiar", 'names its own card: write does = "charge"')
        if not named.ribbons:
            raise PackError(file, entry, "familiar", f"names {name.en!r}, which has no ribbons to be charged")


def _check_rulebook(said: tuple[str, ...], fields: Set[str], file: str, entry: str) -> None:
    """Every field that is said to be printed in the rulebook is one."""
    for name in said:
        if name not in fields:
            raise PackError(file, entry, "rulebook", f"names {name!r}, which is no field there")


_ACTION_FIELDS = frozenset(Action.__struct_fields__) - {"rulebook"}
_FAMILIAR_FIELDS = frozenset(Familiar.__struct_fields__) - {"rulebook"}

"""What is printed on the cards, and its reading from a pack file."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

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
from domain.games.troll_master.components import FAMILIARS, SEATS, WORKSHOP_CARDS, Kind
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


Workshop = Annotated[tuple[WorkshopCard, ...], Meta(min_length=WORKSHOP_CARDS, max_length=WORKSHOP_CARDS)]
"""From left to right."""


class BySeats(Value, frozen=True):
    """What is printed otherwise for a number of seats. Rule: TM-50."""

    seats: int
    workshop: Annotated[tuple[Workshop, ...], Meta(max_length=1)] = ()
    """The row in place of the pack's; none: the pack's."""
    familiars: tuple[Familiar, ...] = ()
    """Each in the place of the pack's familiar of the same name."""


class Pack(Value, frozen=True):
    """The printed cards of the game."""

    name: Text
    workshop: Workshop
    black_cat: Familiar
    familiars: Annotated[tuple[Familiar, ...], Meta(min_length=FAMILIARS, max_length=FAMILIARS)]
    by_seats: Annotated[tuple[BySeats, ...], Meta(max_length=len(SEATS))] = ()


@lru_cache
def for_seats(pack: Pack, seats: int) -> Pack:
    """The pack as it is played with by that many. Rule: TM-50."""
    for one in pack.by_seats:
        if one.seats == seats:
            instead = {card.name: card for card in one.familiars}
            familiars = tuple(instead.get(card.name, card) for card in pack.familiars)
            return replace(pack, workshop=(*one.workshop, pack.workshop)[0], familiars=familiars, by_seats=())
    return replace(pack, by_seats=()) if pack.by_seats else pack


def actions_of(pack: Pack) -> tuple[Action, ...]:
    """The actions of the row from left to right. Rule: TM-1."""
    return tuple(action for card in pack.workshop for action in (card.left, card.right))


def actions_by_seats(pack: Pack, seats: int) -> tuple[tuple[int, Action], ...]:
    """The actions that are printed otherwise for that many, each with its number. Rule: TM-50."""
    both = zip(actions_of(pack), actions_of(for_seats(pack, seats)), strict=True)
    return tuple((number, other) for number, (one, other) in enumerate(both, 1) if one != other)


def parse_pack(data: bytes, file: str) -> Pack:
    """Read a pack from TOML and check all of it.

    Raises:  PackError with the file, the card and the field.
    """
    pack = read_pack(data, file, Pack)
    _check_cards(pack, file)
    _check_by_seats(pack, file)
    return pack


def _check_by_seats(pack: Pack, file: str) -> None:
    """Whatever differs by seats makes a whole pack too, of the same familiars. Rule: TM-50."""
    names = {(card.name, card.ja) for card in pack.familiars}
    for i, one in enumerate(pack.by_seats):
        entry = f"by_seats[{i}]"
        if one.seats not in SEATS or one.seats in [before.seats for before in pack.by_seats[:i]]:
            raise PackError(file, entry, "seats", f"must be one of {', '.join(map(str, SEATS))}, each once")
        listed = [card.name for card in one.familiars]
        for card in one.familiars:
            if (card.name, card.ja) not in names or listed.count(card.name) > 1:
                raise PackError(
                    file, entry, "familiars", f"{card.name!r} ({card.ja!r}) is to be one of the pack's, once"
                )
        _check_cards(for_seats(pack, one.seats), file)


def _check_cards(pack: Pack, file: str) -> None:
    """What a field alone can't say of the row and the familiars."""
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

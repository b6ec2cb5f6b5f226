"""The printed cards, and how they are read from a pack file."""

from __future__ import annotations

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
from domain.pack import Rulebook, Text, check_rulebook, read_pack

Number = Annotated[int, Meta(ge=0, le=30)]

ABILITIES = 4
"""The most abilities of a card. It keeps every list of legal moves within 100, see rules/turn.py."""


class Action(Value, frozen=True):
    """An action space on a workshop card. Rule: TM-1."""

    kind: Kind
    value: Number
    """Brew: mana gained; summon: reduction of the cost; attack: power added; divination: chips gained."""
    cost: Number
    """The cost in magic cards of the action's kind. Rule: TM-21."""
    rulebook: Rulebook = ()


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
    """The charges with which it comes into play. Rule: TM-25."""
    points: Number
    abilities: Annotated[tuple[Ability, ...], Meta(max_length=ABILITIES)] = ()
    rulebook: Rulebook = ()
    """`abilities[0].does` is the kind of the first ability."""


Workshop = Annotated[tuple[WorkshopCard, ...], Meta(min_length=WORKSHOP_CARDS, max_length=WORKSHOP_CARDS)]
"""The cards from left to right."""


class BySeats(Value, frozen=True):
    """Changes of the pack for a number of seats. Rule: TM-50."""

    seats: int
    workshop: Annotated[tuple[Workshop, ...], Meta(max_length=1)] = ()
    """A row that replaces the pack's; none: the pack's is kept."""
    familiars: tuple[Familiar, ...] = ()
    """Each replaces the pack's familiar of the same name."""


class Pack(Value, frozen=True):
    """The printed cards of the game."""

    name: Text
    workshop: Workshop
    black_cat: Familiar
    familiars: Annotated[tuple[Familiar, ...], Meta(min_length=FAMILIARS, max_length=FAMILIARS)]
    by_seats: Annotated[tuple[BySeats, ...], Meta(max_length=len(SEATS))] = ()


@lru_cache
def for_seats(pack: Pack, seats: int) -> Pack:
    """Return the pack as it is played with that number of seats. Rule: TM-50."""
    for changes in pack.by_seats:
        if changes.seats == seats:
            instead = {card.name: card for card in changes.familiars}
            familiars = tuple(instead.get(card.name, card) for card in pack.familiars)
            return replace(pack, workshop=(*changes.workshop, pack.workshop)[0], familiars=familiars, by_seats=())
    return replace(pack, by_seats=()) if pack.by_seats else pack


def actions_of(pack: Pack) -> tuple[Action, ...]:
    """Return the actions of the row from left to right. Rule: TM-1."""
    return tuple(action for card in pack.workshop for action in (card.left, card.right))


def actions_by_seats(pack: Pack, seats: int) -> tuple[tuple[int, Action], ...]:
    """Return the actions that differ with that number of seats, each with its number. Rule: TM-50."""
    pairs = zip(actions_of(pack), actions_of(for_seats(pack, seats)), strict=True)
    return tuple((number, changed) for number, (action, changed) in enumerate(pairs, 1) if action != changed)


def parse_pack(data: bytes, file: str) -> Pack:
    """Read a pack from TOML and check all of it.

    Raises:  PackError with the file, the card and the field.
    """
    pack = read_pack(data, file, Pack)
    _check_cards(pack, file)
    _check_by_seats(pack, file)
    return pack


def _check_by_seats(pack: Pack, file: str) -> None:
    """Check that the changes for each number of seats make a valid pack of the same familiars. Rule: TM-50."""
    names = {(card.name, card.ja) for card in pack.familiars}
    for i, changes in enumerate(pack.by_seats):
        entry = f"by_seats[{i}]"
        if changes.seats not in SEATS or changes.seats in [before.seats for before in pack.by_seats[:i]]:
            raise PackError(file, entry, "seats", f"must be one of {', '.join(map(str, SEATS))}, each once")
        listed = [card.name for card in changes.familiars]
        for card in changes.familiars:
            if (card.name, card.ja) not in names or listed.count(card.name) > 1:
                raise PackError(
                    file, entry, "familiars", f"{card.name!r} ({card.ja!r}) is to be one of the pack's, once"
                )
        _check_cards(for_seats(pack, changes.seats), file)


def _check_cards(pack: Pack, file: str) -> None:
    """Check the row and the familiars beyond the types of single fields."""
    for i, card in enumerate(pack.workshop):
        for side, action in (("left", card.left), ("right", card.right)):
            check_rulebook(action, file, f"workshop[{i}].{side}")
    shorts: set[str] = set()
    cards = (pack.black_cat, *pack.familiars)
    for familiar in cards:
        _check_familiar(familiar, file)
        if (short := familiar.name.lower().replace(" ", "_")) in shorts:
            raise PackError(file, familiar.name, "name", "stands on two cards")
        shorts.add(short)
    for familiar in cards:
        _check_charging(familiar, cards, file)


def _check_familiar(card: Familiar, file: str) -> None:
    if card.charges > card.ribbons:
        raise PackError(file, card.name, "charges", f"are more than the {card.ribbons} ribbons hold")
    printed: set[str] = set()
    for i, ability in enumerate(card.abilities):
        _check_ability(ability, file, f"{card.name}.abilities[{i}]")
        if ability in card.abilities[:i]:
            raise PackError(file, card.name, f"abilities[{i}]", "stands twice on the card")
        printed.update(f"abilities[{i}].{field}" for field in ("does", *ability.__struct_fields__))
    check_rulebook(card, file, card.name, printed)


def _check_ability(ability: Ability, file: str, entry: str) -> None:
    """Refuse an ability for which the rules have no moment. Rule: TM-28."""
    if fires_on_success(ability) and (timing_of(ability) is not Timing.ATTACK or cost_of(ability)):
        raise PackError(file, entry, "on_success", "is said of attack abilities without a cost only")


def _check_charging(card: Familiar, cards: tuple[Familiar, ...], file: str) -> None:
    """Check that an ability charges another familiar of the pack, named in both languages, which has ribbons.

    Rule:    TM-42.
    """
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

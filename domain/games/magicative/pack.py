"""The printed numbers of the game, and how they are read from a pack file. Rule: MG-1, MG-2, MG-13, MG-15."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from msgspec import Meta

from domain.game import PackError, Value
from domain.games.magicative.abilities import POWERS, AnyPower, Group
from domain.games.magicative.components import DEALT, FORMULA, KINDS, MOST_OF_A_KIND, NUMBERS, SCHOOLS, Cards, School
from domain.pack import Rulebook, Text, check_rulebook, read_pack

Points = Annotated[int, Meta(ge=0, le=30)]

MOST_COPIES = 7
"""The most copies of a kind: rules/holding.py counts in four bits, and needs the top one for itself."""


class Deck(Value, frozen=True):
    """The deck of cards. Rule: MG-1."""

    copies: Annotated[int, Meta(ge=FORMULA, le=MOST_COPIES)]
    """The copies of each number of each school."""
    innocents: Annotated[int, Meta(ge=0, le=MOST_OF_A_KIND)]
    rulebook: Rulebook = ()


class Play(Value, frozen=True):
    """The beginning and the end of a match. Rule: MG-3, MG-17."""

    hand: Annotated[int, Meta(ge=DEALT, le=12, multiple_of=DEALT)]
    """The cards of a first hand, which are dealt by twos."""
    goal: Annotated[int, Meta(ge=1, le=30)]
    formula: Annotated[int, Meta(ge=1, le=10)]
    """The chips for a formula. Rule: MG-9."""
    rulebook: Rulebook = ()


class Aptitudes(Value, frozen=True):
    """The aptitude cards 適性カード of a school. Rule: MG-2."""

    school: School
    numbers: Annotated[tuple[Annotated[int, Meta(ge=1, le=NUMBERS)], ...], Meta(max_length=20)]
    """The number in the middle of each card."""
    reach: Annotated[int, Meta(ge=0, lt=NUMBERS)] = 0
    """How far the numbers that a card names may be from its own: with 2 a card of 4 names 2 to 6, one of 1 names 1 to
    3."""
    rulebook: Rulebook = ()


class Special(Value, frozen=True, cache_hash=True):
    """A special 特殊式. Rule: MG-13."""

    group: Group
    points: Points
    rulebook: Rulebook = ()


class Tool(Value, frozen=True):
    """An artefact 三賢者の魔具. Rule: MG-15."""

    power: AnyPower
    points: Annotated[int, Meta(ge=-10, le=0)]
    rulebook: Rulebook = ()


class Pack(Value, frozen=True, cache_hash=True):
    """The printed numbers of the game."""

    name: Text
    deck: Deck
    play: Play
    aptitudes: tuple[Aptitudes, ...]
    specials: Annotated[tuple[Special, ...], Meta(max_length=12)]
    artefacts: tuple[Tool, ...]


def parse_pack(data: bytes, file: str) -> Pack:
    """Read a pack from TOML and check all of it.

    Raises:  PackError with the file, the entry and the field.
    """
    pack = read_pack(data, file, Pack)
    _check_once(file, "aptitudes", "school", [aptitudes.school for aptitudes in pack.aptitudes])
    if len(pack.aptitudes) != len(School):
        raise PackError(file, "aptitudes", "school", f"each of the {len(SCHOOLS)} schools has its aptitude cards")
    _check_once(file, "specials", "group", [special.group for special in pack.specials])
    powers = [type(tool.power) for tool in pack.artefacts]
    _check_once(file, "artefacts", "power", powers)
    if len(powers) != len(POWERS):
        raise PackError(file, "artefacts", "power", "there is one of each: fate, past, innocent")
    for entry, value in _entries(pack):
        check_rulebook(value, file, entry)
    return pack


@lru_cache(maxsize=1 << 4)
def deck_of(pack: Pack) -> Cards:
    """Return every card of the deck, sorted. Rule: MG-1."""
    innocent, *others = KINDS
    return (innocent,) * pack.deck.innocents + tuple(kind for kind in others for _ in range(pack.deck.copies))


def _check_once(file: str, entry: str, field: str, values: list[Any]) -> None:
    for at, value in enumerate(values):
        if value in values[:at]:
            raise PackError(file, f"{entry}[{at}]", field, f"is the same as that of {entry}[{values.index(value)}]")


def _entries(pack: Pack) -> list[tuple[str, Any]]:
    """Return each entry that has a `rulebook`, with its name in errors."""
    entries: list[tuple[str, Any]] = [("deck", pack.deck), ("play", pack.play)]
    for name in ("aptitudes", "specials", "artefacts"):
        entries += [(f"{name}[{at}]", value) for at, value in enumerate(getattr(pack, name))]
    return entries

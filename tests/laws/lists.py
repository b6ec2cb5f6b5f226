"""The law of complete lists: of all moves that could be written down, those are accepted that are listed, and no other.

A class of moves spans a space: each field takes the values of its type, bounded by what the match has seen (numbers up
to one past the greatest, the cards of the pack, tuples of up to three). Small spaces are tried whole at each position,
of others a sample, and the neighbours of moves that are listed: one field changed to another value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from domain.chance import Chance, Simulation
from domain.game import Refusal, classes
from tests.laws.table import Played, Step, inside

WHOLE = 120
"""Spaces of a class up to this size are tried whole, and of greater ones so many moves."""
NEIGHBOURS = 20
"""How many values are tried for each field of a listed move."""
LONGEST = 3
"""How long tuples get."""


@dataclass(frozen=True, slots=True)
class Space:
    """Values in an order, none of which is made before it is asked for."""

    size: int
    at: Callable[[int], Any]


def row(values: tuple[Any, ...]) -> Space:
    """These values."""
    return Space(len(values), values.__getitem__)


def either(spaces: tuple[Space, ...]) -> Space:
    """The values of one space after those of another."""
    ends = tuple(accumulate(space.size for space in spaces))

    def at(index: int) -> Any:
        which = next(i for i, end in enumerate(ends) if index < end)
        return spaces[which].at(index - ends[which] + spaces[which].size)

    return Space(ends[-1] if ends else 0, at)


def product(spaces: tuple[Space, ...]) -> Space:
    """Tuples with a value of each."""

    def at(index: int) -> tuple[Any, ...]:
        found = []
        for space in spaces:
            index, digit = divmod(index, space.size)
            found.append(space.at(digit))
        return tuple(found)

    size = 1
    for space in spaces:
        size *= space.size
    return Space(size, at)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the values of a match are bounded by."""

    most: dict[str, int]
    """The greatest number in a field of that name of a move that was listed anywhere."""
    values: dict[type[Any], tuple[Any, ...]]
    """Structs by their class, wherever they lie on the table or in the pack."""


def space_of(hint: Any, most: int, seen: Seen) -> Space:
    """All values of a type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return either(tuple(space_of(one, most, seen) for one in args))
    if origin is Literal:
        return row(args)
    if origin is tuple:
        if args[-1] is not Ellipsis:
            return product(tuple(space_of(one, most, seen) for one in args))
        element = space_of(args[0], most, seen)
        return either(tuple(product((element,) * length) for length in range(LONGEST + 1)))
    if hint is NoneType:
        return row((None,))
    if hint is bool:
        return row((False, True))
    if hint is int:
        return row(tuple(range(-1, most + 2)))
    if issubclass(hint, Enum):
        return row(tuple(hint))
    return row(seen.values.get(hint, ()))


def parts(value: object) -> Iterator[object]:
    """The value, and whatever it is made of."""
    yield value
    for _, part in inside(value):
        yield from parts(part)


def seen_in(played: Played) -> Seen:
    """What the match bounds values by."""
    most: dict[str, int] = {}
    values: dict[type[Any], dict[Any, None]] = {}
    for step in played.positions:
        for seat in played.game.to_act(step.table):
            for move in played.game.legal(step.table, seat):
                for name in move.__struct_fields__:
                    for part in parts(getattr(move, name)):
                        if isinstance(part, msgspec.Struct):
                            values.setdefault(type(part), {})[part] = None
                        elif isinstance(part, int):
                            most[name] = max(part, most.get(name, 0))
    for part in parts(played.positions[0].table):
        if type(part) in values:
            values[type(part)][part] = None
    return Seen(most, {kind: tuple(found) for kind, found in values.items()})


Spaces = dict[type[Any], dict[str, Space]]


def spaces_of(played: Played) -> Spaces:
    """The space of each field of each class of moves."""
    seen = seen_in(played)
    return {
        cls: {
            name: space_of(hint, seen.most.get(name, 1), seen)
            for name, hint in get_type_hints(cls).items()
            if name in cls.__struct_fields__
        }
        for cls in classes(played.game.Move)
    }


def candidates(spaces: Spaces, legal: tuple[Any, ...], luck: Chance) -> Iterator[Any]:
    """Moves as anybody could write them down here."""
    for cls, fields in spaces.items():
        space = product(tuple(fields.values()))
        some = range(space.size) if space.size <= WHOLE else [luck.below(space.size) for _ in range(WHOLE)]
        for index in some:
            yield cls(**dict(zip(fields, space.at(index), strict=True)))
    near = {luck.choose(legal), luck.choose(legal)} if legal else set()
    for move in near:
        for name, space in spaces[type(move)].items():
            for _ in range(min(NEIGHBOURS, space.size)):
                yield msgspec.structs.replace(move, **{name: space.at(luck.below(space.size))})


def of_all_moves_that_could_be_written_those_are_accepted_that_are_listed(played: Played) -> None:
    """Whatever the seat that owes an answer writes: it is listed, or it is refused."""
    if not played.positions:
        return
    spaces = spaces_of(played)
    for step in played.sample:
        for seat in played.game.to_act(step.table):
            check(played, step, seat, spaces)


def check(played: Played, step: Step, seat: int, spaces: Spaces) -> None:
    """One seat's list at one position."""
    game, luck = played.game, Simulation(f"{step.truth.version} {seat}")
    legal = game.legal(step.table, seat)
    listed, chance = set(legal), Simulation(7)
    for move in set(candidates(spaces, legal, luck)) - listed:
        try:
            told = game.decide(step.table, seat, move, chance)
        except Refusal:
            continue
        raise AssertionError(f"{move} is not listed for seat {seat}, but it brings about {told}")

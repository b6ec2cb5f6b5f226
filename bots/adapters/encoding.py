"""What a seat sees, and its moves, as numbers: one encoder for all games.

Each value in a view or a move has a name: its path, with a list's elements told apart by their content and not by their
place, and for words and small numbers also the value. The hash of the name says to which number of the vector the value
is added, and with which sign. So nothing has to be listed for a game, and a new version of it adds names without moving
others; two names may share a number.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import lru_cache
from typing import Any, TypeAlias
from zlib import crc32

import msgspec
import numpy as np
from msgspec.structs import astuple
from numpy.typing import NDArray

from bots.adapters.course import MOVES, Course
from domain.game import Seat

SIZE = 512
"""The numbers of a view."""
MOVE_SIZE = 64
"""The numbers of a move."""
SMALL = 32
"""Whole numbers below this have names of their own, besides being added up."""

SCHEMA = {
    "observation": SIZE,
    "moves": [MOVES, MOVE_SIZE],
    "hash": "crc32 of the name in UTF-8: the lowest bit is the sign, the rest modulo the size is the place",
    "names": {
        "number": "PATH adds the number divided by 8; PATH=N adds 1 for whole numbers from 0 to 31",
        "word": "PATH=WORD adds 1; for truth values WORD is true or false",
        "null": "PATH? adds 1",
        "list": "PATH# adds its length divided by 8; its elements have the path PATH[]",
        "object": "members have the path PATH.NAME, and PATH.type=TAG adds 1",
    },
}
"""How it is done, for those who read it in other programs."""

Sums: TypeAlias = "array[float]"  # Python 3.11 has no parameters of `array`
"""The numbers of a vector while it is made. All that is added is a multiple of 1/8, so sums are exact in any order."""

Added = tuple[tuple[int, float], ...]
"""What a value adds: to which numbers, and how much."""


def _hashed(names: Iterable[tuple[str, float]], size: int) -> Added:
    hashes = [(crc32(name.encode()), amount) for name, amount in names]
    return tuple([((at >> 1) % size, amount if at & 1 else -amount) for at, amount in hashes])


# views are made anew for each look, of values that seldom change: what each adds is kept
@lru_cache(maxsize=1 << 16, typed=True)
def _added(value: Any, path: str, size: int) -> Added:
    return _hashed(_names(value, path), size)


def _names(value: Any, path: str) -> Iterator[tuple[str, float]]:
    """Yield the names of a value, and how much it adds under each."""
    match value:
        case msgspec.Struct():
            yield f"{path}.type={value.__struct_config__.tag}", 1.0
            for name in value.__struct_fields__:
                yield from _names(getattr(value, name), f"{path}.{name}")
        case tuple():
            yield f"{path}#", len(value) / 8
            for one in value:
                yield from _names(one, f"{path}[]")
        case bool():
            yield f"{path}={str(value).lower()}", 1.0
        case None:
            yield f"{path}?", 1.0
        case Enum():
            yield from _names(value.value, path)
        case int():
            yield path, value / 8
            if 0 <= value < SMALL:
                yield f"{path}={value}", 1.0
        case str():
            yield f"{path}={value}", 1.0
        case _:
            raise TypeError(f"{path} is a {type(value).__name__}, and views have none")


@lru_cache(maxsize=1 << 12)
def _length(path: str, size: int) -> tuple[int, float]:
    """Return what an element more adds to the length of the list."""
    return _hashed([(f"{path}#", 1 / 8)], size)[0]


@lru_cache(maxsize=1 << 12)
def _paths(names: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Return the path of each member."""
    return tuple(f"{path}.{name}" for name in names)


def _put(sums: Sums, value: Any, path: str, times: float) -> None:
    """Add what a value adds, so many times: -1 takes it away."""
    for place, amount in _added(value, path, len(sums)):
        sums[place] += times * amount


def _change(sums: Sums, before: Any, value: Any, path: str) -> None:
    """Take away what was before, and add what is there now; parts that are equal stay."""
    kind = type(value) if type(value) is type(before) else None
    if kind is tuple:
        _change_list(sums, before, value, path)
    elif kind and isinstance(value, msgspec.Struct):
        paths = _paths(value.__struct_fields__, path)
        for was, now, inner in zip(astuple(before), astuple(value), paths, strict=True):
            if was is not now and was != now:
                _change(sums, was, now, inner)
    else:
        _put(sums, before, path, -1)
        _put(sums, value, path, 1)


def _change_list(sums: Sums, before: tuple[Any, ...], value: tuple[Any, ...], path: str) -> None:
    """Do the same for a list, in which the order of the elements does not count."""
    inner, gone, come = f"{path}[]", list(before), []
    for one in value:
        if one in gone:
            gone.remove(one)
        else:
            come.append(one)
    for was, now in zip(gone, come, strict=False):
        _change(sums, was, now, inner)
    for was in gone[len(come) :]:
        _put(sums, was, inner, -1)
    for now in come[len(gone) :]:
        _put(sums, now, inner, 1)
    if len(gone) != len(come):
        place, amount = _length(path, len(sums))
        sums[place] += (len(come) - len(gone)) * amount


def _vector(sums: Sums) -> NDArray[np.float32]:
    """Return the sums as numpy's numbers."""
    return np.frombuffer(sums).astype(np.float32)


def _summed(value: msgspec.Struct, size: int) -> Sums:
    sums = array("d", bytes(8 * size))
    for place, amount in _hashed(_names(value, ""), size):
        sums[place] += amount
    return sums


def encode(value: msgspec.Struct, size: int) -> NDArray[np.float32]:
    """Return a view or a move as a vector of that size."""
    return _vector(_summed(value, size))


def _seen(view: msgspec.Struct, seat: Seat) -> NDArray[np.float32]:
    """Return a view as a vector, made from that of the last view of its kind: only what differs is counted anew."""
    key = type(view), seat
    if look := _looks.get(key):
        before, sums = look[0], look[1][:]
        _change(sums, before, view, "")
    else:
        sums = _summed(view, SIZE)
    _looks[key] = view, sums
    return _vector(sums)


_looks: dict[tuple[type, Seat], tuple[Any, Sums]] = {}
"""The last view of each kind, and its numbers. Both never change, so that threads may share them."""


@lru_cache(maxsize=1 << 14)
def _move(move: msgspec.Struct) -> NDArray[np.float32]:
    return encode(move, MOVE_SIZE)


def observed(course: Course, seat: Seat) -> dict[str, NDArray[Any]]:
    """Return what the seat sees, as numbers: `observation`, and of its decision `action_mask` and `moves`.

    An action is a place in the list of legal moves. The mask and the moves are 0 when the seat is not to answer.
    """
    mask: NDArray[Any] = np.zeros(MOVES, np.int8)
    moves: NDArray[Any] = np.zeros((MOVES, MOVE_SIZE), np.float32)
    if course.turn == seat:
        mask[: len(course.legal)] = 1
        for number, move in enumerate(course.legal):
            moves[number] = _move(move)
    view = course.game.view(course.seen(seat), seat)
    return {"observation": _seen(view, seat), "action_mask": mask, "moves": moves}

"""What a seat sees, and its moves, as numbers: one encoder for all games.

Each value in a view or a move has a name: its path, with a list's elements told apart by their content and not by their
place, and for words and small numbers also the value. The hash of the name says to which number of the vector the value
is added, and with which sign. So nothing has to be listed for a game, and a new version of it adds names without moving
others; two names may share a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any, TypeAlias
from zlib import crc32

import msgspec
import numpy as np
from msgspec.inspect import StructType, VarTupleType, type_info
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

Sums: TypeAlias = NDArray[np.float64]
"""The numbers of a vector while it is made. All that is added is a multiple of 1/8, so sums are exact in any order."""

Added: TypeAlias = tuple[bytes, bytes]
"""What a value adds: to which numbers, and how much. Both are as in numpy's memory, so that many are joined at once."""

FEW = 4
"""The most members of an object that is compared as a whole."""
KEPT = 1 << 12
"""The most values of a part for which it is kept what they add."""


def _hashed(names: Iterable[tuple[str, float]], size: int) -> Added:
    hashes = [(crc32(name.encode()), amount) for name, amount in names]
    places = np.array([(at >> 1) % size for at, _ in hashes], np.intp)
    return places.tobytes(), np.array([amount if at & 1 else -amount for at, amount in hashes]).tobytes()


def _sum(added: Sequence[bytes], size: int) -> Sums:
    """Return the sums of what is added: places and amounts in turn."""
    places, amounts = b"".join(added[::2]), b"".join(added[1::2])
    return np.bincount(np.frombuffer(places, np.intp), np.frombuffer(amounts), size)


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


class _Part:
    """A part of views, by its path. The values of views seldom change, so what each adds is kept."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._members: dict[type, tuple[_Part, ...]] = {}
        self._more, self._fewer = (_hashed([(f"{path}#", one)], SIZE) for one in (1 / 8, -1 / 8))
        """What an element more or fewer adds to the length of the list."""
        self.come = lru_cache(maxsize=KEPT, typed=True)(self._come)
        self.gone = lru_cache(maxsize=KEPT, typed=True)(self._gone)
        self.changed = lru_cache(maxsize=KEPT, typed=True)(self._changed)

    def _come(self, value: Any) -> Added:
        return _hashed(_names(value, self._path), SIZE)

    def _gone(self, value: Any) -> Added:
        """Return what takes the value away."""
        places, amounts = self.come(value)
        return places, (-np.frombuffer(amounts)).tobytes()

    def _changed(self, before: Any, value: Any) -> Added:
        (places, amounts), (new_places, new_amounts) = self.gone(before), self.come(value)
        return places + new_places, amounts + new_amounts

    @cached_property
    def _each(self) -> _Part:
        """The elements of the list."""
        return _Part(f"{self._path}[]")

    def _members_of(self, kind: type[Any]) -> tuple[_Part, ...]:
        """Return the members of an object of that class; none if its values are compared as a whole."""
        if (parts := self._members.get(kind)) is None:
            names = () if _is_small(kind) else kind.__struct_fields__
            parts = self._members[kind] = tuple([_Part(f"{self._path}.{name}") for name in names])
        return parts

    def compare(self, before: Any, value: Any, found: list[bytes]) -> None:
        """Append to `found` what puts one value in place of the other; parts that are equal add nothing."""
        kind = type(value)
        if kind is type(before):
            if kind is tuple:
                if len(value) > 1 or len(before) > 1:
                    self._compare_lists(before, value, found)
                    return
            elif parts := self._members_of(kind):
                for was, now, part in zip(astuple(before), astuple(value), parts):  # noqa: B905  # `strict` takes time
                    if was is not now and was != now:
                        if type(now) is int:  # as most that changes, and a call is saved
                            found += part.changed(was, now)
                        else:
                            part.compare(was, now, found)
                return
        found += self.changed(before, value)

    def _compare_lists(self, before: tuple[Any, ...], value: tuple[Any, ...], found: list[bytes]) -> None:
        """Do what `compare` does, for lists, in which the order of the elements does not count."""
        each, more, one = self._each, len(value) - len(before), (value or before)[0]
        if type(one) is tuple or each._members_of(type(one)):
            # what is large stays where it is, and changes
            for was, now in zip(before, value):  # noqa: B905  # the same
                if was is not now and was != now:
                    each.compare(was, now, found)
            gone, come = [*before[len(value) :]], [*value[len(before) :]]
        else:
            gone, come = _unlike(before, value)
            while gone and come:
                found += each.changed(gone.pop(), come.pop())
        for was in gone:
            found += each.gone(was)
        for now in come:
            found += each.come(now)
        if more:
            found += self._more * more if more > 0 else self._fewer * -more


def _is_small(kind: type[Any]) -> bool:
    """Return whether the values of a class are no objects, or objects of few members and without lists."""
    if not issubclass(kind, msgspec.Struct):
        return True
    info = type_info(kind)
    assert isinstance(info, StructType)
    fields = info.fields
    lists = [field.type for field in fields if isinstance(field.type, VarTupleType)]
    return len(fields) <= FEW and all(one.max_length == 1 for one in lists)


def _unlike(before: tuple[Any, ...], value: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Return the elements that only the one list has, and those that only the other has."""
    if value[: len(before)] == before:
        return [], [*value[len(before) :]]
    gone, come = [*before], []
    for one in value:
        if one in gone:
            gone.remove(one)
        else:
            come.append(one)
    return gone, come


def _summed(value: msgspec.Struct, size: int) -> Sums:
    return _sum(_hashed(_names(value, ""), size), size)


def encode(value: msgspec.Struct, size: int) -> NDArray[np.float32]:
    """Return a view or a move as a vector of that size."""
    return _summed(value, size).astype(np.float32)


def _seen(view: msgspec.Struct, viewer: Seat | None) -> NDArray[np.float32]:
    """Return a view as a vector, made from the vector of the last view of its kind: only what differs is computed."""
    key = type(view), viewer
    if look := _looks.get(key):
        before, sums = look
        found: list[bytes] = []
        _VIEW.compare(before, view, found)
        if found:
            sums = sums + _sum(found, SIZE)
    else:
        sums = _summed(view, SIZE)
    _looks[key] = view, sums
    return sums.astype(np.float32)


_VIEW = _Part("")
_looks: dict[tuple[type, Seat | None], tuple[Any, Sums]] = {}
"""The last view of each kind, and its numbers. Both never change, so that threads may share them."""


@lru_cache(maxsize=1 << 14)
def _move(move: msgspec.Struct) -> bytes:
    """Return the move's numbers, as in numpy's memory."""
    numbers: bytes = encode(move, MOVE_SIZE).tobytes()
    return numbers


_MASKS = tuple([bytes([1] * legal + [0] * (MOVES - legal)) for legal in range(MOVES + 1)])
"""By the number of legal moves."""


def observed(course: Course, seat: Seat) -> dict[str, NDArray[Any]]:
    """Return what the seat sees, as numbers: `observation`, and of its decision `action_mask` and `moves`.

    An action is a place in the list of legal moves. The mask and the moves are 0 when the seat is not to answer.
    """
    legal = course.legal if course.turn == seat else ()
    rows, moves = b"".join(map(_move, legal)), bytearray(4 * MOVES * MOVE_SIZE)
    moves[: len(rows)] = rows
    view = course.game.view(course.seen(seat), seat)
    return {
        "observation": _seen(view, None if course.is_open else seat),
        "action_mask": np.ndarray(MOVES, np.int8, bytearray(_MASKS[len(legal)])),
        "moves": np.ndarray((MOVES, MOVE_SIZE), np.float32, moves),
    }

"""What a seat sees, and its moves, as numbers: one encoder for all games.

Each value in a view or a move has a name: its path, with a list's elements told apart by their content and not by their
place, and for words and small numbers also the value. The hash of the name says to which number of the vector the value
is added, and with which sign. So nothing has to be listed for a game, and a new version of it adds names without moving
others; two names may share a number.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import Any
from zlib import crc32

import msgspec
import numpy as np
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

Parts = tuple[NDArray[np.intp], NDArray[np.float32]]
"""What a value adds: places before the division by the size, and by how much."""


def _named(*names: tuple[str, float]) -> Parts:
    hashes = [crc32(name.encode()) for name, _ in names]
    signed = [amount if hashed & 1 else -amount for hashed, (_, amount) in zip(hashes, names, strict=True)]
    return np.array([hashed >> 1 for hashed in hashes], np.intp), np.array(signed, np.float32)


def _joined(parts: Iterable[Parts]) -> Parts:
    places, amounts = zip(*parts, strict=True)
    return np.concatenate(places), np.concatenate(amounts)


# views are made anew for each look, of values that seldom change: what each adds is kept
@lru_cache(maxsize=1 << 16, typed=True)
def _parts(value: Any, path: str) -> Parts:
    match value:
        case msgspec.Struct():
            tag = value.__struct_config__.tag
            inner = [_parts(getattr(value, name), f"{path}.{name}") for name in value.__struct_fields__]
            return _joined([*inner, _named((f"{path}.type={tag}", 1.0))])
        case tuple():
            return _joined([_named((f"{path}#", len(value) / 8)), *(_parts(one, f"{path}[]") for one in value)])
        case bool():
            return _named((f"{path}={str(value).lower()}", 1.0))
        case None:
            return _named((f"{path}?", 1.0))
        case Enum():
            return _parts(value.value, path)
        case int() | float():
            is_small = isinstance(value, int) and 0 <= value < SMALL
            return _named((path, value / 8), *([(f"{path}={value}", 1.0)] if is_small else []))
        case str():
            return _named((f"{path}={value}", 1.0))
    raise TypeError(f"{path} is a {type(value).__name__}, and views have none")


def encode(value: msgspec.Struct, size: int) -> NDArray[np.float32]:
    """Return a view or a move as a vector of that size."""
    places, amounts = _parts(value, "")
    return np.bincount(places % size, amounts, size).astype(np.float32)


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
    return {"observation": encode(view, SIZE), "action_mask": mask, "moves": moves}

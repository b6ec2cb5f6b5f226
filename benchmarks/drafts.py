"""The events that the benchmarks of stores write: for each move as many, and as long, as in a real match."""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar

import msgspec

from domain import secrecy
from domain.secrecy import Hidden
from events.chain import Draft
from events.codec import Codec

MOVES = 16
"""Moves a match."""

SECRET = bytes(range(32))
AT = "2024-03-01T12:00:00.000Z"


class Face(msgspec.Struct, frozen=True, gc=False):
    """A card in these events."""

    back: str
    face: str


class CardDrawn(msgspec.Struct, frozen=True, gc=False):
    """The first event of a move."""

    schema: ClassVar[int] = 1
    card: Annotated[Face | None, Hidden("seat")]
    left: int
    note: str
    other: tuple[int, ...]
    seat: int


class CardPlayed(msgspec.Struct, frozen=True, gc=False):
    """The other events of a move."""

    schema: ClassVar[int] = 1
    card: Face
    note: str
    seat: int


CODEC = Codec(
    {f"bench/{cls.__name__}": (cls, cls) for cls in (CardDrawn, CardPlayed)},
    split=secrecy.secrets,
    conceal=partial(secrecy.redact, seat=None),
)
"""Decodes these events."""


def draft(number: int, move: int) -> Draft:
    """Return one event of a move, of usual length: its public part has 150 bytes; number 0 also has a secret."""
    text = f"clause-{move:06}-{number}-" + "x" * 76
    if number:
        public = b'{"card":{"back":"plain","face":"crane"},"note":"%b","seat":%d}' % (text.encode(), move % 4)
        return Draft(type="bench/CardPlayed", schema=1, public=public, secret=b"{}", actor="seat:1", move=move)
    public = b'{"card":null,"left":31,"note":"%b","other":[1,2,3],"seat":%d}' % (text.encode(), move % 4)
    secret = b'{"card":{"readers":[%d],"value":{"back":"plain","face":"crane"}}}' % (move % 4)
    return Draft(type="bench/CardDrawn", schema=1, public=public, secret=secret, actor="seat:1", move=move)


DRAFTS = tuple(tuple(draft(number, move) for number in range(4)) for move in range(MOVES))

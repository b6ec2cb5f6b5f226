"""The printed numbers, as a pack says them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from domain.game import Value
from domain.pack import read_pack
from tests.toy.high_card.components import Card


class Pack(Value, frozen=True, rename={"raise_": "raise"}):
    """The printed numbers of the game."""

    name: str
    ranks: Annotated[int, Meta(ge=1, le=100)]
    copies: Annotated[int, Meta(ge=1, le=100)]
    stake: Annotated[int, Meta(ge=1)]
    ante: Annotated[int, Meta(ge=1)]
    raise_: Annotated[int, Meta(ge=1)]
    bonus: Annotated[int, Meta(ge=0)]

    @property
    def deck(self) -> tuple[Card, ...]:
        """Every card there is. Rule: TOY-1."""
        return tuple(rank for rank in range(1, self.ranks + 1) for _ in range(self.copies))


def parse_pack(data: bytes, file: str) -> Pack:
    """The pack in a TOML file's bytes. Rule: TOY-1. Raises PackError."""
    return read_pack(data, file, Pack)

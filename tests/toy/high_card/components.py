"""The cards, the pack and the options."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from domain.game import Refusal, Value
from domain.pack import read_pack

Card = int
"""A rank, from 1. Copies are equal; a card has no identity."""

Lying = tuple[Card | None, ...]
"""Cards as somebody knows them: None is a card whose face they don't know."""

HAND = 3  # TOY-3
MOST_ROUNDS = 3  # TOY-2
DIE = 6  # TOY-7


class Phase(StrEnum):
    """What a round waits for."""

    SETTING = "setting"  # TOY-4
    RAISING = "raising"  # TOY-5
    ROLLING = "rolling"  # TOY-7
    OVER = "over"  # TOY-9


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


class Options(Value, frozen=True):
    """What a table agrees on before the match."""

    rounds: int = 2
    """From 1 to 3. Rule: TOY-2."""


def parse_pack(data: bytes, file: str) -> Pack:
    """The pack in a TOML file's bytes. Rule: TOY-1. Raises PackError."""
    return read_pack(data, file, Pack)


def check_options(options: Options, seats: int, pack: Pack) -> None:
    """Refuse what can't be played to the end. Rule: TOY-2."""
    if not 1 <= options.rounds <= MOST_ROUNDS:
        raise Refusal("TOY-2", "rounds", most=MOST_ROUNDS, rounds=options.rounds)
    if pack.stake < options.rounds * (pack.ante + pack.raise_):
        raise Refusal("TOY-2", "stake", stake=pack.stake, rounds=options.rounds)
    if len(pack.deck) < HAND * seats:
        raise Refusal("TOY-2", "deck", cards=len(pack.deck), seats=seats)

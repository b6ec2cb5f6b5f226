"""The print of stones and magic cards, and how it is read from a pack file. Rule: TT-1."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from domain.game import PackError, Value
from domain.games.ttmp.abilities import AnyEffect, ways
from domain.games.ttmp.components import ALL_DICE, CARDS, LEVELS, STONES
from domain.pack import Rulebook, Text, check_rulebook, read_pack

Copies = Annotated[int, Meta(ge=1, le=CARDS)]

WAYS = 85
"""The most ways in which all cards of a pack together can be used on the same dice. It keeps every list of legal moves
within 100."""


class StoneCard(Value, frozen=True):
    """A stone Msカード and its copies."""

    points: Annotated[int, Meta(ge=1, le=20)]
    copies: Annotated[int, Meta(ge=1, le=STONES)]
    summons: bool = False
    """Whether its holder can become summoner; one stone of the pack does this. Rule: TT-16, TT-23."""
    rulebook: Rulebook = ()


class MagicCard(Value, frozen=True):
    """A magic card Mgカード and its copies."""

    name: Text
    ja: Text
    level: Annotated[int, Meta(ge=min(LEVELS), le=max(LEVELS))]
    copies: Copies
    effect: AnyEffect
    rulebook: Rulebook = ()


class Pack(Value, frozen=True):
    """The printed cards of the game."""

    name: Text
    stones: tuple[StoneCard, ...]
    cards: tuple[MagicCard, ...]


def parse_pack(data: bytes, file: str) -> Pack:
    """Read a pack from TOML and check all of it.

    Raises:  PackError with the file, the card and the field.
    """
    pack = read_pack(data, file, Pack)
    _check_stones(pack, file)
    for level in LEVELS:
        if (count := sum(card.copies for card in pack.cards if card.level == level)) != CARDS:
            raise PackError(file, "", "cards", f"hold {CARDS} cards of level {level} (TT-1), not {count}")
    shorts: set[str] = set()
    for card in pack.cards:
        check_rulebook(card, file, card.name)
        if (short := card.name.lower().replace(" ", "_")) in shorts:
            raise PackError(file, card.name, "name", "stands on two cards")
        shorts.add(short)
        if not any(ways(card.effect, dice) for dice in ALL_DICE):
            raise PackError(file, card.name, "effect", "changes no dice")
    if (most := max(sum(len(ways(card.effect, dice)) for card in pack.cards) for dice in ALL_DICE)) > WAYS:
        raise PackError(file, "", "cards", f"can be used in {WAYS} ways at most on the same dice, not in {most}")
    return pack


def _check_stones(pack: Pack, file: str) -> None:
    seen: set[int] = set()
    for stone in pack.stones:
        entry = f"stone {stone.points}"
        check_rulebook(stone, file, entry)
        if stone.points in seen:
            raise PackError(file, entry, "points", "stand on two stones: raise the copies of one")
        seen.add(stone.points)
        if stone.summons and stone.copies > 1:
            raise PackError(file, entry, "copies", "must be 1, for there is one summoner (TT-16)")
    if (count := sum(stone.copies for stone in pack.stones)) != STONES:
        raise PackError(file, "", "stones", f"are {STONES} (TT-1), not {count}")
    if (count := sum(stone.summons for stone in pack.stones)) != 1:
        raise PackError(file, "", "stones", f"are to have one that summons (TT-16), not {count}")

"""A High Card table to tell stories at: given these cards, when somebody moves, then that is told."""

from __future__ import annotations

from typing import Any

import pytest

import tests.toy
from domain import matches, play
from domain.catalogue import Catalogue
from domain.chance import Scripted
from domain.game import Refusal
from domain.matches import Cause, Match
from domain.play import Told
from domain.secrecy import unseen
from tests.toy.high_card.components import Options
from tests.toy.high_card.moves import SetAside

ROOM = Catalogue((tests.toy,)).rooms["high-card"]
GAME = ROOM.game
SECRET = "5e" * 32
NONCE = "0a" * 32
OTHER = "0b" * 32

NO_PAIRS = ((6, 5, 1), (4, 3, 2))
"""Two hands that leave no pair whatever is set aside."""
PAIRS = ((6, 6, 1), (5, 5, 2))
"""Two hands that leave a pair when the lowest card is set aside."""


def opened(seats: int = 2, rounds: int = 1) -> tuple[Told, Match[Any]]:
    """What is told when a match is opened, and the match."""
    found, options = ROOM.packs["house"], Options(rounds=rounds)
    return play.open_match(
        GAME, found.pack, pack_name="house", pack_hash=found.hash, seats=seats, options=options, secret=SECRET
    )


def open_match(seats: int = 2, rounds: int = 1) -> Match[Any]:
    """A match that nobody has joined."""
    return opened(seats, rounds)[1]


def fold(state: Match[Any], told: tuple[Told, ...]) -> Match[Any]:
    """The match after what was told."""
    return matches.fold(GAME, state, [one.event for one in told])


def deck_of(hands: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """All cards of the house pack, these hands on top."""
    return (*sum(hands, ()), *unseen(ROOM.packs["house"].pack.deck, *hands))


def start_match(hands: tuple[tuple[int, ...], ...], rounds: int = 1) -> Match[Any]:
    """A match at its first decisions, these hands dealt."""
    state = open_match(len(hands), rounds)
    for seat in range(len(hands)):
        state = fold(state, play.take_seat(GAME, state, seat, dice_of=lambda _: scripted(deck_of(hands))))
    return state


def scripted(*script: int | tuple[object, ...]) -> play.Dice:
    """The same few draws, in order, whatever the number of the move."""
    chance = Scripted(*script)
    return lambda _: chance


def refused(code: str, **fields: Any) -> Any:
    """Expect a refusal of that code, which tells these fields."""
    return pytest.raises(
        Refusal, check=lambda refusal: refusal.code == code and fields.items() <= refusal.fields.items()
    )


def move(state: Match[Any], seat: int, made: Any, *draws: Any, cause: Cause = Cause.SEAT) -> tuple[Told, ...]:
    """What is told when the seat answers its open decision."""
    return play.played(GAME, state, seat, matches.decision_of(GAME, state, seat), made, scripted(*draws), cause)[0]


def raising(hands: tuple[tuple[int, ...], ...] = PAIRS) -> Match[Any]:
    """Everybody has set their last card aside, and somebody is left with a pair."""
    state = start_match(hands)
    for seat, hand in enumerate(hands):
        state = fold(state, move(state, seat, SetAside(card=hand[-1])))
    return state


def sealed(state: Match[Any], seat: int, made: Any) -> Match[Any]:
    """The match with the seat's answer on top, under a made-up hash."""
    told = play.seal(GAME, state, seat, matches.decision_of(GAME, state, seat), made)
    return matches.answered(GAME, state, seat, told.event, f"{seat:02x}" * 32)


def names(told: tuple[Told, ...]) -> list[str]:
    """The classes of the events, in order."""
    return [type(one.event).__name__ for one in told]

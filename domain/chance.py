"""Chance comes in as a port: verifiable for matches, seeded and fast for simulation, scripted for tests.

docs/log.md tells the verifiable stream byte by byte, so that anybody can draw again what was drawn.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from functools import lru_cache
from hashlib import sha256
from hmac import digest
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

WORDS = 1 << 32


class Chance(ABC):
    """The dealer's hand, the dice and the hat. One `Chance` serves one move, all its draws in order."""

    __slots__ = ()

    @abstractmethod
    def below(self, k: int) -> int:
        """An integer from 0 to k - 1, each as likely. k is from 1 to 2**32."""

    def roll(self, sides: int = 6) -> int:
        """A die: from 1 to `sides`."""
        return self.below(sides) + 1

    def choose(self, items: tuple[T, ...]) -> T:
        """One of the items, which are at least one."""
        return items[self.below(len(items))]

    def shuffle(self, items: tuple[T, ...]) -> tuple[T, ...]:
        """The items in an order drawn by Fisher-Yates, from the last index down to 1."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)


_eight_words = Struct(">8I").unpack


class Verifiable(Chance):
    """The stream of move `n`: HMAC-SHA256(seed, n ":" block), block = 0, 1, ..., read as big-endian 32-bit words."""

    __slots__ = ("_block", "_move", "_seed", "_words")

    def __init__(self, seed: bytes, move: int) -> None:
        self._seed = seed
        self._move = move
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            block = digest(self._seed, f"{self._move}:{self._block}".encode(), "sha256")
            self._block += 1
            self._words = list(_eight_words(block)[::-1])
        return self._words.pop()

    def below(self, k: int) -> int:
        """Words at or above the largest multiple of k are skipped, so that no value is likelier."""
        if not 0 < k <= WORDS:
            raise ValueError(f"one word draws below 1 to {WORDS}, not below {k}")
        limit = WORDS // k * k
        while (word := self._word()) >= limit:
            pass
        return word % k


@lru_cache(maxsize=1 << 8)
def _lengths(count: int) -> tuple[tuple[int, int], ...]:
    """From the last index down to 1: the index, and how many bits count up to it."""
    return tuple((i, (i + 1).bit_length()) for i in range(count - 1, 0, -1))


class Simulation(Chance):
    """Seeded and fast, for bots that play thousands of games; one serves a whole game."""

    __slots__ = ("_bits", "below_one")

    def __init__(self, seed: int | str) -> None:
        source = random.Random(seed)
        self.below_one = source.random
        self._bits = source.getrandbits

    def below(self, k: int) -> int:
        draw = self.below_one
        return int(draw() * k)

    def choose(self, items: tuple[T, ...]) -> T:
        draw = self.below_one
        return items[int(draw() * len(items))]

    def shuffle(self, items: tuple[T, ...]) -> tuple[T, ...]:
        """What `random.shuffle` does, in half its time: bits are drawn until they are no more than the index."""
        order, bits = list(items), self._bits
        for i, length in _lengths(len(order)):
            while (j := bits(length)) > i:
                pass
            order[i], order[j] = order[j], order[i]
        return tuple(order)


class Scripted(Chance):
    """For tests: an int is what `below` answers next (`roll`: one more), a tuple what `shuffle` lays out next."""

    __slots__ = ("_script",)

    def __init__(self, *script: int | tuple[object, ...]) -> None:
        self._script = list(script)

    def _next(self) -> int | tuple[object, ...]:
        assert self._script, "the script is at its end, and the game draws on"
        return self._script.pop(0)

    def below(self, k: int) -> int:
        drawn = self._next()
        assert isinstance(drawn, int), f"the script shuffles where the game draws: {drawn}"
        assert 0 <= drawn < k, f"the script says {drawn}, the game draws below {k}"
        return drawn

    def shuffle(self, items: tuple[T, ...]) -> tuple[T, ...]:
        order = self._next()
        assert isinstance(order, tuple), f"the script draws {order} where the game shuffles"
        assert sorted(map(repr, order)) == sorted(map(repr, items)), "the script shuffles other things"
        return order  # type: ignore[return-value]  # the assertion above: the same things in another order

    @property
    def is_spent(self) -> bool:
        """Whether everything scripted was drawn."""
        return not self._script


def committed(secret: bytes) -> bytes:
    """What the opening event shows of the match's secret: SHA-256 of its 32 raw bytes."""
    return sha256(secret).digest()


def server_nonce(secret: bytes, seat: int) -> bytes:
    """The nonce of a seat that brought none."""
    return digest(secret, f"nonce:{seat}".encode(), "sha256")


def seed(secret: bytes, nonces: tuple[bytes, ...]) -> bytes:
    """The seed of a match from its secret and its seats' nonces in seat order; b"" stands for none brought."""
    brought = (nonce or server_nonce(secret, seat) for seat, nonce in enumerate(nonces))
    return digest(secret, b"seed:" + b"".join(brought), "sha256")

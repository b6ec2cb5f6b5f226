"""Chance as a port: verifiable for matches, seeded and fast for simulation, scripted for tests.

docs/log.md describes the verifiable stream byte by byte, so that anybody can repeat its draws.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from hmac import digest
from struct import Struct
from typing import Any, TypeVar

T = TypeVar("T")

WORDS = 1 << 32


class Chance(ABC):
    """A source of random numbers. One `Chance` serves all draws of one move, in order."""

    __slots__ = ()

    @abstractmethod
    def below(self, k: int) -> int:
        """Return an integer from 0 to k - 1, each with the same probability. k is from 1 to 2**32."""

    def roll(self, sides: int = 6) -> int:
        """Return the result of a die: from 1 to `sides`."""
        return self.below(sides) + 1

    def choose(self, items: tuple[T, ...]) -> T:
        """Return one of the items. There must be at least one."""
        return items[self.below(len(items))]

    def shuffle(self, items: tuple[T, ...]) -> tuple[T, ...]:
        """Return the items in an order drawn by Fisher-Yates, from the last index down to 1."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)


_eight_words = Struct(">8I").unpack


@lru_cache(maxsize=1 << 8)
def _pads(seed: bytes) -> tuple[bytes, bytes]:
    """Return the pads that HMAC-SHA256 puts before the message and before its hash (RFC 2104), given 32 bytes."""
    key = seed.ljust(64, b"\0")
    return bytes(byte ^ 0x36 for byte in key), bytes(byte ^ 0x5C for byte in key)


def _words(seed: bytes, move: int) -> Iterator[int]:
    inner, outer = _pads(seed)
    # replaying a log spends its time here, and two calls of sha256 take half as long as one of hmac.digest
    block = 0
    while True:
        yield from _eight_words(sha256(outer + sha256(inner + b"%d:%d" % (move, block)).digest()).digest())
        block += 1


class Verifiable(Chance):
    """The stream of move `n`: HMAC-SHA256(seed, n ":" block), block = 0, 1, ..., read as big-endian 32-bit words."""

    __slots__ = ("_words",)

    def __init__(self, seed: bytes, move: int) -> None:
        self._words = _words(seed, move)

    def below(self, k: int) -> int:
        """Return an integer below k. Words from the largest multiple of k on are skipped: so all are equally likely.

        Raises:  ValueError unless k is from 1 to WORDS.
        """
        if not 0 < k <= WORDS:
            raise ValueError(f"one word draws below 1 to {WORDS}, not below {k}")
        limit, words = WORDS // k * k, self._words
        while (word := next(words)) >= limit:
            pass
        return word % k


@lru_cache(maxsize=1 << 8)
def _lengths(count: int) -> tuple[tuple[int, int], ...]:
    """Return for each index, from the last down to 1, the index and the number of bits that count up to it."""
    return tuple((i, (i + 1).bit_length()) for i in range(count - 1, 0, -1))


class Simulation(Chance):
    """Seeded and fast chance, for bots that play thousands of games. One serves a whole game."""

    __slots__ = ("_bits", "_seed", "below_one")

    below_one: Callable[[], float]
    _bits: Callable[[int], int]

    def __init__(self, seed: int | str) -> None:
        self._seed = seed

    def __getattr__(self, name: str) -> Any:
        """Seed at the first draw: most moves that a bot tries draw nothing, and seeding takes longer than a draw."""
        if name not in self.__slots__:
            raise AttributeError(name)
        source = random.Random(self._seed)
        self.below_one = source.random
        self._bits = source.getrandbits
        return getattr(self, name)

    def below(self, k: int) -> int:
        draw = self.below_one
        return int(draw() * k)

    def choose(self, items: tuple[T, ...]) -> T:
        draw = self.below_one
        return items[int(draw() * len(items))]

    def shuffle(self, items: tuple[T, ...]) -> tuple[T, ...]:
        """Do what `random.shuffle` does, in half its time: draw bits until they are at most the index."""
        order, bits = list(items), self._bits
        for i, length in _lengths(len(order)):
            while (j := bits(length)) > i:
                pass
            order[i], order[j] = order[j], order[i]
        return tuple(order)


class Scripted(Chance):
    """Chance for tests: it returns what the script holds for `below` and `shuffle`; a `roll` is one more."""

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
        """Whether everything in the script was drawn."""
        return not self._script


def server_nonce(secret: bytes, seat: int) -> bytes:
    """Return the nonce of a seat whose player brought none."""
    return digest(secret, f"nonce:{seat}".encode(), "sha256")


def seed(secret: bytes, nonces: tuple[bytes, ...]) -> bytes:
    """Return a match's seed from its secret and its seats' nonces in seat order; b"" is a nonce not brought."""
    completed = (nonce or server_nonce(secret, seat) for seat, nonce in enumerate(nonces))
    return digest(secret, b"seed:" + b"".join(completed), "sha256")

"""Chance: the verifiable stream against the formulas of docs/log.md, the fast one and the scripted one."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import random
import struct
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import chance
from domain.chance import Chance, Scripted, Simulation, Verifiable
from tests.rows import each

SEED = bytes(range(32))


def words(seed: bytes, move: int, blocks: int) -> list[int]:
    """The stream of a move, by its formula."""
    stream = b"".join(
        hmac.new(seed, str(move).encode() + b":" + str(block).encode(), hashlib.sha256).digest()
        for block in range(blocks)
    )
    return list(struct.unpack(f">{len(stream) // 4}I", stream))


class Words(Chance):
    """The rule of docs/log.md over given words, written once more: skip what is too large, then take the rest."""

    def __init__(self, words: list[int]) -> None:
        self.words = iter(words)

    def below(self, k: int) -> int:
        top = (2**32 // k) * k
        return next(word for word in self.words if word < top) % k


def test_a_moves_stream_is_that_of_the_formula_across_blocks() -> None:
    for move in each(0, 1, 17, 1000):
        stream = Verifiable(SEED, move)
        assert [stream.below(2**32) for _ in range(40)] == words(SEED, move, 5)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 10**6), st.lists(st.integers(1, 2**32), max_size=40))
def test_draws_are_words_modulo_k_and_words_too_large_are_skipped(seed: bytes, move: int, bounds: list[int]) -> None:
    stream, naive = Verifiable(seed, move), Words(words(seed, move, 40))
    assert [stream.below(k) for k in bounds] == [naive.below(k) for k in bounds]


def test_a_word_at_or_above_the_largest_multiple_of_k_is_skipped_and_one_just_below_taken() -> None:
    drawn = words(SEED, 3, 1)
    k = drawn[0]  # 2**32 // k * k is at most this word, or k is small enough to be drawn
    assert k > 2**31, "the case needs a first word in the upper half"
    assert 2**32 // k * k == k
    assert Verifiable(SEED, 3).below(k) == next(word for word in drawn if word < k)
    assert Verifiable(SEED, 3).below(k + 1) == k


def test_the_verifiable_stream_draws_below_1_to_2_to_the_32nd_only() -> None:
    for k in each(0, -1, 2**32 + 1):
        with pytest.raises(ValueError, match="below"):
            Verifiable(SEED, 0).below(k)


def test_a_shuffle_goes_from_the_last_index_down() -> None:
    drawn = words(SEED, 0, 2)
    order = list("abcdefgh")
    for i, word in zip(range(7, 0, -1), drawn, strict=False):
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    assert Verifiable(SEED, 0).shuffle(tuple("abcdefgh")) == tuple(order)


def test_rolls_and_choices_take_one_word_each_and_a_shuffle_of_nothing_or_of_one_none() -> None:
    drawn = words(SEED, 5, 1)
    stream = Verifiable(SEED, 5)
    assert (stream.shuffle(()), stream.shuffle(("a",))) == ((), ("a",))
    assert stream.roll() == drawn[0] % 6 + 1
    assert stream.roll(20) == drawn[1] % 20 + 1
    assert stream.choose(("a", "b", "c")) == "abc"[drawn[2] % 3]


def test_every_order_comes_from_exactly_one_row_of_draws() -> None:
    """Fisher-Yates over every row of draws that there is: each of the 24 orders once, so none is likelier."""
    rows = itertools.product(range(4), range(3), range(2))
    orders = Counter(Words(list(row)).shuffle(tuple("abcd")) for row in rows)
    assert orders == Counter(itertools.permutations("abcd"))


def test_a_script_refuses_what_the_game_does_not_draw() -> None:
    for script, draw, message in each(
        (((1, 2),), 2, "shuffles where the game draws"),
        ((1,), (1, 2), "draws 1 where the game shuffles"),
        *(((drawn,), 3, "the game draws below 3") for drawn in (-1, 3, 4)),
        *(((order,), (1, 2, 3), "other things") for order in ((1, 2), (1, 2, 4), (1, 2, 3, 3))),
        ((), 2, "the script is at its end"),
        ((), (1, 2), "the script is at its end"),
    ):
        with pytest.raises(AssertionError, match=message):
            Scripted(*script).shuffle(draw) if isinstance(draw, tuple) else Scripted(*script).below(draw)


def test_simulation_repeats_itself_by_seed() -> None:
    def drawn(seed: int | str) -> list[object]:
        one = Simulation(seed)
        return [one.below(60), one.roll(), one.choose(("a", "b", "c")), one.shuffle(tuple(range(30)))]

    assert drawn(7) == drawn(7)
    assert drawn("a") == drawn("a")
    assert drawn(7) != drawn(8)
    with pytest.raises(AttributeError):
        _ = Simulation(7).other


@given(st.integers(), st.integers(1, 100), st.lists(st.integers(), max_size=20))
def test_simulation_draws_within_bounds_and_loses_nothing(seed: int, k: int, items: list[int]) -> None:
    one = Simulation(seed)
    assert 0 <= one.below(k) < k
    assert 1 <= one.roll(k) <= k
    assert Counter(one.shuffle(tuple(items))) == Counter(items)


@given(st.integers(), st.lists(st.integers(), max_size=70))
def test_simulation_shuffles_as_the_standard_library_does(seed: int, items: list[int]) -> None:
    shuffled = Simulation(seed).shuffle(tuple(items))
    random.Random(seed).shuffle(items)
    assert shuffled == tuple(items)


def test_a_script_is_drawn_in_order_and_then_spent() -> None:
    script = Scripted(2, ("b", "a"), 5, 0)
    assert not script.is_spent
    assert script.below(3) == 2
    assert script.shuffle(("a", "b")) == ("b", "a")
    assert script.roll() == 6
    assert script.choose(("x", "y")) == "x"
    assert script.is_spent


def test_the_seed_comes_from_the_secret_and_the_nonces_in_seat_order() -> None:
    nonce_1 = hmac.new(SEED, b"nonce:1", hashlib.sha256).digest()
    assert chance.server_nonce(SEED, 1) == nonce_1, "a seat without one gets one from the secret"
    message = b"seed:" + b"\x01" * 32 + nonce_1 + b"\x03" * 32
    assert chance.seed(SEED, (b"\x01" * 32, b"", b"\x03" * 32)) == hmac.new(SEED, message, hashlib.sha256).digest()

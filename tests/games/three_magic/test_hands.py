"""Winning and ready hands, against a search that is slow and plain."""

from __future__ import annotations

from collections import Counter
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.three_magic.components import DECK, Card, Cards, face_of
from domain.games.three_magic.rules.claims import arrangements, is_won_with, ready_without, waits
from tests.games.three_magic.table import card, cards
from tests.games.three_magic.test_cards import is_spell_by_the_book

KINDS = sorted(set(DECK))


@cache
def spells() -> list[tuple[Card, Card, Card]]:
    """Every three cards that are a spell, in their order."""
    return [(a, b, c) for a in KINDS for b in KINDS for c in KINDS if is_spell_by_the_book((a, b, c))]


def is_won(nine: Cards) -> bool:
    """3M-9 word for word, for what is left of nine cards after pledges."""
    return all(is_spell_by_the_book((nine[i], nine[i + 1], nine[i + 2])) for i in range(0, len(nine), 3))


def winning_places(hand: Cards, one: Card) -> list[int]:
    return [at for at in range(len(hand) + 1) if is_won((*hand[:at], one, *hand[at:]))]


@st.composite
def hands(draw: st.DrawFn) -> Cards:
    """Hands near to winning: spells less a card, perhaps with a card exchanged."""
    count = draw(st.integers(1, 3))
    nine = [card for _ in range(count) for card in draw(st.sampled_from(spells()))]
    del nine[draw(st.integers(0, len(nine) - 1))]
    if draw(st.booleans()):
        nine[draw(st.integers(0, len(nine) - 1))] = draw(st.sampled_from(KINDS))
    return tuple(nine)


@settings(max_examples=150, deadline=None)
@given(hands())
def test_3m_9_waits_are_the_cards_that_win_somewhere(hand: Cards) -> None:
    found = {face for face in range(15) if waits(hand) >> face & 1}
    assert found == {face_of(one) for one in KINDS if winning_places(hand, one)}


@settings(max_examples=60, deadline=None)
@given(hands(), st.sampled_from(KINDS))
def test_3m_10_arrangements_are_all_winning_places(hand: Cards, one: Card) -> None:
    found = list(arrangements(hand, one))
    assert sorted(at for at, _ in found) == winning_places(hand, one)
    assert is_won_with(hand, one) == bool(found)
    for at, spells in found:
        assert sum(spells, ()) == (*hand[:at], one, *hand[at:])


@settings(max_examples=150, deadline=None)
@given(hands(), st.integers(0, 8), st.sampled_from(KINDS))
def test_3m_19_the_discards_that_leave_a_ready_hand_are_found(hand: Cards, at: int, one: Card) -> None:
    held = (*hand[:at], one, *hand[at:])
    plain = [i for i in range(len(held)) if any(winning_places(held[:i] + held[i + 1 :], kind) for kind in KINDS)]
    assert list(ready_without(held)) == plain


def test_3m_9_the_cards_must_stand_adjacent_and_in_order() -> None:
    assert is_won_with(cards("火1 火2 火3 水4 水4* 水4* 木0 木1"), card("木2"))
    assert not is_won_with(cards("火1 火3 火2 水4 水4* 水4* 木0 木1"), card("木2"))
    assert not is_won_with(cards("火1 火2 水4 火3 水4* 水4* 木0 木1"), card("木2"))


def test_3m_9_a_hand_may_wait_for_a_card_of_which_no_copy_is_left() -> None:
    hand = cards("火0 火0 火0 水4 水4* 水4* 火0 火1")
    assert waits(hand) >> face_of(card("火2")) & 1
    hand = cards("水0 水0 木0 木0 木0 火0 火0 火0")
    assert Counter(hand)[card("水0")] == 2
    assert waits(hand) == 1 << face_of(card("水0"))

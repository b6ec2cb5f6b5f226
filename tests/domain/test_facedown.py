"""Cards that lie face down: what is known of them, and what becomes of it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.chance import Simulation
from domain.secrecy import face, faces, fill, find, known, shuffled, unseen, without
from tests.rows import each

cards = st.integers(1, 4)
truths = st.lists(cards, max_size=8).map(tuple)


@st.composite
def lying(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int | None, ...], tuple[int | None, ...]]:
    """Cards as they are, as a viewer knew them, and as an event told them to that viewer."""
    truth = draw(truths)
    before, told = (
        tuple(card if draw(st.booleans()) else None for card in truth),
        tuple(card if draw(st.booleans()) else None for card in truth),
    )
    return truth, before, told


def test_a_told_face_fills_an_unknown_one_in_and_a_known_one_stays_known() -> None:
    for before, told, after in each(
        (None, 3, 3), (3, None, 3), (3, 3, 3), (None, None, None), (None, 0, 0), (0, None, 0)
    ):
        assert face(before, told) == after
    assert faces((1, None, None), (None, 2, None)) == (1, 2, None)
    for act, message in each(
        (lambda: face(0, 1), "1 is told where 0 lies"),
        (lambda: face(3, 4), "4 is told where 3 lies"),
        (lambda: faces((None, 3), (2, 4)), "4 is told where 3 lies"),
        *(
            (lambda told=told: faces((1, 2), told), f"{len(told)} cards are told where 2 lie")
            for told in [(1,), (1, 2, 3), ()]
        ),
    ):
        with pytest.raises(ValueError, match=message):
            act()


@given(lying())
def test_what_is_known_after_telling_is_what_was_known_before_or_is_told(
    case: tuple[tuple[int, ...], tuple[int | None, ...], tuple[int | None, ...]],
) -> None:
    truth, before, told = case
    after = faces(before, told)
    assert [card is None for card in after] == [a is None and b is None for a, b in zip(before, told, strict=True)]
    assert all(card in {None, true} for card, true in zip(after, truth, strict=True))
    assert faces(truth, told) == truth, "the truth learns nothing"


def test_after_shuffling_only_what_is_told_is_known_and_neither_number_nor_kinds_change() -> None:
    for before, told in each(((1, 2, 3), (None,) * 3), ((None,) * 3, (2, 3, 1)), ((1, 2, 2), (2, 1, 2))):
        assert shuffled(before, told) == told
    for before, told, message in each(
        ((1, 2, 3), (1, 2), "2 cards are told where 3 were shuffled"), ((1, 2, 2), (1, 1, 2), "were shuffled")
    ):
        with pytest.raises(ValueError, match=message):
            shuffled(before, told)


def test_a_card_is_taken_from_where_it_is_known_to_lie_before_where_it_may_lie() -> None:
    assert find((None, 2, 3, 3), 3) == 2
    assert find((2, None, None), 3) == 1
    assert find((2, None), None) == 1
    assert without((None, 2, 3, 3), 3) == (None, 2, 3)
    assert without((2, None, None), 3) == (2, None)


def test_a_card_that_can_lie_nowhere_there_is_not_taken() -> None:
    for take in (find, without):
        for zone in ((), (1, 2)):
            with pytest.raises(ValueError, match="3 is told where there is none"):
                take(zone, 3)
    with pytest.raises(ValueError, match="None is told"):
        find((1, 2), None)


@given(truths.filter(bool), st.data())
def test_who_knows_all_cards_and_who_knows_none_lose_one_alike(truth: tuple[int, ...], data: st.DataObject) -> None:
    card = data.draw(st.sampled_from(truth))
    left = without(truth, card)
    assert Counter(left) == Counter(truth) - Counter([card])
    assert len(without((None,) * len(truth), card)) == len(left)


def test_who_knows_all_cards_reads_them_as_they_lie() -> None:
    hand: tuple[int | None, ...] = (3, 1)
    assert known(hand) is hand


def test_unseen_is_the_rest_of_the_deck_in_the_decks_order_copies_side_by_side() -> None:
    assert unseen((3, 1, 3, 2, 1), (None, 1), (None,), ()) == (3, 3, 1, 2)
    assert unseen((3, 1, 3), (3, 3, 1)) == ()
    assert unseen("abca") == ("a", "a", "b", "c")


def test_unknown_places_are_filled_in_order_while_cards_are_left() -> None:
    left = iter((7, 8, 9))
    assert fill((1, None, 2, None), left) == (1, 7, 2, 8)
    assert fill((None,), left) == (9,)
    assert fill((1, 2), left) == (1, 2)
    for unknown in ((None, None), (None,)):
        with pytest.raises(ValueError, match="fewer cards are left than lie unknown"):
            fill(unknown, iter((7,)[2 - len(unknown) :]) if len(unknown) == 1 else iter((7,)))


@given(lying(), st.integers())
def test_what_is_unseen_fills_what_is_unknown_to_the_whole_deck(
    case: tuple[tuple[int, ...], tuple[int | None, ...], tuple[int | None, ...]], seed: int
) -> None:
    truth, before, _ = case
    left = iter(Simulation(seed).shuffle(unseen(truth, before)))
    laid = fill(before, left)
    assert Counter(laid) == Counter(truth)
    assert faces(laid, before) == laid
    assert not tuple(left)

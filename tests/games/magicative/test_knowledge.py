"""Who knows which cards: hands, cards taken openly, what Fate showed. Rules MG-3, MG-7, MG-8, MG-11, MG-15, MG-19."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games.magicative import GAME, events
from domain.games.magicative.components import number_of
from domain.games.magicative.moves import Arrange, Discard, Give, Put, Swap, Take
from domain.games.magicative.state import Hand
from domain.games.magicative.view import show_card
from tests.games.magicative.table import ALCHEMY, FATE, PAST, Play, Viewer, card, cards, given, hand_of, won
from tests.laws.secrecy import an_imagined_state_looks_the_same_to_its_seat
from tests.laws.table import play_match
from tests.rows import each


def shown(play: Play, viewer: Viewer, seat: int) -> tuple[list[int | None], int]:
    """The cards of a hand that a viewer is shown, and how many they don't know; from what they were told."""
    view = GAME.view(play.seen[viewer], viewer)
    assert view == GAME.view(play.table, viewer)
    hand = view.places[seat].hand
    known = [None if one is None else number_of(one.card) for one in hand]
    return [number for number in known if number is not None], known.count(None)


def test_mg_8_a_card_taken_openly_is_known_until_one_of_its_kind_is_played() -> None:
    for hand, discards, left in each(("M1 M2", "S5 M6", 1), ("M1 M6", "M6", 1)):
        play = given(hand, "A1", "A2", rows=("", discards, "S5")).watched().move(0, Swap(1), Give(card("M1")))
        for viewer in (1, 2, None):
            assert shown(play, viewer, 0) == ([6], left)
        assert shown(play, 0, 0)[1] == 0
        play.move(0, Discard(card("M6")))
        assert shown(play, 2, 0) == ([], left)


def test_mg_15_cards_taken_from_the_row_by_past_are_known_if_need_be_all_of_the_hand() -> None:
    for hand, unknown in each(("M1 M2 M5 M7", 1), ("M1 M2 M5", 0)):
        play = given(hand, "A1", rows=("S1 S2 S3 S4", "")).watched()
        play.move(0, PAST, *map(Put, cards("M1 M2 M5")), Take(3), Take(3), Take(3))
        assert shown(play, 1, 0) == ([1, 2, 3], unknown)
        assert (play.seen[1].places[0].hand.secret == 0) is (unknown == 0)


def looked(seats: tuple[str, ...] = ("M1", "A1", "A2")) -> Play:
    """Seat 0 has arranged S1 to S5 on the deck, from the top, and drawn two of them."""
    play = given(*seats, is_start=True, deck="S1 S2 S3 S4 S5 M6 M7").watched()
    return play.move(0, FATE, *map(Arrange, cards("S1 S2 S3 S4")))


def test_mg_15_fates_user_knows_the_cards_that_lie_on_the_deck() -> None:
    play = looked()
    assert GAME.view(play.seen[0], 0).top == tuple(map(show_card, cards("S3 S4 S5")))
    assert play.seen[0].deck[:4] == (*cards("S3 S4 S5"), None)
    for viewer in (1, 2, None):
        assert GAME.view(play.seen[viewer], viewer).top == ()
        assert GAME.view(play.seen[viewer], viewer).known == (0,)
        assert set(play.seen[viewer].deck) == {None}


def test_mg_15_what_others_are_told_of_fate_is_how_many_cards_it_looked_at() -> None:
    play = given("M1", "A1", is_start=True, deck="S1 S2 S3 S4 S5").watched().move(0, FATE)
    assert play.seen[0].deck[:5] == cards("S1 S2 S3 S4 S5")
    play.move(0, Arrange(card("S5")))
    assert play.seen[0].deck[:5] == cards("S5 S1 S2 S3 S4")
    assert play.seen[1].deck[:5] == (None,) * 5
    assert GAME.legal(play.seen[1], 0) == ()
    assert GAME.view(play.seen[1], 1).work.done == 1


def test_mg_15_fates_user_knows_in_whose_hand_the_cards_came() -> None:
    play = looked().move(0, Discard(card("M1")))
    assert shown(play, 0, 1) == ([3, 4], 1)
    assert shown(play, 2, 1) == ([], 3)
    assert shown(play, None, 1) == ([], 3)
    assert GAME.view(play.table, 0).top == tuple(map(show_card, cards("S5")))
    play.move(1, Discard(card("S3")))
    assert shown(play, 0, 1) == ([4], 1)
    assert shown(play, 0, 2) == ([5], 2)
    assert GAME.view(play.table, 0).known == ()
    play.move(2, Discard(card("A2")))
    assert shown(play, 0, 2) == ([5], 1)


def test_mg_15_a_traced_card_that_is_one_of_two_leaves_first() -> None:
    play = looked(("M1", "S3", "A2")).move(0, Discard(card("M1")))
    assert shown(play, 0, 1) == ([3, 4], 1)
    play.move(1, Discard(card("S3")))
    assert shown(play, 0, 1) == ([4], 1)
    assert play.hand(1) == cards("S3 S4")


def test_mg_19_a_shuffle_makes_the_deck_unknown_again() -> None:
    play = given("M1 M2", "A1", rows=("M3 M4 M5", "A3 A4 A5"), is_start=True, deck="S1 S2 S3", left=3).watched()
    play.move(0, FATE, *map(Arrange, cards("S1 S2"))).move(0, Discard(card("M1")))
    assert len(play.of(events.DeckReshuffled)) == 1
    assert None not in play.table.deck
    for viewer in (0, 1, None):
        assert set(play.seen[viewer].deck) == {None}
        assert GAME.view(play.seen[viewer], viewer).top == ()
    assert shown(play, 0, 1) == ([3], 2)


# told is not what lies there


def test_mg_8_what_is_told_other_than_it_lies_is_an_error() -> None:
    for event in each(
        events.CardsDrawn(0, cards("S2 S1")),
        events.CardDiscarded(0, card("M7")),
        events.CardsSwapped(0, 1, card("M1"), card("S1")),
        events.PastTaken(0, 0, card("A1")),
        events.AptitudesShown(0, cards("M4"), 0),
        events.AptitudesShown(0, cards("A3"), 0),
        events.AptitudesShown(0, (), 0),
        events.AptitudeTaken(0, ALCHEMY, 7),
        events.DeckReshuffled(cards("A6 A7")),
        events.DeckReshuffled((None,)),
    ):
        has = {0: won(aptitudes="M3")}
        play = given("M1 M2", "A1", rows=("A3 A4", "A5 A6"), deck="S1 S2", has=has, aptitudes=((), (5,), ()))
        with pytest.raises(ValueError, match=r"told where|shown where|shuffled than"):
            GAME.evolve(play.table, event)


def test_mg_15_a_card_that_cannot_have_been_in_the_hand_is_an_error() -> None:
    discarded = events.CardDiscarded(1, card("S7"))
    play = looked().move(0, Discard(card("M1"))).move(1, Discard(card("A1")))
    assert shown(play, 0, 1) == ([3, 4], 0)
    with pytest.raises(ValueError, match="other cards are known to be"):
        GAME.evolve(play.seen[0], discarded)
    assert GAME.evolve(play.seen[2], discarded).places[1].row == cards("A1 S7")
    play = looked(("M1", "", "A2")).move(0, Discard(card("M1")))
    assert shown(play, 0, 1) == ([3, 4], 0)
    empty = given("M1", "").watched()
    unknown = Hand(hidden=0, taken=hand_of("M1").secret or 0, secret=None, traced=None)
    none_left = replace(empty.table, places=(empty.place(0), replace(empty.place(1), hand=unknown)))
    for table, why in each(
        (play.seen[0], "known not to be"), (empty.seen[0], "known not to be"), (none_left, "no card is left")
    ):
        with pytest.raises(ValueError, match=why):
            GAME.evolve(table, discarded)


def test_mg_15_what_fate_seems_worth_does_not_come_from_cards_that_its_user_does_not_see() -> None:
    """In this match Fate is used shortly before the goal, and once it was judged by the deck as it truly lay."""
    an_imagined_state_looks_the_same_to_its_seat(play_match(GAME.slug, 23, "greedy"))

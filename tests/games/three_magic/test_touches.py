"""By which touches a move is made, and what is said of a touch that makes none."""

from __future__ import annotations

from domain.game import Seat
from domain.games.three_magic import GAME
from domain.games.three_magic.moves import Discard, DiscardDrawn, Insert, Pass, Pledge, Ron, ThreeMagicMove, Tsumo
from domain.scene import Touches
from tests.games.three_magic.table import (
    NOTHING_A,
    NOTHING_B,
    READY,
    Play,
    at_deal,
    cards,
    drawn_in_reach,
    given,
    manager_wins,
    reach,
    seen_by,
    water_2_is_claimed,
)


def paths(play: Play, seat: Seat) -> dict[ThreeMagicMove, Touches]:
    """By which touches the seat makes each of its moves, as far as it knows the table."""
    seen = seen_by(seat, play.table)
    return {move: GAME.touches(seen, seat, move) for move in GAME.legal(seen, seat)}


def meant(play: Play, seat: Seat, touched: str) -> tuple[ThreeMagicMove, ...]:
    moves: tuple[ThreeMagicMove, ...] = GAME.meant(seen_by(seat, play.table), seat, touched)
    return moves


def said(play: Play, seat: Seat, touched: str) -> tuple[str, str]:
    """Clause and code of what is said of a touch: why the likeliest move it may have meant is not possible."""
    return play.refusal(seat, meant(play, seat, touched)[0])


def drawn() -> Play:
    return given(NOTHING_A, NOTHING_B, wall="水3*")


def test_3m_7_the_drawn_card_is_touched_and_then_the_card_before_which_it_goes_or_the_right_end() -> None:
    assert paths(drawn(), 0) == {
        **{Insert(at): ("seat.0/hand/drawn", f"seat.0/hand/{at}") for at in range(8)},
        Insert(8): ("seat.0/hand/drawn", "seat.0/hand/end"),
    }


def test_3m_7_a_discard_is_one_touch() -> None:
    assert paths(drawn().move(0, Insert(3)), 0) == {Discard(at): (f"seat.0/hand/{at}",) for at in range(9)}


def test_3m_19_a_discard_that_may_carry_reach_ends_with_a_button_either_way() -> None:
    play = given(READY, NOTHING_A, NOTHING_B, wall="火0").move(0, Insert(8))
    assert paths(play, 0) == {
        **{Discard(at): (f"seat.0/hand/{at}",) for at in range(8)},
        Discard(8): ("seat.0/hand/8", "do/discard"),
        Discard(8, reach=True): ("seat.0/hand/8", "do/reach"),
    }


def test_3m_20_in_reach_the_drawn_card_is_discarded_by_one_touch_unless_it_wins() -> None:
    assert paths(drawn_in_reach(), 0) == {DiscardDrawn(): ("seat.0/hand/drawn",), Tsumo(): ("do/tsumo",)}


def test_3m_10_a_tsumo_is_said() -> None:
    assert paths(manager_wins(), 0)[Tsumo()] == ("do/tsumo",)


def test_3m_12_to_a_claim_one_says_ron_or_pass_or_touches_the_discard_and_then_two_cards() -> None:
    for seat in (1, 2):
        assert paths(water_2_is_claimed(), seat) == {
            Ron(): ("do/ron",),
            Pledge(6, 7): ("seat.0/discards/0", f"seat.{seat}/hand/6", f"seat.{seat}/hand/7"),
            Pass(): ("do/pass",),
        }


def test_3m_7_a_card_touched_too_early_is_to_be_discarded_or_to_make_room() -> None:
    assert meant(drawn(), 0, "seat.0/hand/4") == (Discard(4), Insert(4))
    assert said(drawn(), 0, "seat.0/hand/4") == ("3M-7", "wrong-step")
    assert meant(drawn(), 0, "seat.0/hand/end") == (Insert(8),)


def test_3m_20_in_reach_a_card_of_the_hand_is_frozen() -> None:
    assert said(drawn_in_reach(), 0, "seat.0/hand/4") == ("3M-20", "in-reach")


def test_3m_7_whoever_is_not_in_turn_is_told_so() -> None:
    play = drawn().move(0, Insert(0))
    for touched in ("seat.1/hand/0", "do/discard", "do/reach"):
        assert said(play, 1, touched) == ("3M-7", "not-your-turn")
    assert said(drawn(), 1, "do/tsumo") == ("3M-7", "not-your-turn")
    assert said(water_2_is_claimed(), 0, "seat.0/hand/0") == ("3M-7", "not-your-turn")


def test_3m_9_a_win_that_is_none_is_refused() -> None:
    assert said(drawn(), 0, "do/tsumo") == ("3M-9", "not-winning")
    play = water_2_is_claimed(next_hand="水1 火2 火3 木1 木2 木3 火1 水3")
    assert said(play, 1, "do/ron") == ("3M-9", "not-winning")


def test_3m_19_reach_is_refused_for_its_reason() -> None:
    assert said(drawn().move(0, Insert(0)), 0, "do/reach") == ("3M-19", "not-ready")
    ready = given(READY, NOTHING_A, NOTHING_B, wall="火0").with_od(9, 270, 270).move(0, Insert(8))
    assert said(ready, 0, "do/reach") == ("3M-19", "cannot-pay")
    may = given(READY, NOTHING_A, NOTHING_B, wall="火0").move(0, Insert(8))
    assert Discard(8, reach=True) in meant(may, 0, "do/reach")
    assert meant(may, 0, "do/discard") == tuple(Discard(at) for at in range(9))


def test_3m_12_who_is_not_asked_is_told_so_whatever_is_touched() -> None:
    play = water_2_is_claimed(next_hand=NOTHING_A)
    for touched in ("seat.0/discards/0", "seat.1/hand/3", "do/ron", "do/pass"):
        assert said(play, 1, touched) == ("3M-12", "not-asked")
    assert meant(play, 0, "seat.0/discards/0") == ()


def test_3m_12_a_discard_whose_time_has_passed_can_no_longer_be_claimed() -> None:
    play = drawn().insert_and_discard(0).pass_all().move(1, Insert(0))
    assert said(play, 1, "seat.0/discards/0") == ("3M-12", "not-asked")


def test_3m_13_a_pledge_that_is_none_is_refused_for_its_reason() -> None:
    play = water_2_is_claimed()
    assert said(play, 1, "seat.1/hand/0") == ("3M-13", "no-spell")
    assert meant(play, 1, "seat.1/hand/7")[0] == Pledge(6, 7)
    assert meant(play, 1, "seat.0/discards/0")[0] == Pledge(6, 7)
    pledged = water_2_is_claimed().with_place(2, pledges=(cards("木4* 木4* 木4*"),) * 2, hand=cards("水2 水2*"))
    assert said(pledged, 2, "seat.0/discards/0") == ("3M-15", "two-pledges")
    assert said(water_2_is_claimed().with_od(270, 20, 270), 1, "seat.1/hand/7") == ("3M-15", "cannot-pay")
    ready = reach(wall="火0 木4* 水2*")
    ready.insert_and_discard(1).pass_all().insert_and_discard(2)
    assert said(ready, 0, "seat.2/discards/0") == ("3M-20", "in-reach")


def test_a_touch_that_can_mean_no_move_means_none() -> None:
    for touched in ("wall/0", "seat.1/hand/0", "seat.0/hand/drawn", "ley-line", "seat.1/discards"):
        assert meant(drawn(), 0, touched) == ()


def test_3m_34_after_the_end_a_card_says_that_the_match_is_over() -> None:
    play = at_deal(manager_wins(), 9, 2, 2).move(0, Tsumo())
    assert said(play, 1, "seat.1/hand/0") == ("3M-34", "over")
    assert said(play, 1, "do/pass") == ("3M-12", "not-asked")

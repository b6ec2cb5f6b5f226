"""What a move is in its position, said to the seat that may make it."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from bots.choose import Greedy
from domain.chance import Simulation
from domain.game import Seat
from domain.games.three_magic import GAME, events
from domain.games.three_magic.components import Options
from domain.games.three_magic.moves import Discard, DiscardDrawn, Insert, Pass, Pledge, Ron, ThreeMagicMove, Tsumo
from domain.games.three_magic.state import Place, Table
from tests.games.three_magic.matches import Chooser, Step, matches
from tests.games.three_magic.table import NOTHING_A, NOTHING_B, Play, cards, given
from tests.games.three_magic.test_claims import water_2_is_claimed
from tests.games.three_magic.test_reach import reach
from tests.games.three_magic.test_settling import manager_wins, manager_wins_nothing

GREEDY = Greedy()


def seen_by(seat: Seat, table: Table) -> Table:
    """The table as the seat knows it: of the others' cards, the wall and who is asked, nothing."""

    def known(other: Seat, place: Place) -> Place:
        return place if other == seat else replace(place, hand=(None,) * len(place.hand))

    deal = table.deal
    places = tuple(known(other, place) for other, place in enumerate(deal.places))
    asked = tuple(is_asked if other == seat else None for other, is_asked in enumerate(deal.asked))
    hidden = replace(deal, wall=(None,) * len(deal.wall), unused=(None,) * len(deal.unused), places=places, asked=asked)
    return replace(table, deal=hidden)


def labels(play: Play, seat: Seat, *moves: ThreeMagicMove) -> tuple[list[str], list[str]]:
    """What the moves, which must be legal, are called in English and in Japanese."""
    seen = seen_by(seat, play.table)
    assert set(moves) <= set(GAME.legal(seen, seat))
    english, japanese = ([GAME.label(seen, seat, move, lang) for move in moves] for lang in ("en", "ja"))
    return english, japanese


def test_3m_6_an_insertion_names_the_card_and_its_neighbours_counted_from_1() -> None:
    play = given(NOTHING_A, NOTHING_B, wall="水3*")
    assert labels(play, 0, Insert(0), Insert(3), Insert(8)) == (
        [
            "Insert water 3★ at the left end, before fire 0",
            "Insert water 3★ as card 4, between water 0 and fire 3★",
            "Insert water 3★ at the right end, after wood 0",
        ],
        [
            "水3★を左端（火0の左）に差す",
            "水3★を4枚目（水0と火3★の間）に差す",
            "水3★を右端（木0の右）に差す",
        ],
    )


def test_3m_7_a_discard_names_the_card_and_says_which_one_was_drawn() -> None:
    play = given(NOTHING_A, NOTHING_B, wall="水3*").move(0, Insert(3))
    assert labels(play, 0, Discard(3), Discard(4)) == (
        ["Discard water 3★, which you drew", "Discard fire 3★ (card 5)"],
        ["引いた水3★を捨てる", "火3★（5枚目）を捨てる"],
    )


def test_3m_19_a_discard_that_leaves_a_ready_hand_says_what_it_waits_for() -> None:
    play = given("火1 火2 火3 木1 木2 木3 水2 水3", NOTHING_A, NOTHING_B, wall="火0").move(0, Insert(0))
    assert labels(play, 0, Discard(0), Discard(3), Discard(0, reach=True), Discard(3, reach=True)) == (
        [
            "Discard fire 0, which you drew: then your hand is ready and waits for water 1 or water 4",
            "Discard fire 3 (card 4): then your hand is ready and waits for water 1 or water 4",
            "Discard fire 0, which you drew, and declare reach for 10 od: you wait for water 1 or water 4, "
            "and your hand is frozen",
            "Discard fire 3 (card 4), and declare reach for 10 od: you wait for water 1 or water 4, "
            "and your hand is frozen",
        ],
        [
            "引いた火0を捨てる：水1か水4待ちのテンパイになる",
            "火3（4枚目）を捨てる：水1か水4待ちのテンパイになる",
            "引いた火0を捨て、10オドでリーチする：水1か水4待ち、手札は固定",
            "火3（4枚目）を捨て、10オドでリーチする：水1か水4待ち、手札は固定",
        ],
    )


def test_3m_20_in_reach_the_drawn_card_is_named_and_that_the_hand_is_frozen() -> None:
    play = reach(wall="火0 木4* 水4* 火4 木4*")
    for seat in (1, 2):
        play.insert_and_discard(seat).pass_all()
    assert labels(play, 0, DiscardDrawn()) == (
        ["Discard fire 4, which you drew: in reach your hand is frozen"],
        ["引いた火4を捨てる：リーチ中で手札は固定"],
    )


def test_3m_27_a_tsumo_says_what_the_others_pay() -> None:
    assert labels(manager_wins(), 0, Tsumo()) == (
        ["Win with water 4★, which you drew (tsumo): 35 od each from seat 1 and seat 2"],
        ["引いた水4★でツモ：席1と席2から35オドずつ"],
    )


def test_3m_28_a_win_that_scores_nothing_says_so_whatever_lies_there() -> None:
    play = manager_wins_nothing().with_place(0, in_reach=True, laid=10).with_ley_line(80)
    assert labels(play, 0, Tsumo()) == (
        ["Win with wood 4★, which you drew (tsumo): it scores nothing, and nobody pays"],
        ["引いた木4★でツモ：得点がなく、支払いもない"],
    )


def test_3m_22_in_reach_a_win_brings_the_od_that_are_laid_and_3m_31_the_ley_line() -> None:
    play = manager_wins().with_place(0, in_reach=True, laid=10).with_place(1, laid=40).with_ley_line(60)
    assert labels(play, 0, Tsumo()) == (
        [
            "Win with water 4★, which you drew (tsumo): 35 od each from seat 1 and seat 2, "
            "50 od laid before the players, 60 od of the ley line"
        ],
        ["引いた水4★でツモ：席1と席2から35オドずつ、場から50オド、霊脈から60オド"],
    )
    play.with_place(0, in_reach=False)
    assert labels(play, 0, Tsumo())[0][0].endswith(": 35 od each from seat 1 and seat 2, 60 od of the ley line")


def test_3m_17_after_a_pledge_a_win_brings_no_ley_line() -> None:
    spell = cards("木4* 木4* 木4*")
    play = given("火4 火4* 木1 木2 木3 水1 火0 水3", NOTHING_A, NOTHING_B, wall="火4*").with_ley_line(60)
    play.with_place(0, pledges=(spell,), hand=cards("火1 火2 火3 火4 火4*"))
    assert labels(play, 0, Tsumo())[0] == [
        "Win with fire 4★, which you drew (tsumo): 50 od each from seat 1 and seat 2"
    ]


def test_3m_27_a_ron_says_what_the_discarder_pays_and_3m_11_whose_ron_comes_first() -> None:
    play = water_2_is_claimed()
    assert labels(play, 1, Ron()) == (
        ["Win with seat 0's water 2★ (ron): 130 od from seat 0"],
        ["席0の水2★でロン：席0から130オド"],
    )
    assert labels(play, 2, Ron()) == (
        ["Win with seat 0's water 2★ (ron): 40 od from seat 0 (unless seat 1 declares ron too)"],
        ["席0の水2★でロン：席0から40オド（席1もロンなら、そちらが優先）"],
    )


def test_3m_13_a_pledge_names_its_two_cards_the_call_the_price_and_what_it_bars() -> None:
    play = water_2_is_claimed(next_hand="水1* 水1* 火3 木1 木2 木4* 水3 水3*")
    assert labels(play, 1, Pledge(0, 6), Pledge(1, 6)) == (
        [
            "Pledge water 1★-3 (cards 1, 7) with seat 0's water 2★ (chi) for 30 od: "
            "no reach and no ley line for you in this deal",
            "Pledge water 1★-3 (cards 2, 7) with seat 0's water 2★ (chi) for 30 od: "
            "no reach and no ley line for you in this deal",
        ],
        [
            "水1★・3（1枚目と7枚目）で席0の水2★を30オドで誓約する（チー）：この試合ではリーチと霊脈の回収ができなくなる",
            "水1★・3（2枚目と7枚目）で席0の水2★を30オドで誓約する（チー）：この試合ではリーチと霊脈の回収ができなくなる",
        ],
    )


def test_3m_15_a_second_pledge_is_the_last_of_the_deal() -> None:
    play = water_2_is_claimed()
    play.with_place(2, pledges=(cards("木4* 木4* 木4*"),), hand=play.place(2).hand[3:])
    assert labels(play, 2, Pledge(3, 4)) == (
        ["Pledge water 2-2★ (cards 4, 5) with seat 0's water 2★ (pon) for 30 od: your last pledge in this deal"],
        ["水2・2★（4枚目と5枚目）で席0の水2★を30オドで誓約する（ポン）：この試合で最後の誓約"],
    )


def test_3m_10_a_pass_says_that_nothing_is_lost_by_leaving_a_win() -> None:
    assert labels(water_2_is_claimed(), 1, Pass()) == (
        ["Pass: leave seat 0's water 2★; you may still win with such a card later"],
        ["見送る：席0の水2★で上がらない（後で同じ札で上がってもよい）"],
    )
    play = water_2_is_claimed(next_hand="水1 火2 火3 木1 木2 木3 火1 水3")
    assert labels(play, 1, Pass()) == (["Pass: leave seat 0's water 2★"], ["見送る：席0の水2★を取らない"])


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_3m_12_labels_are_said_without_what_the_seat_may_not_know(lang: str) -> None:
    """Whatever the others hold: the truth and what the seat sees are called the same."""
    for play, seat in ((manager_wins(), 0), (water_2_is_claimed(), 1), (water_2_is_claimed(), 2)):
        for move in GAME.legal(play.table, seat):
            assert GAME.label(play.table, seat, move, lang) == GAME.label(seen_by(seat, play.table), seat, move, lang)


def test_3m_30_a_win_brings_as_much_as_its_label_says() -> None:
    """In whole matches: half from each or all from the discarder, and what is taken from the table."""
    wins = 0
    for seed in range(3):
        before: Step | None = None
        for step in matches(greedily(seed), seed, Options(laps=1)):
            for won in step.told:
                if isinstance(won, events.TsumoDeclared | events.RonDeclared) and before:
                    move = Tsumo() if isinstance(won, events.TsumoDeclared) else Ron()
                    said = GAME.label(before.seen[won.seat], won.seat, move, "en")
                    paid = [int(od) for od in re.findall(r"(\d+) od", said)]
                    again = paid[:1] if " each " in said else []
                    assert sum(paid + again) == sum(gain(event) for event in step.told)
                    wins += 1
            before = step
    assert wins > 5


def gain(event: events.ThreeMagicEvent) -> int:
    """What the event gives to the winner of a deal."""
    return event.od if isinstance(event, events.OdPaid | events.LaidTaken | events.LeyLineCollected) else 0


def greedily(seed: int) -> Chooser:
    luck = Simulation(seed)

    def choose(seen: Table, seat: Seat, legal: tuple[ThreeMagicMove, ...]) -> ThreeMagicMove:
        chosen: ThreeMagicMove = GREEDY.choose(GAME, seen, seat, luck)
        return chosen

    return choose

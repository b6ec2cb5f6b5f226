"""Events and moves in words."""

from __future__ import annotations

from typing import get_args

import pytest

from domain.game import Lang, rank
from domain.games.three_magic import GAME, events
from domain.games.three_magic.components import Line
from domain.games.three_magic.moves import Discard, DiscardDrawn, Insert, Pass, Pledge, Ron, ThreeMagicMove, Tsumo
from domain.games.three_magic.rules.hands import spells_of
from domain.games.three_magic.text.phrases import WORDS
from domain.secrecy import redact
from tests.games.three_magic.matches import EVERYTHING
from tests.games.three_magic.table import FIRE, NOTHING_A, WATER, card, cards
from tests.games.three_magic.test_claims import water_2_is_claimed
from tests.games.three_magic.test_settling import manager_wins, manager_wins_nothing

LANGS = ("en", "ja")


@pytest.mark.parametrize(
    ("move", "english", "japanese"),
    [
        (Tsumo(), "Wins with the drawn card (tsumo)", "引いた札で上がる（ツモ）"),
        (Insert(2), "Inserts the drawn card as card 3 of the hand", "引いた札を手札の3枚目に差す"),
        (Discard(2), "Discards card 3 of the hand", "手札の3枚目を捨てる"),
        (Discard(2, True), "Discards card 3 of the hand and declares reach", "手札の3枚目を捨ててリーチを宣言する"),
        (DiscardDrawn(), "Discards the drawn card", "引いた札を捨てる"),
        (Ron(), "Wins with the discard (ron)", "捨て札で上がる（ロン）"),
        (
            Pledge(0, 7),
            "Pledges the discard with cards 1 and 8 of the hand",
            "手札の1枚目と8枚目で捨て札を誓約する",
        ),
        (Pass(), "Passes", "見送る"),
    ],
)
def test_a_move_is_told_of_whoever_made_it_with_places_counted_from_1(
    move: ThreeMagicMove, english: str, japanese: str
) -> None:
    assert (GAME.describe(move, "en"), GAME.describe(move, "ja")) == (english, japanese)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", get_args(events.ThreeMagicEvent))
def test_every_event_has_words_whole_and_redacted(kind: type[events.ThreeMagicEvent], lang: Lang) -> None:
    event = EVERYTHING[kind]
    for told in (event, redact(event, None), redact(event, 1)):
        text = GAME.describe(told, lang)
        assert text.endswith("." if lang == "en" else "。")
        assert "None" not in text
        assert "{" not in text
        assert text[0] == text[0].upper()


def test_seats_are_told_from_0_places_from_1_and_cards_by_name() -> None:
    drawn = events.CardDrawn(0, card("火3*"))
    assert GAME.describe(drawn, "en") == "Seat 0 draws fire 3★."
    assert GAME.describe(drawn, "ja") == "席0は火3★を引いた。"
    assert GAME.describe(events.CardInserted(0, 0), "en") == "Seat 0 inserts the drawn card as card 1 of the hand."
    discarded = events.CardDiscarded(2, 8, card("水1"), False)
    assert GAME.describe(discarded, "en") == "Seat 2 discards water 1, card 9 of the hand."
    assert GAME.describe(discarded, "ja") == "席2は手札の9枚目、水1を捨てた。"
    pledged = water_2_is_claimed().answer({1: Pledge(6, 7)}).one(events.Pledged)
    assert GAME.describe(pledged, "en") == (
        "Seat 1 pledges cards 7 and 8 of the hand with seat 0's water 2★ (chi) for 30 od: water 1-2★-3."
    )
    assert GAME.describe(pledged, "ja") == (
        "席1は手札の7枚目と8枚目で席0の水2★を誓約した（チー、30オド）：水1・2★・3。"
    )


def test_3m_10_a_win_is_told_with_its_spells_and_its_score() -> None:
    play = water_2_is_claimed().answer({1: Ron()})
    assert GAME.describe(play.one(events.RonDeclared), "en") == (
        "Seat 1 wins by ron with seat 0's water 2★: fire 1-2-3, wood 1-2-3, water 1-2★-3."
    )
    assert (
        GAME.describe(play.one(events.RonDeclared), "ja") == "席1が席0の水2★でロン：火1・2・3、木1・2・3、水1・2★・3。"
    )
    assert GAME.describe(play.one(events.Measured), "en") == (
        "Seat 1's win scores 130 od: 10 for 1 spell of water, 120 for 3 spells of the same sequence in one direction."
    )
    assert GAME.describe(play.one(events.Measured), "ja") == (
        "席1の魔力測定は合計130オド：属性（水1つ）10、数字（順番・統一3つ）120。"
    )
    assert GAME.describe(manager_wins().move(0, Tsumo()).told[0], "en") == (
        "Seat 0 wins by tsumo with water 4★: fire 1-2★-3★, fire 1★-2-3★, water 4★-4-4★."
    )


def test_3m_26_an_indicator_is_told_with_the_catalyst_that_it_names() -> None:
    turned = events.IndicatorTurned(card("木4"))
    assert GAME.describe(turned, "en") == "Wood 4 is turned up as an indicator: it names wood 0 as catalyst."
    assert GAME.describe(turned, "ja") == "触媒表示は木4、触媒は木0。"


@pytest.mark.parametrize("lang", LANGS)
def test_3m_6_hidden_cards_are_not_told(lang: Lang) -> None:
    hand = cards(NOTHING_A)
    assert GAME.describe(redact(events.HandDealt(1, hand), 0), lang) != GAME.describe(events.HandDealt(1, hand), lang)
    names = [WORDS[lang].attribute[attribute] for attribute in WORDS[lang].attribute]
    for event in (events.CardDrawn(1, hand[0]), events.HandDealt(1, hand), events.Shuffled(hand)):
        assert not any(name in GAME.describe(redact(event, 0), lang) for name in names)
    assert any(name in GAME.describe(redact(events.HandDealt(1, hand), 1), lang) for name in names)


@pytest.mark.parametrize("lang", LANGS)
def test_3m_12_who_is_asked_is_told_as_far_as_it_is_known(lang: Lang) -> None:
    opened = events.ClaimsOpened(0, card("火3*"), (False, True, False))
    assert GAME.describe(redact(opened, 2), lang) == GAME.describe(redact(opened, None), lang)
    assert GAME.describe(redact(opened, 1), lang) == GAME.describe(opened, lang)
    assert GAME.describe(opened, lang) != GAME.describe(redact(opened, 0), lang)


def test_3m_24_a_measure_names_what_scores_and_nothing_else() -> None:
    spells = (cards("火1 火2 火3"), cards("火1* 火2 火3"), cards("火1* 火1* 火1*"))
    measured = events.Measured(0, spells, FIRE, 90, (), 0, 10, 20, 120)  # type: ignore[arg-type]  # threes, by hand
    assert GAME.describe(measured, "en") == (
        "Seat 0's win scores 120 od: 90 for 3 spells of fire, 10 for 1 spell of stars, 20 for catalysts."
    )
    assert GAME.describe(measured, "ja") == "席0の魔力測定は合計120オド：属性（火3つ）90、星（1つ）10、触媒20。"


@pytest.mark.parametrize(
    ("hand", "line", "english", "japanese"),
    [
        ("火1 火1 火1 木1 木1 木1 木1 木2 木3", Line.EQUAL, "2 spells of the same equal numbers", "同数2つ"),
        ("火1 火2 火3 木3 木2 木1 木1 木2 木3", Line.ONE_DIRECTION, "2 spells of the same sequence in one", "統一2つ"),
        ("火1 火2 火3 木3 木2 木1 木1 木2 木3", Line.MIXED, "3 spells of the same sequence in mixed", "ばらばら3つ"),
    ],
)
def test_3m_24_a_measure_counts_the_spells_that_are_the_same(
    hand: str, line: Line, english: str, japanese: str
) -> None:
    measured = events.Measured(0, spells_of(cards(hand)), WATER, 0, (line,), 60, 0, 0, 60)
    assert f": 60 for {english}" in GAME.describe(measured, "en")
    assert f"{japanese}）60。" in GAME.describe(measured, "ja")


def test_3m_27_a_payment_says_from_whom_to_whom() -> None:
    assert GAME.describe(events.OdPaid(1, 0, 40), "en") == "Seat 1 pays 40 od to seat 0."
    assert GAME.describe(events.OdPaid(1, 0, 40), "ja") == "席1は席0に40オドを支払った。"


def test_3m_28_a_win_that_scores_nothing_is_told_so() -> None:
    measured = manager_wins_nothing().move(0, Tsumo()).one(events.Measured)
    assert GAME.describe(measured, "en") == "Seat 0's win scores nothing, and nothing is paid."
    assert GAME.describe(measured, "ja") == "席0の魔力測定は0オドで、支払いはない。"


@pytest.mark.parametrize(
    ("points", "english", "japanese"),
    [
        (
            (170, 410, 230),
            "Seat 1 wins with 410 od, seat 2 has 230 od, seat 0 has 170 od.",
            "席1が410オドで勝ち、席2は230オド、席0は170オド。",
        ),
        (
            (300, 210, 300),
            "Seat 0 and seat 2 share the first place with 300 od each, seat 1 has 210 od.",
            "席0と席2が300オドで同点の1位、席1は210オド。",
        ),
        (
            (270, 270, 270),
            "Seat 0, seat 1 and seat 2 share the first place with 270 od each.",
            "席0、席1と席2が270オドで同点の1位。",
        ),
    ],
)
def test_3m_36_the_end_is_told_by_who_won(points: tuple[int, ...], english: str, japanese: str) -> None:
    ended = events.MatchEnded(points=points, ranking=rank(points))
    assert (GAME.describe(ended, "en"), GAME.describe(ended, "ja")) == (english, japanese)


def test_every_class_phase_line_and_call_has_words() -> None:
    for words in WORDS.values():
        assert set(words.told) == {*get_args(events.ThreeMagicEvent), *get_args(ThreeMagicMove)}
        for table, kind in ((words.table.phase, 5), (words.line_scores, 3), (words.call, 2), (words.attribute, 3)):
            assert len(set(table.values())) == len(table) == kind

"""The table as lines of plain text: who is to do what, the middle, each seat's place."""

from __future__ import annotations

import pytest

from domain.chance import Simulation
from domain.game import Lang
from domain.games.magicative import GAME, events, moves
from domain.games.magicative.components import Artefact, Options
from domain.games.magicative.state import Step
from domain.games.magicative.text.phrases import WORDS
from tests.games.magicative.table import ALCHEMY, PACK, Play, card, cards, given, won
from tests.games.magicative.test_artefacts import FATE, INNOCENT, PAST

LANGS = ("en", "ja")


def lines(play: Play, viewer: int | None, lang: Lang = "en") -> list[str]:
    return GAME.draw(GAME.view(play.table, viewer), lang).split("\n")


def test_mg_3_the_table_is_drawn_for_who_looks() -> None:
    has = {
        0: won("A123", chips=4, aptitudes="A2", shown="A1 M1", awakened=cards("S7")),
        1: won(chips=1, artefact=(Artefact.FATE,), penalty=-2),
    }
    play = given("M1 X", "S5 S6", rows=("M3 A4", ""), has=has)
    own, other = lines(play, 0), lines(play, 1)
    assert own[0] == "It is seat 0's turn, which ends with a discard; goal: 10 points"
    assert "artefacts left: Past, Innocent" in own
    assert "aptitude cards left: magic 7, alchemy 7, astrology 7" in own
    assert own[own.index("Seat 0: 5 points (chips 4, aptitude cards 1)") + 1 :][:5] == [
        "  hand: innocent · magic 1",
        "  row, last discard at the right: magic 3 · alchemy 4",
        "  formulas: alchemy 1-2-3",
        "  awakened, 4 of each: astrology 7",
        "  aptitude cards: alchemy 2 (not shown), alchemy 1 (shown), magic 1 (shown)",
    ]
    assert "Seat 1: -1 point (chips 1, Fate -2)" in own
    assert "  hand: 2 unseen cards" in own
    assert "  row, last discard at the right: nothing" in own
    assert "  aptitude cards: alchemy (not shown), alchemy 1 (shown), magic 1 (shown)" in other
    assert "  hand: astrology 5 6" in other


def test_mg_3_a_hand_is_drawn_by_school() -> None:
    play = given("M1 M1 M7 A2 S3 S4 X X", "S5", rows=("", "M6")).move(0, moves.Swap(1), moves.Give(card("M7")))
    assert "  hand: 2 innocents · magic 1 1 6 · alchemy 2 · astrology 3 4" in lines(play, 0)
    assert "  手札：無垢2枚・魔術1 1 6・錬金術2・占星術3 4" in lines(play, 0, "ja")
    assert "  hand: magic 6 · 7 unseen cards" in lines(play, 1)
    assert "  手札：魔術6・伏せたカード7枚" in lines(play, 1, "ja")
    assert "  hand: nothing" in lines(given("", "S5"), 0)


def test_mg_8_a_swap_with_one_s_own_row_is_drawn_so() -> None:
    play = given("M1", "S5", rows=("S3", "")).move(0, moves.Swap(0))
    assert lines(play, 1)[0] == (
        "Seat 0 is to give a hand card for astrology 3, the last discard of their own row; goal: 10 points"
    )
    assert lines(play, 1, "ja")[0] == "席0は、自分の最後の捨て札（占星術3）と交換する手札を選ぶ。目標：10点"


def test_mg_3_the_table_is_drawn_in_japanese() -> None:
    play = given("M1 X", "S5 S6", rows=("M3 A4", ""), has={0: won("A123", chips=4, aptitudes="A2", shown="A1")})
    assert lines(play, 1, "ja")[:9] == [
        "席0の手番（1枚捨てて終わる）。目標：10点",
        "山札：123枚",
        "残りの三賢者の魔具：運命の調整、過去の改変、無垢の模倣",
        "残りの適性カード：魔術7、錬金術7、占星術7",
        "",
        "席0：5点（チップ4、適性カード1）",
        "  手札：伏せたカード2枚",
        "  列（右端が最後の捨て札）：魔術3・錬金術4",
        "  魔法式：錬金術1-2-3",
    ]


def test_mg_6_the_table_says_what_has_been_begun() -> None:
    play = given("A2 A4 M7 X", "S1", rows=("", "S3"))
    play.move(0, moves.Swap(1))
    assert lines(play, 1)[0] == (
        "Seat 0 is to give a hand card for astrology 3, the last discard of seat 1; goal: 10 points"
    )
    assert lines(play, 1, "ja")[0] == "席0は、席1の最後の捨て札（占星術3）と交換する手札を選ぶ。目標：10点"
    play.move(0, moves.Give(card("M7")))
    assert lines(play, 1)[0].endswith("; goal: 10 points; the swap of this turn is done")
    play.move(0, INNOCENT, moves.Imitate(card("A4")))
    assert lines(play, 1)[0].startswith(
        "Seat 0 is to announce the school of a formula (alchemy 4 counts as innocent); "
    )
    play.move(0, moves.Declare(ALCHEMY))
    assert lines(play, 1)[0].startswith(
        "Seat 0 is to fix a formula of alchemy with innocents (alchemy 4 counts as innocent); "
    )
    play.move(0, moves.Fix(ALCHEMY, (2, 3, 4), (3, 4)))
    assert "  formulas: alchemy 2-3-4 (alchemy 2 · alchemy 4 · innocent)" in lines(play, 1)
    play = given("M1 M2 M3 M5", "S1", rows=("S1 S2 S3 S4", "")).move(0, PAST, moves.Put(card("M1")))
    assert lines(play, 1)[0] == "Seat 0 is to put hand cards into the row; put: 1; goal: 10 points"
    play.move(0, moves.Put(card("M2")), moves.Put(card("M3")), moves.Take(3))
    assert lines(play, 1)[0] == "Seat 0 is to take cards from the row; put: 3, taken: 1; goal: 10 points"


def test_mg_15_the_table_shows_the_decks_top_to_who_knows_it() -> None:
    play = given("M1", "S1", deck="S1 S2 S3 S4 S5", left=9).move(0, FATE)
    assert lines(play, 0)[1] == (
        "deck: 9 cards; from its top: astrology 1 · astrology 2 · astrology 3 · astrology 4 · astrology 5"
    )
    assert lines(play, 1)[1] == "deck: 9 cards; its top is known to seat 0"


def test_mg_17_a_table_of_the_end_says_who_has_won() -> None:
    play = given("A1 A2 A3", "S1", has={0: won(chips=9), 1: won("M123", chips=8, aptitudes="M1 M2 M3")})
    play.move(0, moves.Fix(ALCHEMY, (1, 2, 3)))
    assert play.points(1) == 11
    assert lines(play, None)[0] == "The match is over; seat 0 has won with 10 points; goal: 10 points"
    assert lines(play, None, "ja")[0] == "ゲーム終了。席0が10点で勝った。目標：10点"
    play = given("M1", "S1", has={1: won(chips=10)}).fold((events.MatchEnded(1, (0, 10), (2, 1)),))
    assert lines(play, None)[0] == "The match is over; seat 1 has won with 10 points; goal: 10 points"


def test_mg_19_a_table_of_a_draw_says_so() -> None:
    play = given("M1", "S1", left=0, has={0: won(artefact=(Artefact.FATE,))}).move(0, moves.Discard(card("M1")))
    assert lines(play, None)[0] == "The match is over; a draw for all; goal: 10 points"
    assert lines(play, None, "ja")[0] == "ゲーム終了。全員の引き分け。目標：10点"


@pytest.mark.parametrize("lang", LANGS)
def test_mg_3_a_table_is_drawn_at_every_time(lang: Lang) -> None:
    table = GAME.initial(Options(), 3, PACK)
    for event in GAME.setup(table, Simulation(3)):
        text = GAME.draw(GAME.view(table, 0), lang)
        assert "{" not in text
        assert "None" not in text
        table = GAME.evolve(table, event)
    over = given("A1 A2 A3", "S1", has={0: won(chips=9)}).move(0, moves.Fix(ALCHEMY, (1, 2, 3)))
    drawn = GAME.draw(GAME.view(over.table, None), lang)
    assert WORDS[lang].step[Step.OVER].lower() in drawn.split("\n")[0].lower()

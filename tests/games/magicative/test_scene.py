"""The table as it is drawn: who is to do what, the middle, each seat's place."""

from __future__ import annotations

import pytest

from domain.chance import Simulation
from domain.game import ALL, Lang
from domain.games.magicative import GAME, events, moves
from domain.games.magicative.components import Artefact, Options
from domain.games.magicative.state import Step
from domain.games.magicative.text.phrases import WORDS
from domain.scene import Face, Kind, ZoneKind
from domain.telling import tell
from tests.games.magicative.drawn import ids, lines, marks, piece, scene, zone
from tests.games.magicative.table import ALCHEMY, FATE, INNOCENT, ODD_PACK, PACK, PAST, Play, card, cards, given, won

LANGS = ("en", "ja")


def under_way() -> Play:
    has = {
        0: won("A123 M222", chips=4, aptitudes="A2", shown="A1 M1", awakened=cards("S7")),
        1: won(chips=1, artefact=(Artefact.FATE,), penalty=-2),
    }
    return given("M1 X M1 A4", "S5 S6", rows=("M3 A4", ""), has=has)


def test_mg_3_the_whole_table_is_told_to_who_sits_at_it() -> None:
    assert lines(under_way(), 0) == [
        "It is seat 0's turn, which ends with a discard",
        "Deck: card face down ×118",
        "Artefacts left: Past (points −2), Innocent (points −2)",
        "Aptitude cards left: magic ×7, alchemy ×7, astrology ×7",
        "Goal: 10 points, sheet of formulas and specials",
        "",
        "→ Seat 0: 5 points, chip ×4",
        "  Hand: innocent, magic 1 ×2, alchemy 4",
        "  Row: magic 3, alchemy 4 (last discard)",
        "  Alchemy formula: alchemy 1, alchemy 2, alchemy 3",
        "  Magic formula: magic 2 ×3",
        "  Awakened (1 card more to draw in each later turn): astrology 7 ×4",
        "  Aptitude cards: alchemy 2 face down (points if shown 1), alchemy 1 (points 1), magic 1 (points 0)",
        "",
        "Seat 1: −1 point, chip, Fate (points −2)",
        "  Hand: card face down ×2",
        "  Row: none",
    ]


def test_mg_3_the_whole_table_is_told_in_japanese_to_another_seat() -> None:
    assert lines(under_way(), 1, "ja") == [
        "席0の手番（1枚捨てて終わる）",
        "山札：伏せたカード×118",
        "残りの三賢者の魔具：過去の改変（点数−2）、無垢の模倣（点数−2）",
        "残りの適性カード：魔術×7、錬金術×7、占星術×7",
        "目標：10点、魔法式と特殊式の得点表",
        "",
        "→ 席0：5点、チップ×4",
        "  手札：伏せたカード×4",
        "  列：魔術3、錬金術4（最後の捨て札）",
        "  錬金術の魔法式：錬金術1、錬金術2、錬金術3",
        "  魔術の魔法式：魔術2×3",
        "  魔力覚醒（以後の手番は1枚多く引く）：占星術7×4",
        "  適性カード：伏せた錬金術、錬金術1（点数1）、魔術1（点数0）",
        "",
        "席1：−1点、チップ、運命の調整（点数−2）",
        "  手札：占星術5、占星術6",
        "  列：なし",
    ]


def test_mg_3_cards_of_a_hand_are_called_by_what_they_are_and_unknown_ones_by_number() -> None:
    play = given("M1 M1 M7 A2 S3 X X", "S5", rows=("", "M6")).move(0, moves.Swap(1), moves.Give(card("M7")))
    at = "seat.0/hand"
    assert ids(play, 0, at) == [
        "innocent", "innocent.2", "magic-1", "magic-1.2", "magic-6", "alchemy-2", "astrology-3",
    ]  # fmt: skip
    assert ids(play, 1, at) == ["magic-6", "0", "1", "2", "3", "4", "5"]
    assert piece(play, 1, f"{at}/magic-6").face is Face.UP
    assert piece(play, 1, f"{at}/0").face is Face.DOWN
    assert ids(play, None, at) == ids(play, 1, at)
    assert lines(given("", "S5"), 0)[-6] == "  Hand: none"


def test_mg_3_a_card_has_its_number_and_the_tone_of_its_school_and_an_innocent_a_star() -> None:
    drawn = zone(under_way(), 0, "seat.0/hand").pieces
    assert [(one.label, one.tone, one.title) for one in drawn] == [
        ("★", "innocent", "innocent"),
        ("1", "magic", "magic 1"),
        ("1", "magic", "magic 1"),
        ("4", "alchemy", "alchemy 4"),
    ]


def test_mg_16_an_aptitude_card_face_down_has_its_number_for_its_owner_alone() -> None:
    at = "seat.0/aptitudes/0"
    own, others = piece(under_way(), 0, at), piece(under_way(), 1, at)
    assert (own.face, own.label, own.title, own.tone) == (Face.DOWN, "2", "alchemy 2 face down", "alchemy")
    assert [(fact.title, fact.value) for fact in own.facts] == [("points if shown", "1")]
    assert (others.face, others.label, others.title, others.tone) == (Face.DOWN, "", "alchemy face down", "alchemy")
    assert others.facts == ()
    shown = piece(under_way(), 1, "seat.0/aptitudes/1")
    assert (shown.face, shown.label, shown.title) == (Face.UP, "1", "alchemy 1")
    assert piece(under_way(), ALL, at).label == "2"


def test_mg_2_a_school_without_aptitude_cards_keeps_their_place() -> None:
    play = given("M1", "S1", aptitudes=((), (1,), (None, None)))
    drawn = zone(play, 0, "aptitudes")
    assert [(one.kind, one.count) for one in drawn.pieces] == [(Kind.SPACE, 1), (Kind.CARD, 1), (Kind.CARD, 2)]
    assert "Aptitude cards left: no magic, alchemy, astrology ×2" in lines(play, 0)
    assert "残りの適性カード：魔術なし、錬金術、占星術×2" in lines(play, 0, "ja")


def test_mg_8_a_swap_says_which_card_is_taken_for_which() -> None:
    play = given("M1 M7", "S5", rows=("S3", "M6 A1")).move(0, moves.Swap(1))
    assert scene(play, 1).line == "Seat 0 is to give a hand card for alchemy 1, the last discard of seat 1"
    assert marks(play, 0, "seat.1/row/1") == [("noted", "last discard"), ("raised", "to be taken in the swap")]
    assert marks(play, 0, "seat.1/row/0") == []
    assert marks(play, 0, "seat.0/row/0") == [("noted", "last discard")]
    play.move(0, moves.Give(card("M7")))
    assert marks(play, 0, "seat.1/row/1") == [("noted", "last discard")]
    assert "→ Seat 0: 0 points, has swapped in this turn" in lines(play, 1)
    assert "→ 席0：0点、この手番の交換は済み" in lines(play, 1, "ja")
    assert "Seat 0: 0 points" in lines(play.move(0, moves.Discard(card("M1"))), 1)


def test_mg_8_a_swap_with_one_s_own_row_is_told_so() -> None:
    play = given("M1", "S5", rows=("S3", "")).move(0, moves.Swap(0))
    assert scene(play, 1).line == ("Seat 0 is to give a hand card for astrology 3, the last discard of their own row")
    assert scene(play, 1, "ja").line == "席0は、自分の最後の捨て札（占星術3）と交換する手札を選ぶ"


def test_mg_15_a_card_that_counts_as_innocent_lies_apart_and_a_formula_says_what_its_cards_stand_for() -> None:
    play = given("A2 A4 M7 X", "S1").move(0, INNOCENT, moves.Imitate(card("A4")))
    assert scene(play, 1).line == "Seat 0 is to announce the school of a formula (alchemy 4 counts as innocent)"
    assert zone(play, 1, "seat.0/imitating").title == "Set apart"
    assert marks(play, 1, "seat.0/imitating/0") == [("noted", "counts as innocent")]
    play.move(0, moves.Declare(ALCHEMY))
    assert scene(play, 1).line == (
        "Seat 0 is to fix a formula of alchemy with innocents (alchemy 4 counts as innocent)"
    )
    play.move(0, moves.Fix(ALCHEMY, (2, 3, 4), (3, 4)))
    assert "  Alchemy formula: alchemy 2, alchemy 4 (as alchemy 3), innocent (as alchemy 4)" in lines(play, 1)
    assert "  錬金術の魔法式：錬金術2、錬金術4（錬金術3として）、無垢（錬金術4として）" in lines(play, 1, "ja")
    assert [one.label for one in zone(play, 1, "seat.0/formulas/0").pieces] == ["2", "3★", "4★"]
    assert not [one for one in scene(play, 1).zones if one.id == "seat.0/imitating"]


def test_mg_15_past_shows_which_cards_were_put_and_how_many_were_taken() -> None:
    play = given("M1 M2 M3 M5", "S1", rows=("S1 S2 S3 S4", "")).move(0, PAST, moves.Put(card("M1")))
    assert scene(play, 1).line == "Seat 0 is to put hand cards into the row; put: 1"
    assert marks(play, 1, "seat.0/row/0") == [("new", "just put there")]
    assert marks(play, 1, "seat.0/row/1") == []
    play.move(0, moves.Put(card("M2")), moves.Put(card("M3")), moves.Take(3))
    assert scene(play, 1).line == "Seat 0 is to take cards from the row; put: 3, taken: 1"
    assert marks(play, 1, "seat.0/row/2") == [("new", "just put there")]
    assert marks(play, 1, "seat.0/row/3") == []
    play.move(0, moves.Take(3), moves.Take(3))
    assert marks(play, 1, "seat.0/row/2") == []


def test_mg_15_the_top_of_the_deck_lies_beside_it_for_who_knows_it() -> None:
    play = given("M1", "S1", deck="S1 S2 S3 S4 S5", left=9).move(0, FATE, moves.Arrange(card("S3")))
    assert lines(play, 0)[:3] == [
        "Seat 0 is to put the cards looked at back on the deck; put back: 1",
        "Top of the deck, the next card first: astrology 3 (put back), astrology 1, astrology 2, astrology 4, "
        "astrology 5",
        "Deck (9 cards with its top): card face down ×4",
    ]
    assert {one.face for one in zone(play, 0, "top").pieces} == {Face.DOWN}
    assert lines(play, 1)[1] == "Deck (its top is known to seat 0): card face down ×9"
    assert lines(play, 1, "ja")[1] == "山札（席0は山札の上を知っている）：伏せたカード×9"
    whole = given("M1", "S1", deck="S1 S2", left=2).move(0, FATE)
    assert zone(whole, 0, "deck").pieces == ()
    whole.move(0, moves.Arrange(card("S2")))
    assert marks(whole, 0, "top/0") == [], "all are put back, and the turn goes on"


def test_mg_15_an_artefact_is_drawn_with_what_it_does_and_once_used_with_its_cost() -> None:
    play = given("A2 A4 M7", "S1")
    assert [(one.label, one.title) for one in zone(play, 0, "artefacts").pieces] == [
        ("◎", "Fate"),
        ("↺", "Past"),
        ("★", "Innocent"),
    ]
    assert [one.title for one in zone(play, 0, "artefacts", "ja").pieces] == ["運命の調整", "過去の改変", "無垢の模倣"]
    play.move(0, FATE)
    assert ids(play, 0, "artefacts") == ["past", "innocent"]
    used = piece(play, 0, "seat.0/tokens/fate")
    assert [(fact.title, fact.value) for fact in used.facts] == [("points", "−2")]
    has = {seat: won(artefact=(artefact,)) for seat, artefact in enumerate(Artefact)}
    assert "Artefacts left: none" in lines(given("M1", "S1", "A1", has=has), 0)


def test_mg_13_the_sheet_says_what_a_formula_and_each_special_brings() -> None:
    play = given("A2", "S1")
    sheet = piece(play, 0, "goal/sheet")
    assert (sheet.kind, sheet.title) == (Kind.MARKER, "sheet of formulas and specials")
    assert sheet.text.split("; ")[:3] == [
        "A formula (three numbers in a row or three equal ones, of one school), 1 point",
        "2 equal runs in one school, 2 points",
        "the same run in every school, 3 points",
    ]
    japanese = piece(play, 0, "goal/sheet", "ja").text.split("。")
    assert japanese[:2] == [
        "魔法式（同じ術の3枚の連番、または同じ数字3枚）：1点",
        "同じ術で同じ連番を2つ：2点",
    ]
    assert len(japanese) == 8
    assert sheet.text.endswith("; in a formula an innocent stands for any number, and it can't awaken")


def test_mg_15_artefacts_are_drawn_as_their_pack_prints_them() -> None:
    play = given("M1", "S1", pack=ODD_PACK)
    assert lines(play, 0)[2] == "Artefacts left: Fate (points −3), Past (points −1), Innocent (points 0)"
    assert "look at the top 2 cards of the deck" in piece(play, 0, "artefacts/fate").text
    assert "手札4枚を自分の列の左端に差し込み" in piece(play, 0, "artefacts/past", "ja").text
    assert GAME.view(play.table, None).sheet.formula == 3


def test_mg_19_a_deck_says_that_it_is_the_last_and_that_it_is_empty() -> None:
    play = given("M1", "S1", left=0, is_rebuilt=True)
    assert "Deck (made of discards, the last one of this match): none" in lines(play, 0)
    assert "山札（捨て札から作った最後の山札）：なし" in lines(play, 0, "ja")
    assert zone(play, 0, "deck").kind is ZoneKind.PILE


def test_mg_17_the_end_says_who_has_won_and_the_place_of_each() -> None:
    play = given("A1 A2 A3", "S1", has={0: won(chips=9), 1: won("M123", chips=8, aptitudes="M1 M2 M3")})
    play.move(0, moves.Fix(ALCHEMY, (1, 2, 3)))
    assert play.points(1) == 11
    assert scene(play, None).line == "The match is over; seat 0 has won with 10 points"
    assert scene(play, None, "ja").line == "ゲーム終了。席0が10点で勝った"
    assert "Seat 1: 11 points, place 2, chip ×8" in lines(play, None)
    assert "席0：10点、1位、チップ×10" in lines(play, None, "ja")
    assert (scene(play, None).turn, scene(play, None).buttons) == ((), ())
    play = given("M1", "S1", has={1: won(chips=10)}).fold((events.MatchEnded(1, (0, 10), (2, 1)),))
    assert scene(play, None).line == "The match is over; seat 1 has won with 10 points"


def test_mg_19_a_draw_is_told_so() -> None:
    play = given("M1", "S1", left=0, has={0: won(artefact=(Artefact.FATE,))}).move(0, moves.Discard(card("M1")))
    assert scene(play, None).line == "The match is over; a draw for all"
    assert scene(play, None, "ja").line == "ゲーム終了。全員の引き分け"
    assert "Seat 1: 0 points, place 1" in lines(play, None)


def test_mg_6_a_step_has_the_buttons_that_can_be_said_in_it() -> None:
    def said(play: Play) -> list[str]:
        return [button.title for button in scene(play, 1).buttons]

    play = given("A2 A4 M7 X", "S1", is_start=True)
    assert said(play) == ["Draw"]
    play.move(0, moves.Draw())
    schools = ["Formula of magic", "Formula of alchemy", "Formula of astrology"]
    assert said(play) == [*schools, "Awaken", "End the turn"]
    play.move(0, INNOCENT, moves.Imitate(card("A4")))
    assert said(play) == schools
    play.move(0, moves.Declare(ALCHEMY))
    assert (len(said(play)), said(play)[0], said(play)[-1]) == (12, "1-2-3", "7-7-7")
    assert said(given("M1", "S5", rows=("S3", "")).move(0, moves.Swap(0))) == []
    assert "Show all aptitude cards" in said(given("M1", "S5", has={0: won(aptitudes="M1")}))
    assert "Show all aptitude cards" not in said(given("M1", "S5", has={0: won(shown="M1"), 1: won(aptitudes="M1")}))


@pytest.mark.parametrize("lang", LANGS)
def test_mg_3_the_table_is_drawn_at_every_time(lang: Lang) -> None:
    table = GAME.initial(Options(), 3, PACK)
    for event in GAME.setup(table, Simulation(3)):
        text = tell(GAME.scene(GAME.view(table, 0), lang), lang)
        assert "{" not in text
        assert "None" not in text
        table = GAME.evolve(table, event)
    over = given("A1 A2 A3", "S1", has={0: won(chips=9)}).move(0, moves.Fix(ALCHEMY, (1, 2, 3)))
    assert WORDS[lang].step[Step.OVER].lower() in lines(over, None, lang)[0].lower()


def test_mg_1_every_tone_is_named_in_both_languages() -> None:
    assert [(tone.name, tone.title.en, tone.title.ja) for tone in GAME.palette] == [
        ("magic", "magic", "魔術"),
        ("alchemy", "alchemy", "錬金術"),
        ("astrology", "astrology", "占星術"),
        ("innocent", "innocent", "無垢"),
        ("artefact", "artefact", "魔具"),
        ("chip", "chip", "チップ"),
    ]

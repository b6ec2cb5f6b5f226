"""What a move is in its position, in both languages, for each kind of move. Rule MG-6 for what a turn offers."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from domain.chance import Simulation
from domain.games.magicative import GAME, moves
from domain.games.magicative.components import Artefact
from domain.games.magicative.events import (
    AptitudeShown,
    AptitudesShown,
    ChipsTaken,
    DrawWaits,
    FormulaFixed,
    MatchDrawn,
    MatchEnded,
    SpecialCompleted,
)
from domain.games.magicative.moves import MagicativeMove
from tests.games.magicative.table import ALCHEMY, ASTROLOGY, MAGIC, Play, card, cards, given, won
from tests.games.magicative.test_artefacts import FATE, INNOCENT, PAST
from tests.laws.table import BOTS, play_match

DRAWS = "; fewer than 2 cards are left to draw, so the match ends in a draw"
DRAWS_JA = "。引けるカードが2枚に足りず、引き分けになる"


def called(play: Play, move: MagicativeMove) -> tuple[str, str]:
    assert move in play.legal(0)
    return GAME.label(play.table, 0, move, "en"), GAME.label(play.table, 0, move, "ja")


def test_mg_15_a_draw_names_fate_only_while_it_may_be_used_first() -> None:
    gone = given("M1", "A1", is_start=True, has={1: won(artefact=(Artefact.FATE,))})
    used = given("M1", "A1", is_start=True, has={0: won(artefact=(Artefact.PAST,))})
    for play in (gone, used):
        assert [GAME.label(play.table, 0, moves.Draw(), lang) for lang in ("en", "ja")] == ["Draw 2 cards", "2枚引く"]


def test_mg_5_a_draw_says_how_many_cards() -> None:
    play = given("M1", "A1", is_start=True)
    assert called(play, moves.Draw()) == (
        "Draw 2 cards without using Fate first",
        "運命の調整を使わずに2枚引く",
    )
    play = given("M1", "A1", is_start=True, has={0: won(awakened=cards("M7"))})
    assert called(play, moves.Draw())[0] == "Draw 3 cards without using Fate first"


def test_mg_7_a_discard_is_named() -> None:
    play = given("M3 X", "A1")
    assert called(play, moves.Discard(card("M3"))) == (
        "Discard magic 3 and end your turn",
        "魔術3を捨てて手番を終える",
    )
    assert called(play, moves.Discard(0))[0] == "Discard an innocent and end your turn"


def test_mg_7_the_end_of_a_turn_without_a_card_says_why() -> None:
    play = given("", "A1")
    assert called(play, moves.End()) == (
        "End your turn: you hold no card to discard",
        "捨てる手札がないので、そのまま手番を終える",
    )


def test_mg_8_a_swap_names_the_card_that_it_takes() -> None:
    play = given("M1 X", "A1", rows=("S2", "S3"))
    assert called(play, moves.Swap(1)) == (
        "Swap a hand card for astrology 3, the last discard of seat 1; one swap a turn",
        "手札1枚を席1の最後の捨て札（占星術3）と交換する（1手番に1回）",
    )
    assert called(play, moves.Swap(0)) == (
        "Swap a hand card for astrology 2, your own last discard; one swap a turn",
        "手札1枚を自分の最後の捨て札（占星術2）と交換する（1手番に1回）",
    )


def test_mg_8_what_is_given_in_a_swap_says_for_what() -> None:
    play = given("M1 X", "A1", rows=("S2", "S3")).move(0, moves.Swap(1))
    assert called(play, moves.Give(card("M1"))) == (
        "Give magic 1 for astrology 3, the last discard of seat 1",
        "魔術1を渡し、席1の最後の捨て札（占星術3）を取る",
    )
    play = given("M1 X", "A1", rows=("S2", "S3")).move(0, moves.Swap(0))
    assert called(play, moves.Give(0)) == (
        "Give an innocent for astrology 2, your own last discard",
        "無垢を渡し、自分の最後の捨て札（占星術2）を取る",
    )


def test_mg_9_a_formula_says_what_it_brings() -> None:
    play = given("A1 A2 A3", "A1", has={0: won("M123", chips=1)})
    assert called(play, moves.Fix(ALCHEMY, (1, 2, 3))) == (
        "Fix alchemy 1-2-3: draw 2 and take 1 point, 2 in all",
        "錬金術1-2-3を確定する：2枚引き、1点を得て計2点になる",
    )


def test_mg_13_a_formula_that_completes_specials_says_which() -> None:
    has = won("A123 M123 S123", chips=3, shown="A2", artefact=(Artefact.FATE,), penalty=-2)
    play = given("A1 A2 A3", "A1", has={0: has})
    assert called(play, moves.Fix(ALCHEMY, (1, 2, 3))) == (
        "Fix alchemy 1-2-3: draw 2 and take 4 points (1 for the formula, 2 for 2 equal runs in one school, "
        "1 by your aptitude cards), 6 in all",
        "錬金術1-2-3を確定する：2枚引き、4点を得て計6点になる"
        "（魔法式1点、特殊式「同じ術で同じ連番を2つ」2点、適性カード1点）",
    )


def test_mg_17_a_move_that_wins_says_so() -> None:
    play = given("A1 A2 A3", "A1", has={0: won(chips=9, aptitudes="A7")})
    assert called(play, moves.Fix(ALCHEMY, (1, 2, 3))) == (
        "Fix alchemy 1-2-3: draw 2 and take 1 point, 10 in all, and you win",
        "錬金術1-2-3を確定する：2枚引き、1点を得て計10点になる。これで勝つ",
    )
    play = given("M1", "A1", has={0: won("A222", chips=8, aptitudes="A2")})
    assert called(play, moves.Show())[0] == "Show your aptitude card alchemy 2: 3 points more, 11 in all, and you win"


def test_mg_10_innocents_are_named_with_what_they_stand_for() -> None:
    play = given("M2 M4 X X", "A1")
    assert called(play, moves.Declare(MAGIC)) == (
        "Announce a formula of magic with innocents, to be fixed next: 1-2-3, 2-3-4, 3-4-5, 4-5-6, 2-2-2, 4-4-4",
        "無垢を含む魔術の魔法式を宣言し、次に確定する：1-2-3、2-3-4、3-4-5、4-5-6、2-2-2、4-4-4",
    )
    play.move(0, moves.Declare(MAGIC))
    assert called(play, moves.Fix(MAGIC, (2, 3, 4), (3,))) == (
        "Fix magic 2-3-4 with an innocent as 3: draw 2 and take 1 point, 1 in all",
        "無垢を3として魔術2-3-4を確定する：2枚引き、1点を得て計1点になる",
    )
    assert called(play, moves.Fix(MAGIC, (2, 3, 4), (3, 4)))[0].startswith(
        "Fix magic 2-3-4 with an innocent as 3 and an innocent as 4: "
    )


def test_mg_10_of_many_formulas_with_innocents_the_number_is_told() -> None:
    play = given("M2 M4 M6 X X", "A1")
    assert called(play, moves.Declare(MAGIC)) == (
        "Announce a formula of magic with innocents, to be fixed next: one of 8",
        "無垢を含む魔術の魔法式を宣言し、次に確定する：8通りから1つ",
    )


def test_mg_11_an_awakening_says_what_it_takes_and_brings() -> None:
    play = given("A1 A1 A1 A1", "A2")
    assert called(play, moves.Awaken(card("A1"))) == (
        "Awaken: set 4 of alchemy 1 aside, take an aptitude card and draw 3; each later turn begins with 1 card more",
        "錬金術1を4枚脇に置いて魔力覚醒する：適性カードを取り、3枚引く。以後の手番は1枚多く引く",
    )


def test_mg_11_the_school_of_an_aptitude_card_says_what_it_could_count() -> None:
    play = given("A1 A1 A1 A1", "A2", has={0: won("M123 M444 S123")}, aptitudes=((1, 2), (), (3,)))
    play.move(0, moves.Awaken(card("A1")))
    assert [called(play, moves.TakeAptitude(school)) for school in (MAGIC, ALCHEMY)] == [
        (
            "Take an aptitude card of magic (2 left) and draw 3; you have fixed 6 cards of magic",
            "魔術の適性カードを取り（残り2枚）、3枚引く。確定した魔術のカードは6枚",
        ),
        (
            "Take no aptitude card, for alchemy has none left, and draw 3",
            "錬金術を選ぶ：適性カードは残っておらず取れない。3枚引く",
        ),
    ]
    assert called(play, moves.TakeAptitude(ASTROLOGY))[0].endswith("you have fixed 3 cards of astrology")


def test_mg_16_aptitude_cards_are_shown_by_name_with_what_they_count() -> None:
    play = given("M1", "A1", has={0: won("A222 M123", chips=1, aptitudes="A2 M3", shown="S1")})
    assert called(play, moves.Show()) == (
        "Show your aptitude cards not yet shown, alchemy 2 · magic 3: 4 points more, 5 in all",
        "公開していない適性カード（錬金術2・魔術3）を全て公開する：4点増えて計5点になる",
    )
    assert called(play, moves.ShowOne(1)) == (
        "Show only magic 3, your aptitude card 2 of 3: 1 point more, 2 in all",
        "適性カード3枚のうち2枚目の魔術3だけを公開する：1点増えて計2点になる",
    )
    play = given("M1", "A1", has={0: won("A222 M123", chips=1, aptitudes="A7")})
    assert called(play, moves.Show()) == (
        "Show your aptitude card alchemy 7: 0 points more, 1 in all",
        "適性カード（錬金術7）を公開する：0点増えて計1点になる",
    )


def test_mg_15_an_artefact_says_its_cost_and_that_it_is_the_only_one() -> None:
    play = given("M1 M2 M3 X", "A1", rows=("S1 S2", ""))
    assert called(play, FATE) == (
        "Use Fate (−2 points): look at the top 5 of the deck and reorder them; no other artefact later",
        "運命の調整を使う（−2点）：山札の上5枚を見て、好きな順に戻す。他の魔具は使えなくなる",
    )
    assert called(play, INNOCENT) == (
        "Use Innocent (−2 points): let a hand card count as innocent in a formula that you fix at once; "
        "no other artefact later",
        "無垢の模倣を使う（−2点）：手札1枚を無垢として、ただちに魔法式を確定する。他の魔具は使えなくなる",
    )
    play = given("M1", "A1", is_start=True, left=3)
    assert called(play, FATE) == (
        "Use Fate (−2 points) before you draw 2: look at the top 3 of the deck and reorder them; "
        "no other artefact later",
        "2枚引く前に運命の調整を使う（−2点）：山札の上3枚を見て、好きな順に戻す。他の魔具は使えなくなる",
    )


def test_mg_19_fate_on_an_empty_deck_counts_the_cards_that_the_discards_make() -> None:
    play = given("M1", "A1", is_start=True, left=0, rows=("S1 S2 S3", "S4 S5"))
    assert "look at the top 3 of the deck" in called(play, FATE)[0]


@pytest.mark.parametrize(
    ("row", "english", "japanese"),
    [
        ("S1 S2 S3 S4", "take any 3 of its other 4 cards", "他の4枚から好きな3枚を取る"),
        ("S1 S2 S3", "take all its other cards (3 cards)", "他の3枚を取る"),
        ("", "take nothing, as it was empty", "列に他の札がないので何も取らない"),
    ],
)
def test_mg_15_past_says_how_many_cards_come_back(row: str, english: str, japanese: str) -> None:
    assert called(given("M1 M2 M3 X", "A1", rows=(row,)), PAST) == (
        f"Use Past (−2 points): put 3 hand cards at the left of your row and {english}; no other artefact later",
        f"過去の改変を使う（−2点）：手札3枚を列の左端に差し込み、{japanese}。他の魔具は使えなくなる",
    )


def test_mg_15_fate_says_which_card_goes_where_on_the_deck() -> None:
    play = given("M1", "A1", deck="S1 S2 S3 S4 S5").move(0, FATE, moves.Arrange(card("S2")))
    assert called(play, moves.Arrange(card("S1"))) == (
        "Put astrology 1 back as card 2 of 5 from the top of the deck",
        "占星術1を山札の上から2枚目に戻す（全5枚）",
    )
    for name in ("S1", "S3"):
        play.fold(GAME.decide(play.table, 0, moves.Arrange(card(name)), Simulation(1)))
    play.fold(GAME.decide(play.table, 0, moves.Arrange(card("S4")), Simulation(1)))
    assert called(play, moves.ArrangeLast())[0] == "Put astrology 5 back as card 5 of 5 from the top of the deck"


def test_mg_15_past_names_the_cards_and_their_places() -> None:
    play = given("M1 M2 M3 M5", "A1", rows=("S1 S2 S3 S4", "")).move(0, PAST, moves.Put(card("M3")))
    assert called(play, moves.Put(card("M1"))) == (
        "Put magic 1 into your row, as card 2 of 3 at its left end",
        "魔術1を列の左端から2枚目に差し込む（全3枚）",
    )
    play.move(0, moves.Put(card("M1")), moves.Put(card("M2")))
    assert called(play, moves.Take(4)) == (
        "Take astrology 2, card 5 of 7 in your row from the left; 2 more to take after it",
        "列の左から5枚目（全7枚）の占星術2を取る。あと2枚取る",
    )
    play.move(0, moves.Take(4), moves.Take(3))
    assert called(play, moves.Take(3)) == (
        "Take astrology 3, card 4 of 5 in your row from the left",
        "列の左から4枚目（全5枚）の占星術3を取る",
    )
    play = given("M1 M2 M3 M5", "A1", rows=("S1 S2", "")).move(0, PAST, *map(moves.Put, cards("M1 M2")))
    play.fold(GAME.decide(play.table, 0, moves.Put(card("M3")), Simulation(1)))
    assert called(play, moves.Take(3))[0].endswith("; 1 more to take after it"), "there are only two"


def test_mg_15_a_card_that_counts_as_innocent_is_named_all_the_way() -> None:
    play = given("A2 A4 A7 S3", "A1").move(0, INNOCENT)
    assert called(play, moves.Imitate(card("S3"))) == (
        "Let astrology 3 count as innocent in a formula of alchemy, which you fix next",
        "占星術3を無垢として、次に錬金術の魔法式を確定する",
    )
    several = given("A2 A4 M2 M4 S2 S4 S7", "A1").move(0, INNOCENT)
    assert called(several, moves.Imitate(card("S7"))) == (
        "Let astrology 7 count as innocent in a formula of magic, alchemy or astrology, which you fix next",
        "占星術7を無垢として、次に魔術か錬金術か占星術の魔法式を確定する",
    )
    play.move(0, moves.Imitate(card("S3")))
    assert called(play, moves.Declare(ALCHEMY)) == (
        "Announce a formula of alchemy with astrology 3 as innocent, to be fixed next: 2-3-4",
        "占星術3を無垢とする錬金術の魔法式を宣言し、次に確定する：2-3-4",
    )
    play.move(0, moves.Declare(ALCHEMY))
    assert called(play, moves.Fix(ALCHEMY, (2, 3, 4), (3,))) == (
        "Fix alchemy 2-3-4 with astrology 3 as 3: draw 2 and take 1 point, −1 in all",
        "占星術3を3として錬金術2-3-4を確定する：2枚引き、1点を得て計−1点になる",
    )


def test_mg_15_a_card_that_counts_as_innocent_comes_before_an_innocent() -> None:
    play = given("A2 S3 X", "A1").move(0, INNOCENT, moves.Imitate(card("S3")), moves.Declare(ALCHEMY))
    assert called(play, moves.Fix(ALCHEMY, (2, 3, 4), (3, 4)))[0].startswith(
        "Fix alchemy 2-3-4 with astrology 3 as 3 and an innocent as 4: "
    )


def test_mg_19_a_move_that_finds_too_few_cards_to_draw_says_that_the_match_ends() -> None:
    play = given("A1 A2 A3 M7 M7 M7 M7", "A1", left=1, rows=("M1", "M2"))
    assert called(play, moves.Fix(ALCHEMY, (1, 2, 3))) == (
        f"Fix alchemy 1-2-3{DRAWS}",
        f"錬金術1-2-3を確定する{DRAWS_JA}",
    )
    unless = f"{DRAWS.replace('2', '3')} unless aptitude cards that are shown before win it"
    assert called(play, moves.Awaken(card("M7")))[0].endswith(unless)
    play.move(0, moves.Awaken(card("M7")))
    assert called(play, moves.TakeAptitude(MAGIC))[0].endswith(f"fixed 0 cards of magic{unless}")
    play.move(0, moves.TakeAptitude(MAGIC))
    assert called(play, moves.Draw()) == (
        f"Draw without showing more{DRAWS.replace('2', '3')}",
        f"これ以上公開せずに引く{DRAWS_JA.replace('2', '3')}",
    )
    assert called(play, moves.Show())[0].endswith(f": 0 points more, 0 in all{DRAWS.replace('2', '3')}")
    play = given("M1", "A1", is_start=True, left=1)
    assert called(play, moves.Draw()) == (
        f"Draw 2 cards without using Fate first{DRAWS}",
        f"運命の調整を使わずに2枚引く{DRAWS_JA}",
    )
    assert called(play, FATE)[0].endswith(f"no other artefact later{DRAWS}")


def test_mg_17_a_formula_that_wins_before_the_draw_that_would_end_the_match_says_so() -> None:
    has = {0: won("A222", chips=5, shown="A2")}
    play = given("A2 A2 A2", "", left=1, has=has, is_rebuilt=True)
    assert called(play, moves.Fix(ALCHEMY, (2, 2, 2))) == (
        "Fix alchemy 2-2-2: your shown aptitude cards count 3 points for it, 11 in all, and you win before you draw",
        "錬金術2-2-2を確定する：公開した適性カードで3点を得て計11点となり、引く前に勝つ",
    )


def test_mg_19_a_discard_after_which_nobody_can_draw_says_that_the_match_ends() -> None:
    """The next player has used an artefact, so that Fate is no choice; a discard more makes one card to draw."""
    uses = {0: won(artefact=(Artefact.PAST,)), 1: won(artefact=(Artefact.INNOCENT,))}
    play = given("M1 M2", "A1", left=0, rows=("S1", "S2"), has=uses)
    assert called(play, moves.Discard(card("M1"))) == (
        f"Discard magic 1 and end your turn{DRAWS}",
        f"魔術1を捨てて手番を終える{DRAWS_JA}",
    )
    assert "draw" not in called(given("M1", "A1", left=1, rows=("S1", "S2"), has=uses), moves.Discard(card("M1")))[0]
    assert "draw" not in called(given("M1", "A1", left=1), moves.Discard(card("M1")))[0], "Fate is a choice"
    assert called(given("M1", "A1", left=0), moves.Discard(card("M1")))[0].endswith(DRAWS), "Fate finds no card"


@pytest.mark.parametrize("kind", BOTS)
def test_mg_17_labels_promise_what_comes_about(kind: str) -> None:
    """Of every legal move of whole matches: who wins by it, whether it is drawn, and the points after it."""
    kinds: set[type] = set()
    for seed in range(3):
        played = play_match(GAME.slug, seed, kind)
        for step in played.positions:
            (seat,) = GAME.to_act(step.table)
            for move in GAME.legal(step.table, seat):
                text = GAME.label(step.seen[seat].table, seat, move, "en")
                told = GAME.decide(step.table, seat, move, Simulation(3))
                kinds.add(type(move))
                assert ("you win" in text) == any(isinstance(event, MatchEnded) for event in told), text
                if not isinstance(move, moves.Awaken | moves.Use):
                    ends = DrawWaits if "unless" in text else MatchDrawn
                    assert ("in a draw" in text) == any(isinstance(event, ends) for event in told), text
                if total := re.search(r"(−?\d+) in all", text):
                    totals = [
                        event.total
                        for event in told
                        if isinstance(
                            event, ChipsTaken | FormulaFixed | SpecialCompleted | AptitudeShown | AptitudesShown
                        )
                        and event.seat == seat
                    ]
                    assert int(total[1].replace("−", "-")) in totals
    assert kinds <= set(get_args(MagicativeMove))
    assert {moves.Fix, moves.Discard, moves.Use} <= kinds

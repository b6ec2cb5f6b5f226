"""The table as text, in both languages."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bots import BOTS
from bots.simulate import play_out
from domain.chance import Simulation
from domain.game import Seat
from domain.games.troll_master import GAME
from domain.games.troll_master.components import Options
from domain.games.troll_master.events import TrollMasterEvent
from domain.games.troll_master.moves import Act, Pass
from domain.games.troll_master.pack import Pack
from domain.games.troll_master.state import Step, Table
from tests.games.troll_master.table import (
    ODD_PACK,
    PACK,
    Play,
    acting,
    at,
    magics,
    named,
    opened,
    planning,
    reveal,
    use,
)


def test_the_table_is_drawn_with_the_hand_of_its_viewer() -> None:
    table = planning("TFW", "FF", "CCC").table
    drawn = GAME.draw(GAME.view(table, 0), "en")
    assert "Hand: tome, flask, wand" in drawn
    assert "Hand: 2 cards face down" in drawn
    assert "crystal, crystal" not in drawn
    assert "手札：古文書、薬瓶、杖" in GAME.draw(GAME.view(table, 0), "ja")
    assert "手札：伏せたカード2枚" in GAME.draw(GAME.view(table, 0), "ja")


def test_the_table_says_what_there_is_to_know_of_every_action_familiar_and_seat() -> None:
    play = acting(
        at(12, "Black Cat", ("Salamander", 2), mana=7, chips=3),
        at(3, "Troll"),
        at(0, "Raven", mana=1, chips=1),
        open="FFFFTTWWCC",
        supply=("Gnome", "Dragon Egg"),
    )
    shown = GAME.view(replace(play.table, start=0), None)
    drawn = GAME.draw(shown, "en").splitlines()
    assert drawn[0] == "Round 1 (the last one if somebody reaches 20 points) · seat 0: do the action or pass it"
    assert drawn[1].endswith("deck 14 · discards 0, on top: none")
    assert drawn[2] == "Action 12: brew 6 mana; 6 flasks needed, all there"
    assert "  2. summon (3 tomes)" in drawn
    assert "  3. attack (4 wands) <- seat 1" in drawn
    assert "  12. brew 6 mana (6 flasks) <- seat 0" in drawn
    assert "  2 x Gnome: cost 3, power 1, 1 point. [summon] gain 1 mana." in drawn
    assert (
        "  2 x Dragon Egg: cost 6, power 0, no points, 2 of 6 charges. [scoring] +1 point for each charge on it."
        in drawn
    )
    assert "Seat 0: 4 points (3 from chips), 7 mana, power 2, start player, holds the broom" in drawn
    assert "  Black Cat: cost 1, power 1, no points." in drawn
    assert "  Salamander: cost 3, power 1, 1 point, 2 of 3 charges. [attack] for 1 charge: power +2." in drawn
    assert "Seat 1: 5 points, no mana, power 6" in drawn
    assert "Seat 2: 2 points (1 from a chip), 1 mana, power 1" in drawn
    japanese = GAME.draw(shown, "ja").splitlines()
    assert japanese[0] == "第1ラウンド（20点到達で最後）・席0：アクションを実行するか、パスする"
    assert japanese[2] == "アクション12：調合（マナ6個）。コストは薬瓶6枚、不足なし"
    assert "  12：調合（マナ6個）、コスト薬瓶6枚 ← 席0" in japanese
    assert "席0：4点（うちチット3枚）、マナ7個、戦闘力2、スタートプレイヤー、ほうき" in japanese
    assert "  黒猫：コスト1、戦闘力1、勝利点0。" in japanese
    assert "  火蜥蜴：コスト3、戦闘力1、勝利点1、チャージ2/3。[攻撃]チャージ1個：戦闘力+2。" in japanese


def test_tm_14_the_table_says_who_has_passed_while_others_plan() -> None:
    play = planning("TF", "FF", "WW").move(0, reveal("T", 2)).move(1, reveal("F", 4)).move(2, reveal("W", 3))
    assert "has passed" not in GAME.draw(GAME.view(play.table, None), "en")
    play.move(0, Pass())
    assert "Seat 0: no points, 4 mana, power 1, start player, holds the broom, has passed" in GAME.draw(
        GAME.view(play.table, None), "en"
    )
    play.move(1, Pass()).move(2, Pass())
    assert "has passed" not in GAME.draw(GAME.view(play.table, None), "en")


def test_tm_14_who_has_not_placed_the_pawn_is_not_told_to_pass() -> None:
    play = planning("TF", "FF", "WW")
    assert (
        GAME.draw(GAME.view(play.table, 0), "en").splitlines()[0].endswith("seat 0: reveal a card and place the pawn")
    )
    assert GAME.draw(GAME.view(play.table, 0), "ja").splitlines()[0].endswith("席0：手札を公開してコマを置く")
    play.move(0, reveal("T", 2)).move(1, reveal("F", 4)).move(2, reveal("W", 3))
    assert (
        GAME.draw(GAME.view(play.table, 0), "en")
        .splitlines()[0]
        .endswith("seat 0: reveal a card and move the pawn, or pass")
    )


def test_tm_34_the_last_round_is_called_so() -> None:
    table = planning("TF", "FF", "WW").table
    for number, head in (
        (39, "Round 39 (the last one if somebody reaches 20 points) ·"),
        (40, "Round 40 (the last one) ·"),
    ):
        drawn = GAME.draw(GAME.view(replace(table, round=number), None), "en")
        assert drawn.startswith(head)
    assert GAME.draw(GAME.view(replace(table, round=40), None), "ja").startswith("第40ラウンド（最後）・席0：")


def test_the_piles_are_told_apart() -> None:
    table = planning("TF", "FF", "WW", open="TW").table
    table = replace(table, cards=replace(table.cards, discards=magics("TF")))
    lines = GAME.draw(GAME.view(table, None), "en").splitlines(), GAME.draw(GAME.view(table, None), "ja").splitlines()
    assert lines[0][1].startswith("Face up: tome, wand · deck ")
    assert lines[1][1].startswith("公開：古文書、杖。山札")
    assert lines[1][1].endswith("枚、捨て札2枚（一番上：薬瓶）")


def doing(play: Play) -> str:
    """The line on the action that is being done."""
    return GAME.draw(GAME.view(play.table, None), "en").splitlines()[2]


def test_tm_41_the_table_says_what_has_come_off_the_cost() -> None:
    play = acting(at(9, ("Fairy Circle", 2), mana=3), at(0), at(0), open="TTTTTFFFFF").move(0, Act())
    assert doing(play) == "Action 9: summon at 2 mana less"
    assert doing(play.move(0, use("Fairy Circle"))) == "Action 9: summon at 3 mana less"


def test_tm_44_the_table_says_the_strength_of_attack_and_defence() -> None:
    play = acting(at(10, "Troll", ("Salamander", 1)), at(0, ("Gargoyle", 2)), at(0, "Raven"), open="WWWWWWTTFF").move(
        0, Act()
    )
    assert doing(play) == "Action 10: seat 0 attacks with strength 8"
    play.move(0, use("Salamander"))
    play.move(1, use("Gargoyle"))
    assert doing(play) == "Action 10: seat 0 attacks with strength 10, seat 1 defends with 5"


@pytest.mark.parametrize("pack", [PACK, ODD_PACK])
def test_the_table_is_drawn_after_every_event_for_everybody(pack: Pack) -> None:
    drawn: list[str] = []

    def watch(table: Table, seat: Seat | None, move: object, news: tuple[TrollMasterEvent, ...]) -> None:
        for event in news:
            table = GAME.evolve(table, event)
            drawn.extend(GAME.draw(GAME.view(table, viewer), lang) for viewer in (0, None) for lang in ("en", "ja"))

    play_out(GAME, pack, Options(), 3, [BOTS["random"]] * 3, Simulation(4), watch=watch)
    assert len(drawn) > 1000
    assert not [lines for lines in drawn if "{" in lines or "None" in lines]


def test_the_broom_step_the_top_discard_and_covered_cards_are_drawn() -> None:
    table = opened()
    covered = replace(table.places[0].familiars[0], covered=(named("Raven"), named("Troll")))
    places = (replace(table.places[0], familiars=(covered,), is_out=True, has_passed=True), *table.places[1:])
    table = replace(table, places=places, cards=replace(table.cards, discards=magics("TW")))
    drawn = GAME.draw(GAME.view(table, None), "en")
    assert ": use the broom or leave it" in drawn.splitlines()[0]
    assert "discards 2, on top: wand" in drawn
    assert "  Black Cat: cost 1, power 1, no points, over Raven and Troll." in drawn
    assert ", out of this round" in drawn
    assert "has passed" not in drawn


def test_tm_33_the_table_of_a_match_that_is_over_says_who_has_won() -> None:
    table = opened()
    places = tuple(replace(place, chips=chips) for place, chips in zip(table.places, (7, 21, 20), strict=True))
    over = replace(table, places=places, stage=replace(table.stage, step=Step.OVER), round=8)
    shown = GAME.view(over, None)
    assert GAME.draw(shown, "en").startswith("The match is over after round 8: seat 1 wins with 21 points\n")
    assert GAME.draw(shown, "ja").startswith("第8ラウンドで対局終了。席1が21点で勝った\n")

"""The table as it is drawn and told, in both languages."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bots import BOTS
from bots.simulate import play_out
from domain.chance import Simulation
from domain.game import ALL, Seat
from domain.games.troll_master import GAME
from domain.games.troll_master.components import HOME, Options
from domain.games.troll_master.events import TrollMasterEvent
from domain.games.troll_master.moves import Act, Draw, Pass
from domain.games.troll_master.pack import Pack
from domain.games.troll_master.scene import ids
from domain.games.troll_master.state import Step, Table
from domain.telling import drawn
from tests.games.troll_master.scenes import facts, marks, piece, scene, told, zone
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


def everything() -> Table:
    """A table with something of everything."""
    play = acting(
        at(12, "Black Cat", ("Salamander", 2), mana=7, chips=3),
        at(3, "Troll"),
        at(0, "Raven", mana=1, chips=1),
        open="FFFFTTWWCC",
        supply=("Gnome", "Dragon Egg"),
    )
    table = play.table
    trained = replace(table.places[1].familiars[0], covered=(named("Raven"), named("Gnome")))
    places = (table.places[0], replace(table.places[1], familiars=(trained,)), table.places[2])
    supply = (table.supply[0], replace(table.supply[1], left=0))
    cards = replace(table.cards, discards=magics("TW"))
    return replace(table, start=0, places=places, supply=supply, cards=cards)


TOLD = """\
Round 1 (the last one if somebody reaches 20 points) · seat 0: do the action or pass it
Action 12: brew 6 mana; 6 flasks needed, all there
Face up (with crystals: tomes 4, flasks 6, wands 4; crystals alone: 2): flask ×4, tome ×2, wand ×2, crystal ×2
Deck: magic card face down ×14
Discard pile: wand, magic card below it
Workshop row
  1. brew (mana +3, flasks 3)
  2. summon (tomes 3)
  3. attack (wands 4): pawn of seat 1
  4. brew (mana +4, flasks 4)
  5. summon (price −1, tomes 4)
  6. divination (chips +1, crystals 2)
  7. attack (wands 5)
  8. brew (mana +5, flasks 5)
  9. summon (price −2, tomes 5)
  10. attack (power +1, wands 6)
  11. divination (chips +2, crystals 3)
  12. brew (mana +6, flasks 6, being done): pawn of seat 0
  13. summon (price −3, tomes 7)
  14. divination (chips +3, crystals 4)
Supply: Gnome (cost 3, power 1, points 1) ×2, no Dragon Egg left

→ Seat 0: 4 points, 7 mana, 3 chips, power 2, start player, holds the broom
  Hand: none
  Familiars: Black Cat (cost 1, power 1, points 0), Salamander (cost 3, power 1, points 1): 2 of 3 charges

Seat 1: 5 points, no mana, no chips, power 6
  Hand: none
  Familiars: Troll (cost 12, power 6, points 5)
  Covered: Raven (under Troll), Gnome (under Troll)

Seat 2: 2 points, 1 mana, 1 chip, power 1, pawn at home
  Hand: none
  Familiars: Raven (cost 4, power 1, points 1)"""

TOLD_JA = """\
第1ラウンド（20点到達で最後）・席0：アクションを実行するか、パスする
アクション12：調合（マナ6個）。コストは薬瓶6枚、不足なし
公開カード（水晶込みで古文書4、薬瓶6、杖4。水晶だけなら2）：薬瓶×4、古文書×2、杖×2、水晶×2
山札：伏せた魔法カード×14
捨て札：杖、その下の魔法カード
工房
  1 調合（マナ+3、薬瓶3）
  2 召喚（古文書3）
  3 攻撃（杖4）に席1の計画コマ
  4 調合（マナ+4、薬瓶4）
  5 召喚（コスト−1、古文書4）
  6 占い（チット+1、水晶2）
  7 攻撃（杖5）
  8 調合（マナ+5、薬瓶5）
  9 召喚（コスト−2、古文書5）
  10 攻撃（戦闘力+1、杖6）
  11 占い（チット+2、水晶3）
  12 調合（マナ+6、薬瓶6、実行中）に席0の計画コマ
  13 召喚（コスト−3、古文書7）
  14 占い（チット+3、水晶4）
サプライ：ノーム（コスト3、戦闘力1、勝利点1）×2、竜の卵は品切れ

→ 席0：4点、マナ7個、チット3枚、戦闘力2、スタートプレイヤー、ほうき
  手札：なし
  使い魔：黒猫（コスト1、戦闘力1、勝利点0）、火蜥蜴（コスト3、戦闘力1、勝利点1）にチャージ2/3

席1：5点、マナなし、チットなし、戦闘力6
  手札：なし
  使い魔：トロル（コスト12、戦闘力6、勝利点5）
  下になったカード：ワタリガラス（トロルの下）、ノーム（トロルの下）

席2：2点、マナ1個、チット1枚、戦闘力1、計画コマは手元
  手札：なし
  使い魔：ワタリガラス（コスト4、戦闘力1、勝利点1）"""


@pytest.mark.parametrize(("lang", "text"), [("en", TOLD), ("ja", TOLD_JA)])
def test_the_table_says_what_there_is_to_know_of_every_card_action_and_seat(lang: str, text: str) -> None:
    assert "\n".join(told(everything(), None, lang)) == text


def test_tm_6_a_hand_is_drawn_open_to_its_holder_alone() -> None:
    table = planning("TFT", "FF", "CCC").table
    own = zone(scene(table, 0), "seat.0/hand")
    assert [(one.id, one.label, one.tone, one.face) for one in own.pieces] == [
        ("seat.0/hand/tome", "tome", "tome", "up"),
        ("seat.0/hand/flask", "flask", "flask", "up"),
        ("seat.0/hand/tome.2", "tome", "tome", "up"),
    ]
    other = zone(scene(table, 0), "seat.2/hand")
    assert [(one.id, one.label, one.tone, one.face) for one in other.pieces] == [
        ("seat.2/hand/0", "", "", "down"),
        ("seat.2/hand/1", "", "", "down"),
        ("seat.2/hand/2", "", "", "down"),
    ]
    assert "  Hand: magic card face down ×3" in told(table, 0)
    assert "  Hand: crystal ×3" in told(table, ALL)
    assert "  手札：古文書、薬瓶、古文書" in told(table, 0, "ja")


def test_tm_8_the_card_that_was_drawn_is_marked_for_its_holder_unless_it_is_like_another_one() -> None:
    def drawing(hand: str, deck: str) -> Table:
        table = planning(hand, "FF", "WW").table
        table = replace(table, stage=replace(table.stage, step=Step.BROOM))
        return Play(replace(table, cards=replace(table.cards, deck=magics(deck)))).move(0, Draw()).table

    table = drawing("TF", "CTFW")
    assert [marks(one) for one in zone(scene(table, 0), "seat.0/hand").pieces] == [[], [], [("new", "just drawn")]]
    assert not [one for one in zone(scene(table, 1), "seat.0/hand").pieces if one.marks]
    assert not [one for one in zone(scene(drawing("TF", "TTFW"), 0), "seat.0/hand").pieces if one.marks]


def test_tm_9_of_the_discards_only_the_top_card_is_open() -> None:
    table = planning("TF", "FF", "WW").table
    shown = scene(replace(table, cards=replace(table.cards, discards=magics("CCTF"), deck=())))
    pile = zone(shown, "discards").pieces
    assert [(one.id, one.label, one.face, one.count) for one in pile] == [
        ("discards/top", "flask", "up", 1),
        ("discards/below", "", "down", 3),
    ]
    assert zone(shown, "deck").pieces == ()


def test_tm_21_an_action_shows_what_it_brings_and_costs_and_who_stands_there() -> None:
    shown = scene(everything())
    brew, attack, summon, divination = (piece(shown, f"row/{number}") for number in (12, 3, 9, 14))
    assert (brew.kind, brew.label, brew.title, brew.tone) == ("tile", "12", "12. brew", "flask")
    assert facts(brew) == [("mana", "+6", "mana"), ("flasks", "6", "flask")]
    assert marks(brew) == [("bright", "being done")]
    assert brew.text == (
        "Brew 6 mana, then put any of the mana in hand on own familiars as charges."
        " Needs 6 flasks; each one that is missing is bought for 2 mana."
    )
    assert [(one.id, one.kind, one.label, one.tone) for one in brew.on] == [("row/12/pawn", "pawn", "0", "seat-0")]
    assert facts(attack) == [("wands", "4", "wand")]
    assert facts(summon) == [("price", "−2", "mana"), ("tomes", "5", "tome")]
    assert facts(divination) == [("chips", "+3", "chip"), ("crystals", "4", "crystal")]
    assert marks(attack) == []


def test_a_familiar_shows_its_cost_power_points_charges_and_what_it_does() -> None:
    shown = scene(everything())
    own = piece(shown, "seat.0/familiars/salamander")
    assert (own.kind, own.label, own.tone) == ("card", "3", "wand")
    assert facts(own) == [("cost", "3", "mana"), ("power", "1", "wand"), ("points", "1", "chip")]
    assert own.text == "[attack] for 1 charge: power +2."
    assert [(one.id, one.kind, one.label, one.title) for one in own.on] == [
        ("seat.0/familiars/salamander/charges", "token", "2/3", "2 of 3 charges")
    ]
    assert piece(shown, "seat.1/familiars/troll").tone == "familiar"
    assert piece(shown, "supply/gnome").count == 2
    assert piece(shown, "supply/dragon-egg").kind == "space"


def test_tm_25_covered_familiars_lie_apart_and_are_barred() -> None:
    table = opened()
    troll = replace(table.places[0].familiars[0], covered=(named("Raven"), named("Gnome"), named("Raven")))
    shown = scene(replace(table, places=(replace(table.places[0], familiars=(troll,)), *table.places[1:])))
    covered = zone(shown, "seat.0/covered")
    assert [one.id for one in covered.pieces] == [
        "seat.0/covered/raven",
        "seat.0/covered/gnome",
        "seat.0/covered/raven.2",
    ]
    assert {*map(tuple, map(marks, covered.pieces))} == {(("blocked", "under Black Cat"),)}
    assert "seat.1/covered" not in [one.id for one in shown.zones]


def test_tm_14_the_table_says_who_has_passed_while_others_plan() -> None:
    play = planning("TF", "FF", "WW").move(0, reveal("T", 2)).move(1, reveal("F", 4)).move(2, reveal("W", 3))
    assert "has passed" not in "".join(told(play.table))
    play.move(0, Pass())
    assert "Seat 0: no points, 4 mana, no chips, power 1, start player, holds the broom, has passed" in told(play.table)
    play.move(1, Pass()).move(2, Pass())
    assert "has passed" not in "".join(told(play.table))


def test_tm_14_who_has_not_placed_the_pawn_is_not_told_to_pass() -> None:
    play = planning("TF", "FF", "WW")
    assert scene(play.table).line.endswith("seat 0: reveal a card and place the pawn")
    assert scene(play.table, 0, "ja").line.endswith("席0：手札を公開してコマを置く")
    play.move(0, reveal("T", 2)).move(1, reveal("F", 4)).move(2, reveal("W", 3))
    assert scene(play.table).line.endswith("seat 0: reveal a card and move the pawn, or pass")


def test_tm_16_who_is_out_is_said_to_be() -> None:
    table = planning("TF", "FF", "WW", start=1).table
    places = (replace(table.places[0], is_out=True, has_passed=True), *table.places[1:])
    shown = scene(replace(table, places=places))
    assert piece(shown, "seat.0/out").title == "out of this round"
    assert "seat.0/passed" not in [one.id for one in zone(shown, "seat.0/has").pieces]


def test_tm_34_the_last_round_is_called_so() -> None:
    table = planning("TF", "FF", "WW").table
    assert scene(replace(table, round=39)).line.startswith("Round 39 (the last one if somebody reaches 20 points) ·")
    assert scene(replace(table, round=40)).line.startswith("Round 40 (the last one) ·")
    assert scene(replace(table, round=40), None, "ja").line.startswith("第40ラウンド（最後）・席0：")


def doing(play: Play) -> str:
    """What is said of the action that is being done."""
    return piece(scene(play.table), "doing/action").title


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


def test_tm_48_an_action_that_is_done_is_said_to_be_while_its_chain_is_open() -> None:
    play = acting(at(8, ("Automaton", 1)), at(0), at(0), open="FFFFFTTTTT").move(0, Act())
    play.move(0, play.legal(0)[-1])
    assert play.table.stage.step is Step.CHAIN
    assert doing(play) == "Action 8 is done"
    assert marks(piece(scene(play.table), "row/8")) == [("bright", "being done")]
    home = replace(play.table.places[0], pawn=HOME)
    assert marks(piece(scene(replace(play.table, places=(home, *play.table.places[1:]))), "row/8")) == []


def test_while_nobody_acts_no_action_is_said_to_be_done() -> None:
    shown = scene(planning("TF", "FF", "WW").table)
    assert "doing" not in [one.id for one in shown.zones]
    assert not [one for one in zone(shown, "row").pieces if one.marks]


def buttons(table: Table, lang: str = "en") -> list[tuple[str, str]]:
    return [(one.id, one.title) for one in scene(table, None, lang).buttons]


def test_every_step_has_the_buttons_for_what_can_be_said() -> None:
    table = opened()
    assert buttons(table) == [("do/draw", "Use the broom"), ("do/pass", "Leave the broom unused")]
    play = planning("TF", "FF", "WW")
    assert buttons(play.table) == [("do/pass", "Be out of this round")]
    assert buttons(play.move(0, reveal("T", 2)).move(1, reveal("F", 4)).move(2, reveal("W", 3)).table) == [
        ("do/pass", "Pass")
    ]
    assert buttons(everything()) == [("do/act", "Do the action"), ("do/pass", "Pass the action: 2 mana")]
    play = acting(at(10, "Troll"), at(0, ("Gargoyle", 2)), at(0), open="WWWWWWTTFF").move(0, Act())
    assert buttons(play.table) == [("do/answer", "Defend")]
    assert buttons(everything(), "ja") == [("do/act", "アクションを実行する"), ("do/pass", "パスする：マナ2個")]


def test_a_card_with_several_abilities_for_a_step_has_a_button_for_each() -> None:
    play = acting(at(2, "Toaster"), at(0, ("Doormat", 4)), at(0), open="WFFFFTTTTT", pack=ODD_PACK).move(0, Act())
    assert play.table.stage.step is Step.DEFENCE
    assert buttons(play.table) == [
        ("do/answer", "Defend"),
        ("do/use/doormat/0", "Doormat: for 1 charge: power +2"),
        ("do/use/doormat/1", "Doormat: for 2 charges: gain 1 chip"),
        ("do/use/doormat/2", "Doormat: for 1 charge: gain 2 mana"),
    ]


def test_names_of_any_pack_have_ids_of_their_own() -> None:
    assert ids.part(named("Dragon Egg")) == "dragon-egg"
    assert ids.part(named("Will-o'-the-Wisp")) == "will.2d.o.27..2d.the.2d.wisp"


@pytest.mark.parametrize("pack", [PACK, ODD_PACK])
def test_the_table_is_told_after_every_event_for_everybody(pack: Pack) -> None:
    found: list[str] = []

    def watch(table: Table, seat: Seat | None, move: object, news: tuple[TrollMasterEvent, ...]) -> None:
        for event in news:
            table = GAME.evolve(table, event)
            found.extend(drawn(GAME, GAME.view(table, viewer), lang) for viewer, lang in ((0, "en"), (None, "ja")))

    play_out(GAME, pack, Options(), 3, [BOTS["random"]] * 3, Simulation(4), watch=watch)
    assert len(found) > 500
    assert not [text for text in found if "{" in text or "None" in text or "×0" in text]


def test_tm_33_the_table_of_a_match_that_is_over_says_who_has_won() -> None:
    table = opened()
    places = tuple(replace(place, chips=chips) for place, chips in zip(table.places, (7, 21, 20), strict=True))
    over = replace(table, places=places, stage=replace(table.stage, step=Step.OVER), round=8)
    assert scene(over).line == "The match is over after round 8: seat 1 wins with 21 points"
    assert scene(over, None, "ja").line == "第8ラウンドで対局終了。席1が21点で勝った"
    assert [(one.seat, one.value, one.title) for one in scene(over).scores] == [
        (0, 7, "7 points"),
        (1, 21, "21 points"),
        (2, 20, "20 points"),
    ]
    assert buttons(over) == []

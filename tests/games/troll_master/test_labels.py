"""What a move is to the seat that may make it, in both languages."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from domain.game import Seat
from domain.games.troll_master import GAME
from domain.games.troll_master.moves import (
    Act,
    Answer,
    Attack,
    ChainTo,
    Charge,
    Discard,
    Done,
    Draw,
    Pass,
    Summon,
    Train,
    TrollMasterMove,
)
from domain.games.troll_master.state import Stage, Step, Table
from tests.games.troll_master.table import (
    ODD_PACK,
    PACK,
    TOME,
    WAND,
    Play,
    acting,
    at,
    magics,
    named,
    planning,
    reveal,
    use,
)


def said(table: Table, seat: Seat, move: TrollMasterMove) -> tuple[str, str]:
    """The label of a legal move, in English and in Japanese."""
    assert move in GAME.legal(table, seat), GAME.legal(table, seat)
    return GAME.label(table, seat, move, "en"), GAME.label(table, seat, move, "ja")


def at_the_broom(hand: str) -> Table:
    table = planning(hand, "FF", "WW").table
    return replace(table, stage=Stage(step=Step.BROOM, seat=0))


def test_tm_8_the_broom_is_used_or_left_with_the_hand_that_is_kept() -> None:
    table = at_the_broom("TFW")
    assert said(table, 0, Draw()) == (
        "Use the broom: draw a magic card, then discard one from your hand",
        "ほうきを使う：魔法カードを1枚引き、その後手札から1枚捨てる",
    )
    assert said(table, 0, Pass()) == (
        "Leave the broom unused and keep your hand: tome, flask, wand",
        "ほうきを使わず、手札をそのままにする（古文書、薬瓶、杖）",
    )


def test_tm_8_a_discard_says_what_was_drawn_and_what_is_kept() -> None:
    drawn = planning("TTF", "FF", "WW").table
    places = (replace(drawn.places[0], hand=magics("TTFW")), *drawn.places[1:])
    table = replace(drawn, places=places, stage=Stage(step=Step.DISCARD, seat=0))
    assert said(table, 0, Discard(WAND)) == (
        "Discard the wand that you drew; you keep tome, tome, flask",
        "いま引いた杖を捨てる（残りは古文書、古文書、薬瓶）",
    )
    assert said(table, 0, Discard(TOME)) == (
        "Discard a tome; you keep tome, flask, wand",
        "古文書を捨てる（残りは古文書、薬瓶、杖）",
    )


def test_tm_11_tm_12_tm_21_a_reveal_says_what_the_action_does_and_how_many_of_its_cards_are_there() -> None:
    play = planning("CTF", "TF", "WW", open="TW")
    assert said(play.table, 0, reveal("T", 5)) == (
        "Reveal a tome, pawn to action 5: summon at 1 mana less (4 tomes needed, 2 face up with this card)",
        "古文書を公開し、計画コマをアクション5に置く：召喚（コスト−1）、コスト古文書4枚（このカードを含め公開2枚）",
    )
    assert said(play.table, 0, reveal("C", 3))[0] == (
        "Reveal a crystal, pawn to action 3: attack (4 wands needed, 2 face up with this card)"
    )
    play.move(0, reveal("F", 4)).move(1, reveal("F", 8)).move(2, reveal("W", 3))
    assert said(play.table, 0, reveal("C", 6)) == (
        "Reveal a crystal, pawn from action 4 to 6: divination for 1 chip"
        " (2 crystals needed, 1 face up with this card)",
        "水晶を公開し、計画コマをアクション4から6に動かす：占い（チット1枚）、コスト水晶2枚（このカードを含め公開1枚）",
    )
    assert said(play.table, 0, Pass()) == (
        "Pass: reveal no more in this round; your pawn stays on action 4, brew 4 mana",
        "パスする：このラウンドはもう公開しない。計画コマはアクション4のまま、調合（マナ4個）",
    )


def test_tm_16_being_out_says_what_is_paid_for_it() -> None:
    table = planning("F", "FF", "WW", pack=ODD_PACK).table
    places = (table.places[0], replace(table.places[1], pawn=6), table.places[2])
    assert said(replace(table, places=places), 0, Pass()) == (
        "Be out of this round, as you can't place your pawn: 2 mana when planning ends",
        "計画コマを置けないので、このラウンドを降りる：計画が終わるとマナ2個を得る",
    )


def test_tm_17_an_ability_of_planning_says_how_many_charges_are_left_to_pay() -> None:
    table = planning("FFF", "FF", "WW").table
    fairy = at(0, ("Mischievous Fairy", 2))(table).familiars
    table = replace(table, places=(replace(table.places[0], familiars=fairy), *table.places[1:]))
    assert said(table, 0, use("Mischievous Fairy")) == (
        "Use Mischievous Fairy for 1 of its 2 charges: draw a magic card, then discard one",
        "いたずら好きの妖精の能力をチャージ2個のうち1個で使う：魔法カードを1枚引き、その後手札から1枚捨てる",
    )


def test_tm_22_tm_23_an_action_says_what_it_costs_and_what_passing_brings() -> None:
    play = acting(at(12, "Black Cat", mana=7), at(0), at(0), open="FFFFTTTWWW")
    assert said(play.table, 0, Act()) == (
        "Do action 12, brew 6 mana, for 4 of your 7 mana: 2 of 6 flasks missing",
        "手元のマナ7個のうち4個を払ってアクション12を実行する：調合（マナ6個）、薬瓶6枚のうち2枚不足",
    )
    assert said(play.table, 0, Pass()) == (
        "Pass action 12, brew 6 mana: 2 mana instead, and your pawn goes home",
        "アクション12の調合（マナ6個）をパスする：マナ2個を得て、計画コマは手元に戻る",
    )
    all_of_it = acting(at(12, "Black Cat", mana=4), at(0), at(0), open="FFFFTTTWWW").table
    assert said(all_of_it, 0, Act())[0] == "Do action 12, brew 6 mana, for all your 4 mana: 2 of 6 flasks missing"


def test_tm_47_an_action_without_a_missing_card_says_what_fires_by_itself() -> None:
    play = acting(at(8, "Mana Bug", ("Mandrake", 1)), at(0), at(0), open="FFFFFTTWWC")
    assert said(play.table, 0, Act()) == (
        "Do action 8, brew 5 mana: no card is missing; Mana Bug: gain 2 mana; Mandrake: put 1 charge on it",
        "アクション8を実行する：調合（マナ5個）、不足なし。マナ虫：マナ2個を得る。マンドラゴラ：自身に1個チャージ",
    )


def summoning(mana: int = 6) -> Play:
    play = acting(
        at(9, "Black Cat", ("Gargoyle", 2), ("Fairy Circle", 2), mana=mana),
        at(0),
        at(0),
        open="TTTTTFFFFF",
        supply=("Gnome", "Unicorn", "Dragon Egg", "Troll"),
    )
    return play.move(0, Act())


def test_tm_25_a_summoning_says_what_it_costs_and_brings() -> None:
    table = summoning().table
    assert said(table, 0, Summon(named("Gnome"))) == (
        "Summon Gnome for 1 of your 6 mana: points +1, power +1. [summon] gain 1 mana",
        "手元のマナ6個のうち1個でノームを召喚する：勝利点+1、戦闘力+1。[召喚]マナ1個を得る",
    )
    assert said(table, 0, Summon(named("Unicorn"))) == (
        "Summon Unicorn for all your 6 mana: points +5, power +2. [scoring] +1 point for every 2 uncovered familiars",
        "手元のマナ6個すべてで一角獣を召喚する：勝利点+5、戦闘力+2。[得点計算]自分の表の使い魔2枚ごとに勝利点+1",
    )
    assert said(table, 0, Done()) == ("Acquire nothing: action 9 is done", "何も獲得せずにアクション9を終える")


def test_tm_25_a_training_says_what_is_lost_with_the_covered_card() -> None:
    table = summoning().table
    assert said(table, 0, Train(named("Gargoyle"), named("Dragon Egg"))) == (
        "Train Gargoyle into Dragon Egg for no mana: points +1, power −2, 2 charges on it, 2 lost."
        " [scoring] +1 point for each charge on it. Lost: [defence] for 1 charge: power +3",
        "マナなしでガーゴイルを竜の卵に訓練する：勝利点+1、戦闘力−2、チャージ2個付き、2個を失う。"
        "[得点計算]自身のチャージ1個ごとに勝利点+1。失う能力：[防御]チャージ1個：戦闘力+3",
    )
    assert said(table, 0, Train(named("Fairy Circle"), named("Troll")))[0] == (
        "Train Fairy Circle into Troll for 5 of your 6 mana: points +3, power +6, 2 charges lost."
        " Lost: [summon] for 1 charge: 1 mana less"
    )


def test_tm_25_abilities_of_one_timing_are_told_together_and_in_short() -> None:
    play = acting(at(2, "Mana Bug", mana=9), at(0), at(0), open="TTTFFFFFFC", supply=("Library Ghost", "Raven"))
    assert said(play.move(0, Act()).table, 0, Summon(named("Library Ghost"))) == (
        "Summon Library Ghost for 4 of your 9 mana: points +1, 1 charge on it."
        " [summon] 1 mana less; for 1 charge: chain to summon",
        "手元のマナ9個のうち4個で書庫の幽霊を召喚する：勝利点+1、チャージ1個付き。"
        "[召喚]コスト−1。チャージ1個：召喚にチェーン",
    )


@pytest.mark.parametrize("own", [("Will-o'-the-Wisp", 0), ("Dragon Egg", 6), ("Valkyrie", 2)])
@pytest.mark.parametrize("familiar", [card.name for card in PACK.familiars])
def test_tm_25_a_training_is_told_in_a_line_even_where_all_names_are_long(own: tuple[str, int], familiar: str) -> None:
    if own[0] != familiar:
        play = acting(at(2, own, mana=30), at(0), at(0), open="TTTFFFFFFC", supply=(familiar, "Raven"))
        assert len(said(play.move(0, Act()).table, 0, Train(named(own[0]), named(familiar)))[0]) <= 200


def test_tm_25_a_familiar_that_brings_nothing_is_named_all_the_same() -> None:
    play = acting(at(2, "Black Cat", mana=3), at(0), at(0), open="TTTFFFFFFC", supply=("Gnome", "Raven"))
    table = play.move(0, Act()).table
    gnome, raven = table.supply
    plain = replace(gnome.card, points=0, face=replace(gnome.card.face, abilities=()))
    table = replace(table, supply=(replace(gnome, card=plain), raven))
    assert said(table, 0, Train(named("Black Cat"), named("Gnome"))) == (
        "Train Black Cat into Gnome for 2 of your 3 mana",
        "手元のマナ3個のうち2個で黒猫をノームに訓練する",
    )


def test_tm_41_a_reduction_says_what_comes_off_in_all() -> None:
    play = summoning()
    assert said(play.table, 0, use("Fairy Circle")) == (
        "Use Fairy Circle for 1 of its 2 charges: acquire at 1 mana less, 3 mana less in all",
        "フェアリーサークルの能力をチャージ2個のうち1個で使う：獲得のコスト−1（合わせて−3）",
    )
    play.move(0, use("Fairy Circle"))
    assert said(play.table, 0, use("Fairy Circle"))[0].startswith("Use Fairy Circle for its only charge: ")
    assert said(play.table, 0, use("Fairy Circle"))[1].startswith("フェアリーサークルの能力を最後のチャージ1個で")


def test_tm_26_a_charge_says_how_many_there_are_then_and_what_they_score() -> None:
    play = acting(at(1, ("Dragon Egg", 2), ("Salamander", 1), mana=2), at(0), at(0), open="FFFTTTTWWW").move(0, Act())
    assert said(play.table, 0, Charge(named("Dragon Egg"))) == (
        "Charge Dragon Egg with 1 of your 5 mana: then 3 of 6 charges, points +1",
        "手元のマナ5個のうち1個を竜の卵にチャージする：チャージ3/6になる、勝利点+1",
    )
    assert said(play.table, 0, Charge(named("Salamander")))[0] == (
        "Charge Salamander with 1 of your 5 mana: then 2 of 3 charges"
    )
    assert said(play.table, 0, Done()) == (
        "Charge no more: action 1 is done and you keep 5 mana in hand",
        "チャージを終えてアクション1を終える（手元にマナ5個）",
    )


def test_tm_26_the_last_mana_is_called_so() -> None:
    play = acting(at(1, ("Dragon Egg", 0), mana=0), at(0), at(0), open="FFFTTTTWWW").move(0, Act())
    play.move(0, Charge(named("Dragon Egg"))).move(0, Charge(named("Dragon Egg")))
    assert said(play.table, 0, Charge(named("Dragon Egg"))) == (
        "Charge Dragon Egg with your only mana: then 3 of 6 charges, points +1",
        "手元の最後のマナ1個を竜の卵にチャージする：チャージ3/6になる、勝利点+1",
    )


def test_tm_47_an_ability_used_after_charging_says_that_charging_is_over() -> None:
    play = acting(at(6, ("Kettle", 2), mana=4), at(0), at(0), open="FFFFFTTTTT", pack=ODD_PACK).move(0, Act())
    paid = use("Kettle", 1, ODD_PACK)
    before = said(play.table, 0, paid)
    play.move(0, Charge(named("Kettle", ODD_PACK)))
    en, ja = said(play.table, 0, paid)
    assert en.endswith("; no more charging by hand in this brew")
    assert ja.endswith("。この調合ではもう手でチャージできない")
    play.move(0, paid)
    assert said(play.table, 0, paid) == before


def attacking() -> Play:
    return acting(
        at(10, "Peryton", ("Salamander", 3)), at(0, ("Gargoyle", 2)), at(0, "Black Cat"), open="WWWWWWTTFF"
    ).move(0, Act())


def test_tm_27_tm_44_an_attack_says_its_strength_and_what_it_meets() -> None:
    play = attacking()
    assert said(play.table, 0, Attack()) == (
        "Declare the attack with strength 5 against seat 1's 2 or more and seat 2's 1",
        "戦闘力5で攻撃を宣言する（相手の戦闘力は席1が2以上、席2が1）",
    )
    assert said(play.table, 0, use("Salamander")) == (
        "Use Salamander for 1 of its 3 charges: power +2, attack with strength 7",
        "火蜥蜴の能力をチャージ3個のうち1個で使う：戦闘力+2（攻撃の戦闘力は7になる）",
    )


def test_tm_27_doing_an_attack_says_its_strength_and_what_it_meets() -> None:
    play = acting(
        at(10, "Peryton", ("Salamander", 3), mana=4), at(0, ("Gargoyle", 2)), at(0, "Griffin"), open="WWWWWTTTFF"
    )
    assert said(play.table, 0, Act()) == (
        "Do action 10, attack with power +1, for 2 of your 4 mana: 1 of 6 wands missing;"
        " strength 5 or more against seat 1's 2 or more and seat 2's 6",
        "手元のマナ4個のうち2個を払ってアクション10を実行する：攻撃（戦闘力+1）、杖6枚のうち1枚不足。"
        "戦闘力5以上（相手の戦闘力は席1が2以上、席2が6）",
    )
    alone = acting(at(3, "Peryton"), at(0), at(0, "Black Cat"), open="WWWWWTTTFF").table
    assert said(alone, 0, Act())[0] == (
        "Do action 3, attack: no card is missing; strength 3 against seat 1's 0 and seat 2's 1"
    )


def test_tm_37_an_attack_is_told_what_defends_by_itself() -> None:
    play = acting(at(10, ("Salamander", 1)), at(0, "Griffin"), at(0, ("Caladrius", 0)), open="WWWWWWTTFF").move(
        0, Act()
    )
    assert said(play.table, 0, Attack()) == (
        "Declare the attack with strength 2 against seat 1's 6 and seat 2's 1",
        "戦闘力2で攻撃を宣言する（相手の戦闘力は席1が6、席2が1）",
    )


def test_tm_27_a_defence_says_whether_it_holds() -> None:
    play = attacking().move(0, Attack())
    assert said(play.table, 1, Answer()) == (
        "Defend with 2 against seat 0's 5: the attack succeeds and seat 0 takes 1 chip",
        "戦闘力2で席0の攻撃5を防御する：攻撃は成功し、席0がチット1枚を得る",
    )
    assert said(play.table, 1, use("Gargoyle")) == (
        "Use Gargoyle for 1 of its 2 charges: power +3, defend with 5 against 5",
        "ガーゴイルの能力をチャージ2個のうち1個で使う：戦闘力+3（防御は5対5になる）",
    )
    play.move(1, use("Gargoyle"))
    assert said(play.table, 1, Answer()) == (
        "Defend with 5 against seat 0's 5: the attack fails",
        "戦闘力5で席0の攻撃5を防御する：攻撃は失敗する",
    )


def test_tm_29_divination_says_what_is_paid_for_and_when_it_is_over() -> None:
    play = acting(at(11, ("Sphinx", 2), ("Brazen Head", 1)), at(0), at(0), open="CCCFFFFTTT").move(0, Act())
    assert said(play.table, 0, use("Brazen Head")) == (
        "Use Brazen Head for its only charge: gain 1 chip",
        "青銅の首の能力を最後のチャージ1個で使う：チット1枚を得る",
    )
    assert said(play.table, 0, use("Sphinx"))[0] == "Use Sphinx for 1 of its 2 charges: gain 2 mana"
    assert said(play.table, 0, Done()) == (
        "Use no more abilities: action 11 is done",
        "もう能力を使わずにアクション11を終える",
    )


def test_tm_43_a_chain_says_where_it_leads_and_what_that_costs() -> None:
    play = acting(at(12, ("Automaton", 1)), at(0), at(4, "Raven"), open="FFFFFFTTTT").move(0, Act())
    play.move(0, Done())
    assert said(play.table, 0, use("Automaton")) == (
        "Use Automaton for its only charge: chain to brew, on action 1 or 8",
        "からくり人形の能力を最後のチャージ1個で使う：調合にチェーン（行き先はアクション1か8）",
    )
    assert said(play.table, 0, Done()) == (
        "Use no chain: your pawn goes home from action 12",
        "チェーンせず、計画コマをアクション12から手元に戻す",
    )
    play.move(0, use("Automaton"))
    assert said(play.table, 0, ChainTo(8)) == (
        "Chain from action 12 to 8, brew 5 mana: 5 flasks needed, all there",
        "アクション12から8にチェーンする：調合（マナ5個）、コストは薬瓶5枚、不足なし",
    )


def test_tm_48_a_chain_that_costs_nothing_says_no_price() -> None:
    play = acting(at(7, ("Umbrella Stand", 9)), at(0), at(2), open="TTTTFFFWWC", pack=ODD_PACK).move(0, Act())
    assert said(play.table, 0, use("Umbrella Stand", 2, ODD_PACK)) == (
        "Use Umbrella Stand: chain to divination, on action 1, 4 or 5",
        "傘立ての能力を使う：占いにチェーン（行き先はアクション1、4か5）",
    )


def test_tm_22_a_chain_says_how_many_cards_are_missing_at_its_end() -> None:
    play = acting(at(13, ("Library Ghost", 1), mana=8), at(0), at(0), open="TTTTFFFWWW").move(0, Act())
    chained = use("Library Ghost", 1)
    play.move(0, Done()).move(0, chained)
    assert said(play.table, 0, ChainTo(9)) == (
        "Chain from action 13 to 9, summon at 2 mana less: 5 tomes needed, 1 missing, to be bought for 2 mana",
        "アクション13から9にチェーンする：召喚（コスト−2）、コストは古文書5枚、1枚不足（マナ2個で補う）",
    )


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_seats_are_named_so_that_a_player_can_be_put_in_their_place(lang: str) -> None:
    label = GAME.label(attacking().table, 0, Attack(), lang)
    assert re.findall(r"(?:seat |席)\d", label) == {"en": ["seat 1", "seat 2"], "ja": ["席1", "席2"]}[lang]

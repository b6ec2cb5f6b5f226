"""Refusals in words, in both languages, with the fields that programs read."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.chance import Scripted
from domain.game import Refusal
from domain.games.troll_master import GAME
from domain.games.troll_master.components import Options
from domain.games.troll_master.moves import (
    Act,
    Answer,
    Attack,
    ChainTo,
    Charge,
    Done,
    Draw,
    Pass,
    Reveal,
    Summon,
    TrollMasterMove,
)
from domain.games.troll_master.state import Step, Table
from domain.games.troll_master.text.phrases import WORDS
from domain.games.troll_master.text.refusals import REFUSALS
from tests.games.troll_master.table import (
    CRYSTAL,
    FLASK,
    ODD_PACK,
    PACK,
    Play,
    acting,
    at,
    named,
    opened,
    planning,
    reveal,
    use,
)


def refusal(table: Table, seat: int, move: TrollMasterMove) -> Refusal:
    with pytest.raises(Refusal) as error:
        GAME.decide(table, seat, move, Scripted())
    return error.value


def said(error: Refusal) -> tuple[str, str]:
    return GAME.explain(error, "en"), GAME.explain(error, "ja")


def summoning(mana: int = 3) -> Table:
    play = acting(at(9, "Gargoyle", mana=mana), at(0), at(0), open="TTTTTFFFFF", supply=("Gnome", "Gargoyle", "Troll"))
    return play.move(0, Act()).table


def test_tm_10_a_seat_that_is_not_to_act_is_told_so() -> None:
    table = planning("TTT", "FFF", "WWW").table
    assert said(refusal(table, 1, Pass())) == ("It is not your turn.", "あなたの手番ではありません。")
    wrong = refusal(table, 0, Act())
    assert wrong.fields == {"step": "planning"}
    assert said(wrong) == (
        "You are to reveal a card and move the pawn, or pass.",
        "いまは手札を公開してコマを動かすか、パスするところです。",
    )


def test_tm_11_an_action_says_which_card_it_takes() -> None:
    table = planning("TTT", "FFF", "WWW").table
    brew = refusal(table, 0, reveal("T", 8))
    assert brew.fields == {"action": 8, "icon": "flask"}
    assert said(brew) == ("Action 8 takes a flask or a crystal.", "アクション8は薬瓶か水晶で選びます。")
    assert said(refusal(table, 0, reveal("T", 6))) == (
        "Action 6 takes a crystal only.",
        "アクション6は水晶でしか選べません。",
    )
    assert said(refusal(table, 0, Reveal(CRYSTAL, 6))) == ("You hold no crystal.", "手札に水晶はありません。")
    assert said(refusal(table, 0, reveal("T", 15)))[0] == "There is no action 15: the row has actions 1 to 14."


def test_tm_12_tm_13_tm_14_a_pawn_is_told_where_it_may_go() -> None:
    play = planning("FFF", "FFF", "WWW")
    assert said(refusal(play.table, 0, Pass()))[0] == "Place your pawn first: only then can you pass."
    play.move(0, reveal("F", 4))
    assert said(refusal(play.table, 1, reveal("F", 4)))[0] == "Another pawn stands on action 4."
    play.move(1, reveal("F", 8)).move(2, reveal("W", 3))
    left = refusal(play.table, 0, Reveal(FLASK, 1))
    assert left.fields == {"pawn": 4, "action": 1}
    assert said(left)[0] == "Your pawn stands on action 4 and moves right only, not to action 1."


def test_tm_25_a_familiar_is_named_in_the_readers_language() -> None:
    owned = refusal(summoning(), 0, Summon(named("Gargoyle")))
    assert owned.fields == {"familiar": "Gargoyle", "ja": "ガーゴイル"}
    assert said(owned) == ("You have Gargoyle in play already.", "ガーゴイルはすでに表で持っています。")
    dear = refusal(summoning(3), 0, Summon(named("Troll")))
    assert dear.fields == {"price": 10, "mana": 3}
    assert said(dear) == (
        "That costs 10 mana, and you have 3.",
        "マナ10個が要りますが、手元には3個しかありません。",
    )
    assert said(refusal(summoning(), 0, Summon(named("Raven"))))[1] == "サプライにワタリガラスはありません。"


def test_tm_22_what_missing_cards_cost_is_told() -> None:
    table = acting(at(12, "Black Cat", mana=1), at(0), at(0), open="FFFTTTTWWW").table
    assert said(refusal(table, 0, Act()))[0] == "The missing cards cost 6 mana, and you have 1."


def test_tm_36_what_an_ability_costs_is_told() -> None:
    play = acting(at(11, ("Sphinx", 2), "Brazen Head"), at(0), at(0), open="CCCFFFFTTT").move(0, Act())
    unpaid = refusal(play.table, 0, use("Brazen Head"))
    assert said(unpaid) == (
        "That ability costs 1 charge, and Brazen Head has no charges.",
        "その能力にはチャージ1個が要りますが、青銅の首の上にはチャージ0個しかありません。",
    )
    assert said(refusal(play.table, 0, use("Raven")))[0] == "You have no uncovered Raven."


def test_tm_43_where_a_chain_leads_is_told() -> None:
    play = acting(at(12, ("Automaton", 1)), at(0), at(0), open="FFFFFFTTTT").move(0, Act()).move(0, Done())
    play.move(0, use("Automaton"))
    astray = refusal(play.table, 0, ChainTo(2))
    assert astray.fields == {"kind": "brew", "action": 2}
    assert said(astray) == (
        "Your chain leads to a free brew left of your pawn, not to action 2.",
        "チェーンの行き先は、計画コマより左で空いている調合です。アクション2ではありません。",
    )


def test_tm_47_that_charging_is_over_is_told() -> None:
    play = acting(at(6, ("Kettle", 1)), at(0), at(0), open="FFFFFTTTTT", pack=ODD_PACK).move(0, Act())
    charge = Charge(named("Kettle", ODD_PACK))
    play.move(0, charge).move(0, use("Kettle", 1, ODD_PACK))
    assert said(refusal(play.table, 0, charge)) == (
        "You have used an ability since you charged, and charge no more in this brew.",
        "チャージの後に能力を使ったので、この調合ではもうチャージできません。",
    )


@pytest.mark.parametrize(
    ("options", "seats", "en", "ja"),
    [
        (
            Options(),
            2,
            "Troll Master is played by 3, 4 or 5, not by 2.",
            "トロルマスターは3、4か5人で遊びます。2人では遊べません。",
        ),
        (
            Options(("Griffon",) * 10),
            3,
            "This pack has no familiar Griffon to lay out.",
            "このパックにGriffonという使い魔はありません。",
        ),
        (
            Options(("Troll", "Raven", "Troll")),
            3,
            "Exactly 10 different familiars are laid out, not 2.",
            "サプライには異なる使い魔をちょうど10種置きます。2種では遊べません。",
        ),
    ],
)
def test_tm_2_tm_5_options_that_cannot_be_played_are_told(options: Options, seats: int, en: str, ja: str) -> None:
    with pytest.raises(Refusal) as error:
        GAME.check_options(options, seats, PACK)
    assert said(error.value) == (en, ja)


def test_what_is_to_be_done_is_said_of_every_step_at_which_somebody_acts() -> None:
    table = opened()
    for step in set(Step) - {Step.DEALING, Step.OVER}:
        at_step = replace(table, stage=replace(table.stage, step=step))
        wrong = Attack() if step is not Step.ATTACK else Answer()
        en, ja = said(refusal(at_step, table.start, wrong))
        assert en == f"You are to {WORDS['en'].step[step]}."
        assert ja == f"いまは{WORDS['ja'].step[step]}ところです。"
    assert said(refusal(table, table.start, Done())) == (
        "You are to use the broom or leave it.",
        "いまはほうきを使うか決めるところです。",
    )
    assert refusal(Play(table).move(table.start, Pass()).table, table.start, Draw()).code == "wrong-step"


def test_every_sentence_ends_as_sentences_do() -> None:
    assert all(text.endswith(".") for text in REFUSALS["en"].values())
    assert all(text.endswith("。") for text in REFUSALS["ja"].values())

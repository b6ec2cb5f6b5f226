"""Events, moves and views in words, in both languages."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from bots import BOTS
from bots.simulate import play_out
from domain.chance import Simulation
from domain.game import move_id
from domain.games.troll_master import GAME, events
from domain.games.troll_master.abilities import Ability
from domain.games.troll_master.components import Kind, Magic, Options
from domain.games.troll_master.events import TrollMasterEvent
from domain.games.troll_master.moves import Act, Charge, Done, Pass, Reveal, Summon, Train, TrollMasterMove
from domain.games.troll_master.state import Step
from domain.games.troll_master.text.phrases import WORDS
from domain.secrecy import redact
from tests.games.troll_master.table import (
    CRYSTAL,
    ODD_PACK,
    PACK,
    WAND,
    ability,
    magics,
    named,
    use,
)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_class_and_every_word_of_the_game_is_there(lang: str) -> None:
    words = WORDS[lang]
    assert set(words.told) == {*get_args(TrollMasterEvent), *get_args(TrollMasterMove)}
    assert set(words.magic) == set(Magic)
    assert set(words.kind) == set(Kind)
    assert {*map(str, Kind), *map(str, Magic)} < set(words.amounts)
    assert words.amounts.keys() == WORDS["en"].amounts.keys()
    assert words.label.keys() == WORDS["en"].label.keys()
    assert set(words.step) == set(Step)
    assert set(words.doing) == set(Step) - {Step.DEALING, Step.BROOM, Step.DISCARD, Step.PLANNING, Step.OVER}
    assert {kind.__name__ for kind in words.ability} == {kind.__name__ for kind in get_args(Ability)} - {"MorePoints"}


@pytest.mark.parametrize("move_or_event", [*get_args(TrollMasterMove), *get_args(TrollMasterEvent)])
def test_what_is_told_in_logs_addresses_nobody(move_or_event: type[object]) -> None:
    assert not re.search(r"\byour?\b", WORDS["en"].told[move_or_event], re.IGNORECASE)
    assert "あなた" not in WORDS["ja"].told[move_or_event]


@pytest.mark.parametrize(
    ("told", "en", "ja"),
    [
        (events.CardDrawn(1, WAND), "Seat 1 draws a wand.", "席1は杖を引いた。"),
        (events.CardDrawn(1, None), "Seat 1 draws a card.", "席1は1枚引いた。"),
        (
            events.Shuffled((None,) * 24),
            "24 magic cards are shuffled as the new deck.",
            "魔法カード24枚を切り混ぜ、新しい山札にした。",
        ),
        (
            events.CardsDealt(first=2, count=6, hands=(None, magics("TC"), None)),
            "6 cards are dealt one at a time, clockwise from seat 2. Seat 1 gets tome, crystal.",
            "席2から時計回りに1枚ずつ、6枚を配った。席1の手札：古文書、水晶。",
        ),
        (
            events.CardsDealt(first=2, count=6, hands=(None, None, None)),
            "6 cards are dealt one at a time, clockwise from seat 2.",
            "席2から時計回りに1枚ずつ、6枚を配った。",
        ),
        (events.TurnCame(1), "It is seat 1's turn to plan.", "計画の手番は席1。"),
        (
            events.HandRevealed(0, magics("FW")),
            "Seat 0 reveals the hand: flask, wand.",
            "席0は手札を公開した：薬瓶、杖。",
        ),
        (
            events.FamiliarsLaidOut((named("Gnome"), named("Raven"), named("Troll"))),
            "In the supply lie two each of Gnome, Raven and Troll.",
            "サプライの使い魔は2枚ずつ、ノーム、ワタリガラス、トロル。",
        ),
        (
            events.ActionReached(seat=0, action=14, kind=Kind.DIVINATION, cost=4, found=3, price=2),
            "Seat 0's pawn is next, on action 14 (divination): 4 crystals needed, 1 missing, to be bought for 2 mana.",
            "次は席0のアクション14（占い）：コストは水晶4枚、1枚不足（マナ2個で補う）。",
        ),
        (
            events.ActionReached(seat=0, action=1, kind=Kind.BREW, cost=3, found=5, price=0),
            "Seat 0's pawn is next, on action 1 (brew): 3 flasks needed, all there.",
            "次は席0のアクション1（調合）：コストは薬瓶3枚、不足なし。",
        ),
        (
            events.CardsBought(2, cards=1, mana=2),
            "Seat 2 pays 2 mana for 1 missing card.",
            "席2はマナ2個を払い、不足1枚を補った。",
        ),
        (events.SummonBegun(1, 2, reduction=0), "Seat 1 does action 2: summon.", "席1はアクション2を実行した：召喚。"),
        (
            events.SummonBegun(1, 9, reduction=2),
            "Seat 1 does action 9: summon at 2 mana less.",
            "席1はアクション9を実行した：召喚（コスト−2）。",
        ),
        (events.AttackBegun(1, 3, power=0), "Seat 1 does action 3: attack.", "席1はアクション3を実行した：攻撃。"),
        (
            events.AttackBegun(1, 10, power=1),
            "Seat 1 does action 10: attack with power +1.",
            "席1はアクション10を実行した：攻撃（戦闘力+1）。",
        ),
        (
            events.BrewBegun(1, 1, mana=3),
            "Seat 1 does action 1: brew 3 mana.",
            "席1はアクション1を実行した：調合（マナ3個）。",
        ),
        (
            events.DivinationBegun(1, 6, chips=1),
            "Seat 1 does action 6: divination for 1 chip.",
            "席1はアクション6を実行した：占い（チット1枚）。",
        ),
        (
            events.FamiliarSummoned(seat=2, familiar=named("Salamander"), mana=1, charges=1),
            "Seat 2 summons Salamander (1 charge on it) for 1 mana.",
            "席2はマナ1個で火蜥蜴（チャージ1個）を召喚した。",
        ),
        (
            events.FamiliarTrained(
                seat=0, own=named("Black Cat"), lost=0, familiar=named("Peryton"), mana=3, charges=0
            ),
            "Seat 0 trains Black Cat into Peryton for 3 mana.",
            "席0はマナ3個で黒猫をペリュトンに訓練した。",
        ),
        (
            events.FamiliarTrained(seat=0, own=named("Gargoyle"), lost=2, familiar=named("Raven"), mana=0, charges=0),
            "Seat 0 trains Gargoyle (its 2 charges are lost) into Raven for no mana.",
            "席0はマナなしでガーゴイル（チャージ2個を失う）をワタリガラスに訓練した。",
        ),
        (
            events.AbilityFired(0, named("Peryton"), ability("Peryton")),
            "Seat 0's Peryton: gain 1 mana.",
            "席0のペリュトン：マナ1個を得る。",
        ),
        (
            events.AbilityFired(0, named("Left Sock", ODD_PACK), ability("Left Sock", 3, ODD_PACK)),
            "Seat 0's Left Sock: put 1 charge on Right Sock.",
            "席0の左の靴下：右の靴下に1個チャージ。",
        ),
        (
            events.AbilityUsed(2, named("Library Ghost"), use("Library Ghost", 1).ability),
            "Seat 2 uses Library Ghost for 1 charge: chain to summon.",
            "席2は書庫の幽霊の能力をチャージ1個で使った：召喚にチェーン。",
        ),
        (
            events.AttackSucceeded(0, 2, 6, 5, 1),
            "Seat 0's attack on seat 2 succeeds, 6 against 5, and brings 1 chip.",
            "席0の席2への攻撃は成功した（6対5）。チット1枚を得た。",
        ),
        (
            events.WentOut(1, magics("TC")),
            "Seat 1 can place the pawn nowhere and is out of this round; not in hand: tome, crystal.",
            "席1は計画コマをどこにも置けず、このラウンドを降りた（手札にないカード：古文書、水晶）。",
        ),
        (
            events.PointsCounted(round=3, points=(4, 1, 0)),
            "Round 3 is over: seat 0 has 4 points, seat 1 has 1 point and seat 2 has no points.",
            "第3ラウンド終了。勝利点は席0が4点、席1が1点、席2が0点。",
        ),
        (Pass(), "Declines", "見送る"),
        (
            Reveal(CRYSTAL, 14),
            "Reveals a crystal and puts the pawn on action 14",
            "水晶を公開し、計画コマをアクション14に置く",
        ),
        (
            use("Salamander"),
            "Uses Salamander for 1 charge: power +2",
            "火蜥蜴の能力をチャージ1個で使う：戦闘力+2",
        ),
        (Train(named("Black Cat"), named("Troll")), "Trains Black Cat into Troll", "黒猫をトロルに訓練する"),
    ],
)
def test_what_is_told_is_said_in_both_languages(told: TrollMasterEvent | TrollMasterMove, en: str, ja: str) -> None:
    assert GAME.describe(told, "en") == en
    assert GAME.describe(told, "ja") == ja


@pytest.mark.parametrize(
    ("ended", "en", "ja"),
    [
        (
            events.MatchEnded(points=(20, 21, 3), mana=(3, 0, 9), ranking=(2, 1, 3)),
            "Seat 1 wins with 21 points.",
            "席1が21点で勝った。",
        ),
        (
            events.MatchEnded(points=(21, 21, 3), mana=(3, 1, 9), ranking=(1, 2, 3)),
            "Seat 0 wins with 21 points and 3 mana: as many points as seat 1, but more mana.",
            "席0が21点、マナ3個で勝った。同点の席1よりマナが多い。",
        ),
        (
            events.MatchEnded(points=(22, 3, 22, 22), mana=(1, 9, 1, 0), ranking=(1, 4, 1, 3)),
            "Seat 0 and seat 2 share the win, each with 22 points and 1 mana.",
            "席0、席2がいずれも22点、マナ1個で勝利を分かち合った。",
        ),
    ],
)
def test_tm_33_the_end_says_in_words_who_has_won_and_by_what(ended: events.MatchEnded, en: str, ja: str) -> None:
    assert GAME.describe(ended, "en") == en
    assert GAME.describe(ended, "ja") == ja


def test_every_ability_of_both_packs_is_said() -> None:
    for pack in (PACK, ODD_PACK):
        for familiar in pack.familiars:
            for one in familiar.abilities:
                fired = events.AbilityFired(0, named(familiar.name, pack), one)
                for lang in ("en", "ja"):
                    said = GAME.describe(fired, lang)
                    assert "{" not in said
                    assert "None" not in said


@pytest.mark.parametrize("pack", [PACK, ODD_PACK])
def test_whole_matches_are_said_to_everybody_without_a_gap(pack: object) -> None:
    told: list[object] = []
    play_out(
        GAME,
        pack,
        Options(),
        4,
        [BOTS["random"]] * 4,
        Simulation(3),
        watch=lambda state, seat, move, news: told.extend(news if move is None else (move, *news)),
    )
    for one in told:
        for viewer in (0, None):
            for lang in ("en", "ja"):
                said = GAME.describe(redact(one, viewer) if isinstance(one, get_args(TrollMasterEvent)) else one, lang)
                assert said
                assert "None" not in said
                assert "{" not in said
                assert said[0] == said[0].upper()


def test_short_names_of_moves_say_the_card_and_the_ability() -> None:
    assert move_id(Summon(named("Great Owl"))) == "summon-great_owl"
    assert move_id(Reveal(WAND, 3)) == "reveal-wand-3"
    assert move_id(use("Library Ghost", 1)) == "use-library_ghost-chain-summon-summon-1"
    assert [move_id(move) for move in (Act(), Pass(), Done(), Charge(named("Troll")))] == [
        "act",
        "pass",
        "done",
        "charge-troll",
    ]

"""Events, moves and views in words, in both languages."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from bots import BOTS
from bots.simulate import play_out
from domain.chance import Simulation
from domain.game import move_id
from domain.games.troll_master import GAME
from domain.games.troll_master.abilities import Ability
from domain.games.troll_master.components import Kind, Magic, Options
from domain.games.troll_master.events import (
    AbilityFired,
    AbilityUsed,
    AttackSucceeded,
    CardDrawn,
    CardsDealt,
    FamiliarsLaidOut,
    FamiliarTrained,
    HandRevealed,
    MatchEnded,
    PointsCounted,
    Shuffled,
    TrollMasterEvent,
    WentOut,
)
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
    acting,
    at,
    magics,
    named,
    opened,
    planning,
    use,
)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_class_and_every_word_of_the_game_is_there(lang: str) -> None:
    words = WORDS[lang]
    assert set(words.told) == {*get_args(TrollMasterEvent), *get_args(TrollMasterMove)}
    assert set(words.magic) == set(Magic)
    assert set(words.kind) == set(words.kind_short) == set(Kind)
    assert set(words.step) == set(Step)
    assert {kind.__name__ for kind in words.ability} == {kind.__name__ for kind in get_args(Ability)} - {"MorePoints"}


@pytest.mark.parametrize(
    ("told", "en", "ja"),
    [
        (CardDrawn(1, WAND), "Seat 1 draws a wand.", "席1は杖を引いた。"),
        (CardDrawn(1, None), "Seat 1 draws a card.", "席1は1枚引いた。"),
        (
            Shuffled((None,) * 24),
            "24 magic cards are shuffled as the new deck.",
            "魔法カード24枚を切り混ぜ、新しい山札にした。",
        ),
        (
            CardsDealt(first=2, count=6, hands=(None, magics("TC"), None)),
            "6 cards are dealt one at a time, clockwise from seat 2. Seat 1 gets tome, crystal.",
            "席2から時計回りに1枚ずつ、6枚を配った。席1の手札:古文書、水晶。",
        ),
        (
            CardsDealt(first=2, count=6, hands=(None, None, None)),
            "6 cards are dealt one at a time, clockwise from seat 2.",
            "席2から時計回りに1枚ずつ、6枚を配った。",
        ),
        (HandRevealed(0, magics("FW")), "Seat 0 reveals the hand: flask, wand.", "席0は手札を公開した:薬瓶、杖。"),
        (
            FamiliarsLaidOut((named("Gnome"), named("Troll"))),
            "The familiars are laid out: Gnome, Troll.",
            "サプライの使い魔:ノーム、トロル。",
        ),
        (
            FamiliarTrained(seat=0, own=named("Black Cat"), lost=0, familiar=named("Peryton"), mana=3, charges=0),
            "Seat 0 trains Black Cat (charges lost: 0) into Peryton for 3 mana; charges on it: 0.",
            "席0はマナ3個で黒猫(失ったチャージ0)をペリュトンに訓練した(チャージ0)。",
        ),
        (
            AbilityFired(0, named("Peryton"), ability("Peryton")),
            "Peryton of seat 0: on success: gain 1 mana.",
            "席0のペリュトン:攻撃成功時:マナ1個を得る。",
        ),
        (
            AbilityFired(0, named("Left Sock", ODD_PACK), ability("Left Sock", 3, ODD_PACK)),
            "Left Sock of seat 0: charge Right Sock.",
            "席0の左の靴下:右の靴下にチャージ。",
        ),
        (
            AbilityUsed(2, named("Library Ghost"), use("Library Ghost", 1).ability),
            "Seat 2 uses Library Ghost: for charges (1): chain to summon.",
            "席2は書庫の幽霊の能力を使った:チャージ1個:チェーン→召喚。",
        ),
        (
            AttackSucceeded(0, 2, 6, 5, 1),
            "The attack of seat 0 on seat 2 succeeds, 6 to 5; chips gained: 1.",
            "席0の席2への攻撃は成功した(6対5)。チット1枚を得た。",
        ),
        (
            WentOut(1, magics("TC")),
            "Seat 1 can place the pawn nowhere and is out, holding none of: tome, crystal.",
            "席1は計画コマをどこにも置けず、このラウンドを降りた(手札にないカード:古文書、水晶)。",
        ),
        (
            PointsCounted(round=3, points=(4, 5, 6)),
            "Round 3 is over. Points: seat 0 has 4, seat 1 has 5, seat 2 has 6.",
            "第3ラウンド終了。勝利点:席0は4点、席1は5点、席2は6点。",
        ),
        (
            MatchEnded(points=(20, 21), mana=(3, 0), ranking=(2, 1)),
            "The match is over: 1. seat 1 with 21 points and 0 mana, 2. seat 0 with 20 points and 3 mana.",
            "ゲーム終了:1位 席1 21点・マナ0個、2位 席0 20点・マナ3個。",
        ),
        (
            Reveal(CRYSTAL, 14),
            "Reveal a crystal and put your pawn on action 14",
            "水晶を公開し、計画コマをアクション14に置く",
        ),
        (use("Salamander"), "Salamander: for charges (1): power +2", "火蜥蜴:チャージ1個:戦闘力+2"),
        (Train(named("Black Cat"), named("Troll")), "Train Black Cat into Troll", "黒猫をトロルに訓練する"),
    ],
)
def test_what_is_told_is_said_in_both_languages(told: TrollMasterEvent | TrollMasterMove, en: str, ja: str) -> None:
    assert GAME.describe(told, "en") == en
    assert GAME.describe(told, "ja") == ja


def test_every_ability_of_both_packs_is_said() -> None:
    for pack in (PACK, ODD_PACK):
        for familiar in pack.familiars:
            for one in familiar.abilities:
                fired = AbilityFired(0, named(familiar.name, pack), one)
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
        watch=lambda state, seat, move, events: told.extend(events if move is None else (move, *events)),
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


def test_the_table_is_drawn_with_the_hand_of_its_viewer() -> None:
    table = planning("TFW", "FF", "CCC").table
    drawn = GAME.draw(GAME.view(table, 0), "en")
    assert "Hand: tome, flask, wand" in drawn
    assert "Hand: ??, ??" in drawn
    assert "crystal, crystal" not in drawn
    assert "手札:古文書、薬瓶、杖" in GAME.draw(GAME.view(table, 0), "ja")


def test_the_table_is_drawn_in_every_step() -> None:
    play = acting(
        at(12, "Black Cat", ("Salamander", 2), mana=7, chips=3),
        at(3, "Troll"),
        at(0, "Raven"),
        open="FFFFTTWWCC",
        supply=("Gnome", "Dragon Egg"),
    )
    drawn = GAME.draw(GAME.view(replace(play.table, start=0), None), "en").splitlines()
    assert drawn[0] == "Round 1 · seat 0: do the action or pass"
    assert drawn[1].endswith("deck 14 · discards 0, on top: none")
    assert drawn[2] == "Action 12 · missing cards cost 0 mana · added 0 · strength of the attack 0"
    assert "  12. brew 6 mana (6 flask) <- seat 0" in drawn
    assert "  2 x Gnome: cost 3, power 1, ribbons 0, charges 0, points 1. [summon] gain 1 mana." in drawn
    assert "Seat 0: 4 points, 3 of them chips, 7 mana, start player, broom, passed" in drawn
    assert "  Familiars: Black Cat (0/0), Salamander (2/3)" in drawn


def test_the_broom_step_the_top_discard_and_covered_cards_are_drawn() -> None:
    table = opened()
    covered = replace(table.places[0].familiars[0], covered=(named("Raven"),))
    places = (replace(table.places[0], familiars=(covered,), is_out=True, has_passed=True), *table.places[1:])
    table = replace(table, places=places, cards=replace(table.cards, discards=magics("TW")))
    drawn = GAME.draw(GAME.view(table, None), "en")
    assert "discards 2, on top: wand" in drawn
    assert "Black Cat (0/0) over Raven" in drawn
    assert ", out" in drawn
    over = replace(table, stage=replace(table.stage, step=Step.OVER))
    assert "the match is over" in GAME.draw(GAME.view(over, None), "en").splitlines()[0]

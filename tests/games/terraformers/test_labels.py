"""What cards, species and passing are called where they can be chosen: their cost, what they bring, what they bar."""

from __future__ import annotations

import pytest

from domain.games.terraformers import GAME, moves
from domain.games.terraformers.components import Kind
from tests.games.terraformers.table import PACK, given, labelled, name
from tests.games.terraformers.test_odd_pack import odd


def test_tf_19_a_box_card_says_what_it_costs_and_brings() -> None:
    play = given("Ore Vein", "Emigrant Ship", "Gravity Quake", "Outer Survey").with_levels(0, cosmo=2).with_hand(0, 6)
    labelled(
        play,
        moves.UseCard(name("Ore Vein")),
        "Use Ore Vein for 4 tips or more: take 3 tips from the stock",
        "コマ4個以上で「鉱脈」を使う：ストックからコマ3個を受けとる",
    )
    labelled(
        play,
        moves.UseCard(name("Emigrant Ship")),
        "Use Emigrant Ship for 4 tips or more: city rises to 5; 1 tip from the stock each on the oxygen of "
        "seat 1 and seat 2",
        "コマ4個以上で「移民船」を使う：都市レベルが5に上がる。席1と席2の「酸素」にストックからコマ1個ずつ置く",
    )
    labelled(
        play,
        moves.UseCard(name("Gravity Quake")),
        "Use Gravity Quake for 5 tips or more: seat 1 loses 2 points; seat 2 loses 2 points; mark 1 star, 1 in all. "
        "(E) Game end: everybody who has the fewest stars loses 5 points. "
        "(E) Game end: everybody who has the most stars, at least 1, gains 8 points",
        "コマ5個以上で「重力震」を使う：席1は2点を失う。席2は2点を失う。星1個を書く（合計1）。"
        "（E）ゲーム終了時：星が最も少ないプレイヤーは全員5点を失う。"
        "（E）ゲーム終了時：星が最も多い（1以上）プレイヤーは全員8点を得る",
    )
    labelled(
        play,
        moves.UseCard(name("Outer Survey")),
        "Use Outer Survey for all your 6 tips: gain 2 points; mark 1 star, 1 in all. "
        "(E) Game end: everybody who has the fewest stars loses 5 points. "
        "(E) Game end: everybody who has the most stars, at least 1, gains 8 points",
        "手元のコマ6個すべてで「外惑星探査」を使う：2点を得る。星1個を書く（合計1）。"
        "（E）ゲーム終了時：星が最も少ないプレイヤーは全員5点を失う。"
        "（E）ゲーム終了時：星が最も多い（1以上）プレイヤーは全員8点を得る",
    )


def test_tf_11_a_box_card_says_whose_boxes_it_puts_tips_on() -> None:
    play = given("World Expo").with_boxes(0, war=1).with_boxes(1, war=2, carnival=1).with_hand(0, 6)
    labelled(
        play,
        moves.UseCard(name("World Expo")),
        "Use World Expo for 5 tips or more: gain 3 points; 1 tip from the stock each on the war of yourself "
        "and seat 1, seat 1's carnival",
        "コマ5個以上で「万博」を使う：3点を得る。自分と席1の「戦争」、席1の「カーニバル」にストックからコマ1個ずつ置く",
    )


def test_tf_19_a_box_card_says_whom_it_works_on_and_what_they_do() -> None:
    play = given("Provocation").with_hand(1, 0)
    labelled(
        play,
        moves.UseCardOn(name("Provocation"), 1),
        "Use Provocation on seat 1 for 3 tips or more: gain 2 points",
        "コマ3個以上で、席1を対象に「挑発」を使う：2点を得る",
    )
    labelled(
        play,
        moves.UseCardOn(name("Provocation"), 2),
        "Use Provocation on seat 2 for 3 tips or more: gain 2 points; seat 2 puts 1 tip from hand on war",
        "コマ3個以上で、席2を対象に「挑発」を使う：2点を得る。席2は手元のコマ1個を「戦争」に置く",
    )


def test_tf_41_a_box_card_says_what_all_tips_bring_where_it_is_more() -> None:
    play = given("Almsgiving").with_hand(0, 3)
    labelled(
        play,
        moves.UseCard(name("Almsgiving")),
        "Use Almsgiving for 1 tip or more: nothing happens; for all your 3 tips: gain 4 points",
        "コマ1個以上で「喜捨」を使う：何も起こらない。ただし手元のコマ3個すべてなら4点を得る",
    )


def test_tf_43_a_box_card_says_what_it_does_in_its_order() -> None:
    play = odd("Red B")
    labelled(
        play,
        moves.UseCard(play.called("Red B")),
        "Use Red B for 1 tip or more: take 1 tip from the stock; give 1 tip to the stock",
        "コマ1個以上で「赤二」を使う：ストックからコマ1個を受けとる。手元のコマ1個をストックに戻す",
    )


def test_tf_42_a_box_card_says_who_loses_by_it_and_who_gains() -> None:
    play = given("Flower Show").with_levels(1, green=4)
    labelled(
        play,
        moves.UseCard(name("Flower Show")),
        "Use Flower Show for all your 4 tips: gain 2 points",
        "手元のコマ4個すべてで「品評会」を使う：2点を得る",
    )


def test_tf_19_tips_on_a_box_card_say_what_they_bring_and_what_is_more_than_it_takes() -> None:
    play = given("Ore Vein").with_hand(0, 6).move(0, moves.UseCard(name("Ore Vein")))
    labelled(
        play,
        moves.Place(4),
        "Place 4 tips on Ore Vein: take 2 tips from the stock",
        "「鉱脈」にコマ4個を置く：ストックからコマ2個を受けとる",
    )
    labelled(
        play,
        moves.Place(6),
        "Place all your 6 tips on Ore Vein, 2 more than it takes: take 2 tips from the stock",
        "「鉱脈」に手元のコマ6個すべて（必要な数より2個多い）を置く：ストックからコマ2個を受けとる",
    )


def test_tf_19_tips_on_a_box_card_say_whom_it_works_on() -> None:
    play = given("Provocation").move(0, moves.UseCardOn(name("Provocation"), 2))
    labelled(
        play,
        moves.Place(3),
        "Place 3 tips on Provocation against seat 2: gain 2 points; seat 2 puts 1 tip from hand on war",
        "「挑発」（対象は席2）にコマ3個を置く：2点を得る。席2は手元のコマ1個を「戦争」に置く",
    )
    labelled(
        play,
        moves.Place(4),
        "Place all your 4 tips on Provocation against seat 2, 1 more than it takes: gain 2 points; seat 2 "
        "puts 1 tip from hand on war",
        "「挑発」（対象は席2）に手元のコマ4個すべて（必要な数より1個多い）を置く：2点を得る。席2は手元のコマ1個を「戦争」に置く",
    )


def test_tf_41_tips_on_a_box_card_say_that_too_few_bring_nothing() -> None:
    play = given("Almsgiving").with_hand(0, 3).move(0, moves.UseCard(name("Almsgiving")))
    labelled(
        play,
        moves.Place(1),
        "Place 1 tip on Almsgiving: nothing happens",
        "「喜捨」にコマ1個を置く：何も起こらない",
    )
    labelled(
        play,
        moves.Place(3),
        "Place all your 3 tips on Almsgiving: gain 4 points",
        "「喜捨」に手元のコマ3個すべてを置く：4点を得る",
    )


def test_tf_20_a_species_says_what_it_costs_does_and_bars() -> None:
    play = given("Dragon").with_hand(0, 5)
    labelled(
        play,
        moves.Acquire(name("Dragon")),
        "Acquire Dragon for all your 5 tips: science counts as 5. Turn start: pay 1 tip. You can't let go of it",
        "手元のコマ5個すべてで「ドラゴン」を獲得する：科学レベルを5として扱う。手番開始時：コマ1個を払う。自分からは手放せない",
    )


def test_tf_21_a_species_says_whose_it_is_and_which_one_is_given_up() -> None:
    play = given("Mob", "Giants").with_species(0, "Giants").with_species(1, "Mob").with_hand(0, 4)
    labelled(
        play,
        moves.Acquire(name("Mob")),
        "Acquire Mob from seat 1 for 1 tip or more, giving up Giants: for power, 3 counts, not science",
        "コマ1個以上で、席1から「モブ族」を奪う（「巨人族」は場に戻る）：パワーの計算に、科学レベルのかわりに3を使う",
    )


def test_tf_31_a_species_says_where_power_falls_by_it() -> None:
    play = given("Mob").with_levels(0, science=4).with_hand(0, 4)
    labelled(
        play,
        moves.Acquire(name("Mob")),
        "Acquire Mob for 1 tip or more: for power, 3 counts, not science; power falls from 4 to 3",
        "コマ1個以上で「モブ族」を獲得する：パワーの計算に、科学レベルのかわりに3を使う。パワーは4から3に下がる",
    )


def test_tf_37_naming_a_species_says_where_power_falls_by_it() -> None:
    play = given("Librarians", "Mob").with_species(0, "Librarians").with_levels(0, science=4).with_hand(0, 4)
    labelled(
        play,
        moves.Copy(name("Mob")),
        "Have Librarians copy Mob for 1 tip this round: for power, 3 counts, not science; power falls from 4 to 3",
        "「ライブラリ族」によりコマ1個で「モブ族」を指定し、このラウンド中その能力を得る："
        "パワーの計算に、科学レベルのかわりに3を使う。パワーは4から3に下がる",
    )


def test_tf_27_a_star_says_what_stars_are_for_at_this_table() -> None:
    play = given("Outer Survey", "Gravity Quake").with_hand(0, 6)
    labelled(
        play,
        moves.UseCard(name("Outer Survey")),
        "Use Outer Survey for all your 6 tips: gain 2 points; mark 1 star, 1 in all. "
        "(E) Game end: everybody who has the most stars, at least 1, gains 8 points. "
        "(E) Game end: everybody who has the fewest stars loses 5 points",
        "手元のコマ6個すべてで「外惑星探査」を使う：2点を得る。星1個を書く（合計1）。"
        "（E）ゲーム終了時：星が最も多い（1以上）プレイヤーは全員8点を得る。"
        "（E）ゲーム終了時：星が最も少ないプレイヤーは全員5点を失う",
    )


def test_tf_20_tips_on_a_species_say_whose_it_is_and_what_happens() -> None:
    play = given("Space Farmers", "Mob").with_species(0, "Mob").with_species(1, "Space Farmers").with_hand(0, 6)
    play.move(0, moves.Acquire(name("Space Farmers")))
    labelled(
        play,
        moves.Place(1),
        "Acquire Space Farmers from seat 1 with 1 tip, giving up Mob: green rises to 4; power falls from 3 to 0",
        "コマ1個で、席1から「宇宙農家」を奪う（「モブ族」は場に戻る）：緑化レベルが4に上がる。パワーは3から0に下がる",
    )
    labelled(
        play,
        moves.Place(6),
        "Acquire Space Farmers from seat 1 with all your 6 tips, 5 more than it takes, giving up Mob: "
        "green rises to 4; power falls from 3 to 0",
        "手元のコマ6個すべて（必要な数より5個多い）で、席1から「宇宙農家」を奪う"
        "（「モブ族」は場に戻る）：緑化レベルが4に上がる。パワーは3から0に下がる",
    )


def test_tf_20_tips_on_a_species_say_no_more_where_nothing_else_happens() -> None:
    play = given("Mob").move(0, moves.Acquire(name("Mob")))
    labelled(
        play,
        moves.Place(3),
        "Acquire Mob with 3 tips",
        "コマ3個で「モブ族」を獲得する",
    )
    labelled(
        play,
        moves.Place(4),
        "Acquire Mob with all your 4 tips, 1 more than it takes",
        "手元のコマ4個すべて（必要な数より1個多い）で「モブ族」を獲得する",
    )


def test_tf_22_guarding_says_what_it_is_for() -> None:
    play = given("Mob").with_species(0, "Mob")
    labelled(
        play,
        moves.Guard(name("Mob")),
        "Guard Mob for 1 tip or more: nobody can take it this round",
        "コマ1個以上で「モブ族」を守る：このラウンド中は奪われない",
    )


def test_tf_22_tips_that_guard_say_so() -> None:
    play = given("Mob").with_species(0, "Mob").move(0, moves.Guard(name("Mob")))
    labelled(
        play,
        moves.Place(1),
        "Guard Mob with 1 tip",
        "コマ1個で「モブ族」を守る",
    )
    labelled(
        play,
        moves.Place(2),
        "Guard Mob with 2 tips, 1 more than it takes",
        "コマ2個（必要な数より1個多い）で「モブ族」を守る",
    )


def test_tf_23_putting_back_says_which_species_goes() -> None:
    play = given("Mob").with_species(0, "Mob")
    labelled(
        play,
        moves.PutBack(),
        "Put Mob back on the table for 1 tip: you lose its ability; power falls from 3 to 0",
        "コマ1個で「モブ族」を場に戻す：その能力を失う。パワーは3から0に下がる",
    )


def test_tf_37_naming_a_species_says_what_is_gained() -> None:
    play = given("Librarians", "Giants").with_species(0, "Librarians")
    labelled(
        play,
        moves.Copy(name("Giants")),
        "Have Librarians copy Giants for 1 tip this round: science counts as 3. You can't choose your carnival box",
        "「ライブラリ族」によりコマ1個で「巨人族」を指定し、このラウンド中その能力を得る：科学レベルを3として扱う。自分の「カーニバル」を選べない",
    )


def test_tf_37_naming_a_species_for_the_last_tip_says_that_only_passing_is_left() -> None:
    play = given("Librarians", "Giants").with_species(0, "Librarians").with_hand(0, 1)
    labelled(
        play,
        moves.Copy(name("Giants")),
        "Have Librarians copy Giants for your last tip this round: science counts as 3. You can't "
        "choose your carnival box; then you can only pass",
        "「ライブラリ族」により手元の最後のコマ1個で「巨人族」を指定し、このラウンド中その能力を得る：科学レベルを3として扱う。自分の「カーニバル」を選べない（後はパスのみ）",
    )


def test_tf_38_naming_a_species_says_only_what_can_be_copied() -> None:
    play = given("Librarians", "Dragon", "Space Farmers").with_species(0, "Librarians")
    labelled(
        play,
        moves.Copy(name("Dragon")),
        "Have Librarians copy Dragon for 1 tip this round: science counts as 5. Turn start: pay 1 tip",
        "「ライブラリ族」によりコマ1個で「ドラゴン」を指定し、このラウンド中その能力を得る：科学レベルを5として扱う。手番開始時：コマ1個を払う",
    )
    labelled(
        play,
        moves.Copy(name("Space Farmers")),
        "Have Librarians copy Space Farmers for 1 tip this round: nothing, as none of it can be copied",
        "「ライブラリ族」によりコマ1個で「宇宙農家」を指定し、このラウンド中その能力を得る：得られる能力はない",
    )


def test_tf_9_passing_says_what_is_left_undone() -> None:
    play = given("Mob").with_hand(0, 3)
    labelled(
        play,
        moves.Pass(),
        "Pass for this round: your 3 tips in hand go to the stock; as things lie oxygen fails and costs 5 points",
        "このラウンドはパスする：手元のコマ3個はストックに戻る。今のままなら酸素の供給に失敗し、5点を失う",
    )


def test_tf_9_the_last_to_pass_is_told_that_the_round_ends() -> None:
    play = given("Mob").with_levels(0, green=4).with_hand(0, 1).with_player(1, has_passed=True)
    play.with_player(2, has_passed=True)
    labelled(
        play,
        moves.Pass(),
        "Pass for this round: your tip in hand goes to the stock; the round ends",
        "このラウンドはパスする：手元のコマ1個はストックに戻る。ラウンドが終わる",
    )


def test_tf_9_passing_with_nothing_left_says_no_more() -> None:
    play = given("Mob").with_levels(0, green=4).with_hand(0, 0)
    labelled(
        play,
        moves.Pass(),
        "Pass for this round",
        "このラウンドはパスする",
    )


@pytest.mark.parametrize("species", [card.name for card in PACK.cards if card.kind is Kind.SPECIES])
def test_tf_20_a_species_is_told_in_a_line_even_where_all_names_are_long(species: str) -> None:
    given_up = "Space Farmers" if species == "Fourth-Dimensionals" else "Fourth-Dimensionals"
    play = given(species, given_up).with_species(0, given_up).with_species(1, species).with_hand(0, 12)
    text = GAME.label(play.table, 0, moves.Acquire(name(species)), "en")
    assert text.startswith(f"Acquire {species} from seat 1 for ")
    assert f", giving up {given_up}: " in text
    assert len(text) <= 150

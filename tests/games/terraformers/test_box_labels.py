"""What the boxes of one's own sheet are called where they can be chosen: what tips on them bring."""

from __future__ import annotations

from domain.games.terraformers.components import Box, Name
from domain.games.terraformers.events import TipsAdded
from domain.games.terraformers.moves import Place, UseBox
from domain.games.terraformers.text.outcomes import outcome
from domain.games.terraformers.text.phrases import WORDS
from tests.games.terraformers.table import given, labelled
from tests.games.terraformers.test_odd_pack import odd


def test_tf_14_a_level_says_the_fewest_tips_that_raise_it_and_that_raise_it_furthest() -> None:
    play = given("Mob").with_levels(0, city=5, science=1).with_hand(0, 4)
    labelled(
        play,
        UseBox(Box.CITY),
        "Raise city from 5 to 6 with 2 tips",
        "都市レベル（現在5）を上げる：コマ2個で6に",
    )
    labelled(
        play,
        UseBox(Box.GREEN),
        "Raise green from 3 to 4 with 1 tip, to 5 with 2 tips",
        "緑化レベル（現在3）を上げる：コマ1個で4に、コマ2個で5に",
    )
    labelled(
        play,
        UseBox(Box.SCIENCE),
        "Raise science from 1 to 2 with all your 4 tips",
        "科学レベル（現在1）を上げる：手元のコマ4個すべてで2に",
    )


def test_tf_14_a_level_that_stays_says_what_the_next_takes() -> None:
    play = given("Mob").with_levels(0, city=9).with_hand(0, 1)
    labelled(
        play,
        UseBox(Box.CITY),
        "Use the city box, which stays at 9: 10 takes 7 tips",
        "シートの「都市」を使う：レベルは9のまま（10にはコマ7個が必要）",
    )


def test_tf_14_one_tip_raises_by_as_many_boxes_as_power_fills() -> None:
    play = given("Mob").with_levels(0, science=4).with_hand(0, 1)
    labelled(
        play,
        UseBox(Box.COSMO),
        "Raise cosmo from 1 to 3 with your last tip",
        "コスモレベル（現在1）を上げる：手元の最後のコマ1個で3に",
    )


def test_tf_15_a_full_level_says_so() -> None:
    play = given("Mob").with_levels(0, city=12)
    labelled(
        play,
        UseBox(Box.CITY),
        "Use the city box, which is full at 12 and rises no further",
        "シートの「都市」を使う：レベルは最大の12で、もう上がらない",
    )


def test_tf_14_tips_on_a_level_say_what_rises_and_what_is_lost() -> None:
    play = given("Mob").with_hand(0, 4).move(0, UseBox(Box.CITY))
    labelled(
        play,
        Place(1),
        "Place 1 tip on city: power 1, city stays at 4",
        "「都市」にコマ1個を置く：パワー1でレベルは4のまま",
    )
    labelled(
        play,
        Place(2),
        "Place 2 tips on city: power 2, city rises to 5",
        "「都市」にコマ2個を置く：パワー2でレベルが5に上がる",
    )
    labelled(
        play,
        Place(4),
        "Place all your 4 tips on city: power 4, city rises to 5, power 2 is lost",
        "「都市」に手元のコマ4個すべてを置く：パワー4でレベルが5に上がる（余るパワー2）",
    )


def test_tf_16_oxygen_says_what_it_takes() -> None:
    play = given("Mob").with_levels(0, city=5, science=1).with_hand(0, 4)
    labelled(
        play,
        UseBox(Box.OXYGEN),
        "Supply oxygen: with 1 tip, green 3 and power 2 reach city 5; else you lose 5 points at the round's end",
        "酸素を供給する：コマ1個でパワー2、緑化3と合わせて都市5に足りる（足りなければラウンド終了時に5点を失う）",
    )


def test_tf_16_oxygen_out_of_reach_says_so() -> None:
    play = given("Mob").with_levels(0, city=9).with_hand(0, 1)
    labelled(
        play,
        UseBox(Box.OXYGEN),
        "Supply oxygen in vain: green 3 and power 1 at most stay below city 9",
        "酸素を供給する：緑化3と最大のパワー1でも、都市9に足りない",
    )


def test_tf_36_oxygen_that_is_not_needed_says_so_and_what_more_of_it_gives() -> None:
    play = given("Gardeners").with_species(0, "Gardeners").with_levels(0, green=4)
    labelled(
        play,
        UseBox(Box.OXYGEN),
        "Supply oxygen without need: green 4 reaches city 4; 1 point for each 1 beyond it",
        "酸素を供給する：緑化4だけで都市4に足りている、余る1につき1点",
    )


def test_tf_35_oxygen_that_always_suffices_says_so() -> None:
    play = given("Zombies").with_species(0, "Zombies").with_levels(0, city=6)
    labelled(
        play,
        UseBox(Box.OXYGEN),
        "Supply oxygen without need: thanks to your species it always suffices",
        "酸素を供給する：宇宙種族の能力で、なくても成功する",
    )


def test_tf_16_tips_on_oxygen_say_whether_they_suffice() -> None:
    play = given("Mob").with_levels(0, city=5).with_hand(0, 4).move(0, UseBox(Box.OXYGEN))
    labelled(
        play,
        Place(1),
        "Place 1 tip on oxygen: green 3 and power 1 stay below city 5, lose 5 points",
        "「酸素」にコマ1個を置く：緑化3とパワー1では都市5に足りない、5点を失う",
    )
    labelled(
        play,
        Place(2),
        "Place 2 tips on oxygen: green 3 and power 2 reach city 5",
        "「酸素」にコマ2個を置く：緑化3とパワー2で都市5に足りる",
    )


def test_tf_35_tips_on_oxygen_say_that_the_species_makes_up_for_them() -> None:
    play = given("Zombies").with_species(0, "Zombies").with_levels(0, city=5).move(0, UseBox(Box.OXYGEN))
    labelled(
        play,
        Place(1),
        "Place 1 tip on oxygen: green 3 and power 1 stay below city 5, but your species makes it suffice",
        "「酸素」にコマ1個を置く：緑化3とパワー1では都市5に足りないが、宇宙種族の能力で成功する",
    )


def test_tf_36_tips_on_oxygen_say_what_is_gained_by_them() -> None:
    play = given("Gardeners").with_species(0, "Gardeners").with_levels(0, city=4).move(0, UseBox(Box.OXYGEN))
    labelled(
        play,
        Place(1),
        "Place 1 tip on oxygen: green 3 and power 1 reach city 4",
        "「酸素」にコマ1個を置く：緑化3とパワー1で都市4に足りる",
    )
    labelled(
        play,
        Place(3),
        "Place 3 tips on oxygen: green 3 and power 3 reach city 4, gain 2 points",
        "「酸素」にコマ3個を置く：緑化3とパワー3で都市4に足りる、2点を得る",
    )


def test_tf_17_war_says_what_it_gives_and_who_is_ahead() -> None:
    play = given("Berserkers").with_species(0, "Berserkers").with_boxes(1, war=3).with_boxes(2, war=5)
    labelled(
        play,
        UseBox(Box.WAR),
        "Go to war with power 5 to 8: first gains 5 points and the marker, second 3 points; so far seat 2 is "
        "strongest with 5",
        "戦争に参加する：パワー5〜8で、1位なら5点とマーカー、2位なら3点（今の最強は席2のパワー5）",
    )


def test_tf_17_war_without_rivals_says_so() -> None:
    play = given("Mob").with_hand(0, 1)
    labelled(
        play,
        UseBox(Box.WAR),
        "Go to war with power 1: first gains 5 points and the marker, second 3 points; nobody else is in it so far",
        "戦争に参加する：パワー1で、1位なら5点とマーカー、2位なら3点（今は他に参加者なし）",
    )


def test_tf_17_tips_on_war_say_which_place_they_make() -> None:
    play = given("Mob").with_boxes(1, war=1).with_boxes(2, war=3).with_turn(0).with_player(0, hand=4)
    play.move(0, UseBox(Box.WAR))
    labelled(
        play,
        Place(1),
        "Place 1 tip on war: power 1, second as things lie",
        "「戦争」にコマ1個を置く：パワー1、今のところ2位",
    )
    labelled(
        play,
        Place(4),
        "Place all your 4 tips on war: power 4, first as things lie",
        "「戦争」に手元のコマ4個すべてを置く：パワー4、今のところ1位",
    )


def test_tf_17_of_equal_powers_the_label_has_the_nearer_to_the_marker_first() -> None:
    play = given("Mob", marker=1).with_turn(0).with_boxes(1, war=2).with_boxes(2, war=2).move(0, UseBox(Box.WAR))
    labelled(
        play,
        Place(2),
        "Place 2 tips on war: power 2, third as things lie",
        "「戦争」にコマ2個を置く：パワー2、今のところ3位",
    )
    labelled(
        play,
        Place(3),
        "Place 3 tips on war: power 3, first as things lie",
        "「戦争」にコマ3個を置く：パワー3、今のところ1位",
    )


def test_tf_18_carnival_says_what_it_gives() -> None:
    play = given("Mob").with_levels(0, science=1).with_hand(0, 4)
    labelled(
        play,
        UseBox(Box.CARNIVAL),
        "Hold carnival for 2 to 5 points at the round's end; without tips it gives 1 point",
        "カーニバルを開く：ラウンド終了時に2〜5点（コマがなければ1点）",
    )


def test_tf_18_tips_on_carnival_say_what_they_give() -> None:
    play = given("Mob").with_levels(0, science=1).move(0, UseBox(Box.CARNIVAL))
    labelled(
        play,
        Place(1),
        "Place 1 tip on carnival: 2 points at the round's end",
        "「カーニバル」にコマ1個を置く：ラウンド終了時に2点",
    )


def test_tf_44_a_closed_carnival_says_so() -> None:
    play = odd("Ga").with_species(0, "Ga")
    labelled(
        play,
        UseBox(Box.CARNIVAL),
        "Use the carnival box, which gives no points",
        "シートの「カーニバル」を使う：得点にならない",
    )


def test_tf_44_tips_on_a_closed_carnival_say_that_they_give_nothing() -> None:
    play = odd("Ga").with_species(0, "Ga").move(0, UseBox(Box.CARNIVAL))
    labelled(
        play,
        Place(1),
        "Place 1 tip on carnival, which gives no points",
        "「カーニバル」にコマ1個を置く：得点にならない",
    )


def test_tf_11_whose_boxes_get_tips_is_said_from_where_one_sits() -> None:
    expo = Name("World Expo", "万博")
    told = [TipsAdded(0, box, 1, expo) for box in (Box.WAR, Box.CARNIVAL)]
    assert outcome(WORDS["en"], told, 0) == "1 tip from the stock each on your war and carnival"
    assert outcome(WORDS["ja"], told, 0) == "自分の「戦争」と「カーニバル」にストックからコマ1個ずつ置く"
    others = [TipsAdded(1, Box.OXYGEN, 2, expo)]
    assert outcome(WORDS["en"], others, 0) == "2 tips from the stock on seat 1's oxygen"

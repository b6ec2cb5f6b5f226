"""The table as it is drawn, and told."""

from __future__ import annotations

import pytest

from domain.chance import Simulation
from domain.game import Lang, Seat
from domain.games.ttmp import GAME, events
from domain.games.ttmp.abilities import AnyEffect, Copy, Flip, RollAgain, Shift, Turn
from domain.games.ttmp.components import Action, Mode
from domain.games.ttmp.scene.cards import label
from domain.games.ttmp.state import Step
from domain.scene import Face, Kind, Look, Piece, Scene, Zone, ZoneKind, ids_of, pieces_of
from domain.telling import tell
from tests.games.ttmp.table import ODD_PACK, Play, card, given, new


def scene(play: Play, viewer: Seat | None = None, lang: Lang = "en") -> Scene:
    """The table as a seat sees it, or somebody without one."""
    shown: Scene = GAME.scene(GAME.view(play.table, viewer), lang)
    return shown


def zone(play: Play, at: str, viewer: Seat | None = None) -> Zone:
    (found,) = (one for one in scene(play, viewer).zones if one.id == at)
    return found


def piece(play: Play, at: str, viewer: Seat | None = None, lang: Lang = "en") -> Piece:
    (found,) = (one for one in pieces_of(scene(play, viewer, lang)) if one.id == at)
    return found


def titles(play: Play, at: str, viewer: Seat | None = None) -> list[str]:
    return [one.title for one in zone(play, at, viewer).pieces]


def middle() -> Play:
    """A turn of seat 0 in which something lies everywhere."""
    play = given(
        "+1, +1, Any face", "Flip", stones=((2,), (3,)), stocks=("Copy", "-1"), dice=(2, 2, 5), modes=(Mode.KIND,)
    )
    return play.fold(events.CardDiscarded(0, 1, card("+1")), events.ExamLeft(2))


def test_a_whole_table_is_told_to_a_player() -> None:
    assert tell(scene(middle(), 0), "en").splitlines() == [
        "Round 1, turn 5: seat 0 is to use a magic card, or choose a dice action.",
        "Dice (a pair, before the dice action): a 2, a 2, a 5",
        "Decks: a stone ×3, a level 1 card ×7, a level 2 card ×7",
        "Level 1 discards: +1",
        "Terms: kind mode, at most 3 stones and cards in a hand, 80 points or more pass the final exam",
        "",
        "→ Seat 0: start player",
        "  Stones: a 2-point stone",
        "  Hand: +1 (level 1), Any face (level 2)",
        "  Stock: Copy (level 2)",
        "",
        "Seat 1",
        "  Stones: a stone",
        "  Hand: a level 2 card",
        "  Stock: a level 1 card",
        "",
        "Seat 2: has left the first exam",
        "  Stones: none",
        "  Hand: none",
    ]


def test_a_whole_table_is_told_in_japanese() -> None:
    assert tell(scene(middle(), 0, "ja"), "ja").splitlines() == [
        "第1ラウンド、5手番目：席0はMgを使うか、ダイスアクションを選ぶ番。",
        "ダイス（わんぺあ、ダイスアクション前）：2の目、2の目、5の目",
        "山札：伏せたMs×3、Lv1のMg×7、Lv2のMg×7",
        "Lv1の捨て札：「+1」",
        "取り決め：優しい世界モード、手札はMsを含めて3枚まで、最終魔力値80以上で合格",
        "",
        "→ 席0：スタートプレイヤー（SP）",
        "  Ms：2点のMs",
        "  手札：「+1」（Lv1）、「好きな目」（Lv2）",
        "  ストック：「写し」（Lv2）",
        "",
        "席1",
        "  Ms：伏せたMs",
        "  手札：Lv2のMg",
        "  ストック：Lv1のMg",
        "",
        "席2：一次試験終了",
        "  Ms：なし",
        "  手札：なし",
    ]


def test_the_dice_lie_in_ascending_order_and_are_called_by_their_faces() -> None:
    dice = zone(given(dice=(2, 2, 5)), "dice")
    assert [(one.id, one.kind, one.label) for one in dice.pieces] == [
        ("dice/2", Kind.DIE, "2"),
        ("dice/2.2", Kind.DIE, "2"),
        ("dice/5", Kind.DIE, "5"),
    ]


@pytest.mark.parametrize(
    ("dice", "stage", "said"),
    [
        ((6, 6, 6), {"step": Step.AFTER, "action": Action.B}, "a triple, action B"),
        ((1, 2, 3), {"step": Step.AFTER, "action": Action.FIRST}, "a run, the round's first roll"),
        ((1, 4, 6), {"step": Step.AFTER, "action": Action.C}, "action C"),
        ((1, 1, 6), {"step": Step.STOCK, "action": Action.A}, "a pair"),
        ((1, 4, 6), {"step": Step.STOCK, "action": Action.A}, ""),
        ((1, 1, 6), {"step": Step.LIMIT, "turn": 0, "round": 2}, ""),
    ],
)
def test_tt_10_tt_11_the_dice_are_told_by_what_they_allow_and_by_what_was_done_with_them(
    dice: tuple[int, ...], stage: dict[str, int], said: str
) -> None:
    assert zone(given("+1", dice=dice, **stage), "dice").text == said  # type: ignore[arg-type]


def test_tt_6_a_table_can_be_drawn_after_each_event_also_before_the_first_roll() -> None:
    play = Play(new())
    for event in GAME.setup(play.table, Simulation(1)):
        shown = scene(play.fold(event))
        assert (len(shown.zones[0].pieces) == 3) == isinstance(event, events.DiceRolled)


def test_tt_1_decks_lie_face_down_with_their_number_and_where_one_was_there_is_a_space() -> None:
    play = given("+1", stones=((1, 2), (2,), (3, 2)), modes=(Mode.KNOCKOUT,))
    decks = zone(play, "decks")
    assert [(one.id, one.kind, one.face, one.label, one.tone, one.count) for one in decks.pieces] == [
        ("decks/stones", Kind.SPACE, Face.UP, "", "stone", 1),
        ("decks/level-1", Kind.CARD, Face.DOWN, "", "level-1", 9),
        ("decks/level-2", Kind.CARD, Face.DOWN, "", "level-2", 10),
    ]
    assert decks.pieces[0].title == "no stones"
    hand = "+1, +1, +1, +1, -1, -1, -1, -1, Re-roll, Re-roll"
    assert piece(given(hand, modes=(Mode.KNOCKOUT,)), "decks/level-1").title == "no level 1 cards"


def test_tt_4_a_stone_face_down_is_called_in_a_deck_as_before_a_seat_so_that_it_is_seen_to_go_there() -> None:
    play = given("+1", stones=((2,),))
    for lang in ("en", "ja"):
        deck, own = (piece(play, at, 1, lang) for at in ("decks/stones", "seat.0/stones/0"))
        assert (deck.title, deck.tone, deck.label) == (own.title, own.tone, own.label)
        deck, own = (piece(play, at, 1, lang) for at in ("decks/level-1", "seat.0/hand/level-1"))
        assert (deck.title, deck.tone, deck.label) == (own.title, own.tone, own.label)


def test_tt_14_the_discard_that_was_last_lies_on_top_and_none_has_no_place() -> None:
    play = given("+1, -1, Flip").fold(events.CardDiscarded(0, 1, card("+1")), events.CardDiscarded(0, 1, card("-1")))
    discards = zone(play, "discards/level-1")
    assert discards.kind is ZoneKind.PILE
    assert [(one.id, one.label, one.facts) for one in discards.pieces] == [
        ("discards/level-1/1", "-1", ()),
        ("discards/level-1/0", "+1", ()),
    ]
    assert "discards/level-2" not in ids_of(scene(play))


def test_tt_4_one_s_own_cards_are_up_and_of_others_the_backs_tell_the_level() -> None:
    play = given("+1, +1, Any face", "-1, -1, Flip", modes=(Mode.KNOCKOUT,))
    assert [(one.id, one.face, one.label, one.tone) for one in zone(play, "seat.0/hand", 0).pieces] == [
        ("seat.0/hand/card-0", Face.UP, "+1", "level-1"),
        ("seat.0/hand/card-0.2", Face.UP, "+1", "level-1"),
        ("seat.0/hand/card-3", Face.UP, "→?", "level-2"),
    ]
    assert [(one.id, one.face, one.label, one.tone) for one in zone(play, "seat.1/hand", 0).pieces] == [
        ("seat.1/hand/level-1", Face.DOWN, "", "level-1"),
        ("seat.1/hand/level-1.2", Face.DOWN, "", "level-1"),
        ("seat.1/hand/level-2", Face.DOWN, "", "level-2"),
    ]


def test_a_card_is_drawn_with_its_rule_text() -> None:
    play = given("Any face")
    assert piece(play, "seat.0/hand/card-3", 0).text == "One die is turned to any face."
    assert piece(play, "seat.0/hand/card-3", 0, "ja").text == "ダイス1個を好きな目にする。"


def test_tt_11_stocked_cards_lie_face_down_also_for_who_knows_them() -> None:
    play = given(stocks=("Flip, Copy",))
    assert [(one.label, one.face) for one in zone(play, "seat.0/stock", 0).pieces] == [
        ("⇅", Face.DOWN),
        ("=", Face.DOWN),
    ]
    assert [(one.label, one.face) for one in zone(play, "seat.0/stock", 1).pieces] == [("", Face.DOWN)] * 2
    assert "seat.1/stock" not in ids_of(scene(play))


def test_tt_16_a_stone_turns_over_where_it_lies_and_the_summoning_stone_is_marked() -> None:
    play = given(stones=((2, 1), (3,), ()))
    assert [one.id for one in zone(play, "seat.0/stones", 1).pieces] == ["seat.0/stones/0", "seat.0/stones/1"]
    assert [one.face for one in zone(play, "seat.0/stones", 1).pieces] == [Face.DOWN] * 2
    assert [one.face for one in zone(play, "seat.0/stones", 0).pieces] == [Face.UP] * 2
    play.fold(events.StonesShown(((2, 1), (3,), ())))
    two, one = zone(play, "seat.0/stones", 1).pieces
    assert (two.id, two.face, two.label, two.text, two.marks) == ("seat.0/stones/0", Face.UP, "2", "", ())
    assert (one.id, one.label, one.title) == ("seat.0/stones/1", "1", "a 1-point stone")
    assert [(mark.look, mark.title) for mark in one.marks] == [(Look.BRIGHT, "the summoning stone")]
    assert one.text.startswith("Who holds it can become the summoner")


def test_tt_3_tt_5_tt_18_a_seat_is_told_with_what_is_so_of_it() -> None:
    play = given(start=1)
    assert titles(play, "seat.1") == ["start player"]
    play.fold(events.ExamLeft(1))
    assert titles(play, "seat.1") == ["start player", "has left the first exam"]
    play.fold(events.MatchEnded((0, 120, 0), (2, 1, 2), (1,)))
    assert titles(play, "seat.1") == ["has left the first exam", "winner"]
    assert "seat.0" not in ids_of(scene(play))


def test_before_the_first_round_nobody_is_start_player() -> None:
    play = given(dice=(), step=Step.DEALING, turn=0, round=0)
    shown = scene(play, 0)
    assert shown.line == "Before the first round: the cards are being laid out."
    assert scene(play, 0, "ja").line == "第1ラウンドの前：準備中。"
    assert (shown.turn, shown.scores, shown.buttons) == ((), (), ())
    assert "seat.0" not in ids_of(shown)


def test_tt_12_before_a_rounds_first_turn_it_is_told_who_discards() -> None:
    play = given("+1, +1, -1, -1", step=Step.LIMIT, turn=0, round=2)
    assert scene(play).line == (
        "Round 2, before its first turn: seat 0 is to discard a magic card: the hand is over its limit."
    )


@pytest.mark.parametrize(
    ("modes", "terms"),
    [
        (
            (),
            ["standard rules", "at most 2 stones and cards in a hand", "80 points or more pass the final exam"],
        ),
        (
            (Mode.HARD, Mode.KIND),
            [
                "hard mode",
                "kind mode",
                "at most 2 stones and cards in a hand",
                "100 points or more pass the final exam",
            ],
        ),
        (
            (Mode.RANKING,),
            ["ranking mode", "at most 2 stones and cards in a hand", "the highest value in the final exam wins"],
        ),
        (
            (Mode.KNOCKOUT,),
            ["knockout mode", "any number of stones and cards in a hand", "the first with 4 points of stones wins"],
        ),
    ],
)
def test_tt_2_tt_17_modes_the_limit_of_hands_and_the_goal_are_told(modes: tuple[Mode, ...], terms: list[str]) -> None:
    assert titles(given(seats=4, modes=modes), "terms") == terms


def test_tt_8_the_line_names_what_may_be_done_and_nothing_that_is_barred() -> None:
    def said(hand: str, step: Step = Step.AFTER, **stage: object) -> str:
        return scene(given(hand, dice=(6, 6, 6), step=step, **stage)).line.partition(": ")[2]  # type: ignore[arg-type]

    assert said("", Step.ACTION) == "seat 0 is to choose a dice action."
    assert said("+1", action=Action.A) == (
        "seat 0 is to draw a stone, or draw a level 1 card, or use a magic card, or end the turn."
    )
    assert said("+1", action=Action.A, used=True) == "seat 0 is to draw a stone, or use a magic card, or end the turn."
    assert said("+1", action=Action.B) == "seat 0 is to draw a stone, or use a magic card, or end the turn."
    assert said("+1", action=Action.C) == "seat 0 is to draw a stone, or draw a level 1 card, or end the turn."
    assert said("+1", action=Action.FIRST, drew=True) == "seat 0 is to end the turn."


def test_tt_2_a_discard_is_told_with_the_draw_that_follows() -> None:
    play = given("+1, +1, -1", step=Step.DISCARD, action=Action.A, level=2)
    assert scene(play).line == "Round 1, turn 5: seat 0 is to discard a magic card before drawing a level 2 card."
    assert scene(play, lang="ja").line == "第1ラウンド、5手番目：席0はLv2のMgを引く前にMgを1枚捨てる番。"
    play = given("+1, +1, -1", step=Step.DISCARD, action=Action.A, level=0)
    assert scene(play).line.endswith("before drawing a stone.")


def test_tt_23_a_stone_of_another_is_named_so() -> None:
    stones = ((), (2, 2), (1, 2, 3))
    play = given(dice=(6, 6, 6), step=Step.AFTER, action=Action.B, stones=stones, modes=(Mode.KNOCKOUT,))
    assert scene(play).line.endswith("seat 0 is to take one of another's stones, or end the turn.")
    assert scene(play, lang="ja").line.endswith("席0は他の席のMsを1枚引くか、手番を終える番。")


def test_tt_18_the_end_is_told_with_the_result() -> None:
    play = given(stones=((1,), (2, 2), ()), round=5).fold(
        events.StonesShown(((1,), (2, 2), ())), events.MatchEnded((30, 120, 0), (2, 1, 2), (1,))
    )
    shown = scene(play)
    assert shown.line == "The match is over after round 5: seat 1 wins with 120 points."
    assert scene(play, lang="ja").line == "第5ラウンドで終了：席1が120点で勝った。"
    assert [(one.seat, one.value, one.title) for one in shown.scores] == [
        (0, 30, "30 points"),
        (1, 120, "120 points"),
        (2, 0, "0 points"),
    ]
    assert (shown.turn, shown.buttons) == ((), ())
    told = tell(shown, "en").splitlines()
    assert "Seat 1: 120 points, winner" in told
    assert "  Stones: a 2-point stone ×2" in told


def test_tt_18_that_nobody_wins_is_told() -> None:
    play = given(round=5).fold(events.MatchEnded((0, 0, 0), (1, 1, 1), ()))
    assert scene(play).line == "The match is over after round 5: nobody wins: no magic power was enough."


def buttons(play: Play, viewer: Seat | None = 0) -> dict[str, str]:
    return {one.id: one.title for one in scene(play, viewer).buttons}


def test_tt_8_tt_11_what_can_be_said_depends_on_the_step() -> None:
    assert buttons(given()) == {
        "do/roll-one": "Roll this die (action B)",
        "do/roll-two": "Roll the other two (action A)",
        "do/roll-all": "Roll all three (action A)",
        "do/keep": "Roll nothing (action C)",
    }
    assert buttons(given(step=Step.AFTER, action=Action.C)) == {
        "do/reroll": "Roll it again and end the turn",
        "do/leave": "End the turn",
    }
    assert buttons(given("+1", step=Step.STOCK, action=Action.C)) == {"do/stock-nothing": "Stock nothing"}
    assert not buttons(given("+1, -1, +1", step=Step.DISCARD, action=Action.A, level=1))


def test_what_a_card_leaves_to_choose_is_offered_to_its_holder_while_it_may_be_used() -> None:
    def chosen(hand: str, viewer: Seat | None = 0, **stage: object) -> list[str]:
        play = given(hand, **stage)  # type: ignore[arg-type]
        return [title for at, title in buttons(play, viewer).items() if "-" in at and at.split("-")[1].isdecimal()]

    assert chosen("+1, Flip") == []
    assert chosen("Any face") == ["To 1", "To 2", "To 3", "To 4", "To 5", "To 6"]
    assert chosen("+2 or -2") == ["-2", "+2"]
    assert chosen("Any face, +2 or -2", viewer=1) == []
    assert chosen("Any face", step=Step.AFTER, action=Action.C) == []
    assert chosen("Dawn, Tide", pack=ODD_PACK) == ["To 1", "To 6", "-2", "+1", "+5"]


@pytest.mark.parametrize(
    ("effect", "drawn"),
    [
        (Shift(by=(1,)), "+1"),
        (Shift(by=(-1,), dice="all"), "-1×3"),
        (Shift(by=(2, -2)), "±2"),
        (Shift(by=(-2, 1, 5), dice="all"), "±×3"),
        (Shift(by=(1, -2)), "±"),
        (Turn(to=(1, 3, 6)), "→1/3/6"),
        (Turn(to=(1, 2, 3, 4)), "→?"),
        (Copy(), "="),
        (Flip(), "⇅"),
        (Flip(dice="all"), "⇅×3"),
        (RollAgain(), "↻"),
        (RollAgain(dice=2), "↻×2"),
    ],
)
def test_what_a_card_does_is_drawn_as_a_sign(effect: AnyEffect, drawn: str) -> None:
    assert label(effect) == drawn

"""Every event and move in words, in both languages; and the table."""

from __future__ import annotations

from typing import get_args

import pytest

from domain.games.ttmp import GAME
from domain.games.ttmp.components import Action, Mode
from domain.games.ttmp.events import (
    CardDiscarded,
    CardDrawn,
    CardsShuffled,
    CardStocked,
    CardUsed,
    DeckRefilled,
    DiceKept,
    DiceLeft,
    DiceRolled,
    DieRerolled,
    DrawAnnounced,
    ExamLeft,
    FamiliarSummoned,
    FinalRolled,
    LimitExceeded,
    MatchEnded,
    RestTaken,
    RoundBegan,
    RoundEnded,
    StartRolled,
    StoneDrawn,
    StonesMixed,
    StonesShown,
    StonesShuffled,
    StoneSummoned,
    StoneTaken,
    SummonerFound,
    TtmpEvent,
    TurnBegan,
)
from domain.games.ttmp.moves import (
    Discard,
    DrawCard,
    DrawStone,
    KeepDice,
    LeaveDice,
    MixWith,
    MixWithDeck,
    Reroll,
    Roll,
    Stock,
    StockNothing,
    TakeStone,
    TtmpMove,
    Use,
)
from domain.games.ttmp.state import Step
from domain.secrecy import redact
from tests.games.ttmp.table import card, given

PLUS, ANY = card("+1"), card("Any face")

MOVES: tuple[tuple[TtmpMove, str, str], ...] = (
    (Use(PLUS, (2,), (3,)), "Use +1: 2 becomes 3", "+1を使う:2 → 3"),
    (Use(card("Re-roll"), (2,), ()), "Use Re-roll: roll 2 again", "振り直しを使う:2を振り直す"),
    (Roll((2, 5)), "Roll 2 5", "2 5を振る"),
    (KeepDice(), "Roll nothing", "ダイスを振らない"),
    (DrawCard(2), "Draw a magic card of level 2", "Lv2のMgを引く"),
    (DrawStone(), "Draw a stone", "Msを引く"),
    (TakeStone(0), "Take a stone from seat 0", "席0からMsを引く"),
    (Discard(ANY), "Discard Any face", "好きな目を捨てる"),
    (Reroll(4), "Begin the turn change: roll the 4 again", "手番交代:4を振り直す"),
    (LeaveDice(), "Begin the turn change: leave the dice", "手番交代:ダイスはそのまま"),
    (Stock(1, PLUS), "Stock +1", "+1をストックする"),
    (Stock(1, None), "Stock a card of level 1", "Lv1のMgをストックする"),
    (StockNothing(), "Stock nothing", "ストックしない"),
    (MixWith(1), "Mix the summoning stone with the stones of seat 1", "召喚のMsを席1のMsに混ぜる"),
    (MixWithDeck(), "Mix the summoning stone with the deck of stones", "召喚のMsをMsの山札に混ぜる"),
)

EVENTS: tuple[tuple[TtmpEvent, str], ...] = (
    (StonesShuffled((1, 2, 2)), "The 3 stones are shuffled."),
    (CardsShuffled(2, (ANY, None)), "The deck of level 2 is shuffled, 2 cards."),
    (StartRolled((0, 2), (4, 1)), "The lowest die starts. seat 0: 4, seat 2: 1."),
    (RoundBegan(2, 1), "Round 2 begins; seat 1 is the start player. Stocked cards come to hand."),
    (LimitExceeded(0, 3), "Seat 0 holds more than 3 cards and is to discard."),
    (TurnBegan(0, 7), "Seat 0 is in turn: turn 7 of the round."),
    (CardUsed(0, 1, PLUS, (2,), (3,), False, (3, 3, 4)), "Seat 0 uses +1: 2 becomes 3. Dice: 3 3 4."),
    (
        CardUsed(0, 1, card("Re-roll"), (2,), (3,), True, (3, 3, 4)),
        "Seat 0 uses Re-roll: 2 is rolled again, 3. Dice: 3 3 4.",
    ),
    (
        DiceRolled(1, Action.A, (3,), (5, 2), (2, 3, 5)),
        "Seat 1 rolls (action A), keeping 3: 5 2. Dice: 2 3 5.",
    ),
    (
        DiceRolled(1, Action.A, (), (5, 2, 2), (2, 2, 5)),
        "Seat 1 rolls (action A), keeping none: 5 2 2. Dice: 2 2 5.",
    ),
    (DiceRolled(1, Action.FIRST, (), (5, 2, 2), (2, 2, 5)), "Seat 1 rolls three dice. Dice: 2 2 5."),
    (DiceKept(1, (2, 2, 5)), "Seat 1 rolls nothing (action C). Dice: 2 2 5."),
    (DrawAnnounced(1, 2), "Seat 1 is to draw a magic card of level 2 and discards first: the hand is full."),
    (DrawAnnounced(1, 0), "Seat 1 is to draw a stone and discards first: the hand is full."),
    (CardDiscarded(1, 1, PLUS), "Seat 1 discards +1."),
    (DeckRefilled(1, (None, None)), "The deck of level 1 has run out: its 2 discards are shuffled."),
    (CardDrawn(1, 2, ANY), "Seat 1 draws Any face."),
    (CardDrawn(1, 2, None), "Seat 1 draws a magic card of level 2."),
    (StoneDrawn(1, 2), "Seat 1 draws a 2-point stone."),
    (StoneDrawn(1, None), "Seat 1 draws a stone."),
    (StonesMixed(1, (None, None)), "The stones of seat 1 are shuffled face down (2)."),
    (StoneTaken(0, 1, (0, 1), 2), "Seat 0 takes a 2-point stone from seat 1."),
    (StoneTaken(0, 1, (0, 1), None), "Seat 0 takes a stone from seat 1."),
    (SummonerFound(2, 1), "Seat 2 has drawn a 1-point stone and is the summoner."),
    (
        StoneSummoned(2, 1, (0,), (0, 2), 2, (1,)),
        "Seat 2 mixes a 1-point stone with the stones of seat 0 and draws a 2-point stone.",
    ),
    (
        StoneSummoned(2, 1, (0,), (0, 2), None, (None,)),
        "Seat 2 mixes a 1-point stone with the stones of seat 0 and draws one.",
    ),
    (
        StoneSummoned(2, 1, (), (2,), 2, (None,)),
        "Seat 2 mixes a 1-point stone with the deck of stones and draws a 2-point stone.",
    ),
    (
        StoneSummoned(2, 1, (), (2,), None, (None,)),
        "Seat 2 mixes a 1-point stone with the deck of stones and draws one.",
    ),
    (DieRerolled(0, 3, 6, (1, 2, 6)), "Seat 0 rolls the 3 again: 6. Dice: 1 2 6."),
    (DiceLeft(0), "Seat 0 leaves the dice."),
    (CardStocked(0, 1, PLUS), "Seat 0 stocks +1 (level 1)."),
    (CardStocked(0, 1, None), "Seat 0 stocks a magic card of level 1."),
    (ExamLeft(0), "Seat 0 has as many stones as the hand may hold, and leaves the first exam."),
    (RestTaken(0, (2, 3)), "Seat 0 gets the stones that are left (2)."),
    (RoundEnded(1, (0,), (0, 2)), "Round 1 ends: seat 0 has taken a stone. Magic cards go back from: seat 0, seat 2."),
    (RoundEnded(1, (), ()), "Round 1 ends: its turns have run out. Magic cards go back from: nobody."),
    (
        StonesShown(((1, 2), ())),
        "The stones are shown. seat 0: a 1-point stone, a 2-point stone, seat 1: none.",
    ),
    (
        FamiliarSummoned(0, 1, 1, 2, (2, 1)),
        "Seat 0 is the summoner: a 1-point stone is shuffled with the stones of seat 1, and seat 0 draws "
        "a 2-point stone. seat 1 keeps: a 2-point stone, a 1-point stone.",
    ),
    (
        FinalRolled(0, 2, 4, (3, 3, 4), 80, 80),
        "Seat 0 rolls 3 3 4: 2 points × 4 players × 10 = 80, which passes (80 needed).",
    ),
    (
        FinalRolled(0, 2, 4, (3, 3, 3), 72, 80),
        "Seat 0 rolls 3 3 3: 2 points × 4 players × 9 = 72, which fails (80 needed).",
    ),
    (FinalRolled(0, 2, 4, (3, 3, 3), 72, 0), "Seat 0 rolls 3 3 3: 2 points × 4 players × 9 = 72."),
    (
        MatchEnded((40, 80), (2, 1), (1,)),
        "The match is over. Winners: seat 1. 1. seat 1 with 80, 2. seat 0 with 40.",
    ),
    (MatchEnded((40, 0), (1, 1), ()), "The match is over. Winners: nobody. 1. seat 0 with 40, 1. seat 1 with 0."),
)


@pytest.mark.parametrize(("move", "english", "japanese"), MOVES)
def test_a_move_is_said_in_both_languages(move: TtmpMove, english: str, japanese: str) -> None:
    assert GAME.describe(move, "en") == english
    assert GAME.describe(move, "ja") == japanese


@pytest.mark.parametrize(("event", "english"), EVENTS)
def test_an_event_is_said_in_both_languages(event: TtmpEvent, english: str) -> None:
    assert GAME.describe(event, "en") == english
    japanese = GAME.describe(event, "ja")
    assert japanese.endswith("。")
    assert not {"{", "}"} & set(japanese)
    assert "None" not in japanese


def test_every_class_is_said() -> None:
    assert {type(event) for event, _ in EVENTS} == set(get_args(TtmpEvent))
    assert {type(move) for move, _, __ in MOVES} == set(get_args(TtmpMove))


def test_what_is_hidden_is_said_as_hidden() -> None:
    assert GAME.describe(redact(CardDrawn(1, 2, ANY), 0), "ja") == "席1がLv2のMgを引く。"
    assert GAME.describe(CardDrawn(1, 2, ANY), "ja") == "席1が好きな目を引く。"


def test_the_table_is_drawn_for_a_player() -> None:
    play = given("+1, Any face", "Flip", stones=((2,), (3,)), stocks=("", "-1"), dice=(2, 2, 5), modes=(Mode.KIND,))
    play.fold(CardDiscarded(0, 1, PLUS), ExamLeft(2))
    drawn = GAME.draw(GAME.view(play.table, 0), "en")
    assert drawn.splitlines() == [
        "kind · round 1, turn 5 · start player seat 0",
        "Seat 0: use magic cards, or choose a dice action",
        "Dice: 2 2 5 (no dice action yet)",
        "Decks: stones 3 · level 1 8 · level 2 8",
        "Discards of level 1: +1",
        "",
        "Seat 0",
        "  stones: a 2-point stone",
        "  hand: Any face",
        "",
        "Seat 1",
        "  stones: a stone",
        "  hand: a level 2 card",
        "  stocked: a level 1 card",
        "",
        "Seat 2 (has left the first exam)",
        "  stones: none",
        "  hand: none",
    ]


def test_the_table_is_drawn_before_anything_happened_and_in_japanese() -> None:
    play = given("+1, Any face", dice=(), step=Step.DEALING, turn=0)
    drawn = GAME.draw(GAME.view(play.table, 0), "ja")
    assert drawn.startswith("標準 · 第1ラウンド 0手番目 · SP 席0\nなし:準備中\nダイス:なし")
    assert "  手札:+1、好きな目" in drawn

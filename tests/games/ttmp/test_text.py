"""Every event and move in words, as a log tells them."""

from __future__ import annotations

from typing import get_args

import pytest

from domain.game import Lang
from domain.games.ttmp import GAME, events, moves
from domain.games.ttmp.components import Action
from domain.secrecy import redact
from tests.games.ttmp.table import card

PLUS, ANY, AGAIN = card("+1"), card("Any face"), card("Re-roll")

MOVES: tuple[tuple[moves.TtmpMove, str, str], ...] = (
    (moves.Use(PLUS, (2,), (3,)), "Use +1 to turn 2 into 3", "「+1」を使い、2を3にする"),
    (moves.Use(AGAIN, (2,), ()), "Use Re-roll to roll 2 again", "「振り直し」を使い、2を振り直す"),
    (moves.Roll((2, 5)), "Roll 2 5", "2 5を振る"),
    (moves.KeepDice(), "Roll nothing", "ダイスを振らない"),
    (moves.DrawCard(2), "Draw a level 2 card", "Lv2のMgを引く"),
    (moves.DrawStone(), "Draw a stone", "Msを引く"),
    (moves.TakeStone(0), "Take one of seat 0's stones", "席0のMsを1枚引く"),
    (moves.Discard(ANY), "Discard Any face", "「好きな目」を捨てる"),
    (moves.Reroll(4), "End the turn, rolling a 4 again", "4を振り直して手番を終える"),
    (moves.LeaveDice(), "End the turn, leaving the dice", "ダイスをそのままにして手番を終える"),
    (moves.Stock(1, PLUS), "Stock +1", "「+1」をストックする"),
    (moves.Stock(1, None), "Stock a level 1 card", "Lv1のMgをストックする"),
    (moves.StockNothing(), "Stock nothing", "ストックしない"),
    (moves.MixWith(1), "Mix the summoning stone with seat 1's stones", "召喚のMsを席1のMsに混ぜる"),
    (moves.MixWithDeck(), "Mix the summoning stone with the deck of stones", "召喚のMsをMsの山札に混ぜる"),
)

EVENTS: tuple[tuple[events.TtmpEvent, str], ...] = (
    (events.StonesShuffled((1, 2, 2)), "The stones are shuffled: 3 stones."),
    (events.CardsShuffled(2, (ANY, None)), "The level 2 deck is shuffled: 2 cards."),
    (
        events.StartRolled((0, 1, 2), (4, 2, 1)),
        "For the start, seat 0 rolls 4, seat 1 rolls 2 and seat 2 rolls 1: seat 2 is lowest and begins.",
    ),
    (
        events.StartRolled((0, 2), (1, 1)),
        "For the start, seat 0 rolls 1 and seat 2 rolls 1: seat 0 and seat 2 are lowest and roll again.",
    ),
    (events.RoundBegan(1, 1), "Round 1 begins with seat 1 as start player."),
    (events.RoundBegan(2, 1), "Round 2 begins with seat 1 as start player; stocked cards come to hand."),
    (events.LimitExceeded(0, 3), "Seat 0 holds more than 3 cards and is to discard."),
    (events.TurnBegan(0, 7), "It is seat 0's turn, number 7 of the round."),
    (
        events.CardUsed(0, 1, PLUS, (2,), (3,), False, (3, 3, 4)),
        "Seat 0 uses +1 to turn 2 into 3. Dice: 3 3 4.",
    ),
    (
        events.CardUsed(0, 1, AGAIN, (2,), (3,), True, (3, 3, 4)),
        "Seat 0 uses Re-roll to roll 2 again: 3. Dice: 3 3 4.",
    ),
    (
        events.DiceRolled(1, Action.A, (3,), (5, 2), (2, 3, 5)),
        "Seat 1 keeps 3 and rolls two dice (action A): 5 2. Dice: 2 3 5.",
    ),
    (
        events.DiceRolled(1, Action.B, (3, 3), (5,), (3, 3, 5)),
        "Seat 1 keeps 3 3 and rolls one die (action B): 5. Dice: 3 3 5.",
    ),
    (
        events.DiceRolled(1, Action.A, (), (5, 2, 2), (2, 2, 5)),
        "Seat 1 rolls all three dice (action A). Dice: 2 2 5.",
    ),
    (
        events.DiceRolled(1, Action.FIRST, (), (5, 2, 2), (2, 2, 5)),
        "Seat 1 rolls all three dice for the round's first turn. Dice: 2 2 5.",
    ),
    (events.DiceKept(1, (2, 2, 5)), "Seat 1 rolls nothing (action C). Dice: 2 2 5."),
    (events.DrawAnnounced(1, 2), "Seat 1 is to draw a level 2 card, and discards first: the hand is full."),
    (events.DrawAnnounced(1, 0), "Seat 1 is to draw a stone, and discards first: the hand is full."),
    (events.CardDiscarded(1, 1, PLUS), "Seat 1 discards +1."),
    (
        events.DeckRefilled(1, (None,)),
        "The level 1 deck has run out, and is made of the shuffled discards: 1 card.",
    ),
    (events.CardDrawn(1, 2, ANY), "Seat 1 draws Any face (level 2)."),
    (events.CardDrawn(1, 2, None), "Seat 1 draws a level 2 card."),
    (events.StoneDrawn(1, 2), "Seat 1 draws a 2-point stone."),
    (events.StoneDrawn(1, None), "Seat 1 draws a stone."),
    (events.StonesMixed(1, (None, None)), "Seat 1 shuffles 2 stones face down."),
    (events.StoneTaken(0, 1, (0, 1), 2), "Seat 0 takes a 2-point stone from seat 1."),
    (events.StoneTaken(0, 1, (0, 1), None), "Seat 0 takes a stone from seat 1."),
    (events.SummonerFound(2, 1), "Seat 2 has drawn the summoning stone (1 point), and is the summoner."),
    (
        events.StoneSummoned(2, 1, (0,), (0, 2), 2, (1,)),
        "Seat 2 mixes the summoning stone with seat 0's stones and draws a 2-point stone.",
    ),
    (
        events.StoneSummoned(2, 1, (0,), (0, 2), None, (None,)),
        "Seat 2 mixes the summoning stone with seat 0's stones and draws one of them.",
    ),
    (
        events.StoneSummoned(2, 1, (), (2,), 2, (None,)),
        "Seat 2 mixes the summoning stone with the deck of stones and draws a 2-point stone.",
    ),
    (
        events.StoneSummoned(2, 1, (), (2,), None, (None,)),
        "Seat 2 mixes the summoning stone with the deck of stones and draws one of them.",
    ),
    (events.DieRerolled(0, 3, 6, (1, 2, 6)), "Seat 0 ends the turn and rolls a 3 again: 6. Dice: 1 2 6."),
    (events.DiceLeft(0), "Seat 0 ends the turn and leaves the dice."),
    (events.CardStocked(0, 1, PLUS), "Seat 0 stocks +1 (level 1)."),
    (events.CardStocked(0, 1, None), "Seat 0 stocks a level 1 card."),
    (
        events.ExamLeft(0),
        "Seat 0 has as many stones as a hand may hold, and leaves the first exam. "
        "Magic cards in hand and in stock go back to their decks.",
    ),
    (events.RestTaken(0, (2, 3)), "Seat 0 gets the stones that are left: stones of 2 and 3 points."),
    (events.RestTaken(0, (None,)), "Seat 0 gets the stones that are left: 1 stone face down."),
    (
        events.RoundEnded(1, (0,), (0, 2)),
        "Round 1 ends: seat 0 has taken a stone. "
        "Discards, and magic cards in the hands of seat 0 and seat 2, go back to their decks.",
    ),
    (
        events.RoundEnded(1, (), ()),
        "Round 1 ends without a stone, after its last turn. Discards go back to their decks.",
    ),
    (
        events.StonesShown(((1, 2), ())),
        "All stones are shown: seat 0 has stones of 1 and 2 points; seat 1 has none.",
    ),
    (
        events.FamiliarSummoned(0, 1, 1, 2, (2, 1)),
        "Seat 0 is the summoner: the summoning stone (1 point) is shuffled with seat 1's stones, and seat 0 draws "
        "a 2-point stone. What is left goes to seat 1: stones of 2 and 1 points.",
    ),
    (
        events.FinalRolled(0, 2, 4, (3, 3, 4), 80, 80),
        "Seat 0 rolls 3 3 4 in the final exam: 2 points × 4 players × 10 = 80, which passes (80 needed).",
    ),
    (
        events.FinalRolled(0, 2, 4, (3, 3, 3), 72, 80),
        "Seat 0 rolls 3 3 3 in the final exam: 2 points × 4 players × 9 = 72, which fails (80 needed).",
    ),
    (
        events.FinalRolled(0, 1, 4, (3, 3, 3), 36, 0),
        "Seat 0 rolls 3 3 3 in the final exam: 1 point × 4 players × 9 = 36.",
    ),
    (events.MatchEnded((40, 80), (2, 1), (1,)), "Seat 1 wins with 80 points."),
    (
        events.MatchEnded((90, 80), (1, 1), (0, 1)),
        "Seat 0 with 90 points and seat 1 with 80 points share the win.",
    ),
    (events.MatchEnded((40, 0), (1, 1), ()), "Nobody wins: no magic power was enough."),
)


@pytest.mark.parametrize(("move", "english", "japanese"), MOVES)
def test_a_move_is_said_in_both_languages(move: moves.TtmpMove, english: str, japanese: str) -> None:
    assert GAME.describe(move, "en") == english
    assert GAME.describe(move, "ja") == japanese


@pytest.mark.parametrize(("event", "english"), EVENTS)
def test_an_event_is_said_in_both_languages(event: events.TtmpEvent, english: str) -> None:
    assert GAME.describe(event, "en") == english
    japanese = GAME.describe(event, "ja")
    assert japanese.endswith("。")
    assert not {"{", "}"} & set(japanese)
    assert "None" not in japanese


def test_every_class_is_said() -> None:
    assert {type(event) for event, _ in EVENTS} == set(get_args(events.TtmpEvent))
    assert {type(move) for move, _, __ in MOVES} == set(get_args(moves.TtmpMove))


def test_what_is_hidden_is_said_as_hidden() -> None:
    assert GAME.describe(redact(events.CardDrawn(1, 2, ANY), 0), "ja") == "席1がLv2のMgを引く。"
    assert GAME.describe(events.CardDrawn(1, 2, ANY), "ja") == "席1が「好きな目」（Lv2）を引く。"


def test_tt_16_several_stones_are_told_together() -> None:
    shown = events.StonesShown(((1, 2, 2), (3,), ()))
    assert GAME.describe(shown, "en") == (
        "All stones are shown: seat 0 has stones of 1, 2 and 2 points; seat 1 has a 3-point stone; seat 2 has none."
    )
    assert GAME.describe(shown, "ja") == "全員のMsを公開する。席0は1点・2点・2点のMs。席1は3点のMs。席2はなし。"


def test_tt_5_rolls_for_the_start_are_listed_in_japanese_too() -> None:
    tied = events.StartRolled((0, 1, 2), (4, 2, 2))
    assert GAME.describe(tied, "ja") == "最初のロールは席0が4、席1が2、席2が2。目の最も小さい席1と席2が振り直す。"


def test_tt_12_the_end_of_a_round_says_what_goes_back_to_the_decks() -> None:
    assert GAME.describe(events.RoundEnded(1, (0,), (0, 2)), "ja") == (
        "第1ラウンド終了。席0がMsを引いた。捨て札と、席0と席2の手札のMgを山札に戻す。"
    )
    assert GAME.describe(events.RoundEnded(2, (), ()), "ja").endswith("終了。捨て札を山札に戻す。")


@pytest.mark.parametrize(
    ("points", "winners", "japanese"),
    [
        ((40, 80), (1,), "席1が80点で勝った。"),
        ((90, 80), (0, 1), "席0（90点）と席1（80点）が勝ちを分け合った。"),
        ((40, 0), (), "魔力の足りた者はなく、勝者なし。"),
    ],
)
def test_tt_18_the_end_says_in_words_who_has_won(
    points: tuple[int, ...], winners: tuple[int, ...], japanese: str
) -> None:
    ended = events.MatchEnded(points, (1, 1), winners)
    assert GAME.describe(ended, "ja") == japanese
    assert "match is over" not in GAME.describe(ended, "en"), "the frame says that once"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_nothing_that_everybody_reads_says_you(lang: Lang) -> None:
    for told in (*(event for event, _ in EVENTS), *(move for move, _, __ in MOVES)):
        assert "you" not in GAME.describe(told, lang).lower()

"""Events, moves and the table in words. Rule MG-6 for the steps, and what is hidden by MG-3."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from domain.chance import Simulation
from domain.game import Event, Lang, Move, Refusal
from domain.games.magicative import GAME, events, moves
from domain.games.magicative.abilities import EqualRuns, Group
from domain.games.magicative.components import Artefact, Options
from domain.games.magicative.events import MagicativeEvent
from domain.games.magicative.evolve import WRITE
from domain.games.magicative.moves import MagicativeMove
from domain.games.magicative.state import Step
from domain.games.magicative.text import cards as cards_listed
from domain.games.magicative.text.phrases import WORDS
from domain.games.magicative.text.refusals import WANTED
from domain.secrecy import marks, redact
from tests.games.magicative.table import ALCHEMY, MAGIC, ODD_PACK, PACK, Play, card, cards, given, won
from tests.games.magicative.test_artefacts import PAST

LANGS = ("en", "ja")
EVENTS: tuple[MagicativeEvent, ...] = (
    events.AptitudesShuffled(MAGIC, (3, 1, 2)),
    events.DeckShuffled(cards("M1 A2")),
    events.StartDrawn(1),
    events.CardsDealt(1, cards("M1 A2")),
    events.TurnStarted(1),
    events.CardsDrawn(1, cards("M1 A2")),
    events.DeckReshuffled(cards("M1 A2 S3")),
    events.SwapBegun(1, 0),
    events.CardsSwapped(1, 0, card("M1"), card("A2")),
    events.SchoolDeclared(1, ALCHEMY),
    events.FormulaFixed(1, ALCHEMY, (2, 3, 4), cards("A2 X A4"), 0, 5),
    events.ChipsTaken(1, 1, 6),
    events.SpecialCompleted(1, EqualRuns(times=3), 5, 10),
    events.Awakened(1, card("M1")),
    events.DrawWaits(1, 3),
    events.AptitudeTaken(1, ALCHEMY, 6),
    events.AptitudeMissed(1, ALCHEMY),
    events.AptitudeShown(1, 2, card("A6"), 7),
    events.AptitudesShown(1, cards("A6 M2"), 7),
    events.ArtefactUsed(1, Artefact.FATE, -2, 3),
    events.FateLooked(1, cards("M1 A2")),
    events.FateArranged(1, card("M1")),
    events.PastPut(1, card("M1"), 2),
    events.PastTaken(1, 4, card("M1")),
    events.ArtefactDone(1, Artefact.PAST),
    events.CardImitates(1, card("M1")),
    events.CardDiscarded(1, card("M1")),
    events.MatchDrawn((3, 4), (1, 1)),
    events.MatchEnded(1, (3, 10), (2, 1)),
)
MOVES: tuple[MagicativeMove, ...] = (
    moves.Draw(),
    moves.Swap(1),
    moves.Give(card("M1")),
    moves.Fix(MAGIC, (2, 3, 4)),
    moves.Fix(MAGIC, (2, 3, 4), (2, 4)),
    moves.Declare(MAGIC),
    moves.Awaken(card("M1")),
    moves.TakeAptitude(MAGIC),
    moves.Show(),
    moves.ShowOne(2),
    moves.Use(Artefact.PAST),
    moves.Arrange(card("M1")),
    moves.ArrangeLast(),
    moves.Put(card("M1")),
    moves.Take(4),
    moves.Imitate(card("M1")),
    moves.Discard(card("M1")),
    moves.Discard(0),
    moves.End(),
)


def classes(values: tuple[Any, ...]) -> set[type[Any]]:
    return {type(value) for value in values}


@pytest.mark.parametrize("lang", LANGS)
def test_mg_6_every_move_has_words_of_its_own(lang: Lang) -> None:
    assert classes(MOVES) == set(get_args(MagicativeMove))
    texts = [GAME.describe(move, lang) for move in MOVES]
    assert len(set(texts)) == len(MOVES)
    assert not any("{" in text or "None" in text for text in texts)
    assert "None" not in GAME.describe(moves.Arrange(None), lang)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_mg_3_every_event_has_words_whole_and_redacted(event: MagicativeEvent, lang: Lang) -> None:
    assert classes(EVENTS) == set(get_args(MagicativeEvent)) == set(WRITE)
    for told in (event, redact(event, None), redact(event, 1)):
        text = GAME.describe(told, lang)
        assert text.endswith("." if lang == "en" else "。")
        assert "None" not in text
        assert "{" not in text
        assert text[0] == text[0].upper()
    if marks(type(event)) and not isinstance(
        event, events.AptitudesShuffled | events.DeckShuffled | events.DeckReshuffled
    ):
        assert (
            GAME.describe(redact(event, 0), lang) != GAME.describe(event, lang) == GAME.describe(redact(event, 1), lang)
        )


def test_mg_3_what_is_hidden_are_decks_draws_aptitude_cards_and_fate() -> None:
    hidden = {
        cls.__name__: [name for name, _ in marks(cls)] for cls in (*WRITE, *get_args(MagicativeMove)) if marks(cls)
    }
    assert hidden == {
        "AptitudesShuffled": ["numbers"],
        "DeckShuffled": ["cards"],
        "CardsDealt": ["cards"],
        "CardsDrawn": ["cards"],
        "DeckReshuffled": ["cards"],
        "AptitudeTaken": ["number"],
        "FateLooked": ["cards"],
        "FateArranged": ["card"],
        "Arrange": ["card"],
    }
    assert all(issubclass(cls, Event) for cls in WRITE)
    assert all(issubclass(cls, Move) for cls in get_args(MagicativeMove))


def told(event: MagicativeEvent | MagicativeMove) -> tuple[str, str]:
    return GAME.describe(event, "en"), GAME.describe(event, "ja")


def test_mg_7_cards_are_told_by_name_and_places_counted_from_1() -> None:
    assert told(events.PastTaken(0, 4, card("A3"))) == (
        "Seat 0 takes alchemy 3 from their row.",
        "席0は自分の列から錬金術3を取った。",
    )
    assert told(moves.Take(4)) == ("Take card 5 of the row, counted from the left", "列の左から5枚目を取る")
    assert told(moves.ShowOne(2)) == (
        "Show aptitude card 3, counted in the order of taking",
        "3枚目に取った適性カードを公開する",
    )
    assert told(moves.Discard(0)) == ("Discard an innocent", "無垢を捨てる")
    assert told(events.PastPut(1, card("M1"), 2)) == (
        "Seat 1 puts magic 1 into their row, with 2 more to put.",
        "席1は魔術1を自分の列に差し込んだ（残り2枚）。",
    )
    assert GAME.describe(events.PastPut(1, card("M1"), 0), "en") == "Seat 1 puts magic 1 into their row."


def test_mg_8_a_swap_is_told_with_both_cards_and_whose_row_it_was() -> None:
    assert told(events.CardsSwapped(1, 0, card("M1"), card("A2"))) == (
        "Seat 1 gives magic 1 for alchemy 2, the last discard of seat 0.",
        "席1は魔術1を渡し、席0の最後の捨て札（錬金術2）を取った。",
    )
    assert told(events.CardsSwapped(1, 1, card("M1"), 0)) == (
        "Seat 1 gives magic 1 for an innocent, the last discard of their own row.",
        "席1は魔術1を渡し、自分の最後の捨て札（無垢）を取った。",
    )
    assert told(events.SwapBegun(1, 0))[0] == "Seat 1 will swap a hand card for the last discard of seat 0."
    assert told(events.SwapBegun(1, 1))[0] == "Seat 1 will swap a hand card for the last discard of their own row."


def test_mg_3_unseen_cards_are_counted_and_a_card_alone_is_said_to_be_unseen() -> None:
    assert GAME.describe(events.CardsDrawn(2, (None, None)), "en") == "Seat 2 draws 2 unseen cards."
    assert GAME.describe(events.CardsDrawn(2, (None,)), "en") == "Seat 2 draws 1 unseen card."
    assert GAME.describe(events.CardsDrawn(2, (None, None)), "ja") == "席2が引いた：伏せたカード2枚。"
    assert told(events.FateArranged(1, None)) == (
        "Seat 1 puts an unseen card back, next from the top.",
        "席1は山札の次の位置に伏せたカードを戻した。",
    )


def test_mg_11_an_aptitude_card_is_told_by_name_or_as_face_down() -> None:
    assert told(events.AptitudeTaken(1, ALCHEMY, 6)) == (
        "Seat 1 takes an aptitude card, alchemy 6.",
        "席1は適性カードを取った：錬金術6。",
    )
    assert told(events.AptitudeTaken(1, ALCHEMY, None)) == (
        "Seat 1 takes an aptitude card of alchemy, face down.",
        "席1は錬金術の適性カードを伏せて取った。",
    )


def test_mg_9_a_formula_is_told_with_what_stands_for_other_numbers_and_its_chips_apart() -> None:
    assert told(events.FormulaFixed(1, ALCHEMY, (2, 3, 4), cards("A2 X M7"), 0, 5)) == (
        "Seat 1 fixes alchemy 2-3-4 with an innocent as 3 and magic 7 as 4.",
        "席1は無垢を3、魔術7を4として錬金術2-3-4を確定した。",
    )
    assert told(events.ChipsTaken(1, 1, 6)) == (
        "Seat 1 takes 1 chip for the formula and has 6 points.",
        "席1は魔法式でチップ1枚を得て、計6点になった。",
    )
    assert told(moves.Fix(MAGIC, (2, 3, 4), (3,)))[0] == "Fix magic 2-3-4 with innocents as 3"


def test_mg_13_a_special_is_told_with_what_it_is_and_brings() -> None:
    assert told(events.SpecialCompleted(1, EqualRuns(times=3), 5, 10)) == (
        "Seat 1 takes 5 chips for 3 equal runs in one school and has 10 points.",
        "席1は特殊式「同じ術で同じ連番を3つ」でチップ5枚を得て、計10点になった。",
    )


def test_mg_9_a_formula_of_version_1_is_told_with_the_chips_that_it_brought_at_once() -> None:
    assert told(events.FormulaFixed(1, ALCHEMY, (2, 3, 4), cards("A2 A3 A4"), 1, 5)) == (
        "Seat 1 fixes alchemy 2-3-4, takes 1 chip and has 5 points.",
        "席1は錬金術2-3-4を確定した（チップ1枚を得て計5点）。",
    )


def test_mg_15_an_artefact_is_told_with_its_cost() -> None:
    assert told(events.ArtefactUsed(1, Artefact.FATE, -2, -1)) == (
        "Seat 1 uses Fate (−2 points) and has −1 point.",
        "席1は運命の調整を使った（−2点）。計−1点になった。",
    )


def test_mg_17_the_end_is_told_once_with_who_has_won_and_by_how_much() -> None:
    assert told(events.MatchEnded(1, (13, 10, 8), (2, 1, 3))) == (
        "Seat 1 is the first to reach the goal and wins with 10 points.",
        "席1が最初に目標に達し、10点で勝った。",
    )
    assert told(events.MatchDrawn((3, 4), (1, 1))) == (
        "No card is left to draw: the match is a draw for all.",
        "引けるカードが尽きた。全員の引き分け。",
    )


def test_mg_4_a_refusal_is_said_in_the_readers_language() -> None:
    def said(play: Play, seat: int, move: MagicativeMove) -> list[str]:
        with pytest.raises(Refusal) as refused:
            GAME.decide(play.table, seat, move, Simulation(1))
        return [GAME.explain(refused.value, lang) for lang in LANGS]

    play = given("M1 M2", "A1", "A2", rows=("", "S1", ""))
    assert said(play, 1, moves.Discard(card("A1"))) == [
        "It is not your turn, but that of seat 0.",
        "あなたの手番ではありません。いまは席0の手番です。",
    ]
    assert said(play, 0, moves.Discard(card("A3"))) == [
        "Your hand does not hold alchemy 3.",
        "手札に錬金術3はありません。",
    ]
    assert said(play, 0, moves.Discard(0))[0] == "Your hand does not hold an innocent."
    assert said(play, 0, moves.Discard(99))[0] == "Your hand does not hold 99."
    assert said(play, 0, moves.Swap(2)) == [
        "Seat 2 has no discard to swap with.",
        "席2には交換できる捨て札がありません。",
    ]
    assert said(play, 0, moves.Fix(MAGIC, (2, 4, 6))) == [
        "2-4-6 is no formula: that is 3 numbers in a row, or 3 equal ones.",
        "2-4-6は魔法式になりません。魔法式は3枚の連番か、同じ数字3枚です。",
    ]
    assert said(play, 0, moves.Awaken(card("M1"))) == [
        "Your hand does not hold 4 of magic 1.",
        "手札に魔術1が4枚ありません。",
    ]
    assert said(play, 0, PAST) == [
        "Past puts 3 cards of your hand into your row; cards in your hand: 2.",
        "過去の改変では手札3枚を差し込みます。手札は2枚しかありません。",
    ]
    play.move(0, moves.Swap(1))
    assert said(play, 0, moves.Discard(card("M1"))) == [
        "You are to name the hand card that you give.",
        "いまは交換に出す手札を選ぶところです。",
    ]


def test_mg_15_a_refusal_counts_places_from_1() -> None:
    def said(play: Play, move: MagicativeMove) -> list[str]:
        with pytest.raises(Refusal) as refused:
            GAME.decide(play.table, 0, move, Simulation(1))
        return [GAME.explain(refused.value, lang) for lang in LANGS]

    play = given("M1 M2 M3 M5", "S1", rows=("S1 S2 S3 S4 S5", ""))
    play.move(0, PAST, *map(moves.Put, cards("M1 M2 M3")))
    assert said(play, moves.Take(0)) == [
        "Take one of the other cards of your row, from the left 4 to 8, not 1.",
        "取れるのは自分の列の他のカード、左から4枚目から8枚目です。1枚目は取れません。",
    ]
    play = given("M1", "A1", has={0: won(aptitudes="A2 A3", shown="M1")})
    assert said(play, moves.ShowOne(2)) == [
        "Your aptitude card 3 is shown already.",
        "3枚目の適性カードは公開済みです。",
    ]
    assert said(play, moves.ShowOne(3)) == [
        "You have no aptitude card 4; aptitude cards that you have taken: 3.",
        "4枚目の適性カードはありません。取った適性カードは3枚です。",
    ]


def test_mg_3_a_refused_number_of_players_is_said() -> None:
    with pytest.raises(Refusal) as refused:
        GAME.check_options(Options(), 4, PACK)
    assert GAME.explain(refused.value, "en") == "MAGICATIVE is played by 2 to 3 players, not by 4."


@pytest.mark.parametrize("lang", LANGS)
def test_mg_13_the_cards_of_a_pack_are_listed_with_its_own_numbers(lang: Lang) -> None:
    text = cards_listed(ODD_PACK, lang)
    assert f"| {WORDS[lang].innocent} | 15 [H] |" in text
    assert f"| {WORDS[lang].school[MAGIC]} | {WORDS[lang].nothing} |" in text, "marked as printed in its rulebook"
    assert f"| {WORDS[lang].artefact[Artefact.FATE]} | -3 |" in text
    assert "| 9 [H] |" in text
    assert "{" not in text


@pytest.mark.parametrize("lang", LANGS)
def test_mg_6_every_step_that_waits_for_a_seat_says_what_it_waits_for(lang: Lang) -> None:
    assert set(WANTED[lang]) == set(Step) - {Step.DEALING, Step.OVER}


@pytest.mark.parametrize("lang", LANGS)
def test_mg_13_every_step_artefact_and_special_has_words(lang: Lang) -> None:
    words = WORDS[lang]
    assert set(words.step) == set(Step)
    assert set(words.artefact) == set(Artefact)
    assert set(words.special) == set(get_args(Group))

"""Events, moves and the table in words. Rule MG-6 for the steps, and what is hidden by MG-3."""

from __future__ import annotations

from string import Formatter
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
from tests.games.magicative.test_artefacts import FATE, INNOCENT, PAST

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


def test_mg_7_seats_places_and_cards_are_told_as_they_are_counted() -> None:
    assert GAME.describe(events.PastTaken(0, 4, card("A3")), "en") == "Seat 0 takes alchemy 3 at 4 of its row."
    assert GAME.describe(events.PastTaken(0, 4, card("A3")), "ja") == "席0は捨て札の4番から錬金術3を取った。"
    assert GAME.describe(events.CardsDrawn(2, (None, None)), "en") == "Seat 2 draws 2 unseen."
    assert GAME.describe(moves.Fix(MAGIC, (2, 3, 4), (3,)), "en") == "Fix magic 2-3-4 with innocents as 3"
    fixed = events.FormulaFixed(1, ALCHEMY, (2, 3, 4), cards("A2 X A4"), 0, 5)
    assert GAME.describe(fixed, "en") == "Seat 1 fixes alchemy 2-3-4 (alchemy 2 · innocent · alchemy 4): points 5."
    assert GAME.describe(events.ChipsTaken(1, 1, 6), "en") == "Seat 1 takes chips for the formula: chips 1, points 6."
    assert GAME.describe(events.ChipsTaken(1, 1, 6), "ja") == "席1は魔法式のチップを得た:チップ1、計6点。"


def test_mg_9_a_formula_of_version_1_is_told_with_the_chips_that_it_brought_at_once() -> None:
    fixed = events.FormulaFixed(1, ALCHEMY, (2, 3, 4), cards("A2 A3 A4"), 1, 5)
    assert GAME.describe(fixed, "en") == (
        "Seat 1 fixes alchemy 2-3-4 (alchemy 2 · alchemy 3 · alchemy 4): chips 1, points 5."
    )
    assert GAME.describe(fixed, "ja") == "席1は錬金術2-3-4を確定した(錬金術2・錬金術3・錬金術4):チップ1、計5点。"


def test_mg_18_the_end_is_told_in_the_order_of_the_ranking() -> None:
    assert GAME.describe(events.MatchEnded(1, (3, 10, 8), (3, 1, 2)), "en") == (
        "Seat 1 has won. 1. seat 1 with 10, 2. seat 2 with 8, 3. seat 0 with 3."
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
    assert said(play, 0, moves.Discard(0))[0] == "Your hand does not hold innocent."
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
        "Your hand does not hold magic 1 4 times.",
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


def test_mg_3_a_refused_number_of_players_is_said() -> None:
    with pytest.raises(Refusal) as refused:
        GAME.check_options(Options(), 4, PACK)
    assert GAME.explain(refused.value, "en") == "MAGICATIVE is played by 2 to 3, not by 4."


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
def test_mg_6_templates_name_the_same_fields_in_both_languages(lang: Lang) -> None:
    def fields(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}

    for name in WORDS["en"].__struct_fields__:
        own, english = getattr(WORDS[lang], name), getattr(WORDS["en"], name)
        if isinstance(own, str):
            assert fields(own) == fields(english), name
        else:
            assert own.keys() == english.keys()
            assert [fields(text) for text in own.values()] == [fields(text) for text in english.values()]


@pytest.mark.parametrize("lang", LANGS)
def test_mg_13_every_step_artefact_and_special_has_words(lang: Lang) -> None:
    words = WORDS[lang]
    assert set(words.step) == set(Step)
    assert set(words.artefact) == set(Artefact)
    assert set(words.special) == set(get_args(Group))


def test_mg_3_the_table_is_drawn_for_who_looks() -> None:
    has = {0: won("A123", chips=4, aptitudes="A2", shown="M1", awakened=cards("S7")), 1: won(artefact=(Artefact.FATE,))}
    play = given("M1 X", "S5 S6", rows=("M3 A4", ""), has=has)
    own, other = (GAME.draw(GAME.view(play.table, viewer), "en").split("\n") for viewer in (0, 1))
    assert own[0] == "Seat 0: in turn; goal 10"
    assert "artefacts: Past, Innocent" in own
    assert own[own.index("Seat 0: points 4, chips 4") + 1 :][:5] == [
        "  hand: innocent · magic 1",
        "  row: magic 3 · alchemy 4",
        "  formulas: alchemy 1-2-3",
        "  awakened: astrology 7",
        "  aptitude cards: alchemy 2, magic 1 (shown)",
    ]
    assert "Seat 1: points 0, chips 0, used Fate" in own
    assert "  hand: 2 unseen" in own
    assert "  row: nothing" in own
    assert "  aptitude cards: alchemy an unseen card, magic 1 (shown)" in other
    assert "  hand: astrology 5 · astrology 6" in other


def test_mg_6_the_table_says_what_has_been_begun() -> None:
    def head(play: Any, viewer: int = 0) -> str:
        return str(GAME.draw(GAME.view(play.table, viewer), "en").split("\n")[0])

    play = given("A2 A4 M7 X", "S1", rows=("", "S3"))
    play.move(0, moves.Swap(1))
    assert head(play) == "Seat 0: to give a card for a discard; goal 10, swapping with seat 1"
    play.move(0, moves.Give(card("M7")))
    assert head(play) == "Seat 0: in turn; goal 10, the swap of this turn is done"
    play.move(0, INNOCENT, moves.Imitate(card("A4")))
    assert head(play).endswith("goal 10, alchemy 4 counts as innocent, the swap of this turn is done")
    play.move(0, moves.Declare(ALCHEMY))
    assert "alchemy 4 counts as innocent, a formula of alchemy" in head(play)
    play.move(0, moves.Fix(ALCHEMY, (2, 3, 4), (3, 4)))
    assert "  formulas: alchemy 2-3-4 (alchemy 2 · alchemy 4 · innocent)" in GAME.draw(GAME.view(play.table, 1), "en")
    play = given("M1 M2 M3 M5", "S1", rows=("S1 S2 S3 S4", "")).move(0, PAST, moves.Put(card("M1")))
    assert head(play).endswith("cards arranged or put: 1")
    play.move(0, moves.Put(card("M2")), moves.Put(card("M3")), moves.Take(3))
    assert head(play).endswith("cards arranged or put: 3, cards taken: 1")


def test_mg_15_the_table_shows_the_decks_top_to_who_knows_it() -> None:
    play = given("M1", "S1", deck="S1 S2 S3 S4 S5", left=9).move(0, FATE)
    own, other = (GAME.draw(GAME.view(play.table, viewer), "en").split("\n")[1] for viewer in (0, 1))
    assert own == "deck 9, its top: astrology 1 · astrology 2 · astrology 3 · astrology 4 · astrology 5"
    assert other == "deck 9, its top is known to seat 0"


@pytest.mark.parametrize("lang", LANGS)
def test_mg_3_a_table_is_drawn_at_every_time(lang: Lang) -> None:
    table = GAME.initial(Options(), 3, PACK)
    for event in GAME.setup(table, Simulation(3)):
        text = GAME.draw(GAME.view(table, 0), lang)
        assert "{" not in text
        assert "None" not in text
        table = GAME.evolve(table, event)
    over = given("A1 A2 A3", "S1", has={0: won(chips=9)}).move(0, moves.Fix(ALCHEMY, (1, 2, 3)))
    drawn = GAME.draw(GAME.view(over.table, None), lang)
    assert WORDS[lang].step[Step.OVER].lower() in drawn.split("\n")[0].lower()

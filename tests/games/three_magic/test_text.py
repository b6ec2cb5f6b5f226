"""Events, moves and the table in words."""

from __future__ import annotations

from string import Formatter
from typing import get_args

import msgspec
import pytest

from domain.chance import Simulation
from domain.game import Lang
from domain.games.three_magic import GAME
from domain.games.three_magic.components import Options
from domain.games.three_magic.events import (
    CardDrawn,
    ClaimsOpened,
    HandDealt,
    MatchEnded,
    Measured,
    Pledged,
    Shuffled,
    ThreeMagicEvent,
)
from domain.games.three_magic.moves import (
    Discard,
    DiscardDrawn,
    Insert,
    Pass,
    Pledge,
    Ron,
    ThreeMagicMove,
    Tsumo,
)
from domain.games.three_magic.text.phrases import WORDS
from domain.games.three_magic.view import view
from domain.secrecy import redact
from tests.games.three_magic.matches import EVERYTHING
from tests.games.three_magic.table import FIRE, NOTHING_A, NOTHING_B, PACK, card, cards, given
from tests.games.three_magic.test_claims import water_2_is_claimed
from tests.games.three_magic.test_settling import manager_wins

MOVES: tuple[ThreeMagicMove, ...] = (
    Tsumo(),
    Insert(2),
    Discard(2),
    Discard(2, True),
    DiscardDrawn(),
    Ron(),
    Pledge(0, 7),
    Pass(),
)
LANGS = ("en", "ja")


@pytest.mark.parametrize("lang", LANGS)
def test_every_move_has_words_of_its_own(lang: Lang) -> None:
    assert {type(move) for move in MOVES} == set(get_args(ThreeMagicMove))
    texts = [GAME.describe(move, lang) for move in MOVES]
    assert len(set(texts)) == len(MOVES)
    assert "2" in GAME.describe(Insert(2), lang)
    assert "0" in GAME.describe(Pledge(0, 7), lang)
    assert "7" in GAME.describe(Pledge(0, 7), lang)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", get_args(ThreeMagicEvent))
def test_every_event_has_words_whole_and_redacted(kind: type[ThreeMagicEvent], lang: Lang) -> None:
    event = EVERYTHING[kind]
    for told in (event, redact(event, None), redact(event, 1)):
        text = GAME.describe(told, lang)
        assert text.endswith("." if lang == "en" else "。")
        assert "None" not in text
        assert "{" not in text
        assert text[0] == text[0].upper()


def test_seats_and_positions_are_told_from_0_and_cards_by_name() -> None:
    drawn = CardDrawn(0, card("火3*"))
    assert GAME.describe(drawn, "en") == "Seat 0 draws fire 3*."
    assert GAME.describe(drawn, "ja") == "席0は火3★を引いた。"
    pledged = water_2_is_claimed().answer({1: Pledge(6, 7)}).one(Pledged)
    assert GAME.describe(pledged, "en") == (
        "Seat 1 pledges water 2* of seat 0 with cards 6 and 7 (chi): water 1 · water 2* · water 3, for 30 od."
    )


@pytest.mark.parametrize("lang", LANGS)
def test_3m_6_hidden_cards_are_not_told(lang: Lang) -> None:
    hand = cards(NOTHING_A)
    assert GAME.describe(redact(HandDealt(1, hand), 0), lang) != GAME.describe(HandDealt(1, hand), lang)
    names = [WORDS[lang].attribute[attribute] for attribute in WORDS[lang].attribute]
    for event in (CardDrawn(1, hand[0]), HandDealt(1, hand), Shuffled(hand)):
        assert not any(name in GAME.describe(redact(event, 0), lang) for name in names)
    assert any(name in GAME.describe(redact(HandDealt(1, hand), 1), lang) for name in names)


@pytest.mark.parametrize("lang", LANGS)
def test_3m_12_who_is_asked_is_told_as_far_as_it_is_known(lang: Lang) -> None:
    opened = ClaimsOpened(0, card("火3*"), (False, True, False))
    assert GAME.describe(redact(opened, 2), lang) == GAME.describe(redact(opened, None), lang)
    assert GAME.describe(redact(opened, 1), lang) == GAME.describe(opened, lang)
    assert GAME.describe(opened, lang) != GAME.describe(redact(opened, 0), lang)


def test_3m_24_a_measure_names_its_line_or_none() -> None:
    spells = (cards("火1 火2 火3"),) * 3
    measured = Measured(0, spells, FIRE, 90, (), 0, 0, 0, 90)  # type: ignore[arg-type]  # threes, by hand
    assert "(no line)" in GAME.describe(measured, "en")
    assert "one direction" in GAME.describe(manager_wins().move(0, Tsumo()).one(Measured), "en")


def test_3m_36_the_end_is_told_in_the_order_of_the_ranking() -> None:
    text = GAME.describe(MatchEnded(points=(200, 410, 200), ranking=(2, 1, 2)), "en")
    assert text == "The match is over: 1. seat 1 with 410 od, 2. seat 0 with 200 od, 2. seat 2 with 200 od."


@pytest.mark.parametrize("lang", LANGS)
def test_templates_name_the_same_fields_in_both_languages(lang: Lang) -> None:
    def fields(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}

    for name in WORDS["en"].__struct_fields__:
        own, english = getattr(WORDS[lang], name), getattr(WORDS["en"], name)
        if isinstance(own, str):
            assert fields(own) == fields(english), name
        else:
            assert own.keys() == english.keys()


def test_every_phase_line_and_call_has_words() -> None:
    for words in WORDS.values():
        for table, kind in ((words.phase, 5), (words.line, 3), (words.call, 2), (words.attribute, 3)):
            assert len(set(table.values())) == len(table) == kind
    assert msgspec.structs.fields(type(WORDS["en"]))


def test_the_table_is_drawn_for_who_looks() -> None:
    play = given(NOTHING_A, NOTHING_B, wall="水3*")
    own, other = (GAME.draw(view(play.table, viewer), "en") for viewer in (0, 1))
    assert "drawn: water 3*" in own
    assert "drawn: ??" in other
    assert "> Seat 0 (fire): 270 od, manager" in own
    assert "fire 0 · wood 1* · water 0" in own
    assert "fire 0 · wood 1* · water 0" not in other
    assert "wall 29" in other


def test_the_table_shows_claims_pledges_discards_and_reach() -> None:
    claims = water_2_is_claimed()
    text = GAME.draw(view(claims.table, 1), "en")
    assert "Claimed: water 2*." in text
    assert "Now: claims are open on the discard of seat 0." in text
    assert "Seat 1 (wood): 270 od, asked" in text
    assert "Seat 2 (water): 270 od\n" in text
    text = GAME.draw(view(claims.answer({2: Pledge(6, 7)}).table, None), "en")
    assert "pledged: water 2 · water 2* · water 2*" in text
    assert "Seat 2 (water): 260 od, 10 od laid" in text
    ready = given("火1 火2 火3 木1 木2 木3 水1 水3", NOTHING_A, NOTHING_B, wall="火0")
    text = GAME.draw(view(ready.insert_and_discard(0, reach=True).pass_all().table, None), "ja")
    assert "捨て札: 火0 (リーチ)" in text
    assert "席0(火) 260オド、場に10オド、管理者、リーチ" in text


@pytest.mark.parametrize("lang", LANGS)
def test_a_table_is_drawn_at_every_time(lang: Lang) -> None:
    table = GAME.initial(Options(), 3, PACK)
    assert GAME.draw(view(table, 0), lang) == WORDS[lang].nothing_dealt
    for event in GAME.setup(table, Simulation(3)):
        table = GAME.evolve(table, event)
        text = GAME.draw(view(table, 0), lang)
        assert "{" not in text
        assert "None" not in text

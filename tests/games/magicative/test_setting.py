"""Setting up. Rules MG-1 to MG-4."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.chance import Scripted, Simulation
from domain.game import Refusal, fold
from domain.games.magicative import GAME
from domain.games.magicative.components import Options, cards_of
from domain.games.magicative.events import AptitudesShuffled, CardsDealt, DeckShuffled, StartDrawn, TurnStarted
from domain.games.magicative.moves import Discard, Draw
from domain.games.magicative.pack import deck_of
from domain.games.magicative.state import START, held, size_of
from tests.games.magicative.table import ODD_PACK, PACK, Play, given


def opened(seats: int, start: int = 0) -> Play:
    table = GAME.initial(Options(), seats, PACK)
    numbers = tuple(range(1, 8))
    chance = Scripted(numbers, numbers, numbers, deck_of(PACK), start)
    play = Play(table).fold(GAME.setup(table, chance))
    assert chance.is_spent
    return play


def test_mg_1_the_deck_has_six_of_each_card_and_six_innocents() -> None:
    count = Counter(deck_of(PACK))
    assert count.total() == 132
    assert len(count) == 22
    assert set(count.values()) == {6}
    assert Counter(deck_of(ODD_PACK))[0] == 15


def test_mg_2_each_school_has_a_shuffled_deck_of_aptitude_cards() -> None:
    table = GAME.initial(Options(), 3, PACK)
    shuffled = [event for event in GAME.setup(table, Simulation(3)) if isinstance(event, AptitudesShuffled)]
    assert [event.school.value for event in shuffled] == ["magic", "alchemy", "astrology"]
    assert {tuple(sorted(event.numbers, key=str)) for event in shuffled} == {(1, 2, 3, 4, 5, 6, 7)}
    assert len({event.numbers for event in shuffled}) == 3
    assert opened(2).table.middle.aptitudes == ((1, 2, 3, 4, 5, 6, 7),) * 3


@pytest.mark.parametrize("seats", GAME.seats)
def test_mg_3_everybody_is_dealt_six_cards_by_twos(seats: int) -> None:
    play = opened(seats, start=1)
    deck = play.one(DeckShuffled).cards
    assert [(event.seat, event.cards) for event in play.of(CardsDealt)] == [
        ((1 + i) % seats, deck[2 * i : 2 * i + 2]) for i in range(3 * seats)
    ]
    assert [size_of(place.hand) for place in play.table.places] == [6] * seats
    assert len(play.table.deck) == 132 - 6 * seats
    assert [artefact.value for artefact in play.table.middle.artefacts] == ["fate", "past", "innocent"]
    assert not any(place.won.aptitudes for place in play.table.places)


def test_mg_3_other_numbers_of_players_are_refused() -> None:
    for seats in (1, 4):
        with pytest.raises(Refusal) as refused:
            GAME.check_options(Options(), seats, PACK)
        assert refused.value.clause == "MG-3"
    for seats in GAME.seats:
        GAME.check_options(Options(), seats, PACK)


def test_mg_4_the_start_player_is_drawn_and_turns_go_by_seat_number() -> None:
    play = opened(3, start=2)
    assert play.one(StartDrawn).seat == play.one(TurnStarted).seat == 2
    assert GAME.to_act(play.table) == (2,)
    assert play.table.stage.step is START
    play.move(2, Draw())
    play.move(2, Discard(cards_of(held(play.place(2).hand))[0]))
    assert play.one(TurnStarted).seat == 0
    assert {GAME.setup(play.table, Simulation(i))[4] for i in range(20)} == {
        StartDrawn(0),
        StartDrawn(1),
        StartDrawn(2),
    }


def test_mg_4_who_is_not_in_turn_may_do_nothing() -> None:
    play = given("M1 M2", "A1 A2")
    assert play.legal(1) == ()
    assert play.refusal(1, Discard(11)) == ("MG-4", "not-your-turn")
    assert play.fields == {"seat": 0}
    assert fold(GAME, play.table, ()) is play.table

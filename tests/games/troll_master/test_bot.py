"""What bots ask: imagined tables, worths, and what matches tell of the pack."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from bots import BOTS
from bots.simulate import play_out
from domain.chance import Simulation
from domain.games.troll_master import GAME
from domain.games.troll_master.bot import Tally, tally
from domain.games.troll_master.components import DECK, Options
from domain.games.troll_master.events import FamiliarsLaidOut, MatchEnded
from domain.games.troll_master.moves import Act, Pass, Reveal, Summon
from domain.games.troll_master.state import Table
from tests.games.troll_master.table import (
    CRYSTAL,
    ODD_PACK,
    PACK,
    TOME,
    acting,
    at,
    magics,
    named,
    planning,
    with_fairy,
    with_pawns,
)


def seen_by(table: Table, viewer: int | None) -> Table:
    places = tuple(
        place if seat == viewer else replace(place, hand=(None,) * len(place.hand))
        for seat, place in enumerate(table.places)
    )
    return replace(table, places=places, cards=replace(table.cards, deck=(None,) * len(table.cards.deck)))


def all_cards(table: Table) -> Counter[object]:
    cards = table.cards
    return Counter((*cards.deck, *cards.discards, *cards.open, *(c for place in table.places for c in place.hand)))


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_tm_1_an_imagined_table_has_six_of_each_kind(viewer: int | None) -> None:
    table = planning("TFW", "FFC", "CCT", open="W").table
    for seed in range(20):
        other = GAME.imagine(seen_by(table, viewer), viewer, Simulation(seed))
        assert all_cards(other) == Counter(DECK)
        assert GAME.view(other, viewer) == GAME.view(table, viewer)
        assert [len(place.hand) for place in other.places] == [3, 3, 3]
        if viewer is not None:
            assert other.places[viewer].hand == table.places[viewer].hand


def test_imagined_hands_differ() -> None:
    table = seen_by(planning("TFW", "FFC", "CCT").table, 0)
    hands = {GAME.imagine(table, 0, Simulation(seed)).places[1].hand for seed in range(30)}
    assert len(hands) > 10


def test_tm_16_a_seat_that_is_out_is_imagined_with_nothing_that_it_is_known_to_lack() -> None:
    play = with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7).move(0, Reveal(CRYSTAL, 10))
    for viewer in (0, 2, None):
        for seed in range(10):
            other = GAME.imagine(seen_by(play.table, viewer), viewer, Simulation(seed))
            assert other.places[1].hand == magics("WW")


def test_tm_16_a_seat_that_is_asked_to_place_its_pawn_is_imagined_with_a_card_for_it() -> None:
    play = with_pawns(planning("WW", "TT", "FF", "WC", "TF", pack=ODD_PACK), 0, 2, 6, 0, 14)
    table = play.table
    goldless = tuple(replace(place, familiars=()) for place in table.places)
    table = replace(table, places=goldless, stage=replace(table.stage, seat=3))
    found = set()
    for seed in range(40):
        other = GAME.imagine(seen_by(table, 0), 0, Simulation(seed))
        assert {TOME, CRYSTAL} & set(other.places[3].hand), "attack and brew are occupied"
        found.add(other.places[3].hand)
    assert len(found) > 2


def test_tm_16_a_seat_that_could_pay_for_another_card_may_hold_anything() -> None:
    play = with_fairy(with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7), 1, 1).move(0, Reveal(CRYSTAL, 10))
    hands = {GAME.imagine(seen_by(play.table, 0), 0, Simulation(seed)).places[1].hand for seed in range(60)}
    assert any(set(hand) == {WAND} for hand in hands for WAND in [magics("W")[0]])


def test_what_cannot_be_imagined_is_an_error() -> None:
    play = with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7).move(0, Reveal(CRYSTAL, 10))
    places = list(seen_by(play.table, 0).places)
    places[1] = replace(places[1], lacks=magics("TFWC"))
    with pytest.raises(ValueError, match="no hands fit"):
        GAME.imagine(replace(play.table, places=tuple(places)), 0, Simulation(1))


def test_the_winner_of_a_finished_match_is_best_off() -> None:
    play = acting(at(1, "Black Cat", chips=21), at(0, "Black Cat", chips=22), at(0, "Black Cat", chips=22, mana=9))
    play.move(0, Pass())
    worths = [GAME.evaluate(play.table, seat) for seat in range(3)]
    assert worths[2] > worths[1] > worths[0]


@pytest.mark.parametrize(("seats", "share"), [(3, 0.7), (4, 0.6), (5, 0.6)])
def test_one_greedy_among_random_players_is_mostly_first(seats: int, share: float) -> None:
    won = 0.0
    matches = 2 * seats
    for k in range(matches):
        own = k % seats
        bots = [BOTS["greedy" if seat == own else "random"] for seat in range(seats)]
        played = play_out(GAME, PACK, Options(), seats, bots, Simulation(k))
        won += (played.ranking[own] == 1) / played.ranking.count(1)
    assert won >= share * matches


def test_a_tally_of_told_events_is_exact() -> None:
    play = acting(
        at(9, "Black Cat", mana=9), at(0, "Black Cat"), at(0, "Black Cat"), open="TTTTTTFFFF", supply=("Raven", "Gnome")
    ).move(0, Act())
    play.move(0, Summon(named("Raven")))
    laid_out = FamiliarsLaidOut((named("Raven"), named("Gnome")))
    ended = MatchEnded(points=(20, 20, 0), mana=(1, 1, 0), ranking=(1, 1, 3))
    assert tally((laid_out, *play.told, "another's event", ended)) == Tally(
        rounds=1, laid_out=("Raven", "Gnome"), acquired=(("Raven", (0,)), ("Gnome", ())), winners=(0, 1)
    )
    told = GAME.measure((laid_out, *play.told, ended))
    assert told.first is None, "nobody began the first round in these events"
    assert (told.rounds, told.uses) == (1, (("Raven", (0,)), ("Gnome", ())))

"""What bots ask: imagined tables, worths, and what matches tell of the pack."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from bots import BOTS
from bots.simulate import play_out
from domain.chance import Simulation
from domain.games.troll_master import GAME
from domain.games.troll_master.bot import Tally, tally
from domain.games.troll_master.bot.prospects import prospect
from domain.games.troll_master.bot.worth import gain_of_room, worth_of_card
from domain.games.troll_master.components import DECK, Options
from domain.games.troll_master.events import FamiliarsLaidOut, MatchEnded
from domain.games.troll_master.moves import Act, Done, Pass, Reveal, Summon, Train, TrollMasterMove
from domain.games.troll_master.state import Step, Table
from tests.games.troll_master.balance import Abstaining, Use, balance, played
from tests.games.troll_master.table import (
    CRYSTAL,
    FLASK,
    ODD_PACK,
    PACK,
    TOME,
    Play,
    acting,
    at,
    card,
    magics,
    named,
    opened,
    planning,
    reveal,
    use,
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


def worth(play: Play, seat: int, move: TrollMasterMove) -> float:
    """How good the position looks after the move."""
    after = Play(play.table, Simulation(1)).move(seat, move)
    return GAME.evaluate(after.table, seat)


def test_the_winner_of_a_finished_match_is_best_off() -> None:
    play = acting(at(1, "Black Cat", chips=21), at(0, "Black Cat", chips=22), at(0, "Black Cat", chips=22, mana=9))
    play.move(0, Pass())
    worths = [GAME.evaluate(play.table, seat) for seat in range(3)]
    assert worths[2] > worths[1] > worths[0]


def test_a_shared_win_is_half_a_win() -> None:
    alone = acting(at(1, chips=0), at(0, chips=22), at(0, chips=21)).move(0, Pass())
    shared = acting(at(1, chips=0), at(0, chips=22), at(0, chips=22)).move(0, Pass())
    assert GAME.evaluate(alone.table, 1) > GAME.evaluate(shared.table, 1) > GAME.evaluate(alone.table, 2)


def test_chips_are_worth_more_than_mana_and_mana_more_than_nothing() -> None:
    def value(**has: int) -> float:
        return GAME.evaluate(acting(at(0, "Black Cat", **has), at(1, "Black Cat"), at(0, "Black Cat")).table, 0)

    assert value(chips=1) > value(mana=1) > value()
    assert value(mana=40) - value(mana=39) < value(mana=2) - value(mana=1)


def test_a_divination_is_done_rather_than_passed() -> None:
    play = acting(at(14, "Black Cat"), at(0, "Black Cat"), at(0, "Black Cat"), open="CCCCTTTFFF")
    assert worth(play, 0, Act()) > worth(play, 0, Pass())


def test_a_dear_divination_of_little_use_is_passed() -> None:
    play = acting(at(6, "Black Cat", mana=4), at(0, "Black Cat"), at(0, "Black Cat"), open="TTTTTTFFFF")
    assert worth(play, 0, Act()) < worth(play, 0, Pass())


def test_something_is_acquired_rather_than_nothing() -> None:
    play = acting(
        at(13, "Black Cat", mana=9),
        at(0, "Black Cat"),
        at(0, "Black Cat"),
        open="TTTTTTFFFF",
        supply=("Sphinx", "Mana Bug"),
    ).move(0, Act())
    sphinx, done = worth(play, 0, Summon(named("Sphinx"))), worth(play, 0, Done())
    assert sphinx > done
    assert sphinx != worth(play, 0, Train(named("Black Cat"), named("Sphinx")))


def test_an_attack_is_worth_the_chips_it_is_likely_to_bring() -> None:
    def value(*others: str) -> float:
        defenders = [at(0, other) for other in others]
        return GAME.evaluate(acting(at(3, "Peryton"), *defenders, open="WWWWTTTTTT").table, 0)

    strong = [value("Troll", "Troll"), value("Troll", "Mana Bug"), value("Mana Bug", "Mana Bug")]
    # the others' points weigh too: a Troll has 5, so compare what is left of that
    assert strong[1] - strong[0] > 0.5
    assert strong[2] > strong[1]


def test_a_defence_that_holds_is_paid_for_and_one_that_does_not_is_not() -> None:
    def better(*own: tuple[str, int] | str, by: str) -> bool:
        play = acting(at(3, by), at(0, *own), at(0, "Mana Bug"), open="WWWWTTTTTT").move(0, Act())
        pay = GAME.legal(play.table, 1)[0]
        used = Play(play.table)
        used.table = used.move(1, pay).table
        return worth(play, 1, pay) > worth(play, 1, GAME.legal(play.table, 1)[-1])

    assert better(("Gargoyle", 2), by="Peryton")
    assert not better(("Caladrius", 1), by="Troll")


def test_a_chain_that_brings_something_is_taken() -> None:
    play = acting(at(12, ("Automaton", 2)), at(0, "Black Cat"), at(0, "Black Cat"), open="FFFFFFTTTT").move(0, Act())
    assert worth(play, 0, use("Automaton")) > worth(play, 0, Done())


def test_a_placement_that_is_likely_to_succeed_is_better() -> None:
    play = planning("FFF", "TTT", "WWW")
    assert worth(play, 0, reveal("F", 8)) > worth(play, 0, reveal("F", 1))


def test_nothing_hidden_is_read() -> None:
    table = planning("TFW", "FFC", "CCT", open="W").table
    for viewer in range(3):
        seen = seen_by(table, viewer)
        for seed in range(5):
            other = GAME.imagine(seen, viewer, Simulation(seed))
            assert GAME.evaluate(seen, viewer) == GAME.evaluate(other, viewer) == GAME.evaluate(table, viewer)


def test_a_hand_that_places_nothing_is_worth_the_mana_of_being_out() -> None:
    play = with_fairy(with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7), 1, 1).move(0, Reveal(CRYSTAL, 10))
    stuck = GAME.evaluate(play.table, 1)
    places = tuple(replace(p, hand=magics("FF")) if s == 1 else p for s, p in enumerate(play.table.places))
    assert GAME.evaluate(replace(play.table, places=places), 1) > stuck
    assert FLASK in places[1].hand


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


def test_room_for_charges_is_worth_what_they_count_less_the_mana_they_take() -> None:
    table = opened()
    found = [gain_of_room(card(table, "Dragon Egg"), charges) for charges in (0, 2, 6)]
    assert found == pytest.approx([6 - 6 * 0.3, 4 - 4 * 0.3, 0])
    assert gain_of_room(card(table, "Mandrake"), 3) == pytest.approx(1 - 0.3)
    for name in ("Unicorn", "Salamander"):
        assert gain_of_room(card(table, name), 0) == 0


def test_power_is_worth_more_where_an_attack_may_bring_four_chips() -> None:
    table = opened()
    griffin, egg = card(table, "Griffin"), card(table, "Dragon Egg")
    three, four, five = (worth_of_card(griffin, 8.0, seats) for seats in GAME.seats)
    assert three == four < five
    assert worth_of_card(egg, 8.0, 3) == worth_of_card(egg, 8.0, 5), "it has no power"


def test_an_attack_under_way_is_worth_the_answers_that_are_still_to_come() -> None:
    table = acting(at(3, "Troll"), at(0, ("Gargoyle", 1)), at(0, "Raven"), open="WWWWTTTTTT").move(0, Act()).table
    assert table.stage.step is Step.DEFENCE
    assert prospect(table, 0, 5.0) == 2, "6 against 2 and 3 more, and against 1"
    last = replace(table, stage=replace(table.stage, seat=2))
    assert prospect(last, 0, 5.0) == 1


def tallied(pack: Any, seats: int, seed: int) -> Tally:
    """A match of random players, and what it tells."""
    told: list[Any] = []
    play_out(
        GAME,
        pack,
        Options(),
        seats,
        [BOTS["random"]] * seats,
        Simulation(seed),
        watch=lambda state, seat, move, events: told.extend(events),
    )
    return tally(told)


def test_a_tally_says_who_acquired_what_and_who_won() -> None:
    found = [tallied(PACK, 3, seed) for seed in range(6)]
    for one in found:
        assert 1 <= one.rounds <= 40
        assert len(one.laid_out) == len(set(one.laid_out)) == 10
        assert tuple(name for name, _ in one.acquired) == one.laid_out
        assert one.winners
        assert one.first in {0, 1, 2}
        assert set(one.winners) <= {0, 1, 2}
        for _, seats in one.acquired:
            assert list(seats) == sorted(set(seats))
    assert any(seats for one in found for _, seats in one.acquired)


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


def test_tallies_sum_up_to_the_packs_balance() -> None:
    tallies = (
        Tally(rounds=10, laid_out=("Raven", "Gnome"), acquired=(("Raven", (0, 1)), ("Gnome", ())), winners=(0,)),
        Tally(rounds=40, laid_out=("Raven",), acquired=(("Raven", ()),), winners=(1, 2), first=1),
    )
    found = balance(3, tallies)
    assert (found.matches, found.rounds, found.capped) == (2, 25.0, 1)
    assert found.wins_by_seat == (1.0, 0.5, 0.5)
    assert found.wins_by_turn == (1.5, 0.5, 0.0)
    assert found.familiars == (Use("Gnome", 1, 0.0, 0.0), Use("Raven", 2, 0.5, 0.5))


def test_a_player_that_abstains_from_a_familiar_plays_on_without_it() -> None:
    names = tuple(card.name for card in PACK.familiars)
    told: list[Any] = []
    bots = [Abstaining("Great Owl"), BOTS["greedy"], BOTS["greedy"]]
    play_out(
        GAME,
        PACK,
        Options(familiars=("Great Owl", *[name for name in names if name != "Great Owl"][:9])),
        3,
        bots,
        Simulation(4),
        watch=lambda state, seat, move, events: told.extend(events),
    )
    acquired = dict(tally(told).acquired)["Great Owl"]
    assert acquired
    assert 0 not in acquired


def test_greedy_players_end_a_match_long_before_the_last_round() -> None:
    found = balance(3, played(3, 4, seed=1))
    assert found.capped == 0
    assert 5 < found.rounds < 20
    assert sum(found.wins_by_seat) == pytest.approx(4)

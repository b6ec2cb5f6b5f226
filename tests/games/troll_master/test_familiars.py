"""The house's familiars, and how bots judge."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from bots import BOTS
from bots.simulate import play_out
from domain.chance import Simulation
from domain.games.troll_master import GAME, events
from domain.games.troll_master.abilities import Redraw
from domain.games.troll_master.bot import Tally, tally
from domain.games.troll_master.components import DECK, Options
from domain.games.troll_master.events import FamiliarsLaidOut, MatchEnded
from domain.games.troll_master.moves import (
    Act,
    Answer,
    Attack,
    ChainTo,
    Charge,
    Discard,
    Done,
    Pass,
    Reveal,
    Summon,
    Train,
)
from domain.games.troll_master.state import Table
from tests.games.troll_master.table import (
    CRYSTAL,
    ODD_PACK,
    PACK,
    TOME,
    WAND,
    Play,
    acting,
    at,
    magics,
    named,
    planning,
    refused,
    use,
    with_fairy,
    with_pawns,
)
from tests.rows import each

BREW, SUMMON, ATTACK, DIVINATION = "FFFFFFTTTT", "TTTTTTFFFF", "WWWWWWTTTT", "CCCCFFFTTT"


def acts(
    action: int, *familiars: str | tuple[str, int], mana: int = 0, open: str, supply: tuple[str, ...] = ()
) -> Play:
    """Seat 0 does the action against two Black Cats that stay at home."""
    play = acting(at(action, *familiars, mana=mana), at(0, "Black Cat"), at(0, "Black Cat"), open=open, supply=supply)
    return play.move(0, Act())


def defends(*familiars: str | tuple[str, int], by: tuple[str, ...]) -> Play:
    """Seat 1 is attacked from action 3, which adds nothing."""
    play = acting(at(3, *by), at(0, *familiars), at(0, "Black Cat"), open=ATTACK)
    return play.move(0, Act())


def points(*familiars: str | tuple[str, int]) -> int:
    return GAME.standing(acting(at(1, *familiars), at(0), at(0)).table).points[0]


def test_black_cat_fights_and_can_be_trained_and_is_worth_nothing() -> None:
    assert acts(3, "Black Cat", "Raven", open=ATTACK).of(events.AttackSucceeded)[0].strength == 2
    play = acts(2, "Black Cat", mana=2, open=SUMMON, supply=("Gnome",))
    assert play.move(0, Train(named("Black Cat"), named("Gnome"))).one(events.FamiliarTrained).mana == 2
    assert points("Black Cat") == 0


def test_will_o_the_wisp_gains_2_mana_by_divination() -> None:
    assert acts(6, "Will-o'-the-Wisp", open=DIVINATION).place(0).mana == 2


def test_homunculus_takes_1_off_a_summon() -> None:
    play = acts(2, "Homunculus", mana=2, open=SUMMON, supply=("Gnome",)).move(0, Summon(named("Gnome")))
    assert play.place(0).mana == 0
    assert points("Homunculus") == 1


def test_mana_bug_gains_2_mana_by_a_brew() -> None:
    assert acts(4, "Mana Bug", open=BREW).place(0).mana == 4 + 2


def test_mischievous_fairy_draws_and_discards_in_planning() -> None:
    play = with_fairy(planning("TFT", "FFF", "WWW"), 0, 2)
    assert isinstance(use("Mischievous Fairy").ability, Redraw)
    play.move(0, use("Mischievous Fairy"))
    drawn = play.one(events.CardDrawn).card
    play.move(0, Discard(magics("F")[0]))
    assert drawn is not None
    assert play.place(0).hand == (*magics("T"), drawn, *magics("T"))
    assert play.owned(0, "Mischievous Fairy").charges == 1


def test_mandrake_charges_itself_and_counts_every_second_charge() -> None:
    assert acts(4, ("Mandrake", 2), open=BREW).owned(0, "Mandrake").charges == 3
    assert [points(("Mandrake", charges)) for charges in range(5)] == [1, 1, 2, 2, 3]


def test_gnome_gains_1_mana_by_a_summon_that_may_pay() -> None:
    play = acts(2, "Gnome", mana=1, open=SUMMON, supply=("Homunculus",))
    assert play.place(0).mana == 2
    play.move(0, Summon(named("Homunculus")))
    assert play.place(0).mana == 0


def test_salamander_pays_for_2_power() -> None:
    play = acts(3, ("Salamander", 1), open=ATTACK).move(0, use("Salamander"))
    assert [event.strength for event in play.of(events.AttackSucceeded)] == [3, 3]


def test_library_ghost_takes_1_off_and_chains_to_a_summon() -> None:
    play = acts(9, ("Library Ghost", 1), mana=3, open=SUMMON, supply=("Gargoyle", "Raven"))
    assert play.table.stage.bonus == 3
    play.move(0, Summon(named("Raven"))).move(0, use("Library Ghost", 1)).move(0, ChainTo(5)).move(0, Act())
    assert play.table.stage.bonus == 1 + 1
    play.move(0, Summon(named("Gargoyle")))
    assert play.place(0).mana == 0


def test_caladrius_charges_itself_and_pays_for_2_power_of_defence() -> None:
    assert acts(4, "Caladrius", open=BREW).owned(0, "Caladrius").charges == 1
    play = defends(("Caladrius", 1), by=("Peryton",)).move(1, use("Caladrius", 1))
    assert play.of(events.AttackFailed)[0].defence == 3


def test_gargoyle_pays_for_3_power_of_defence() -> None:
    play = defends(("Gargoyle", 2), by=("Troll",)).move(1, use("Gargoyle")).move(1, use("Gargoyle"))
    assert play.of(events.AttackFailed)[0].defence == 8


def test_raven_gains_1_chip_by_divination() -> None:
    assert acts(6, "Raven", open=DIVINATION).place(0).chips == 1 + 1


def test_fairy_circle_pays_for_1_off_a_summon() -> None:
    play = acts(2, ("Fairy Circle", 3), open=SUMMON, supply=("Gnome",))
    for _ in range(3):
        play.move(0, use("Fairy Circle"))
    play.move(0, Summon(named("Gnome")))
    assert play.place(0).mana == 0


def test_automaton_chains_from_a_brew_to_a_brew() -> None:
    play = acts(12, ("Automaton", 2), open=BREW).move(0, use("Automaton")).move(0, ChainTo(8))
    play.move(0, Act())
    assert play.place(0).mana == 6 + 5
    play.move(0, Done()).move(0, use("Automaton")).move(0, ChainTo(4)).move(0, Act())
    assert play.place(0).mana == 6 + 5 + 4


def test_great_owl_gains_1_mana_by_divination_and_by_a_brew() -> None:
    assert acts(6, "Great Owl", open=DIVINATION).place(0).mana == 1
    assert acts(4, "Great Owl", open=BREW).place(0).mana == 4 + 1


def test_peryton_gains_1_mana_for_each_success() -> None:
    assert acts(3, "Peryton", open=ATTACK).place(0).mana == 2


def test_dragon_egg_counts_each_charge() -> None:
    assert [points(("Dragon Egg", charges)) for charges in range(7)] == list(range(7))
    play = acts(12, "Dragon Egg", open=BREW)
    for _ in range(6):
        play.move(0, Charge(named("Dragon Egg")))
    assert GAME.standing(play.table).points[0] == 6


def test_brazen_head_pays_for_a_chip_by_divination() -> None:
    play = acts(6, ("Brazen Head", 2), open=DIVINATION).move(0, use("Brazen Head")).move(0, use("Brazen Head"))
    assert play.place(0).chips == 1 + 2


def test_griffin_has_1_power_more_in_defence() -> None:
    play = defends("Griffin", by=("Troll",))
    assert play.of(events.AttackFailed)[0].defence == 6
    assert events.AbilityFired(1, named("Griffin"), PACK.familiars[17].abilities[0]) in play.told
    assert acts(3, "Griffin", open=ATTACK).of(events.AttackSucceeded)[0].strength == 5


def test_valkyrie_chains_from_an_attack_to_an_attack() -> None:
    play = acts(7, ("Valkyrie", 1), open=ATTACK).move(0, use("Valkyrie"))
    assert play.forced[0] == (0, ChainTo(3))
    play.move(0, Act())
    assert play.place(0).chips == 2 + 2


def test_unicorn_counts_every_second_uncovered_familiar_itself_included() -> None:
    assert points("Unicorn") == 3
    assert points("Unicorn", "Black Cat") == 3 + 1
    assert points("Unicorn", "Black Cat", "Mana Bug") == 3 + 1
    assert points("Unicorn", "Black Cat", "Mana Bug", "Will-o'-the-Wisp") == 3 + 2


def test_sphinx_pays_for_2_mana_by_divination() -> None:
    play = acts(6, ("Sphinx", 1), open=DIVINATION).move(0, use("Sphinx"))
    assert play.of(events.AbilityUsed)[0].familiar == named("Sphinx")
    assert play.place(0).mana == 2


def test_troll_is_strong_and_worth_5() -> None:
    assert acts(3, "Troll", open=ATTACK).of(events.AttackSucceeded)[0].strength == 6
    assert points("Troll") == 5


def test_every_familiar_has_a_test_of_its_own() -> None:
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    for familiar in (PACK.black_cat, *PACK.familiars):
        name = familiar.name.lower().replace("'", "").replace("-", "_").replace(" ", "_")
        assert any(test.startswith(f"{name}_") for test in tested), familiar.name


def test_an_ability_of_another_card_is_refused() -> None:
    play = defends(("Gargoyle", 1), by=("Troll",))
    stolen = type(use("Gargoyle"))(named("Gargoyle"), use("Caladrius").ability)
    assert refused(play.table, 1, stolen) == ("TM-35", "no-such-ability")
    assert refused(play.table, 1, Discard(WAND)) == ("TM-27", "wrong-step")
    assert refused(play.table, 0, Attack()) == ("TM-27", "not-your-turn")
    assert play.legal(1) == (use("Gargoyle"), Answer())


@pytest.mark.parametrize("own", [("Will-o'-the-Wisp", 0), ("Dragon Egg", 6), ("Valkyrie", 2)])
def test_tm_25_a_training_is_told_in_a_line_even_where_all_names_are_long(own: tuple[str, int]) -> None:
    for familiar in (card.name for card in PACK.familiars if card.name != own[0]):
        play = acting(at(2, own, mana=30), at(0), at(0), open="TTTFFFFFFC", supply=(familiar, "Raven")).move(0, Act())
        assert len(GAME.label(play.table, 0, Train(named(own[0]), named(familiar)), "en")) <= 200


def seen_by(table: Table, viewer: int | None) -> Table:
    places = tuple(
        place if seat == viewer else replace(place, hand=(None,) * len(place.hand))
        for seat, place in enumerate(table.places)
    )
    return replace(table, places=places, cards=replace(table.cards, deck=(None,) * len(table.cards.deck)))


def all_cards(table: Table) -> Counter[object]:
    cards = table.cards
    return Counter((*cards.deck, *cards.discards, *cards.open, *(c for place in table.places for c in place.hand)))


def test_tm_1_an_imagined_table_has_six_of_each_kind() -> None:
    for viewer in each([0, 1, 2, None]):
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

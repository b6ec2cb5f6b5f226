"""Each familiar of the house pack at work, and the black cat."""

from __future__ import annotations

import pytest

from domain.games.troll_master import GAME, events
from domain.games.troll_master.abilities import Redraw
from domain.games.troll_master.moves import Act, Answer, Attack, ChainTo, Charge, Discard, Done, Summon, Train
from tests.games.troll_master.table import (
    PACK,
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
)

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

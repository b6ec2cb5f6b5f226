"""The order in an action, and chains at its end: TM-47, TM-48."""

from __future__ import annotations

from domain.games.troll_master import events
from domain.games.troll_master.moves import Act, ChainTo, Charge, Done, Summon, Train
from domain.games.troll_master.state import Step
from tests.games.troll_master.table import (
    ODD_PACK,
    Play,
    ability,
    acting,
    at,
    named,
    refused,
    use,
)


def chaining(*pawns: int, open: str = "FFFFFFTTTT") -> Play:
    """A brew on action 12 with an Automaton; brews on its left are 1, 4 and 8."""
    others = [at(pawn, "Black Cat") for pawn in pawns]
    return acting(at(12, "Black Cat", ("Automaton", 2)), *others, open=open).move(0, Act())


def test_tm_47_payment_comes_first_then_what_is_printed_then_what_fires() -> None:
    play = acting(at(12, "Mana Bug", ("Mandrake", 0), "Great Owl", mana=4), at(0), at(0), open="FFFFTTTTTT")
    play.move(0, Act())
    kinds = [(type(event), event.familiar.en if isinstance(event, events.AbilityFired) else "") for event in play.told]
    assert kinds == [
        (events.CardsBought, ""),
        (events.BrewBegun, ""),
        (events.AbilityFired, "Mana Bug"),
        (events.AbilityFired, "Great Owl"),
        (events.AbilityFired, "Mandrake"),
    ], "all gains, then what charges"


def test_tm_47_costless_abilities_fire_even_if_nothing_is_acquired() -> None:
    play = acting(at(9, "Gnome"), at(0), at(0), open="TTTTTFFFFF", supply=("Troll",)).move(0, Act())
    assert play.told[:2] == (events.SummonBegun(0, 9, 2), events.AbilityFired(0, named("Gnome"), ability("Gnome")))
    assert play.place(0).mana == 1


def test_tm_47_mana_so_gained_may_pay_and_a_reduction_counts_for_its_card_about_to_be_covered() -> None:
    play = acting(at(2, "Gnome", "Homunculus"), at(0), at(0), open="TTTFFFFWWW", supply=("Raven", "Gargoyle")).move(
        0, Act()
    )
    play.move(0, Train(named("Homunculus"), named("Raven")))
    assert play.one(events.FamiliarTrained).mana == 4 - 2 - 1
    assert play.place(0).mana == 0


def test_tm_47_a_paid_reduction_is_declared_before_and_counts_when_its_card_is_covered() -> None:
    play = acting(at(2, ("Fairy Circle", 2)), at(0), at(0), open="TTTFFFFWWW", supply=("Griffin", "Raven")).move(
        0, Act()
    )
    play.move(0, use("Fairy Circle")).move(0, use("Fairy Circle"))
    play.move(0, Train(named("Fairy Circle"), named("Griffin")))
    assert play.one(events.FamiliarTrained).mana == 7 - 5 - 2


def boiling(*familiars: str | tuple[str, int], mana: int = 0) -> Play:
    """A brew with a Kettle, which gains 3 mana for a charge."""
    return acting(at(6, ("Kettle", 1), *familiars, mana=mana), at(0), at(0), open="FFFFFTTTTT", pack=ODD_PACK).move(
        0, Act()
    )


def test_tm_47_in_a_brew_abilities_are_paid_for_before_and_after_charging_by_hand() -> None:
    play, brew = boiling(), use("Kettle", 1, ODD_PACK)
    assert play.owned(0, "Kettle").charges == 2, "charged before it is paid from"
    play.move(0, brew)
    assert play.place(0).mana == 9 + 3
    charge = Charge(named("Kettle", ODD_PACK))
    play.move(0, charge).move(0, charge)
    assert brew in play.legal(0)
    play.move(0, brew).move(0, brew)
    assert (play.place(0).mana, play.owned(0, "Kettle").charges) == (12 - 2 + 3 + 3, 1)


def test_tm_47_who_pays_after_charging_by_hand_charges_no_more_in_that_brew() -> None:
    play, brew = boiling(), use("Kettle", 1, ODD_PACK)
    charge = Charge(named("Kettle", ODD_PACK))
    play.move(0, charge).move(0, brew)
    assert play.legal(0) == (brew, Done())
    assert refused(play.table, 0, charge) == ("TM-47", "charging-over")


def test_tm_47_a_brew_is_done_by_itself_when_nothing_is_left_to_charge_or_to_pay_for() -> None:
    play, brew = boiling(), use("Kettle", 1, ODD_PACK)
    play.move(0, Charge(named("Kettle", ODD_PACK)))
    for _ in range(3):
        assert play.table.stage.step is Step.BREW
        play.move(0, brew)
    assert events.PawnReturned(0, 6) in play.told, "mana and ribbons are left, but charging is over"


def test_tm_47_an_acquired_familiar_may_be_paid_from_in_the_same_summon() -> None:
    play = acting(
        at(7, "Goldfish", mana=4),
        at(0),
        at(0),
        open="TTTTTFFFFF",
        pack=ODD_PACK,
        supply=("Coat Hook", "Bath Plug", "Rug"),
    ).move(0, Act())
    play.move(0, Summon(named("Coat Hook", ODD_PACK)))
    hook = use("Coat Hook", 1, ODD_PACK)
    assert play.legal(0) == (hook, Done())
    assert refused(play.table, 0, Summon(named("Bath Plug", ODD_PACK))) == ("TM-25", "acquired")
    play.move(0, hook)
    assert play.place(0).chips == 1
    assert events.PawnReturned(0, 7) in play.told, "nothing is left to pay for"


def test_tm_47_nothing_is_taken_off_a_cost_that_is_paid() -> None:
    play = acting(
        at(7, "Goldfish", mana=4),
        at(0),
        at(0),
        open="TTTTTFFFFF",
        pack=ODD_PACK,
        supply=("Coat Hook", "Bath Plug", "Rug"),
    ).move(0, Act())
    play.move(0, Summon(named("Bath Plug", ODD_PACK)))
    assert play.legal(0) == (use("Bath Plug", 2, ODD_PACK), Done())
    assert refused(play.table, 0, use("Bath Plug", 1, ODD_PACK)) == ("TM-35", "no-such-ability")


def test_tm_47_divination_takes_chips_and_gains_then_paid_abilities() -> None:
    play = acting(at(6, "Raven", ("Brazen Head", 1)), at(0), at(0), open="CCFFFFTTTT").move(0, Act())
    assert play.told == (events.DivinationBegun(0, 6, 1), events.AbilityFired(0, named("Raven"), ability("Raven")))
    assert play.legal(0) == (use("Brazen Head"), Done())


def test_tm_47_on_success_comes_right_after_that_successs_chip() -> None:
    play = acting(at(3, "Peryton"), at(0, "Raven"), at(0, "Raven"), open="WWWWTTTTTT").move(0, Act())
    kinds = [
        type(event)
        for event in play.told
        if isinstance(event, events.AttackSucceeded | events.AbilityFired | events.DefenderAsked)
    ]
    assert kinds == [
        events.DefenderAsked,
        events.AttackSucceeded,
        events.AbilityFired,
        events.DefenderAsked,
        events.AttackSucceeded,
        events.AbilityFired,
    ]


def test_tm_47_a_familiar_acquired_in_this_action_fires_nothing_in_it() -> None:
    play = acting(at(2, "Black Cat", mana=3), at(0), at(0), open="TTTFFFFWWW", supply=("Gnome", "Homunculus")).move(
        0, Act()
    )
    play.move(0, Summon(named("Gnome")))
    assert play.of(events.AbilityFired) == ()
    assert play.place(0).mana == 0


def test_tm_48_a_chain_comes_last_and_at_most_once_an_action() -> None:
    play = acting(at(12, ("Automaton", 1), mana=1), at(0), at(0), open="FFFFFFTTTT").move(0, Act())
    assert use("Automaton") not in play.legal(0)
    assert refused(play.table, 0, use("Automaton")) == ("TM-35", "no-such-ability")
    play.move(0, Done()).move(0, use("Automaton"))
    assert play.table.stage.step is Step.CHAIN_TO
    assert refused(play.table, 0, use("Automaton")) == ("TM-43", "wrong-step")
    assert refused(play.table, 0, Done()) == ("TM-43", "wrong-step")


def test_tm_48_it_is_offered_only_with_a_target_and_a_payment() -> None:
    blocked = acting(at(12, ("Automaton", 2)), at(1), at(4), at(8), at(0), open="FFFFFFTTTT").move(0, Act())
    assert events.PawnReturned(0, 12) in blocked.told
    assert blocked.of(events.ChainOffered) == ()
    leftmost = acting(at(1, ("Automaton", 2)), at(0), at(0), open="FFFFFFTTTT").move(0, Act())
    assert leftmost.of(events.ChainOffered) == ()
    unpaid = acting(at(12, ("Automaton", 0)), at(0), at(0), open="FFFFFFTTTT").move(0, Act()).move(0, Done())
    assert unpaid.of(events.ChainOffered) == ()


def test_tm_48_it_may_be_left() -> None:
    play = chaining(0, 0).move(0, Done())
    assert events.PawnReturned(0, 12) in play.told
    assert play.owned(0, "Automaton").charges == 2


def test_tm_48_a_familiar_acquired_in_this_action_may_chain_it() -> None:
    play = acting(at(9, "Black Cat", mana=9), at(0), at(0), open="TTTTTFFFFF", supply=("Library Ghost", "Troll")).move(
        0, Act()
    )
    play.move(0, Summon(named("Library Ghost")))
    assert play.legal(0) == (use("Library Ghost", 1), Done())
    play.move(0, use("Library Ghost", 1))
    assert play.legal(0) == (ChainTo(2), ChainTo(5))


def test_tm_48_a_covered_familiar_chains_nothing() -> None:
    play = acting(at(9, ("Library Ghost", 1), mana=9), at(0), at(0), open="TTTTTFFFFF", supply=("Raven", "Troll")).move(
        0, Act()
    )
    play.move(0, Train(named("Library Ghost"), named("Raven")))
    assert play.of(events.ChainOffered) == ()


def test_tm_48_a_chain_without_a_cost_is_a_choice_too() -> None:
    play = acting(at(2, "Spare Key", "Rug"), at(0), at(0), open="WWWWTTTTTT", pack=ODD_PACK).move(0, Act())
    assert play.of(events.ChainOffered) == (), "no attack lies left of action 2"
    play = acting(at(3, "Umbrella Stand", mana=0), at(0), at(0), open="TTTTTTFFFF", pack=ODD_PACK, supply=("Loft",))
    play.move(0, Act())
    assert play.legal(0) == (use("Umbrella Stand", 2, ODD_PACK), Done())
    play.move(0, use("Umbrella Stand", 2, ODD_PACK))
    assert play.owned(0, "Umbrella Stand").charges == 0
    assert play.place(0).pawn == 1

"""The order of actions, and scoring. Rules TM-20, TM-31 to TM-34."""

from __future__ import annotations

from msgspec.structs import replace

from domain.games.troll_master import GAME, events
from domain.games.troll_master.events import CardsCleared, MatchEnded, PointsCounted, RoundStarted
from domain.games.troll_master.moves import Act, ChainTo, Charge, Done, Pass, Summon, Train
from domain.games.troll_master.state import Step
from tests.games.troll_master.table import (
    ODD_PACK,
    Play,
    ability,
    acting,
    at,
    magics,
    named,
    planning,
    refused,
    reveal,
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


def last_action(*chips_and_mana: tuple[int, int]) -> Play:
    """Seat 0 passes the round's last action; it gets 2 mana by that."""
    (chips, mana), *others = chips_and_mana
    return acting(at(1, mana=mana, chips=chips), *(at(0, mana=mana, chips=chips) for chips, mana in others))


def test_tm_31_points_are_chips_points_of_uncovered_familiars_and_scoring_abilities() -> None:
    play = acting(
        at(1, "Black Cat", "Troll", ("Dragon Egg", 4), "Unicorn", chips=3),
        at(0, "Raven", ("Mandrake", 3)),
        at(0, chips=2),
    )
    assert GAME.standing(play.table).points == (3 + 5 + 4 + 3 + 4 // 2, 1 + 1 + 3 // 2, 2)
    play.move(0, Pass())
    assert play.one(PointsCounted).points == (17, 3, 2)
    assert play.place(0).chips == 3, "a scoring ability gives no chips"


def test_tm_31_what_is_covered_counts_nothing() -> None:
    play = acting(at(1, "Raven"), at(0), at(0))
    place = play.place(0)
    raven = replace(place.familiars[0], covered=(named("Troll"), named("Dragon Egg")))
    table = replace(play.table, places=(replace(place, familiars=(raven,)), *play.table.places[1:]))
    assert GAME.standing(table).points == (1, 0, 0)


def test_tm_32_twenty_points_end_the_match() -> None:
    for chips, is_over in ((19, False), (20, True), (23, True)):
        play = last_action((chips, 0), (0, 0), (0, 0)).move(0, Pass())
        assert GAME.standing(play.table).over is is_over
        assert bool(play.of(MatchEnded)) is is_over
        assert bool(play.of(RoundStarted)) is not is_over
        assert GAME.to_act(play.table) == (() if is_over else (play.table.start,))


def test_tm_32_points_are_counted_when_the_round_is_over_not_before() -> None:
    play = acting(at(12, "Black Cat", chips=25), at(1, "Black Cat"), at(0))
    play.move(0, Pass())
    assert not GAME.standing(play.table).over
    assert GAME.to_act(play.table) == (1,)


def test_tm_32_nothing_is_done_after_the_end() -> None:
    play = last_action((20, 0), (0, 0), (0, 0)).move(0, Pass())
    assert play.table.stage.step is Step.OVER
    for seat in range(3):
        assert play.legal(seat) == ()
        assert refused(play.table, seat, Pass()) == ("TM-32", "over")


def test_tm_32_face_up_cards_go_to_the_discard_pile_in_the_order_revealed() -> None:
    play = planning("FCF", "TWT", "WFC", start=1, open="C")
    play.move(1, reveal("T", 2)).move(2, reveal("W", 3)).move(0, reveal("F", 1))
    play.move(1, Pass()).move(2, Pass()).move(0, Pass())
    # by now seat 2 has the broom; the hands lie in the order of the deal all the same
    assert play.table.broom == 2
    assert play.table.cards.open == magics("C" + "TWF" + "WT" + "FC" + "CF")
    for seat in (2, 1, 0):
        if GAME.to_act(play.table) == (seat,):
            play.move(seat, Pass())
    assert play.one(CardsCleared) == CardsCleared(10)
    assert play.table.cards.discards == magics("CTWFWTFCCF")
    assert GAME.view(play.table, None).top == magics("F")


def test_tm_32_the_next_round_is_started_by_the_brooms_holder_with_nobody_passed_or_out() -> None:
    play = last_action((0, 0), (0, 0), (0, 0)).move(0, Pass())
    assert play.one(RoundStarted) == RoundStarted(round=2, start=play.table.broom)
    for place in play.table.places:
        assert (place.has_passed, place.is_out, place.lacks, place.pawn) == (False, False, (), 0)


def test_tm_33_most_points_win() -> None:
    play = last_action((21, 0), (22, 0), (5, 9)).move(0, Pass())
    assert play.one(MatchEnded) == MatchEnded(points=(21, 22, 5), mana=(2, 0, 9), ranking=(2, 1, 3))
    assert GAME.standing(play.table).ranking == (2, 1, 3)


def test_tm_33_between_equal_points_most_mana_in_hand_wins_and_charges_do_not_count() -> None:
    play = last_action((21, 1), (21, 4), (20, 9)).move(0, Pass())
    assert play.one(MatchEnded).ranking == (2, 1, 3)
    charged = acting(at(1, ("Brazen Head", 2), chips=19), at(0, "Brazen Head", mana=3, chips=19), at(0))
    assert charged.move(0, Pass()).one(MatchEnded).ranking == (2, 1, 3)


def test_tm_33_still_equal_the_win_is_shared() -> None:
    play = last_action((21, 1), (21, 3), (20, 9)).move(0, Pass())
    assert play.one(MatchEnded).ranking == (1, 1, 3)


def test_tm_34_the_fortieth_round_is_the_last() -> None:
    for number, is_over in ((39, False), (40, True)):
        play = last_action((3, 0), (1, 0), (0, 0))
        play.table = replace(play.table, round=number)
        play.move(0, Pass())
        assert GAME.standing(play.table).over is is_over
    assert play.one(MatchEnded).ranking == (1, 2, 3)


def test_tm_31_the_last_action_of_a_round_may_bring_the_points() -> None:
    play = acting(at(14, "Black Cat", chips=17), at(0), at(0), open="CCCCTTTFFF").move(0, Act())
    assert play.one(MatchEnded).points == (20, 0, 0)

"""The order of actions, and scoring. Rules TM-20, TM-31 to TM-34."""

from __future__ import annotations

from msgspec.structs import replace

from domain.games.troll_master import GAME, events
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
from tests.rows import each


def test_tm_47_what_a_summon_gains_and_takes_off_counts_at_once_also_for_a_card_that_is_covered() -> None:
    play = summons("Gnome", action=9, supply=("Troll",))
    assert play.told[:2] == (events.SummonBegun(0, 9, 2), events.AbilityFired(0, named("Gnome"), ability("Gnome")))
    assert play.place(0).mana == 1, "even if nothing is acquired"
    play = summons("Gnome", "Homunculus", supply=("Raven", "Gargoyle"))
    play.move(0, Train(named("Homunculus"), named("Raven")))
    assert (play.one(events.FamiliarTrained).mana, play.place(0).mana) == (4 - 2 - 1, 0)
    play = summons(("Fairy Circle", 2), supply=("Griffin", "Raven"))
    play.move(0, use("Fairy Circle")).move(0, use("Fairy Circle"))
    play.move(0, Train(named("Fairy Circle"), named("Griffin")))
    assert play.one(events.FamiliarTrained).mana == 7 - 5 - 2


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


def summons(*familiars: str | tuple[str, int], action: int = 2, mana: int = 0, supply: tuple[str, ...]) -> Play:
    return acting(at(action, *familiars, mana=mana), at(0), at(0), open="TTTTTFFFFF", supply=supply).move(0, Act())


def boiling() -> Play:
    """A brew with a Kettle, which gains 3 mana for a charge."""
    return acting(at(6, ("Kettle", 1)), at(0), at(0), open="FFFFFTTTTT", pack=ODD_PACK).move(0, Act())


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
    play.move(0, brew)
    assert play.table.stage.step is Step.BREW
    assert events.PawnReturned(0, 6) in play.move(0, brew).told, "mana and ribbons are left, but charging is over"


def test_tm_47_an_acquired_familiar_may_be_paid_from_in_the_same_summon_but_takes_nothing_off() -> None:
    hook, plug, fish = (named(name, ODD_PACK) for name in ("Coat Hook", "Bath Plug", "Goldfish"))
    for way, acquired, paid, unpaid in each(
        (Summon(hook), "Coat Hook", 1, Summon(plug)),
        (Train(fish, hook), "Coat Hook", 1, Summon(plug)),
        (Summon(plug), "Bath Plug", 2, None),
    ):
        supply = ("Coat Hook", "Bath Plug", "Rug")
        play = acting(at(7, "Goldfish", mana=4), at(0), at(0), open="TTTTTFFFFF", pack=ODD_PACK, supply=supply)
        play.move(0, Act()).move(0, way)
        assert play.legal(0) == (use(acquired, paid, ODD_PACK), Done())
        if unpaid:
            assert refused(play.table, 0, unpaid) == ("TM-25", "acquired")
            play.move(0, use(acquired, paid, ODD_PACK))
            assert play.place(0).chips == 1
            assert events.PawnReturned(0, 7) in play.told, "nothing is left to pay for"
        else:
            assert refused(play.table, 0, use(acquired, 1, ODD_PACK)) == ("TM-35", "no-such-ability")


def test_tm_47_divination_takes_chips_and_gains_then_paid_abilities() -> None:
    play = acting(at(6, "Raven", ("Brazen Head", 1)), at(0), at(0), open="CCFFFFTTTT").move(0, Act())
    assert play.told == (events.DivinationBegun(0, 6, 1), events.AbilityFired(0, named("Raven"), ability("Raven")))
    assert play.legal(0) == (use("Brazen Head"), Done())


def test_tm_47_on_success_comes_right_after_that_successs_chip() -> None:
    play = acting(at(3, "Peryton"), at(0, "Raven"), at(0, "Raven"), open="WWWWTTTTTT").move(0, Act())
    kinds = (events.DefenderAsked, events.AttackSucceeded, events.AbilityFired)
    assert tuple(type(event) for event in play.told if isinstance(event, kinds)) == kinds * 2


def test_tm_47_a_familiar_acquired_in_this_action_fires_nothing_in_it() -> None:
    play = summons("Black Cat", mana=3, supply=("Gnome", "Homunculus")).move(0, Summon(named("Gnome")))
    assert (play.of(events.AbilityFired), play.place(0).mana) == ((), 0)


def test_tm_48_a_chain_comes_last_and_at_most_once_an_action() -> None:
    play = acting(at(12, ("Automaton", 1), mana=1), at(0), at(0), open="FFFFFFTTTT").move(0, Act())
    assert use("Automaton") not in play.legal(0)
    assert refused(play.table, 0, use("Automaton")) == ("TM-35", "no-such-ability")
    play.move(0, Done()).move(0, use("Automaton"))
    assert play.table.stage.step is Step.CHAIN_TO
    assert refused(play.table, 0, use("Automaton")) == ("TM-43", "wrong-step")
    assert refused(play.table, 0, Done()) == ("TM-43", "wrong-step")


def test_tm_48_a_chain_without_a_target_is_refused_where_another_chain_has_one() -> None:
    own = at(3, ("Umbrella Stand", 0), ("Attic Door", 2), "Rug")
    play = acting(own, at(0, "Rug"), at(0, "Rug"), open="TTTTFFFWWC", pack=ODD_PACK, supply=("Loft",)).move(0, Act())
    assert play.table.stage.step is Step.CHAIN
    assert use("Attic Door", 1, ODD_PACK) not in play.legal(0)
    assert refused(play.table, 0, use("Attic Door", 1, ODD_PACK)) == ("TM-48", "no-target")


def test_tm_48_it_is_offered_only_with_a_target_and_a_payment_and_may_be_left() -> None:
    for action, charges, pawns, offered in each(
        (12, 2, (1, 4, 8), False), (1, 2, (0, 0), False), (12, 0, (0, 0), False), (12, 2, (0, 0), True)
    ):
        others = [at(pawn) for pawn in pawns]
        play = acting(at(action, ("Automaton", charges)), *others, open="FFFFFFTTTT").move(0, Act())
        while not (over := events.PawnReturned(0, action) in play.told) and not play.of(events.ChainOffered):
            play.move(0, Done())
        assert over is not offered
        assert offered is bool(play.of(events.ChainOffered))
        if offered:
            assert events.PawnReturned(0, action) in play.move(0, Done()).told
        assert play.owned(0, "Automaton").charges == charges


def test_tm_48_a_familiar_acquired_in_this_action_may_chain_it_and_a_covered_one_chains_nothing() -> None:
    ghost = named("Library Ghost")
    play = summons("Black Cat", action=9, mana=9, supply=("Library Ghost", "Troll")).move(0, Summon(ghost))
    assert play.legal(0) == (use("Library Ghost", 1), Done())
    assert play.move(0, use("Library Ghost", 1)).legal(0) == (ChainTo(2), ChainTo(5))
    play = summons(("Library Ghost", 1), action=9, mana=9, supply=("Raven", "Troll")).move(
        0, Train(ghost, named("Raven"))
    )
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
    assert play.one(events.PointsCounted).points == (17, 3, 2)
    assert play.place(0).chips == 3, "a scoring ability gives no chips"


def test_tm_31_what_is_covered_counts_nothing() -> None:
    play = acting(at(1, "Raven"), at(0), at(0))
    raven = replace(play.place(0).familiars[0], covered=(named("Troll"), named("Dragon Egg")))
    assert GAME.standing(play.with_place(0, familiars=(raven,)).table).points == (1, 0, 0)


def test_tm_32_twenty_points_end_the_match() -> None:
    for chips, is_over in ((19, False), (20, True), (23, True)):
        play = last_action((chips, 0), (0, 0), (0, 0)).move(0, Pass())
        assert GAME.standing(play.table).over is is_over
        assert bool(play.of(events.MatchEnded)) is is_over
        assert bool(play.of(events.RoundStarted)) is not is_over
        assert GAME.to_act(play.table) == (() if is_over else (play.table.start,))


def test_tm_32_points_are_counted_when_the_round_is_over_and_nothing_is_done_after_the_end() -> None:
    play = acting(at(12, "Black Cat", chips=25), at(1, "Black Cat"), at(0)).move(0, Pass())
    assert not GAME.standing(play.table).over
    assert GAME.to_act(play.table) == (1,)
    play.move(1, Pass())
    assert play.table.stage.step is Step.OVER
    for seat in range(3):
        assert play.legal(seat) == ()
        assert refused(play.table, seat, Pass()) == ("TM-32", "over")


def test_tm_32_face_up_cards_go_to_the_discard_pile_in_the_order_revealed() -> None:
    play = planning("FCF", "TWT", "WFC", start=1, open="C")
    play.move(1, reveal("T", 2)).move(2, reveal("W", 3)).move(0, reveal("F", 1))
    play.move(1, Pass()).move(2, Pass()).move(0, Pass())
    # by now seat 2 has the broom; the hands lie in the order of the deal all the same
    assert (play.table.broom, play.table.cards.open) == (2, magics("CTWFWTFCCF"))
    for seat in (2, 1, 0):
        if GAME.to_act(play.table) == (seat,):
            play.move(seat, Pass())
    assert play.one(events.CardsCleared) == events.CardsCleared(10)
    assert play.table.cards.discards == magics("CTWFWTFCCF")
    assert GAME.view(play.table, None).top == magics("F")


def test_tm_32_the_next_round_is_started_by_the_brooms_holder_with_nobody_passed_or_out() -> None:
    play = last_action((0, 0), (0, 0), (0, 0)).move(0, Pass())
    assert play.one(events.RoundStarted) == events.RoundStarted(round=2, start=play.table.broom)
    for place in play.table.places:
        assert (place.has_passed, place.is_out, place.lacks, place.pawn) == (False, False, (), 0)


def test_tm_33_most_points_win_then_most_mana_in_hand_without_charges_then_the_win_is_shared() -> None:
    for places, ranking in each(
        (((21, 0), (22, 0), (5, 9)), (2, 1, 3)),
        (((21, 1), (21, 4), (20, 9)), (2, 1, 3)),
        (((21, 1), (21, 3), (20, 9)), (1, 1, 3)),
    ):
        play = last_action(*places).move(0, Pass())
        points, mana = zip(*places, strict=True)
        assert play.one(events.MatchEnded) == events.MatchEnded(points, (mana[0] + 2, *mana[1:]), ranking)
        assert GAME.standing(play.table).ranking == ranking
    charged = acting(at(1, ("Brazen Head", 2), chips=19), at(0, "Brazen Head", mana=3, chips=19), at(0))
    assert charged.move(0, Pass()).one(events.MatchEnded).ranking == (2, 1, 3)


def test_tm_34_the_fortieth_round_is_the_last() -> None:
    for number, is_over in ((39, False), (40, True)):
        play = last_action((3, 0), (1, 0), (0, 0)).with_table(round=number).move(0, Pass())
        assert GAME.standing(play.table).over is is_over
    assert play.one(events.MatchEnded).ranking == (1, 2, 3)


def test_tm_31_the_last_action_of_a_round_may_bring_the_points() -> None:
    play = acting(at(14, "Black Cat", chips=17), at(0), at(0), open="CCCCTTTFFF").move(0, Act())
    assert play.one(events.MatchEnded).points == (20, 0, 0)

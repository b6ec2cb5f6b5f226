"""Actions: TM-20 to TM-30."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.games.troll_master import GAME, events
from domain.games.troll_master.moves import (
    Act,
    Answer,
    Attack,
    ChainTo,
    Charge,
    Done,
    Pass,
    Summon,
    Train,
    TrollMasterMove,
)
from domain.games.troll_master.state import Pile, Step
from tests.games.troll_master.table import Play, acting, at, card, named, refused, use
from tests.rows import each

CAT = named("Black Cat")
SUPPLY = (
    "Homunculus",
    "Gnome",
    "Salamander",
    "Raven",
    "Gargoyle",
    "Peryton",
    "Dragon Egg",
    "Griffin",
    "Valkyrie",
    "Troll",
)


def test_tm_20_pawns_are_resolved_from_right_to_left() -> None:
    play = acting(at(2, "Black Cat"), at(13, "Black Cat"), at(9, "Black Cat"), at(5, "Black Cat"))
    found = []
    for _ in range(4):
        (seat,) = GAME.to_act(play.table)
        found.append((seat, play.table.stage.action))
        play.move(seat, Pass())
        if play.table.stage.step is Step.BROOM:
            break
    assert found == [(1, 13), (2, 9), (3, 5), (0, 2)]


def test_tm_21_cards_of_the_kind_are_counted_crystals_are_wild_and_alone_count_for_divination() -> None:
    for action, found, price in each([(8, 5, 0), (12, 5, 2), (11, 2, 2), (14, 2, 4), (9, 7, 0), (10, 2, 8)]):
        play = acting(at(action, "Black Cat", mana=9), at(1), at(2), open="FFFCCTTTTT")
        reached = play.one(events.ActionReached)
        assert (reached.seat, reached.found, reached.price) == (0, found, price)


def test_tm_21_the_worked_example() -> None:
    """3 flasks, 2 crystals: a brew of 5 is free, one of 6 costs 2 mana, a divination of 3 costs 2 mana."""
    for action, price in ((8, 0), (12, 2), (11, 2)):
        play = acting(at(action, "Black Cat", mana=2), at(0), at(0), open="FFFCCTTTWW")
        play.move(0, Act())
        assert [event.mana for event in play.of(events.CardsBought)] == ([price] if price else [])


def test_tm_22_missing_cards_are_bought_for_two_mana_each() -> None:
    play = acting(at(14, "Black Cat", mana=7), at(0), at(0), open="CTTTTTTFFF")
    play.move(0, Act())
    assert play.one(events.CardsBought) == events.CardsBought(0, 3, 6)
    assert play.place(0).mana == 1
    assert play.place(0).chips == 3


def test_tm_22_who_cannot_pay_cannot_act_and_the_engine_passes() -> None:
    play = acting(at(14, "Black Cat", mana=5), at(13, "Black Cat"), at(0), open="CTTTTTTFFF")
    assert refused(play.table, 0, Act()) == ("TM-22", "cannot-pay")
    assert play.legal(0) == (Pass(),)
    assert GAME.forced(play.table) == (0, Pass())


def test_tm_23_passing_gives_two_mana_and_no_ability_of_the_action_phase() -> None:
    play = acting(at(8, "Mana Bug", mana=1), at(1, "Black Cat"), at(0), open="FFFFFTTTTT")
    play.move(0, Pass())
    assert play.told[0] == events.ActionPassed(0, 8, 2)
    assert play.place(0).mana == 3
    assert play.place(0).pawn == 0
    assert refused(play.table, 0, Act()) == ("TM-20", "not-your-turn")


def test_tm_24_after_the_action_the_pawn_goes_home() -> None:
    play = acting(at(11, "Black Cat"), at(1, "Black Cat"), at(0), open="CCCFFFFTTT")
    play.move(0, Act())
    assert play.forced == [(0, Done())]
    assert events.PawnReturned(0, 11) in play.told
    assert play.place(0).pawn == 0
    assert GAME.to_act(play.table) == (1,)


def summoning(*familiars: str | tuple[str, int], mana: int, action: int = 9) -> Play:
    play = acting(at(action, *familiars, mana=mana), at(1, "Black Cat"), at(0), open="TTTTTTFFFF", supply=SUPPLY)
    return play.move(0, Act())


def test_tm_25_summoning_costs_the_cost_less_the_reduction() -> None:
    play = summoning("Black Cat", mana=4)
    assert play.one(events.SummonBegun) == events.SummonBegun(0, 9, 2)
    play.move(0, Summon(named("Peryton")))
    assert play.told[0] == events.FamiliarSummoned(seat=0, familiar=named("Peryton"), mana=4, charges=0)
    assert play.place(0).mana == 0
    assert [owned.card.name.en for owned in play.place(0).familiars] == ["Black Cat", "Peryton"]
    assert [pile.left for pile in play.table.supply if pile.card.name.en == "Peryton"] == [1]


def test_tm_25_the_price_never_falls_below_nothing() -> None:
    play = summoning("Black Cat", mana=3, action=13)
    assert play.place(0).mana == 3 - 2, "for the seventh card"
    play.move(0, Summon(named("Homunculus")))
    assert play.one(events.FamiliarSummoned).mana == 0
    assert play.place(0).mana == 1


def test_tm_25_the_worked_examples_of_training() -> None:
    play = summoning("Black Cat", mana=3)
    play.move(0, Train(CAT, named("Peryton")))
    assert play.one(events.FamiliarTrained).mana == 6 - 1 - 2
    assert play.place(0).mana == 0
    play = summoning("Griffin", mana=0)
    play.move(0, Train(named("Griffin"), named("Raven")))
    assert play.one(events.FamiliarTrained).mana == 0


def test_tm_25_training_covers_the_card_and_its_charges_go_to_the_stock() -> None:
    play = summoning("Black Cat", ("Salamander", 3), mana=9)
    play.move(0, Train(named("Salamander"), named("Gargoyle")))
    assert play.one(events.FamiliarTrained) == events.FamiliarTrained(
        seat=0, own=named("Salamander"), lost=3, familiar=named("Gargoyle"), mana=0, charges=1
    )
    cat, gargoyle = play.place(0).familiars
    assert (gargoyle.card.name, gargoyle.charges, gargoyle.covered) == (
        named("Gargoyle"),
        1,
        (named("Salamander"),),
    )
    assert GAME.standing(play.table).points[0] == 1, "the covered one's points are void"
    assert use("Salamander") not in play.legal(0)
    assert cat.covered == ()


def test_tm_25_the_new_familiar_gets_its_initial_charges() -> None:
    play = summoning("Black Cat", mana=9).move(0, Summon(named("Salamander")))
    assert play.owned(0, "Salamander").charges == 1


def test_tm_25_an_uncovered_familiar_cannot_be_acquired_again_but_a_covered_one_can() -> None:
    play = summoning("Black Cat", "Salamander", mana=20)
    assert refused(play.table, 0, Summon(named("Salamander"))) == ("TM-25", "owned")
    assert refused(play.table, 0, Train(CAT, named("Salamander"))) == ("TM-25", "owned")
    play = summoning("Black Cat", "Salamander", mana=20)
    play.move(0, Train(named("Salamander"), named("Gargoyle")))
    play.table = replace(play.table, stage=replace(play.table.stage, step=Step.SUMMON, seat=0, action=9))
    assert Summon(named("Salamander")) in play.legal(0)
    play.move(0, Train(named("Gargoyle"), named("Salamander")))
    assert play.owned(0, "Salamander").covered == (named("Salamander"), named("Gargoyle"))


def test_tm_25_what_cannot_be_paid_cannot_be_acquired() -> None:
    play = summoning("Black Cat", mana=9)
    assert refused(play.table, 0, Summon(named("Troll"))) == ("TM-25", "cannot-pay")
    assert Train(CAT, named("Troll")) in play.legal(0)
    play = summoning("Black Cat", mana=8)
    assert refused(play.table, 0, Train(CAT, named("Troll"))) == ("TM-25", "cannot-pay")


def test_tm_25_only_what_lies_in_the_supply_is_acquired_and_only_ones_own_trained() -> None:
    play = summoning("Black Cat", mana=20)
    assert refused(play.table, 0, Summon(named("Mandrake"))) == ("TM-25", "not-in-supply")
    assert refused(play.table, 0, Summon(CAT)) == ("TM-25", "not-in-supply")
    assert refused(play.table, 0, Train(named("Raven"), named("Troll"))) == ("TM-25", "no-such-familiar")
    gone = replace(play.table, supply=tuple(Pile(pile.card, 0) for pile in play.table.supply))
    assert refused(gone, 0, Summon(named("Troll"))) == ("TM-25", "none-left")
    assert GAME.legal(gone, 0) == (Done(),)
    assert GAME.forced(gone) == (0, Done())


def test_tm_25_nothing_need_be_acquired() -> None:
    play = summoning("Black Cat", mana=20)
    assert play.legal(0)[-1] == Done()
    play.move(0, Done())
    assert len(play.place(0).familiars) == 1
    assert events.PawnReturned(0, 9) in play.told


def test_tm_25_every_way_to_acquire_is_offered_once() -> None:
    play = summoning("Black Cat", "Griffin", mana=2)
    moves = play.legal(0)
    assert len(set(moves)) == len(moves)
    # a reduction of 2 and 2 mana: whatever costs 4 more than the trained one at most
    costs = {name: card(play.table, name).cost for name in SUPPLY if name != "Griffin"}
    wanted: set[TrollMasterMove] = {Summon(named(name)) for name, cost in costs.items() if cost <= 4}
    wanted |= {Train(CAT, named(name)) for name, cost in costs.items() if cost - 1 <= 4}
    wanted |= {Train(named("Griffin"), named(name)) for name, cost in costs.items() if cost - 7 <= 4}
    assert set(moves) == wanted | {Done()}


def brewing(*familiars: str | tuple[str, int], mana: int = 0) -> Play:
    play = acting(at(8, *familiars, mana=mana), at(1, "Black Cat"), at(0), open="FFFFFFTTTT")
    return play.move(0, Act())


def test_tm_26_the_printed_mana_is_taken_then_own_mana_charges_up_to_the_ribbons() -> None:
    play = brewing(("Gargoyle", 1), ("Salamander", 3), mana=1)
    assert play.one(events.BrewBegun) == events.BrewBegun(0, 8, 5)
    assert play.place(0).mana == 6
    assert play.legal(0) == (Charge(named("Gargoyle")), Done())
    assert refused(play.table, 0, Charge(named("Salamander"))) == ("TM-26", "full")
    assert refused(play.table, 0, Charge(CAT)) == ("TM-25", "no-such-familiar")
    play.move(0, Charge(named("Gargoyle")))
    assert play.told[0] == events.FamiliarCharged(0, named("Gargoyle"))
    assert (play.place(0).mana, play.owned(0, "Gargoyle").charges) == (5, 2)
    assert play.forced == [(0, Done())], "both are full"


def test_tm_26_charging_is_optional_and_needs_mana() -> None:
    play = brewing(("Gargoyle", 0))
    assert Done() in play.legal(0)
    broke = replace(play.table, places=tuple(replace(place, mana=0) for place in play.table.places))
    assert refused(broke, 0, Charge(named("Gargoyle"))) == ("TM-26", "no-mana")
    assert GAME.forced(broke) == (0, Done())
    play.move(0, Done())
    assert play.place(0).mana == 5


def attacking(*others: tuple[str, ...], own: tuple[str, ...] = ("Black Cat", "Peryton"), action: int = 3) -> Play:
    """Seat 0 attacks from action 3 (+0), 7 (+0) or 10 (+1), and the others stay at home."""
    play = acting(at(action, *own), *(at(0, *familiars) for familiars in others), open="WWWWWWTTTT")
    return play.move(0, Act())


def test_tm_27_the_worked_example() -> None:
    """Strength 6 against 5, 6 and 4: two successes, two chips, and two mana for a Peryton."""
    play = attacking(("Valkyrie", "Raven"), ("Troll",), ("Valkyrie",), own=("Black Cat", "Peryton", "Gargoyle"))
    assert play.one(events.AttackDeclared) == events.AttackDeclared(0, 6)
    assert play.of(events.AttackSucceeded) == (
        events.AttackSucceeded(0, 1, 6, 5, 1),
        events.AttackSucceeded(0, 3, 6, 4, 1),
    )
    assert play.of(events.AttackFailed) == (events.AttackFailed(0, 2, 6, 6),)
    assert (play.place(0).chips, play.place(0).mana) == (2, 2)


def test_tm_27_everybody_else_is_attacked_once_clockwise_from_the_left() -> None:
    play = acting(
        at(0, "Black Cat"), at(0, "Black Cat"), at(3, "Peryton"), at(0, "Black Cat"), at(0), open="WWWWWWTTTT"
    )
    play.move(2, Act())
    assert [event.seat for event in play.of(events.DefenderAsked)] == [3, 4, 0, 1]
    assert {event.attacker for event in play.of(events.DefenderAsked)} == {2}


def test_tm_27_the_actions_bonus_counts_and_equal_strength_fails() -> None:
    assert attacking(("Peryton", "Black Cat"), ("Black Cat",)).of(events.AttackFailed) == (
        events.AttackFailed(0, 1, 4, 4),
    )
    play = attacking(("Peryton", "Black Cat"), ("Black Cat",), action=10)
    assert play.one(events.AttackDeclared).strength == 5
    assert len(play.of(events.AttackSucceeded)) == 2


def test_tm_27_attack_abilities_are_declared_before_and_not_after_an_answer() -> None:
    play = acting(
        at(3, "Black Cat", ("Salamander", 2)), at(0, ("Gargoyle", 1)), at(0, "Black Cat"), open="WWWWTTTTFF"
    ).move(0, Act())
    assert play.legal(0) == (use("Salamander"), Attack())
    play.move(0, use("Salamander")).move(0, Attack())
    assert play.one(events.AttackDeclared).strength == 4
    assert GAME.to_act(play.table) == (1,)
    assert refused(play.table, 0, use("Salamander")) == ("TM-27", "not-your-turn")
    assert refused(play.table, 1, use("Salamander")) == ("TM-36", "no-such-familiar")
    play.move(1, use("Gargoyle"))
    assert play.of(events.AttackFailed)[0] == events.AttackFailed(0, 1, 4, 5)
    assert events.AttackSucceeded(0, 2, 4, 1, 1) in play.told


def test_tm_27_each_defender_answers_with_its_own_strength() -> None:
    play = attacking(("Gargoyle",), ("Black Cat",))
    table = replace(
        play.table,
        stage=replace(play.table.stage, step=Step.DEFENCE, seat=1, actor=0, action=3, strength=4, bonus=3),
    )
    play = Play(table)
    assert play.legal(1) == (Answer(),)
    play.move(1, Answer())
    assert events.AttackFailed(0, 1, 4, 5) in play.told
    assert events.AttackSucceeded(0, 2, 4, 1, 1) in play.told, "what the first added is not the second's"


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_tm_28_on_success_fires_for_each_success(seats: int) -> None:
    play = attacking(*[("Black Cat",)] * (seats - 1))
    assert len(play.of(events.AttackSucceeded)) == seats - 1
    assert play.place(0).mana == seats - 1
    assert play.place(0).chips == seats - 1


def test_tm_29_divination_takes_the_printed_chips() -> None:
    for action, chips in ((6, 1), (11, 2), (14, 3)):
        play = acting(at(action, "Black Cat"), at(1, "Black Cat"), at(0), open="CCCCTTTFFF").move(0, Act())
        assert play.one(events.DivinationBegun) == events.DivinationBegun(0, action, chips)
        assert play.place(0).chips == chips


def test_tm_30_power_lasts_to_the_end_of_the_action_and_not_into_a_chain() -> None:
    play = acting(
        at(10, "Black Cat", ("Salamander", 1), ("Valkyrie", 1)),
        at(0, "Black Cat"),
        at(0, "Troll"),
        open="WWWWWWTTTT",
    )
    play.move(0, Act()).move(0, use("Salamander"))
    assert play.one(events.AttackDeclared).strength == 1 + 1 + 4 + 2 + 1
    play.move(0, use("Valkyrie")).move(0, ChainTo(7))
    assert play.table.stage.action == 7
    play.move(0, Act())
    assert play.one(events.AttackDeclared).strength == 1 + 1 + 4


def test_tm_20_to_29_what_is_not_for_this_step_is_refused() -> None:
    play = summoning("Black Cat", mana=3)
    assert refused(play.table, 0, Act()) == ("TM-25", "wrong-step")
    assert refused(brewing(("Gargoyle", 0)).table, 0, Summon(CAT)) == ("TM-26", "wrong-step")
    assert refused(play.table, 1, Done()) == ("TM-25", "not-your-turn")

"""Actions: TM-20 to TM-30."""

from __future__ import annotations

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


def test_tm_21_tm_22_cards_of_the_kind_and_wild_crystals_are_counted_and_missing_ones_bought_for_two_mana() -> None:
    """With 3 flasks and 2 crystals a brew of 5 is free, one of 6 costs 2 mana, a divination of 3 costs 2 mana."""
    for action, found, price in each((8, 5, 0), (12, 5, 2), (11, 2, 2), (14, 2, 4), (9, 7, 0), (10, 2, 8)):
        play = acting(at(action, "Black Cat", mana=9), at(1), at(2), open="FFFCCTTTTT")
        reached = play.one(events.ActionReached)
        assert (reached.seat, reached.found, reached.price) == (0, found, price)
        bought = play.move(0, Act()).of(events.CardsBought)
        assert bought == ((events.CardsBought(0, price // 2, price),) if price else ())


def test_tm_22_who_cannot_pay_cannot_act_and_the_engine_passes() -> None:
    play = acting(at(14, "Black Cat", mana=5), at(13, "Black Cat"), at(0), open="CTTTTTTFFF")
    assert play.refusal(0, Act()) == ("TM-22", "cannot-pay")
    assert play.fields == {"mana": 5, "price": 6}
    assert play.legal(0) == (Pass(),)
    assert GAME.forced(play.table) == (0, Pass())


def test_tm_23_passing_gives_two_mana_and_no_ability_of_the_action_phase() -> None:
    play = acting(at(8, "Mana Bug", mana=1), at(1, "Black Cat"), at(0), open="FFFFFTTTTT")
    play.move(0, Pass())
    assert play.told[0] == events.ActionPassed(0, 8, 2)
    assert play.place(0).mana == 3
    assert play.place(0).pawn == 0
    assert refused(play.table, 0, Act()) == ("TM-20", "not-your-turn")


def test_tm_23_who_passed_defends_with_abilities_against_a_later_attack() -> None:
    play = acting(at(3, "Peryton"), at(8, ("Gargoyle", 1)), at(0), open="WWWWTTTTTT")
    play.move(1, Pass()).move(0, Act())
    assert (GAME.to_act(play.table), play.legal(1)) == ((1,), (use("Gargoyle"), Answer()))


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


def test_tm_25_a_familiar_costs_its_cost_less_the_reduction_and_what_it_covers_but_never_less_than_nothing() -> None:
    for mana, action, own, familiar, price in each(
        (4, 9, "", "Peryton", 4),
        (3, 13, "", "Homunculus", 0),  # 2 of the 3 for the seventh card
        (3, 9, "Black Cat", "Peryton", 6 - 1 - 2),
        (0, 9, "Griffin", "Raven", 0),
    ):
        play = summoning(own or "Black Cat", mana=mana, action=action)
        left = play.place(0).mana - price
        if own:
            told = play.move(0, Train(named(own), named(familiar))).one(events.FamiliarTrained).mana
        else:
            told = play.move(0, Summon(named(familiar))).one(events.FamiliarSummoned).mana
            assert [owned.card.name.en for owned in play.place(0).familiars] == ["Black Cat", familiar]
        assert (told, play.place(0).mana) == (price, left)
        assert [pile.left for pile in play.table.supply if pile.card.name.en == familiar] == [1]


def test_tm_25_training_covers_the_card_and_its_charges_go_to_the_stock() -> None:
    play = summoning("Black Cat", ("Salamander", 3), mana=9)
    play.move(0, Train(named("Salamander"), named("Gargoyle")))
    assert play.one(events.FamiliarTrained) == events.FamiliarTrained(
        seat=0, own=named("Salamander"), lost=3, familiar=named("Gargoyle"), mana=0, charges=1
    )
    cat, gargoyle = play.place(0).familiars
    assert (gargoyle.card.name, gargoyle.charges, gargoyle.covered) == (named("Gargoyle"), 1, (named("Salamander"),))
    assert GAME.standing(play.table).points[0] == 1, "the covered one's points are void"
    assert use("Salamander") not in play.legal(0)
    assert cat.covered == ()


def test_tm_25_only_what_can_be_paid_and_lies_in_the_supply_is_acquired_and_only_ones_own_trained() -> None:
    gnome, troll = named("Gnome"), named("Troll")
    for mana, move, code in each(
        (9, Summon(troll), "cannot-pay"),
        (8, Train(CAT, troll), "cannot-pay"),
        (20, Summon(named("Mandrake")), "not-in-supply"),
        (20, Summon(CAT), "not-in-supply"),
        (20, Train(named("Raven"), troll), "no-such-familiar"),
    ):
        assert refused(summoning("Black Cat", mana=mana).table, 0, move) == ("TM-25", code)
    play = summoning("Black Cat", mana=9)
    assert Train(CAT, troll) in play.legal(0)
    gone = replace(play.table, supply=tuple(Pile(pile.card, 0) for pile in play.table.supply))
    assert refused(gone, 0, Summon(gnome)) == ("TM-25", "none-left")
    assert GAME.legal(gone, 0) == (Done(),)
    assert GAME.forced(gone) == (0, Done())


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


def test_tm_27_the_actions_bonus_counts_and_equal_strength_fails() -> None:
    for action, strength, succeeds in each((3, 4, [2]), (10, 5, [1, 2])):
        play = attacking(("Peryton", "Black Cat"), ("Black Cat",), action=action)
        assert play.one(events.AttackDeclared).strength == strength
        assert [event.defender for event in play.of(events.AttackSucceeded)] == succeeds


def test_tm_28_on_success_fires_for_each_success() -> None:
    for others in each(2, 3, 4):
        play = attacking(*[("Black Cat",)] * others)
        assert (len(play.of(events.AttackSucceeded)), play.place(0).mana, play.place(0).chips) == (others,) * 3


def test_tm_29_divination_takes_the_printed_chips() -> None:
    for action, chips in ((6, 1), (11, 2), (14, 3)):
        play = acting(at(action, "Black Cat"), at(1, "Black Cat"), at(0), open="CCCCTTTFFF").move(0, Act())
        assert play.one(events.DivinationBegun) == events.DivinationBegun(0, action, chips)
        assert play.place(0).chips == chips


def test_tm_30_power_lasts_to_the_end_of_the_action_and_not_into_a_chain() -> None:
    play = acting(
        at(10, "Black Cat", ("Salamander", 1), ("Valkyrie", 1)), at(0, "Black Cat"), at(0, "Troll"), open="WWWWWWTTTT"
    )
    play.move(0, Act()).move(0, use("Salamander"))
    assert play.one(events.AttackDeclared).strength == 1 + 1 + 4 + 2 + 1
    play.move(0, use("Valkyrie")).move(0, ChainTo(7))
    assert play.table.stage.action == 7
    play.move(0, Act())
    assert play.one(events.AttackDeclared).strength == 1 + 1 + 4

"""Abilities: TM-35 to TM-46."""

from __future__ import annotations

from typing import get_args

from msgspec.structs import replace

from domain.games.troll_master import GAME, events
from domain.games.troll_master.abilities import Ability, ChargeAnother, Timing, timing_of
from domain.games.troll_master.moves import Act, Answer, Attack, ChainTo, Done, Pass, Summon
from domain.games.troll_master.pack import Pack
from tests.games.troll_master.table import (
    ODD_PACK,
    PACK,
    Play,
    ability,
    acting,
    at,
    named,
    planning,
    refused,
    use,
)

ODD_SUPPLY = tuple(familiar.name for familiar in ODD_PACK.familiars[:10])


def abilities_of(pack: Pack) -> list[Ability]:
    return [found for familiar in (pack.black_cat, *pack.familiars) for found in familiar.abilities]


def odd(name: str, number: int = 0) -> Ability:
    return ability(name, number, ODD_PACK)


def test_tm_35_every_timing_and_every_ability_occurs_in_the_packs() -> None:
    found = abilities_of(PACK) + abilities_of(ODD_PACK)
    assert {timing_of(one) for one in found} == set(Timing)
    assert {type(one) for one in found} == {*get_args(Ability)}
    assert {timing_of(one) for one in abilities_of(PACK)} == set(Timing)
    assert {type(one) for one in abilities_of(PACK)} == {*get_args(Ability)} - {ChargeAnother}


def test_tm_35_an_ability_is_used_at_its_timing_only() -> None:
    play = acting(at(8, ("Salamander", 1), ("Brazen Head", 1), mana=3), at(0), at(0), open="FFFFFTTTTT")
    assert refused(play.table, 0, use("Salamander")) == ("TM-20", "wrong-step")
    play.move(0, Act())
    for name in ("Salamander", "Brazen Head"):
        assert refused(play.table, 0, use(name)) == ("TM-35", "no-such-ability")


def test_tm_35_a_familiar_may_have_several() -> None:
    play = acting(at(6, "Kettle", "Toaster"), at(0), at(0), open="FFFFFTTTTT", pack=ODD_PACK)
    play.move(0, Act())
    fired = [(event.familiar.en, event.ability) for event in play.of(events.AbilityFired)]
    assert fired == [("Kettle", odd("Kettle", 0))]
    assert use("Kettle", 1, ODD_PACK) in play.legal(0)


def test_tm_36_a_cost_is_paid_with_the_charges_of_that_very_card() -> None:
    play = acting(at(11, ("Brazen Head", 0), ("Sphinx", 2), mana=9), at(0), at(0), open="CCCFFFFTTT")
    play.move(0, Act())
    assert refused(play.table, 0, use("Brazen Head")) == ("TM-36", "cannot-pay")
    assert play.legal(0) == (use("Sphinx"), Done())
    play.move(0, use("Sphinx"))
    assert play.told[0] == events.AbilityUsed(0, named("Sphinx"), use("Sphinx").ability)
    assert (play.owned(0, "Sphinx").charges, play.place(0).mana) == (1, 11)


def test_tm_36_it_is_used_as_often_as_it_can_be_paid() -> None:
    play = acting(at(11, ("Brazen Head", 2)), at(0), at(0), open="CCCFFFFTTT")
    play.move(0, Act()).move(0, use("Brazen Head")).move(0, use("Brazen Head"))
    assert play.place(0).chips == 2 + 2
    assert play.owned(0, "Brazen Head").charges == 0


def test_tm_37_an_ability_without_a_cost_fires_once_each_time_its_situation_occurs() -> None:
    play = acting(at(4, "Mana Bug", "Great Owl", mana=9), at(0), at(0), open="FFFFTTTTTT").move(0, Act())
    assert [event.familiar.en for event in play.of(events.AbilityFired)] == ["Mana Bug", "Great Owl"]
    assert play.place(0).mana == 9 + 4 + 2 + 1


def test_tm_37_a_defence_ability_fires_each_time_its_owner_defends() -> None:
    play = acting(at(3, "Peryton"), at(0, "Griffin"), at(0, "Griffin"), open="WWWWTTTTTT").move(0, Act())
    assert [event.seat for event in play.of(events.AbilityFired)] == [1, 2]


def test_tm_38_its_own_name_is_that_very_card() -> None:
    play = acting(at(4, "Caladrius"), at(0, "Caladrius"), at(0), open="FFFFTTTTTT").move(0, Act())
    assert play.owned(0, "Caladrius").charges == 1
    assert play.owned(1, "Caladrius").charges == 0


def test_tm_39_mana_that_is_gained_goes_to_the_hand_and_charges_nothing() -> None:
    play = acting(at(6, "Will-o'-the-Wisp", ("Brazen Head", 0)), at(0), at(0), open="CCFFFFTTTT").move(0, Act())
    assert play.place(0).mana == 2
    assert play.owned(0, "Brazen Head").charges == 0


def test_tm_40_chips_that_are_gained_come_from_the_stock() -> None:
    play = acting(at(6, "Raven"), at(0, chips=3), at(0), open="CCFFFFTTTT").move(0, Act())
    assert [place.chips for place in play.table.places] == [2, 3, 0]


def test_tm_41_reductions_add_up_with_the_actions_own() -> None:
    play = acting(
        at(9, "Homunculus", "Library Ghost", ("Fairy Circle", 2), mana=1),
        at(0),
        at(0),
        open="TTTTTFFFFF",
        supply=("Peryton", "Valkyrie", "Salamander"),
    )
    play.move(0, Act())
    assert [event.familiar.en for event in play.of(events.AbilityFired)] == ["Homunculus", "Library Ghost"]
    assert play.table.stage.bonus == 2 + 1 + 1
    assert refused(play.table, 0, Summon(named("Peryton"))) == ("TM-25", "cannot-pay")
    play.move(0, use("Fairy Circle"))
    play.move(0, Summon(named("Peryton")))
    assert play.one(events.FamiliarSummoned).mana == 6 - 5


def test_tm_42_a_card_is_charged_from_the_stock_up_to_its_ribbons() -> None:
    for charges, after in ((0, 1), (1, 2), (2, 2)):
        play = acting(at(4, ("Caladrius", charges)), at(0), at(0), open="FFFFTTTTTT").move(0, Act())
        assert play.owned(0, "Caladrius").charges == after
        assert play.place(0).mana == 4, "the mana came from the stock"
        assert len(play.of(events.AbilityFired)) == after - charges


def test_tm_42_a_card_may_charge_another_of_its_owner_by_name() -> None:
    play = acting(at(2, "Left Sock", "Right Sock"), at(0, "Right Sock"), at(0), open="WTTTTTFFFF", pack=ODD_PACK)
    play.move(0, Act())
    fired = [(event.familiar.en, event.ability) for event in play.of(events.AbilityFired)]
    assert fired == [("Left Sock", odd("Left Sock", 3))], "it is full then, and does not charge itself"
    assert play.owned(0, "Right Sock").charges == 1
    assert play.owned(0, "Left Sock").charges == 0
    assert play.owned(1, "Right Sock").charges == 0
    assert play.place(0).mana == 0, "the mana came from the stock"


def test_tm_42_a_named_familiar_that_is_full_or_not_there_uncovered_is_not_charged() -> None:
    for others in ((), (("Right Sock", 1),)):
        play = acting(at(2, "Left Sock", *others), at(0), at(0), open="WTTTTTFFFF", pack=ODD_PACK).move(0, Act())
        assert play.of(events.AbilityFired) == ()


def test_tm_42_two_that_charge_one_card_stop_at_its_ribbons() -> None:
    for charges, fired in ((3, ["Kettle", "Coat Hook"]), (4, ["Kettle"]), (5, [])):
        play = acting(at(6, ("Kettle", charges), "Coat Hook"), at(0), at(0), open="FFFFFTTTTT", pack=ODD_PACK)
        play.move(0, Act())
        told = [event.familiar.en for event in play.of(events.AbilityFired) if "charge" in str(event.ability)]
        assert told == fired
        assert play.owned(0, "Kettle").charges == 5


def test_tm_42_a_card_may_be_charged_when_its_owner_defends() -> None:
    play = acting(at(2, "Rug"), at(0, "Chandelier"), at(0, "Rug"), open="WWWWTTTTTT", pack=ODD_PACK).move(0, Act())
    assert play.owned(1, "Chandelier").charges == 1


def chaining(*pawns: int, open: str = "FFFFFFTTTT") -> Play:
    """A brew on action 12 with an Automaton; brews on its left are 1, 4 and 8."""
    others = [at(pawn, "Black Cat") for pawn in pawns]
    return acting(at(12, "Black Cat", ("Automaton", 2)), *others, open=open).move(0, Act())


def test_tm_43_a_chain_moves_the_pawn_left_to_a_free_action_of_the_named_kind() -> None:
    play = chaining(4, 2)
    assert play.one(events.ChainOffered) == events.ChainOffered(0)
    assert play.legal(0) == (use("Automaton"), Done())
    play.move(0, use("Automaton"))
    assert play.owned(0, "Automaton").charges == 1
    assert play.legal(0) == (ChainTo(1), ChainTo(8))
    for action in (0, 2, 4, 12, 14, 15):
        assert refused(play.table, 0, ChainTo(action)) == ("TM-43", "no-such-action")
    play.move(0, ChainTo(8))
    assert play.told[0] == events.PawnChained(0, 8)
    assert play.one(events.ActionReached) == events.ActionReached(
        seat=0, action=8, kind=play.table.terms.printed.row[8].kind, cost=5, found=6, price=0
    )


def test_tm_43_a_chained_action_comes_in_the_order_from_right_to_left() -> None:
    play = chaining(4, 2)
    play.move(0, use("Automaton")).move(0, ChainTo(1))
    assert GAME.to_act(play.table) == (1,)
    play.move(1, Pass())
    assert GAME.to_act(play.table) == (2,)
    play.move(2, Pass())
    assert (GAME.to_act(play.table), play.table.stage.action) == ((0,), 1)


def test_tm_43_a_chained_action_is_checked_and_may_be_passed() -> None:
    play = acting(at(12, "Black Cat", ("Automaton", 2), mana=12), at(0), at(0), open="FTTTTTTWWW")
    play.move(0, Act()).move(0, use("Automaton")).move(0, ChainTo(8))
    assert play.table.stage.price == 8
    mana = play.place(0).mana
    play.move(0, Pass())
    assert play.place(0).mana == mana + 2


def test_tm_43_a_single_target_is_taken_by_itself() -> None:
    play = chaining(4, 8)
    play.move(0, use("Automaton"))
    assert play.forced[0] == (0, ChainTo(1))
    assert play.place(0).pawn == 1


def test_tm_44_power_counts_for_the_attack_or_the_defence_it_is_used_in() -> None:
    play = acting(at(3, ("Salamander", 3)), at(0, ("Gargoyle", 2)), at(0, "Black Cat"), open="WWWWTTTTTT").move(
        0, Act()
    )
    for _ in range(2):
        play.move(0, use("Salamander"))
    play.move(0, Attack())
    assert play.table.stage.strength == 5
    play.move(1, use("Gargoyle"))
    assert play.table.stage.bonus == 3
    play.move(1, Answer())
    assert [event.defender for event in play.of(events.AttackSucceeded)] == [2], "5 against 5, and against 1"


def test_tm_45_points_are_counted_once_or_for_every_so_many() -> None:
    for familiars, points in (
        (("Piano",), 4 + 5),
        (("Broken Clock",), 2 + 1),
        (("Broken Clock", "Rug", "Toaster"), 2 + 3 + 1),
        ((("Tea Cosy", 7),), 14),
        ((("Chandelier", 7),), 9),
        ((("Kettle", 5),), 1),
        ((("Kettle", 2),), 0),
    ):
        play = acting(at(6, *familiars), at(0), at(0), open="FFFFFTTTTT", pack=ODD_PACK)
        assert GAME.standing(play.table).points[0] == points


def test_tm_46_abilities_are_moves_of_their_own_ended_by_the_move_that_carries_on() -> None:
    play = acting(at(11, ("Brazen Head", 1), ("Sphinx", 1)), at(0), at(0), open="CCCFFFFTTT").move(0, Act())
    assert play.legal(0) == (use("Brazen Head"), use("Sphinx"), Done())
    play.move(0, use("Brazen Head"))
    assert GAME.to_act(play.table) == (0,)
    play.move(0, Done())
    assert events.PawnReturned(0, 11) in play.told


def test_tm_46_the_only_move_that_carries_on_is_forced() -> None:
    cat = "Black Cat"
    for action, kind in ((11, events.DivinationBegun), (3, events.AttackBegun)):
        play = acting(at(action, cat), at(0, cat), at(0, cat), open="CCCWWWTTTT").move(0, Act())
        assert isinstance(play.told[0], kind)
        assert events.PawnReturned(0, action) in play.told


def test_tm_17_a_gain_in_planning_is_paid_for_like_any_other() -> None:
    play = planning("CCC", "FFF", "WWW", pack=ODD_PACK)
    place = play.place(0)
    stand = acting(at(6, ("Umbrella Stand", 5)), at(0), at(0), pack=ODD_PACK).place(0).familiars
    table = replace(play.table, places=(replace(place, familiars=stand), *play.table.places[1:]))
    play = Play(table).move(0, use("Umbrella Stand", 0, ODD_PACK))
    assert play.place(0).mana == 5
    assert play.owned(0, "Umbrella Stand").charges == 3
    assert GAME.to_act(play.table) == (0,)


def test_tm_37_a_defender_may_gain_and_pay() -> None:
    play = acting(at(2, "Rug"), at(0, ("Doormat", 4)), at(0, "Toaster"), open="WWWWTTTTTT", pack=ODD_PACK).move(
        0, Act()
    )
    assert play.place(1).mana == 1, "for defending"
    play.move(1, use("Doormat", 2, ODD_PACK))
    assert (play.place(1).chips, play.owned(1, "Doormat").charges) == (1, 2)
    play.move(1, use("Doormat", 3, ODD_PACK)).move(1, use("Doormat", 0, ODD_PACK))
    assert events.AttackSucceeded(0, 1, 8, 3, 1) in play.told, "5 and 3 of the action, against 1 and 2"


def test_tm_40_chips_on_success_are_beside_the_successs_own() -> None:
    play = acting(at(2, "Ladder"), at(0, "Rug"), at(0, "Rug"), open="WWWWTTTTTT", pack=ODD_PACK).move(0, Act())
    assert (play.place(0).chips, play.place(0).mana) == (4, 2)


def test_tm_37_an_attack_may_gain_before_it_is_declared() -> None:
    play = acting(at(2, ("Toaster", 1), "Teapot"), at(0, "Loft"), at(0, "Loft"), open="WWWWTTTTTT", pack=ODD_PACK)
    play.move(0, Act())
    assert play.place(0).mana == 3
    assert play.legal(0) == (use("Toaster", 1, ODD_PACK), Attack())
    play.move(0, use("Toaster", 1, ODD_PACK))
    assert play.place(0).mana == 4

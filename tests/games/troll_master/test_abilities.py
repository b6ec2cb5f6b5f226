"""Abilities: TM-35 to TM-46."""

from __future__ import annotations

from typing import get_args

from domain.games.troll_master import GAME, events
from domain.games.troll_master.abilities import Ability, ChargeAnother, Timing, timing_of
from domain.games.troll_master.moves import Act, Answer, Attack, ChainTo, Done, Pass
from domain.games.troll_master.pack import Pack
from tests.games.troll_master.table import ODD_PACK, PACK, Play, acting, at, named, planning, refused, use, with_stand
from tests.rows import each


def chaining(*pawns: int) -> Play:
    """A brew on action 12 with an Automaton; brews on its left are 1, 4 and 8."""
    others = [at(pawn, "Black Cat") for pawn in pawns]
    return acting(at(12, "Black Cat", ("Automaton", 2)), *others, open="FFFFFFTTTT").move(0, Act())


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
    reached = events.ActionReached(
        seat=0, action=8, kind=play.table.terms.printed.row[8].kind, cost=5, found=6, price=0
    )
    assert (play.told[0], play.one(events.ActionReached)) == (events.PawnChained(0, 8), reached)


def abilities_of(pack: Pack) -> list[Ability]:
    return [found for familiar in (pack.black_cat, *pack.familiars) for found in familiar.abilities]


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


def test_tm_38_tm_39_tm_40_tm_42_what_is_gained_comes_from_the_stock_for_that_very_card_and_its_owner() -> None:
    for action, familiars, (mana, chips, charges), fired in each(
        (4, ("Caladrius",), (4, 0, [1]), 1),
        (4, (("Caladrius", 1),), (4, 0, [2]), 1),
        (4, (("Caladrius", 2),), (4, 0, [2]), 0),
        (6, ("Will-o'-the-Wisp", "Brazen Head"), (2, 1, [0, 0]), 1),
        (6, ("Raven",), (0, 2, [0]), 1),
    ):
        play = acting(at(action, *familiars), at(0, *familiars, chips=3), at(0), open="FFFFCCTTTT").move(0, Act())
        assert (play.place(0).mana, play.place(0).chips) == (mana, chips)
        assert [owned.charges for owned in play.place(0).familiars] == charges
        assert len(play.of(events.AbilityFired)) == fired
        other = acting(at(action, *familiars), at(0, *familiars, chips=3), at(0)).place(1)
        assert (play.place(1).familiars, play.place(1).chips) == (other.familiars, 3)


def test_tm_36_a_cost_is_paid_with_the_charges_of_that_very_card() -> None:
    play = acting(at(11, ("Brazen Head", 0), ("Sphinx", 2), mana=9), at(0), at(0), open="CCCFFFFTTT")
    play.move(0, Act())
    assert refused(play.table, 0, use("Brazen Head")) == ("TM-36", "cannot-pay")
    assert play.legal(0) == (use("Sphinx"), Done())
    play.move(0, use("Sphinx"))
    assert play.told[0] == events.AbilityUsed(0, named("Sphinx"), use("Sphinx").ability)
    assert (play.owned(0, "Sphinx").charges, play.place(0).mana) == (1, 11)


def test_tm_37_a_defence_ability_fires_each_time_its_owner_defends() -> None:
    play = acting(at(3, "Peryton"), at(0, "Griffin"), at(0, "Griffin"), open="WWWWTTTTTT").move(0, Act())
    assert [event.seat for event in play.of(events.AbilityFired)] == [1, 2]


def test_tm_42_a_card_may_charge_another_of_its_owner_by_name_up_to_its_ribbons() -> None:
    sock, right = "Left Sock", "Right Sock"
    for action, lying, familiars, charges, fired in each(
        # the last sock is full after the first has charged it, and does not charge itself
        (2, "WTTTTTFFFF", (sock, right), (0, 1), [sock]),
        (2, "WTTTTTFFFF", (sock,), (0,), []),
        (2, "WTTTTTFFFF", (sock, (right, 1)), (0, 1), []),
        (6, "FFFFFTTTTT", (("Kettle", 3), "Coat Hook"), (5, 0), ["Kettle", "Coat Hook"]),
        (6, "FFFFFTTTTT", (("Kettle", 4), "Coat Hook"), (5, 0), ["Kettle"]),
        (6, "FFFFFTTTTT", (("Kettle", 5), "Coat Hook"), (5, 0), []),
    ):
        play = acting(at(action, *familiars), at(0, right), at(0), open=lying, pack=ODD_PACK).move(0, Act())
        told = [event.familiar.en for event in play.of(events.AbilityFired) if "charge" in str(event.ability)]
        assert told == fired
        assert tuple(owned.charges for owned in play.place(0).familiars) == charges
        assert play.owned(1, right).charges == 0
    play = acting(at(2, "Rug"), at(0, "Chandelier"), at(0, "Rug"), open="WWWWTTTTTT", pack=ODD_PACK).move(0, Act())
    assert play.owned(1, "Chandelier").charges == 1, "for defending"


def test_tm_43_a_chained_action_comes_in_the_order_from_right_to_left() -> None:
    play = chaining(4, 2)
    play.move(0, use("Automaton")).move(0, ChainTo(1))
    assert GAME.to_act(play.table) == (1,)
    play.move(1, Pass())
    assert GAME.to_act(play.table) == (2,)
    play.move(2, Pass())
    assert (GAME.to_act(play.table), play.table.stage.action) == ((0,), 1)


def test_tm_43_a_chained_action_is_checked_and_may_be_passed_and_a_single_one_is_taken_by_itself() -> None:
    play = acting(at(12, "Black Cat", ("Automaton", 2), mana=12), at(0), at(0), open="FTTTTTTWWW")
    play.move(0, Act()).move(0, use("Automaton")).move(0, ChainTo(8))
    assert play.table.stage.price == 8
    mana = play.place(0).mana
    assert play.move(0, Pass()).place(0).mana == mana + 2
    play = chaining(4, 8).move(0, use("Automaton"))
    assert (play.forced[0], play.place(0).pawn) == ((0, ChainTo(1)), 1)


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


def test_tm_46_abilities_are_moves_of_their_own_ended_by_the_move_that_carries_on_which_may_be_forced() -> None:
    play = acting(at(11, ("Brazen Head", 1), ("Sphinx", 1)), at(0), at(0), open="CCCFFFFTTT").move(0, Act())
    assert play.legal(0) == (use("Brazen Head"), use("Sphinx"), Done())
    play.move(0, use("Brazen Head"))
    assert GAME.to_act(play.table) == (0,)
    assert events.PawnReturned(0, 11) in play.move(0, Done()).told
    play = acting(at(3, "Black Cat"), at(0), at(0), open="CCCWWWTTTT").move(0, Act())
    assert (type(play.told[0]), events.PawnReturned(0, 3) in play.told) == (events.AttackBegun, True)


def test_tm_17_a_gain_in_planning_is_paid_for_like_any_other() -> None:
    play = with_stand(planning("CCC", "FFF", "WWW", pack=ODD_PACK), charges=5)
    play.move(0, use("Umbrella Stand", 0, ODD_PACK))
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


def test_tm_37_tm_40_an_attack_may_gain_before_it_is_declared_and_beside_each_success() -> None:
    play = acting(at(2, ("Toaster", 1), "Teapot"), at(0, "Loft"), at(0, "Loft"), open="WWWWTTTTTT", pack=ODD_PACK)
    play.move(0, Act())
    assert play.place(0).mana == 3
    assert play.legal(0) == (use("Toaster", 1, ODD_PACK), Attack())
    assert play.move(0, use("Toaster", 1, ODD_PACK)).place(0).mana == 4
    play = acting(at(2, "Ladder"), at(0, "Rug"), at(0, "Rug"), open="WWWWTTTTTT", pack=ODD_PACK).move(0, Act())
    assert (play.place(0).chips, play.place(0).mana) == (4, 2)

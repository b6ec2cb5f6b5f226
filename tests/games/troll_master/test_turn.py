"""What is asked of any game beside its clauses: seals, defaults, refusals of those who are not to act."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.chance import Scripted
from domain.game import Refusal
from domain.games.troll_master import GAME
from domain.games.troll_master.components import Options
from domain.games.troll_master.moves import Act, Answer, Attack, ChainTo, Discard, Done, Draw, Pass, Reveal
from domain.games.troll_master.state import Stage, Step
from domain.games.troll_master.text.phrases import WORDS
from tests.games.troll_master.table import CRYSTAL, FLASK, PACK, Play, acting, at, magics, opened, planning, reveal, use


def test_no_decision_is_sealed() -> None:
    assert not GAME.secret(opened())


def test_nothing_is_decided_while_cards_are_dealt() -> None:
    with pytest.raises(Refusal) as refusal:
        GAME.decide(GAME.initial(Options(), 3, PACK), 0, Draw(), Scripted())
    assert (refusal.value.clause, refusal.value.code) == ("TM-5", "not-your-turn")


CLAUSES = {
    Step.BROOM: "TM-8", Step.DISCARD: "TM-8", Step.PLANNING: "TM-10", Step.ACT: "TM-20", Step.SUMMON: "TM-25",
    Step.BREW: "TM-26", Step.ATTACK: "TM-27", Step.DEFENCE: "TM-27", Step.DIVINATION: "TM-29", Step.CHAIN: "TM-48",
    Step.CHAIN_TO: "TM-43",
}  # fmt: skip


@pytest.mark.parametrize(("step", "clause"), CLAUSES.items())
def test_tm_46_a_move_of_another_step_or_seat_is_refused_with_the_clause_of_the_step(step: Step, clause: str) -> None:
    table = replace(planning("TF", "FF", "WW").table, stage=Stage(step, 0))
    move = Draw() if step is Step.ACT else Act()
    for seat, code in ((0, "wrong-step"), (1, "not-your-turn")):
        with pytest.raises(Refusal) as refusal:
            GAME.decide(table, seat, move, Scripted())
        assert (refusal.value.clause, refusal.value.code) == (clause, code)


def test_tm_8_an_absent_seat_leaves_the_broom_alone_and_discards_the_last_card() -> None:
    table = opened()
    start = table.start
    assert GAME.default(table, start) == Pass()
    places = tuple(replace(place, hand=magics("FTF")) for place in table.places)
    play = Play(replace(table, places=places, cards=replace(table.cards, deck=magics("CC")))).move(start, Draw())
    assert GAME.default(play.table, start) == Discard(CRYSTAL)


def test_tm_14_an_absent_seat_places_its_pawn_leftmost_and_passes_as_soon_as_it_may() -> None:
    play = planning("CWF", "TTT", "FFF")
    assert GAME.default(play.table, 0) == reveal("F", 1)
    play.move(0, Reveal(FLASK, 1))
    assert GAME.default(play.table, 1) == reveal("T", 2)
    play.move(1, reveal("T", 2)).move(2, reveal("F", 4))
    assert GAME.default(play.table, 0) == Pass()


def test_tm_23_an_absent_seat_passes_its_action() -> None:
    assert GAME.default(acting(at(8, "Black Cat"), at(0), at(0), open="FFFFFTTTTT").table, 0) == Pass()


def test_tm_46_an_absent_seat_carries_on_without_paying() -> None:
    brew = acting(at(12, ("Automaton", 1)), at(0), at(0), open="FFFFFFTTTT").move(0, Act())
    assert GAME.default(brew.table, 0) == Done()
    chain = brew.move(0, Done())
    assert chain.table.stage.step is Step.CHAIN
    assert GAME.default(chain.table, 0) == Done()
    assert GAME.default(chain.move(0, use("Automaton")).table, 0) == ChainTo(1)
    attack = acting(at(3, ("Salamander", 1)), at(0, ("Gargoyle", 1)), at(0), open="WWWWTTTTTT").move(0, Act())
    assert GAME.default(attack.table, 0) == Attack()
    assert GAME.default(attack.move(0, Attack()).table, 1) == Answer()


def test_what_is_to_be_done_is_said_of_every_step_at_which_somebody_acts() -> None:
    table = opened()
    for step in set(Step) - {Step.DEALING, Step.OVER}:
        with pytest.raises(Refusal) as refused:
            GAME.decide(
                replace(table, stage=replace(table.stage, step=step)),
                table.start,
                Attack() if step is not Step.ATTACK else Answer(),
                Scripted(),
            )
        assert GAME.explain(refused.value, "en") == f"You are to {WORDS['en'].step[step]}."
        assert GAME.explain(refused.value, "ja") == f"いまは{WORDS['ja'].step[step]}ところです。"

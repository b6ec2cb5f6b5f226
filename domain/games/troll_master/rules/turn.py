"""Turns: who is to act, the legal moves, the events of a move, and the moves that the engine plays by itself."""

from __future__ import annotations

from typing import NoReturn, assert_never

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.troll_master import moves
from domain.games.troll_master.abilities import Chain, Timing
from domain.games.troll_master.components import HOME
from domain.games.troll_master.events import Events
from domain.games.troll_master.moves import TrollMasterMove
from domain.games.troll_master.printed import Uses
from domain.games.troll_master.rules.abilities import payable, use, useful
from domain.games.troll_master.rules.actions import (
    act,
    chain_to,
    chains,
    end_action,
    leave_chain,
    may_act,
    pass_action,
    targets,
)
from domain.games.troll_master.rules.attacking import answer, declare
from domain.games.troll_master.rules.planning import discard, pass_planning, placements, plan, reveal
from domain.games.troll_master.rules.preparation import discards, draw
from domain.games.troll_master.rules.summoning import acquire, acquisitions, charge, charges, may_acquire, may_charge
from domain.games.troll_master.state import DEALING, OVER, Place, Step, Table

DRAW, PASS, ACT = moves.Draw(), moves.Pass(), moves.Act()
ATTACK, ANSWER, DONE = moves.Attack(), moves.Answer(), moves.Done()
Moves = tuple[TrollMasterMove, ...]

# The longest list. Uncovered familiars are at most 11 (10 kinds and the black cat), with at most 4 abilities each.
# Planning: a hand of at most 4 cards, a crystal among them, allows 14 actions by crystal and each action by one more
# card: 28; with 44 abilities and the pass 73 at most. Summon with u of 10 kinds uncovered: (10 - u) * (u + 2) ways to
# acquire, 4 * (u + 1) abilities and Done: 61 at most, at u = 6. Brew: 11 charges, 44 abilities, Done: 56. All others
# are shorter.


def to_act(table: Table) -> tuple[Seat, ...]:
    """Return the seat that is to act, if there is one. Rule: TM-8, TM-10, TM-20, TM-27."""
    stage = table.stage
    step = stage.step
    return () if step is DEALING or step is OVER else (stage.seat,)


IDLE = (DEALING, OVER)


def legal(table: Table, seat: Seat) -> Moves:
    """Return every move that the seat may make now; none if its cards are not known. Rule: TM-18."""
    stage = table.stage
    if stage.seat != seat:
        return ()
    step = stage.step
    place = table.places[seat]
    if step is PLANNING:
        return _plans(table, seat, place)
    if step is ACTING:
        return (ACT, PASS) if may_act(table, seat) else (PASS,)
    if step is SUMMON:
        return (*_summoning(table, place), *acquisitions(table, seat), DONE)
    if step is BREW:
        return (*payable(place, Timing.BREW), *charges(table, place), DONE)
    if step in CARRY_ON:
        timing, move = CARRY_ON[step]
        return (*payable(place, timing), move)
    if step is Step.CHAIN:
        return (*chains(table, seat), DONE)
    if step is Step.CHAIN_TO:
        return targets(table, stage.to[0])
    if step is Step.BROOM:
        return (DRAW, PASS)
    return discards(table, seat) if step is Step.DISCARD else ()


def _plans(table: Table, seat: Seat, place: Place) -> Moves:
    """Return the moves of the seat's planning turn, with the pass only if it may pass.

    Rule:    TM-10, TM-14, TM-16, TM-17.
    """
    if None in place.hand:
        return ()
    uses, places = payable(place, Timing.PLANNING), placements(table, seat)
    may_pass = place.pawn != HOME or not places
    return (*uses, *places, PASS) if may_pass else (*uses, *places)


def _summoning(table: Table, place: Place) -> Uses:
    """Return the uses of abilities in a summon, before or after a familiar was acquired. Rule: TM-47."""
    uses = payable(place, Timing.SUMMON)
    return useful(uses) if table.stage.has_acquired else uses


PLANNING, ACTING, SUMMON, BREW = Step.PLANNING, Step.ACT, Step.SUMMON, Step.BREW
CARRY_ON: dict[Step, tuple[Timing, TrollMasterMove]] = {
    Step.ATTACK: (Timing.ATTACK, ATTACK),
    Step.DEFENCE: (Timing.DEFENCE, ANSWER),
    Step.DIVINATION: (Timing.DIVINATION, DONE),
}
"""The steps at which abilities are used or one move carries on: the timing, and that move. Rule: TM-46."""


def forced(table: Table) -> tuple[Seat, TrollMasterMove] | None:
    """Return the move that the engine plays by itself: the only legal one, where everybody knows that.

    In planning a seat that holds cards is asked even if it can only pass: an automatic pass would show what the hand
    lacks. A seat with an empty hand has placed its pawn, as it had cards at its first turn. From the reveal of the
    hands on, everything is open.

    Rule:    TM-18.
    """
    step = table.stage.step
    seat = table.stage.seat
    place = table.places[seat]
    if step is PLANNING:
        return None if place.hand or payable(place, Timing.PLANNING) else (seat, PASS)
    if step is ACTING:
        return None if may_act(table, seat) else (seat, PASS)
    if step is SUMMON:
        return None if may_acquire(table, seat) or _summoning(table, place) else (seat, DONE)
    if step is BREW:
        return None if may_charge(table, place) or payable(place, Timing.BREW) else (seat, DONE)
    if step in CARRY_ON:
        timing, move = CARRY_ON[step]
        return None if payable(place, timing) else (seat, move)
    if step is Step.CHAIN_TO:
        only = targets(table, table.stage.to[0])
        return (seat, only[0]) if len(only) == 1 else None
    if step is Step.DISCARD and len(place.hand) == 1:
        return next(((seat, move) for move in discards(table, seat)), None)
    return None


def decide(table: Table, seat: Seat, move: TrollMasterMove, chance: Chance) -> Events:
    """Return the events that the move causes.

    Raises:  Refusal, with the clause.
    """
    step = table.stage.step
    if seat != table.stage.seat or step in IDLE:
        _refuse_seat(step)
    if step not in WHEN[type(move)]:
        is_placing = step is PLANNING and table.places[seat].pawn == HOME
        raise Refusal(CLAUSE[step], "wrong-step", step="placing" if is_placing else step.value)
    match move:
        case moves.Reveal():
            return reveal(table, seat, move, chance)
        case moves.Pass():
            return _pass(table, seat, chance)
        case moves.Act():
            return act(table, seat)
        case moves.Answer():
            return answer(table, seat, chance)
        case moves.Done():
            end = leave_chain if step is Step.CHAIN else end_action
            return end(table, (), seat, chance)
        case moves.Summon() | moves.Train():
            return acquire(table, seat, move, chance)
        case moves.Charge():
            return charge(table, seat, move)
        case moves.Attack():
            return declare(table, seat)
        case moves.Use():
            return _use(table, seat, move, chance)
        case moves.ChainTo():
            return chain_to(table, seat, move, chance)
        case moves.Draw():
            return draw(table, seat, chance)
        case moves.Discard(card=card):
            return discard(table, seat, card, chance)
        case _:
            assert_never(move)


def _use(table: Table, seat: Seat, move: moves.Use, chance: Chance) -> Events:
    """Use an ability; a chain needs a target. Rule: TM-43, TM-48."""
    used = use(table, seat, move, chance)
    if isinstance(move.ability, Chain) and not targets(table, move.ability.to):
        raise Refusal("TM-48", "no-target", kind=move.ability.to.value)
    return used


def _pass(table: Table, seat: Seat, chance: Chance) -> Events:
    """Pass the broom, the planning or the action. Rule: TM-8, TM-10, TM-23."""
    step = table.stage.step
    if step is PLANNING:
        return pass_planning(table, seat, chance)
    return pass_action(table, seat, chance) if step is ACTING else plan(table, seat, chance)


def _refuse_seat(step: Step) -> NoReturn:
    if step is Step.OVER:
        raise Refusal("TM-32", "over")
    raise Refusal(CLAUSE[step], "not-your-turn")


WHEN: dict[type[TrollMasterMove], tuple[Step, ...]] = {
    moves.Draw: (Step.BROOM,),
    moves.Discard: (Step.DISCARD,),
    moves.Reveal: (Step.PLANNING,),
    moves.Pass: (Step.BROOM, Step.PLANNING, Step.ACT),
    moves.Act: (Step.ACT,),
    moves.Use: (Step.PLANNING, Step.SUMMON, Step.BREW, Step.ATTACK, Step.DEFENCE, Step.DIVINATION, Step.CHAIN),
    moves.Summon: (Step.SUMMON,),
    moves.Train: (Step.SUMMON,),
    moves.Charge: (Step.BREW,),
    moves.Attack: (Step.ATTACK,),
    moves.Answer: (Step.DEFENCE,),
    moves.ChainTo: (Step.CHAIN_TO,),
    moves.Done: (Step.SUMMON, Step.BREW, Step.DIVINATION, Step.CHAIN),
}
"""The steps at which a move may be made."""
CLAUSE = {
    Step.DEALING: "TM-5",
    Step.BROOM: "TM-8",
    Step.DISCARD: "TM-8",
    Step.PLANNING: "TM-10",
    Step.ACT: "TM-20",
    Step.SUMMON: "TM-25",
    Step.BREW: "TM-26",
    Step.ATTACK: "TM-27",
    Step.DEFENCE: "TM-27",
    Step.DIVINATION: "TM-29",
    Step.CHAIN: "TM-48",
    Step.CHAIN_TO: "TM-43",
}
"""The clause that says what a seat does at a step."""

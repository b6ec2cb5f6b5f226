"""Whoever is to act: what they may do, what it brings about, and what the engine does for them."""

from __future__ import annotations

from typing import NoReturn, assert_never

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.troll_master.abilities import Timing
from domain.games.troll_master.components import HOME
from domain.games.troll_master.events import TrollMasterEvent
from domain.games.troll_master.moves import (
    Act,
    Answer,
    Attack,
    ChainTo,
    Charge,
    Discard,
    Done,
    Draw,
    Pass,
    Reveal,
    Summon,
    Train,
    TrollMasterMove,
    Use,
)
from domain.games.troll_master.rules.abilities import payable, use
from domain.games.troll_master.rules.actions import (
    act,
    chain_to,
    chains,
    done,
    leave_chain,
    may_act,
    pass_action,
    targets,
)
from domain.games.troll_master.rules.attacking import answer, declare
from domain.games.troll_master.rules.planning import discard, leave_broom, pass_planning, placements, reveal
from domain.games.troll_master.rules.preparation import discards, draw
from domain.games.troll_master.rules.summoning import (
    acquire,
    acquisitions,
    charge,
    charges,
    may_acquire,
    may_charge,
)
from domain.games.troll_master.state import Step, Table

DRAW, PASS, ACT, ATTACK, ANSWER, DONE = Draw(), Pass(), Act(), Attack(), Answer(), Done()
Moves = tuple[TrollMasterMove, ...]

# The longest list. Uncovered familiars are at most 11 (10 kinds and the black cat), with at most 4 abilities each.
# Planning: a hand of at most 4 cards, a crystal among them, allows 14 actions by crystal and each action by one more
# card: 28; with 44 abilities and the pass 73 at most. Summon with u of 10 kinds uncovered: (10 - u) * (u + 2) ways to
# acquire, 4 * (u + 1) abilities and Done: 61 at most, at u = 6. Brew: 11 charges, 44 abilities, Done: 56. All others
# are shorter.


def to_act(table: Table) -> tuple[Seat, ...]:
    """Who owes an answer. Rule: TM-8, TM-10, TM-20, TM-27."""
    stage = table.stage
    return () if stage.step in IDLE else (stage.seat,)


IDLE = (Step.DEALING, Step.OVER)


def legal(table: Table, seat: Seat) -> Moves:
    """Every move that the seat may make now; of a seat whose cards are not known, none. Rule: TM-18."""
    stage = table.stage
    if stage.seat != seat:
        return ()
    place = table.places[seat]
    match stage.step:
        case Step.PLANNING:
            if None in place.hand:
                return ()
            uses, places = payable(place, Timing.PLANNING), placements(table, seat)
            may_pass = place.pawn != HOME or not places
            return (*uses, *places, PASS) if may_pass else (*uses, *places)
        case Step.ACT:
            return (ACT, PASS) if may_act(table, seat) else (PASS,)
        case Step.SUMMON:
            return (*payable(place, Timing.SUMMON), *acquisitions(table, seat), DONE)
        case Step.BREW:
            uses = () if stage.is_charging else payable(place, Timing.BREW)
            return (*uses, *charges(place), DONE)
        case Step.ATTACK:
            return (*payable(place, Timing.ATTACK), ATTACK)
        case Step.DEFENCE:
            return (*payable(place, Timing.DEFENCE), ANSWER)
        case Step.DIVINATION:
            return (*payable(place, Timing.DIVINATION), DONE)
        case Step.CHAIN:
            return (*chains(table, seat), DONE)
        case Step.CHAIN_TO:
            return targets(table, stage.to[0])
        case Step.BROOM:
            return (DRAW, PASS)
        case Step.DISCARD:
            return discards(table, seat)
        case _:
            return ()


def forced(table: Table) -> tuple[Seat, TrollMasterMove] | None:
    """The move that the engine plays by itself: the only one, as everybody can tell.

    In planning a seat that holds cards is asked even if it can only pass: an automatic pass would tell what the hand
    lacks. With an empty hand its pawn is placed, for it had cards when it came. From the reveal on everything is open.

    Rule:    TM-18.
    """
    stage = table.stage
    seat = stage.seat
    place = table.places[seat]
    match stage.step:
        case Step.PLANNING:
            is_asked = place.hand or payable(place, Timing.PLANNING)
            return None if is_asked else (seat, PASS)
        case Step.ACT:
            return None if may_act(table, seat) else (seat, PASS)
        case Step.SUMMON:
            return None if may_acquire(table, seat) or payable(place, Timing.SUMMON) else (seat, DONE)
        case Step.BREW:
            may_use = not stage.is_charging and payable(place, Timing.BREW)
            return None if may_use or may_charge(place) else (seat, DONE)
        case Step.ATTACK:
            return None if payable(place, Timing.ATTACK) else (seat, ATTACK)
        case Step.DEFENCE:
            return None if payable(place, Timing.DEFENCE) else (seat, ANSWER)
        case Step.DIVINATION:
            return None if payable(place, Timing.DIVINATION) else (seat, DONE)
        case Step.CHAIN_TO:
            only = targets(table, stage.to[0])
            return (seat, only[0]) if len(only) == 1 else None
        case Step.DISCARD:
            only_card = discards(table, seat) if len(place.hand) == 1 else ()
            return (seat, only_card[0]) if only_card else None
        case _:
            return None


def decide(table: Table, seat: Seat, move: TrollMasterMove, chance: Chance) -> tuple[TrollMasterEvent, ...]:
    """What the move brings about.

    Raises:  Refusal, with the clause.
    """
    step = table.stage.step
    if seat != table.stage.seat or step in IDLE:
        _refuse_seat(step)
    if step not in WHEN[type(move)]:
        raise Refusal(CLAUSE[step], "wrong-step", f"You are to {TO_DO[step]}.")
    match move:
        case Reveal():
            return reveal(table, seat, move, chance)
        case Pass():
            return _pass(table, seat, chance)
        case Act():
            return act(table, seat)
        case Answer():
            return answer(table, seat, chance)
        case Done():
            return leave_chain(table, seat, chance) if step is Step.CHAIN else done(table, seat, chance)
        case Summon() | Train():
            return acquire(table, seat, move, chance)
        case Charge():
            return charge(table, seat, move)
        case Attack():
            return declare(table, seat)
        case Use():
            return use(table, seat, move, chance)
        case ChainTo():
            return chain_to(table, seat, move, chance)
        case Draw():
            return draw(table, seat, chance)
        case Discard(card=card):
            return discard(table, seat, card, chance)
        case _:
            assert_never(move)


def _pass(table: Table, seat: Seat, chance: Chance) -> tuple[TrollMasterEvent, ...]:
    """Pass what is to be passed at this step. Rule: TM-8, TM-10, TM-23."""
    match table.stage.step:
        case Step.PLANNING:
            return pass_planning(table, seat, chance)
        case Step.ACT:
            return pass_action(table, seat, chance)
        case _:
            return leave_broom(table, seat, chance)


def _refuse_seat(step: Step) -> NoReturn:
    if step is Step.OVER:
        raise Refusal("TM-32", "over", "The match is over.")
    raise Refusal(CLAUSE[step], "not-your-turn", "It is not your turn.")


WHEN: dict[type[TrollMasterMove], tuple[Step, ...]] = {
    Draw: (Step.BROOM,),
    Discard: (Step.DISCARD,),
    Reveal: (Step.PLANNING,),
    Pass: (Step.BROOM, Step.PLANNING, Step.ACT),
    Act: (Step.ACT,),
    Use: (Step.PLANNING, Step.SUMMON, Step.BREW, Step.ATTACK, Step.DEFENCE, Step.DIVINATION, Step.CHAIN),
    Summon: (Step.SUMMON,),
    Train: (Step.SUMMON,),
    Charge: (Step.BREW,),
    Attack: (Step.ATTACK,),
    Answer: (Step.DEFENCE,),
    ChainTo: (Step.CHAIN_TO,),
    Done: (Step.SUMMON, Step.BREW, Step.DIVINATION, Step.CHAIN),
}
"""At which steps a move may be made."""
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
"""Which clause says what is to be done at a step."""
TO_DO = {
    Step.BROOM: "draw with the broom, or pass",
    Step.DISCARD: "discard a card from your hand",
    Step.PLANNING: "reveal a card and move your pawn, or pass",
    Step.ACT: "do your action, or pass",
    Step.SUMMON: "acquire a familiar, or be done",
    Step.BREW: "charge your familiars, or be done",
    Step.ATTACK: "declare your attack",
    Step.DEFENCE: "answer the attack",
    Step.DIVINATION: "use your familiars, or be done",
    Step.CHAIN: "use a chain, or be done",
    Step.CHAIN_TO: "choose where the chain leads",
}


def secret(table: Table) -> bool:
    """No decision is sealed: one seat acts at a time."""
    return False


def close(table: Table, answers: tuple[TrollMasterMove | None, ...], chance: Chance) -> NoReturn:
    """There is nothing to close: no decision is sealed."""
    raise AssertionError("no decision of Troll Master is sealed")


def default(table: Table, seat: Seat) -> TrollMasterMove:
    """For an absent seat: use nothing, pass, or carry on; place the pawn leftmost and discard the last card dealt.

    Rule:    TM-8, TM-14, TM-23, TM-46.
    """
    moves = legal(table, seat)
    for move in (PASS, DONE, ATTACK, ANSWER):
        if move in moves:
            return move
    if table.stage.step is Step.DISCARD:
        return next(move for move in discards(table, seat) if move.card is table.places[seat].hand[-1])
    return min((move for move in moves if isinstance(move, Reveal | ChainTo)), key=lambda move: move.action)

"""The legal moves: the action first, then the number of tips."""

from __future__ import annotations

from domain.game import Seat
from domain.games.terraformers import moves
from domain.games.terraformers.components import BOXES, MOST_TIPS
from domain.games.terraformers.moves import TerraformersMove
from domain.games.terraformers.printed import Ability
from domain.games.terraformers.rules.power import base_of
from domain.games.terraformers.state import ACTION, BOX_TIPS, OVER, RESOLVING, Player, Table, ability_of

PASS = moves.Pass()
PUT_BACK = moves.PutBack()
USES = tuple(moves.UseBox(box) for box in BOXES)
PLACES = tuple(moves.Place(tips) for tips in range(1, MOST_TIPS + 1))
IDLE = frozenset((RESOLVING, OVER))


def to_act(table: Table) -> tuple[Seat, ...]:
    """Return the seat in turn, if it is to act. Rule: TF-6."""
    turn = table.turn
    phase = turn.phase
    return () if phase is RESOLVING or phase is OVER else (turn.seat,)


def legal(table: Table, seat: Seat) -> tuple[TerraformersMove, ...]:
    """Return every move that the seat may make now. Rule: TF-8, TF-9, TF-10."""
    turn = table.turn
    if turn.seat != seat or turn.phase in IDLE:
        return ()
    if turn.phase is ACTION:
        return _actions(table, seat)
    player = table.players[seat]
    return PLACES[least_tips(table, player) - 1 : player.hand]


def least_tips(table: Table, player: Player) -> int:
    """Return the fewest tips that the player may place on what was chosen.

    Rule:    TF-10, TF-13, TF-19, TF-20.
    """
    turn = table.turn
    if turn.phase is BOX_TIPS:
        return 1
    return max(1, table.planet[turn.at].cost - base_of(player, ability_of(table, player)))


def _actions(table: Table, seat: Seat) -> tuple[TerraformersMove, ...]:
    """Rule: TF-8, TF-9, TF-11, TF-32, TF-33."""
    player = table.players[seat]
    hand = player.hand
    if not hand:
        return (PASS,)
    ability = ability_of(table, player)
    choices: list[TerraformersMove] = [use for use, tips in zip(USES, player.boxes, strict=True) if not tips]
    if ability.barred:
        choices = [use for use in choices if isinstance(use, moves.UseBox) and use.box not in ability.barred]
    power = base_of(player, ability) + hand
    held = player.species
    spot = -1
    for tips in table.tips:
        spot += 1
        if tips or (laid := table.planet[spot]).cost > power:
            continue
        if laid.is_box:
            if laid.provokes:
                choices.extend(
                    moves.UseCardOn(laid.name, other) for other in range(len(table.players)) if other != seat
                )
            else:
                choices.append(laid.use)
        elif spot in held:
            choices.append(moves.Guard(laid.name))
        elif not ability.clings:
            choices.append(laid.acquire)
    if held:
        choices.extend(_with_species(table, player, ability))
    choices.append(PASS)
    return tuple(choices)


def _with_species(table: Table, player: Player, ability: Ability) -> list[TerraformersMove]:
    """Return the other moves with the species held, for a player who has tips. Rule: TF-23, TF-33, TF-37."""
    choices: list[TerraformersMove] = [] if ability.clings else [PUT_BACK]
    if ability.copy_price and player.hand >= ability.copy_price and not table.turn.has_copied:
        own = player.species[0]
        others = (laid for spot, laid in enumerate(table.planet) if spot != own)
        choices.extend(moves.Copy(laid.name) for laid in others if not laid.is_box)
    return choices


def forced(table: Table) -> tuple[Seat, TerraformersMove] | None:
    """Return the only legal move and its seat, or None. Nothing is hidden, so everybody sees that it is the only one.

    Rule:    TF-29.
    """
    turn = table.turn
    phase = turn.phase
    player = table.players[turn.seat]
    if phase is ACTION:
        if not player.hand:
            return turn.seat, PASS
        # A free box of the sheet is a choice beside passing, unless a species bars it: most lists need not be made.
        if 0 in player.boxes and not ability_of(table, player).barred:
            return None
        choices = _actions(table, turn.seat)
        return (turn.seat, choices[0]) if len(choices) == 1 else None
    if phase in IDLE:
        return None
    tips = player.hand
    return (turn.seat, PLACES[tips - 1]) if tips == least_tips(table, player) else None

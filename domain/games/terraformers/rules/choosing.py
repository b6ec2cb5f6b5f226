"""What may be chosen: the action first, then how many tips are placed."""

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
    """The seat in turn. Rule: TF-6."""
    turn = table.turn
    phase = turn.phase
    return () if phase is RESOLVING or phase is OVER else (turn.seat,)


def legal(table: Table, seat: Seat) -> tuple[TerraformersMove, ...]:
    """Every move that the seat may make now. Rule: TF-8, TF-9, TF-10."""
    turn = table.turn
    if turn.seat != seat or turn.phase in IDLE:
        return ()
    if turn.phase is ACTION:
        return _actions(table, seat)
    player = table.players[seat]
    return PLACES[least_tips(table, player) - 1 : player.hand]


def least_tips(table: Table, player: Player) -> int:
    """How many tips the player must at least place where they have chosen.

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
    found: list[TerraformersMove] = [use for use, tips in zip(USES, player.boxes, strict=True) if not tips]
    if ability.barred:
        found = [use for use in found if isinstance(use, moves.UseBox) and use.box not in ability.barred]
    power = base_of(player, ability) + hand
    held = player.species
    spot = -1
    for tips in table.tips:
        spot += 1
        if tips or (laid := table.planet[spot]).cost > power:
            continue
        if laid.is_box:
            if laid.provokes:
                found.extend(moves.UseCardOn(laid.name, other) for other in range(len(table.players)) if other != seat)
            else:
                found.append(laid.use)
        elif spot in held:
            found.append(moves.Guard(laid.name))
        elif not ability.clings:
            found.append(laid.acquire)
    if held:
        found.extend(_with_species(table, player, ability))
    found.append(PASS)
    return tuple(found)


def _with_species(table: Table, player: Player, ability: Ability) -> list[TerraformersMove]:
    """What else may be done with the species held, by a player who has tips. Rule: TF-23, TF-33, TF-37."""
    found: list[TerraformersMove] = [] if ability.clings else [PUT_BACK]
    if ability.copy_price and player.hand >= ability.copy_price and not table.turn.has_copied:
        own = player.species[0]
        others = (laid for spot, laid in enumerate(table.planet) if spot != own)
        found.extend(moves.Copy(laid.name) for laid in others if not laid.is_box)
    return found


def forced(table: Table) -> tuple[Seat, TerraformersMove] | None:
    """The only move that there is and whose it is, or None: nothing is hidden, so everybody sees it. Rule: TF-29."""
    turn = table.turn
    phase = turn.phase
    player = table.players[turn.seat]
    if phase is ACTION:
        if not player.hand:
            return turn.seat, PASS
        # A free box of the sheet is a choice beside passing, unless a species bars it: most lists need no look.
        if 0 in player.boxes and not ability_of(table, player).barred:
            return None
        found = _actions(table, turn.seat)
        return (turn.seat, found[0]) if len(found) == 1 else None
    if phase in IDLE:
        return None
    tips = player.hand
    return (turn.seat, PLACES[tips - 1]) if tips == least_tips(table, player) else None

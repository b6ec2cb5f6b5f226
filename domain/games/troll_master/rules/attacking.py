"""Attacks: the declaration, the answers one after the other, and the gain of a success."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Seat
from domain.games.troll_master import events
from domain.games.troll_master.abilities import Timing
from domain.games.troll_master.components import SUCCESS_CHIPS
from domain.games.troll_master.events import Events, TrollMasterEvent
from domain.games.troll_master.rules.abilities import fire, fire_on_success
from domain.games.troll_master.rules.actions import end_action
from domain.games.troll_master.state import Table, power


def declare(table: Table, seat: Seat) -> Events:
    """Declare the attack with the strength that it has now, and ask the player on the left. Rule: TM-27, TM-30."""
    strength = power(table.places[seat]) + table.stage.bonus
    return (events.AttackDeclared(seat, strength), *ask(table, (seat + 1) % len(table.places), seat))


def ask(table: Table, defender: Seat, attacker: Seat) -> list[TrollMasterEvent]:
    """Ask a defender, and fire the abilities of the defence that cost nothing. Rule: TM-27, TM-37."""
    place = table.places[defender]
    return [
        events.DefenderAsked(seat=defender, attacker=attacker, power=power(place)),
        *fire(place, defender, Timing.DEFENCE),
    ]


def answer(table: Table, seat: Seat, chance: Chance) -> Events:
    """Compare the attack with the defence; then ask the next player, or end the action after the last.

    Only an attack that is strictly stronger succeeds.

    Rule:    TM-27, TM-28, TM-47.
    """
    stage, places = table.stage, table.places
    attacker, strength = stage.actor, stage.strength
    defence = power(places[seat]) + stage.bonus
    result: Events
    if strength > defence:
        success = events.AttackSucceeded(attacker, seat, strength, defence, SUCCESS_CHIPS)
        result = (success, *fire_on_success(places[attacker], attacker))
    else:
        result = (events.AttackFailed(attacker, seat, strength, defence),)
    if (after := (seat + 1) % len(places)) != attacker:
        return (*result, *ask(table, after, attacker))
    return end_action(table, result, attacker, chance)

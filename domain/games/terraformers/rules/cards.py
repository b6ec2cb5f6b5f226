"""What the effects of planet cards bring about."""

from __future__ import annotations

from typing import assert_never

from domain.game import Seat, Teller
from domain.games.terraformers import abilities, events
from domain.games.terraformers.abilities import Happening, Whose
from domain.games.terraformers.components import BOX_AT, LEVEL_AT, Level, Name
from domain.games.terraformers.events import TerraformersEvent
from domain.games.terraformers.printed import worth
from domain.games.terraformers.rules.power import column_of, free, levels_of
from domain.games.terraformers.state import Player, Table, ability_of

Telling = Teller[Table, TerraformersEvent]


def happen(teller: Telling, seat: Seat, card: Name, effects: tuple[Happening, ...], placed: int = 0) -> None:
    """Tell what effects of a card bring about, in their order, for the player who used it or owns it.

    Rule:    TF-7, TF-8, TF-19, TF-20, TF-25, TF-43.
    Shape:   nothing is told of amounts that are 0.
    """
    for effect in effects:
        match effect:
            case abilities.GainPoints() | abilities.TakeTips():
                _gain(teller, seat, card, effect, placed)
            case abilities.PayTips():
                _pay(teller, seat, card, effect)
            case abilities.Fill():
                _fill(teller, seat, effect)
            case abilities.MarkStars():
                total = teller.state.players[seat].stars + effect.stars
                teller.tell(events.StarsMarked(seat, card, effect.stars, total))
            case abilities.AddTips():
                _add_tips(teller, seat, card, effect)
            case abilities.Outdo():
                _outdo(teller, seat, card, effect)
            case abilities.Contest():
                _contest(teller, seat, card, effect)
            case _:
                assert_never(effect)


def _gain(
    teller: Telling, seat: Seat, card: Name, effect: abilities.GainPoints | abilities.TakeTips, placed: int
) -> None:
    """Rule: TF-28, TF-41."""
    player = teller.state.players[seat]
    levels = levels_of(player, ability_of(teller.state, player))
    amount = worth(effect.amount, levels, player.stars, placed)
    if not amount:
        return
    if isinstance(effect, abilities.TakeTips):
        teller.tell(events.TipsTaken(seat, card, amount))
    elif not (effect.all_placed and player.hand):
        teller.tell(events.CardScored(seat, card, amount))


def _pay(teller: Telling, seat: Seat, card: Name, effect: abilities.PayTips) -> None:
    """As far as there are any. Rule: TF-40."""
    if tips := min(effect.tips, teller.state.players[seat].hand):
        teller.tell(events.TipsPaid(seat, card, tips))


def _fill(teller: Telling, seat: Seat, effect: abilities.Fill) -> None:
    """Rule: TF-15."""
    at = LEVEL_AT[effect.level]
    level = teller.state.players[seat].levels[at]
    if boxes := free(column_of(teller.state.terms.pack, at), level, effect.boxes):
        teller.tell(events.LevelRaised(seat, effect.level, boxes, level + boxes))


def _add_tips(teller: Telling, seat: Seat, card: Name, effect: abilities.AddTips) -> None:
    """Tips go on occupied boxes, too. Rule: TF-11."""
    for other, player in enumerate(teller.state.players):
        if other == seat and effect.whose is Whose.OTHERS:
            continue
        for box in effect.boxes:
            if player.boxes[BOX_AT[box]] or not effect.occupied:
                teller.tell(events.TipsAdded(other, box, effect.tips, card))


def provoke(teller: Telling, target: Seat, card: Name, effect: abilities.Provoke) -> None:
    """Tell that the player named puts tips from hand on a box, occupied or not, as far as there are any.

    Rule:    TF-11, TF-40.
    """
    if tips := min(effect.tips, teller.state.players[target].hand):
        teller.tell(events.TipsForced(target, effect.box, tips, card))


def _level(table: Table, player: Player, level: Level) -> int:
    """The player's level as it counts where players are compared. Rule: TF-30, TF-42."""
    return levels_of(player, ability_of(table, player))[LEVEL_AT[level]]


def _outdo(teller: Telling, seat: Seat, card: Name, effect: abilities.Outdo) -> None:
    """Rule: TF-42."""
    table = teller.state
    own = _level(table, table.players[seat], effect.level)
    for other, player in enumerate(table.players):
        if effect.points and _level(table, player, effect.level) < own:
            teller.tell(events.CardScored(other, card, -effect.points))


def _contest(teller: Telling, seat: Seat, card: Name, effect: abilities.Contest) -> None:
    """Rule: TF-42."""
    table = teller.state
    levels = [_level(table, player, effect.level) for player in table.players]
    own = levels.pop(seat)
    highest = max(levels)
    points = effect.highest if own > highest else effect.tied if own == highest else effect.otherwise
    if points:
        teller.tell(events.CardScored(seat, card, points))

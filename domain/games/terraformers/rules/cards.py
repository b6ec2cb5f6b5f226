"""The events of the effects of planet cards."""

from __future__ import annotations

from typing import assert_never

from domain.game import EventBuffer, Seat
from domain.games.terraformers import abilities, events
from domain.games.terraformers.abilities import Happening, Whose
from domain.games.terraformers.components import BOX_AT, LEVEL_AT, Level, Name
from domain.games.terraformers.events import TerraformersEvent
from domain.games.terraformers.printed import worth
from domain.games.terraformers.rules.power import column_of, free, levels_of
from domain.games.terraformers.state import Player, Table, ability_of

Buffer = EventBuffer[Table, TerraformersEvent]


def happen(buffer: Buffer, seat: Seat, card: Name, effects: tuple[Happening, ...], placed: int = 0) -> None:
    """Add the events of a card's effects, in their order, for the player who used it or owns it.

    Rule:    TF-7, TF-8, TF-19, TF-20, TF-25, TF-43.
    Shape:   amounts of 0 make no event.
    """
    for effect in effects:
        match effect:
            case abilities.GainPoints() | abilities.TakeTips():
                _gain(buffer, seat, card, effect, placed)
            case abilities.PayTips():
                _pay(buffer, seat, card, effect)
            case abilities.Fill():
                _fill(buffer, seat, effect)
            case abilities.MarkStars():
                total = buffer.state.players[seat].stars + effect.stars
                buffer.tell(events.StarsMarked(seat, card, effect.stars, total))
            case abilities.AddTips():
                _add_tips(buffer, seat, card, effect)
            case abilities.Outdo():
                _outdo(buffer, seat, card, effect)
            case abilities.Contest():
                _contest(buffer, seat, card, effect)
            case _:
                assert_never(effect)


def _gain(
    buffer: Buffer, seat: Seat, card: Name, effect: abilities.GainPoints | abilities.TakeTips, placed: int
) -> None:
    """Rule: TF-28, TF-41."""
    player = buffer.state.players[seat]
    levels = levels_of(player, ability_of(buffer.state, player))
    amount = worth(effect.amount, levels, player.stars, placed)
    if not amount:
        return
    if isinstance(effect, abilities.TakeTips):
        buffer.tell(events.TipsTaken(seat, card, amount))
    elif not (effect.all_placed and player.hand):
        buffer.tell(events.CardScored(seat, card, amount))


def _pay(buffer: Buffer, seat: Seat, card: Name, effect: abilities.PayTips) -> None:
    """Pay the tips, or all in hand if there are fewer. Rule: TF-40."""
    if tips := min(effect.tips, buffer.state.players[seat].hand):
        buffer.tell(events.TipsPaid(seat, card, tips))


def _fill(buffer: Buffer, seat: Seat, effect: abilities.Fill) -> None:
    """Rule: TF-15."""
    at = LEVEL_AT[effect.level]
    level = buffer.state.players[seat].levels[at]
    if boxes := free(column_of(buffer.state.terms.pack, at), level, effect.boxes):
        buffer.tell(events.LevelRaised(seat, effect.level, boxes, level + boxes))


def _add_tips(buffer: Buffer, seat: Seat, card: Name, effect: abilities.AddTips) -> None:
    """Add tips to boxes, to occupied ones too. Rule: TF-11."""
    for other, player in enumerate(buffer.state.players):
        if other == seat and effect.whose is Whose.OTHERS:
            continue
        for box in effect.boxes:
            if player.boxes[BOX_AT[box]] or not effect.occupied:
                buffer.tell(events.TipsAdded(other, box, effect.tips, card))


def provoke(buffer: Buffer, target: Seat, card: Name, effect: abilities.Provoke) -> None:
    """Make the named player put tips from hand on a box, occupied or not; all tips if there are fewer.

    Rule:    TF-11, TF-40.
    """
    if tips := min(effect.tips, buffer.state.players[target].hand):
        buffer.tell(events.TipsForced(target, effect.box, tips, card))


def _level(table: Table, player: Player, level: Level) -> int:
    """Return the player's level as it counts where players are compared. Rule: TF-30, TF-42."""
    return levels_of(player, ability_of(table, player))[LEVEL_AT[level]]


def _outdo(buffer: Buffer, seat: Seat, card: Name, effect: abilities.Outdo) -> None:
    """Rule: TF-42."""
    table = buffer.state
    own = _level(table, table.players[seat], effect.level)
    for other, player in enumerate(table.players):
        if effect.points and _level(table, player, effect.level) < own:
            buffer.tell(events.CardScored(other, card, -effect.points))


def _contest(buffer: Buffer, seat: Seat, card: Name, effect: abilities.Contest) -> None:
    """Rule: TF-42."""
    table = buffer.state
    levels = [_level(table, player, effect.level) for player in table.players]
    own = levels.pop(seat)
    highest = max(levels)
    points = effect.highest if own > highest else effect.tied if own == highest else effect.otherwise
    if points:
        buffer.tell(events.CardScored(seat, card, points))

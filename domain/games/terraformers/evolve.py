"""Writes events down on the table. Judges nothing: whatever an event brings about is told by the next one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.game import Seat
from domain.games.terraformers.components import BOX_AT, BOXES, LEVEL_AT, Levels
from domain.games.terraformers.events import (
    AbilityCopied,
    BoxChosen,
    BoxUsed,
    CardChosen,
    CardScored,
    CardUsed,
    CarnivalScored,
    CopyEnded,
    LevelRaised,
    MarkerDrawn,
    MarkerMoved,
    MatchEnded,
    OxygenResolved,
    Passed,
    PlanetLaid,
    RoundStarted,
    SpeciesAcquired,
    SpeciesChosen,
    SpeciesGuarded,
    SpeciesPutBack,
    SpeciesReturned,
    StarsMarked,
    TerraformersEvent,
    TipsAdded,
    TipsDealt,
    TipsForced,
    TipsPaid,
    TipsReturned,
    TipsTaken,
    TurnStarted,
    WarResolved,
    WarScored,
)
from domain.games.terraformers.state import (
    ACTION,
    BOX_TIPS,
    CARD_TIPS,
    OVER,
    RESOLVING,
    SPECIES_TIPS,
    Player,
    Table,
    Turn,
    spot_of,
)

NO_TIPS = (0,) * len(BOXES)


def evolve(table: Table, event: TerraformersEvent) -> Table:
    """The table after the event."""
    return WRITE[type(event)](table, event)


def _put(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _player(table: Table, seat: Seat, player: Player) -> Table:
    players = table.players
    return replace(table, players=(*players[:seat], player, *players[seat + 1 :]))


def _planet_laid(table: Table, event: PlanetLaid) -> Table:
    cards = {laid.name: laid for laid in table.terms.cards}
    planet = tuple(cards[name] for name in event.cards)
    return replace(table, planet=planet, tips=(0,) * len(planet), copies=tuple(range(len(planet))))


def _marker_drawn(table: Table, event: MarkerDrawn) -> Table:
    return replace(table, marker=event.seat)


def _round_started(table: Table, event: RoundStarted) -> Table:
    return replace(table, round=event.round, turn=Turn())


def _tips_dealt(table: Table, event: TipsDealt) -> Table:
    dealt = zip(table.players, event.tips, strict=True)
    return replace(table, players=tuple(replace(player, hand=tips, has_passed=False) for player, tips in dealt))


def _turn_started(table: Table, event: TurnStarted) -> Table:
    return replace(table, turn=Turn(ACTION, event.seat))


def _box_chosen(table: Table, event: BoxChosen) -> Table:
    return replace(table, turn=replace(table.turn, phase=BOX_TIPS, at=BOX_AT[event.box]))


def _card_chosen(table: Table, event: CardChosen) -> Table:
    at = spot_of(table, event.card)
    return replace(table, turn=replace(table.turn, phase=CARD_TIPS, at=at, against=event.against))


def _species_chosen(table: Table, event: SpeciesChosen) -> Table:
    at = spot_of(table, event.card)
    return replace(table, turn=replace(table.turn, phase=SPECIES_TIPS, at=at))


def _resolving(turn: Turn) -> Turn:
    return Turn(RESOLVING, turn.seat)


def _boxes(player: Player, at: int, tips: int) -> tuple[int, ...]:
    boxes = player.boxes
    return (*boxes[:at], boxes[at] + tips, *boxes[at + 1 :])


def _box_used(table: Table, event: BoxUsed) -> Table:
    seat, tips, players = event.seat, event.tips, table.players
    player = players[seat]
    after = replace(player, hand=player.hand - tips, boxes=_boxes(player, BOX_AT[event.box], tips))
    players = (*players[:seat], after, *players[seat + 1 :])
    return replace(table, players=players, turn=_resolving(table.turn))


def _placed_on_card(table: Table, event: CardUsed | SpeciesAcquired | SpeciesGuarded, player: Player) -> Table:
    """Tips from the player's hand lie on the card."""
    spot = spot_of(table, event.card)
    tips = _put(table.tips, spot, table.tips[spot] + event.tips)
    players = _put(table.players, event.seat, replace(player, hand=player.hand - event.tips))
    return replace(table, players=players, tips=tips, turn=_resolving(table.turn))


def _card_used(table: Table, event: CardUsed | SpeciesGuarded) -> Table:
    return _placed_on_card(table, event, table.players[event.seat])


def _let_go(table: Table, seat: Seat) -> Table:
    return _player(table, seat, replace(table.players[seat], species=()))


def _species_returned(table: Table, event: SpeciesReturned) -> Table:
    return _let_go(table, event.seat)


def _species_acquired(table: Table, event: SpeciesAcquired) -> Table:
    for loser in event.loser:
        table = _let_go(table, loser)
    player = replace(table.players[event.seat], species=(spot_of(table, event.card),))
    return _placed_on_card(table, event, player)


def _species_put_back(table: Table, event: SpeciesPutBack) -> Table:
    player = table.players[event.seat]
    table = _player(table, event.seat, replace(player, species=(), hand=player.hand - event.tips))
    return replace(table, turn=_resolving(table.turn))


def _ability_copied(table: Table, event: AbilityCopied) -> Table:
    copies = _put(table.copies, spot_of(table, event.card), spot_of(table, event.copied))
    player = table.players[event.seat]
    table = _player(table, event.seat, replace(player, hand=player.hand - event.tips))
    return replace(table, copies=copies, turn=replace(table.turn, has_copied=True))


def _copy_ended(table: Table, event: CopyEnded) -> Table:
    spot = spot_of(table, event.card)
    return replace(table, copies=_put(table.copies, spot, spot))


def _passed(table: Table, event: Passed) -> Table:
    players = _put(table.players, event.seat, replace(table.players[event.seat], has_passed=True))
    return replace(table, players=players, turn=_resolving(table.turn))


def _level_raised(table: Table, event: LevelRaised) -> Table:
    player = table.players[event.seat]
    levels: Levels = _put(player.levels, LEVEL_AT[event.level], event.to)
    return _player(table, event.seat, replace(player, levels=levels))


def _scored(table: Table, event: CardScored | OxygenResolved | WarScored | CarnivalScored) -> Table:
    if not event.points:
        return table
    player = table.players[event.seat]
    return _player(table, event.seat, replace(player, points=player.points + event.points))


def _tips_taken(table: Table, event: TipsTaken) -> Table:
    player = table.players[event.seat]
    return _player(table, event.seat, replace(player, hand=player.hand + event.tips))


def _tips_paid(table: Table, event: TipsPaid) -> Table:
    player = table.players[event.seat]
    return _player(table, event.seat, replace(player, hand=player.hand - event.tips))


def _tips_added(table: Table, event: TipsAdded) -> Table:
    player = table.players[event.seat]
    return _player(table, event.seat, replace(player, boxes=_boxes(player, BOX_AT[event.box], event.tips)))


def _tips_forced(table: Table, event: TipsForced) -> Table:
    player = table.players[event.seat]
    boxes = _boxes(player, BOX_AT[event.box], event.tips)
    return _player(table, event.seat, replace(player, hand=player.hand - event.tips, boxes=boxes))


def _stars_marked(table: Table, event: StarsMarked) -> Table:
    return _player(table, event.seat, replace(table.players[event.seat], stars=event.total))


def _war_resolved(table: Table, event: WarResolved) -> Table:
    """Told to be read: what the first two gain is told next."""
    return table


def _marker_moved(table: Table, event: MarkerMoved) -> Table:
    return replace(table, marker=event.seat)


def _tips_returned(table: Table, event: TipsReturned) -> Table:
    players = tuple(replace(player, hand=0, boxes=NO_TIPS) for player in table.players)
    return replace(table, players=players, tips=(0,) * len(table.tips))


def _match_ended(table: Table, event: MatchEnded) -> Table:
    return replace(table, turn=Turn(OVER))


WRITE: dict[type[Any], Callable[[Table, Any], Table]] = {
    PlanetLaid: _planet_laid,
    MarkerDrawn: _marker_drawn,
    RoundStarted: _round_started,
    TipsDealt: _tips_dealt,
    TurnStarted: _turn_started,
    BoxChosen: _box_chosen,
    CardChosen: _card_chosen,
    SpeciesChosen: _species_chosen,
    BoxUsed: _box_used,
    CardUsed: _card_used,
    SpeciesReturned: _species_returned,
    SpeciesAcquired: _species_acquired,
    SpeciesGuarded: _card_used,
    SpeciesPutBack: _species_put_back,
    AbilityCopied: _ability_copied,
    CopyEnded: _copy_ended,
    Passed: _passed,
    LevelRaised: _level_raised,
    CardScored: _scored,
    TipsTaken: _tips_taken,
    TipsPaid: _tips_paid,
    TipsAdded: _tips_added,
    TipsForced: _tips_forced,
    StarsMarked: _stars_marked,
    OxygenResolved: _scored,
    WarResolved: _war_resolved,
    WarScored: _scored,
    MarkerMoved: _marker_moved,
    CarnivalScored: _scored,
    TipsReturned: _tips_returned,
    MatchEnded: _match_ended,
}
"""How each event is written down; looked up by type, which folds faster than a match."""

"""Changes the table by events. No rules are applied here: each consequence of an event is another event."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import Evolve, Seat, put
from domain.games.terraformers import events
from domain.games.terraformers.components import BOX_AT, BOXES, LEVEL_AT
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


def _player(table: Table, seat: Seat, player: Player) -> Table:
    return replace(table, players=put(table.players, seat, player))


def _planet_laid(table: Table, event: events.PlanetLaid) -> Table:
    cards = {laid.name: laid for laid in table.terms.cards}
    planet = tuple(cards[name] for name in event.cards)
    return replace(table, planet=planet, tips=(0,) * len(planet), copies=tuple(range(len(planet))))


def _marker_given(table: Table, event: events.MarkerDrawn | events.MarkerMoved) -> Table:
    return replace(table, marker=event.seat)


def _round_started(table: Table, event: events.RoundStarted) -> Table:
    return replace(table, round=event.round, turn=Turn())


def _tips_dealt(table: Table, event: events.TipsDealt) -> Table:
    dealt = zip(table.players, event.tips, strict=True)
    return replace(table, players=tuple(replace(player, hand=tips, has_passed=False) for player, tips in dealt))


def _turn_started(table: Table, event: events.TurnStarted) -> Table:
    return replace(table, turn=Turn(ACTION, event.seat))


def _box_chosen(table: Table, event: events.BoxChosen) -> Table:
    return replace(table, turn=replace(table.turn, phase=BOX_TIPS, at=BOX_AT[event.box]))


def _card_chosen(table: Table, event: events.CardChosen) -> Table:
    at = spot_of(table, event.card)
    return replace(table, turn=replace(table.turn, phase=CARD_TIPS, at=at, against=event.against))


def _species_chosen(table: Table, event: events.SpeciesChosen) -> Table:
    at = spot_of(table, event.card)
    return replace(table, turn=replace(table.turn, phase=SPECIES_TIPS, at=at))


def _resolving(turn: Turn) -> Turn:
    return Turn(RESOLVING, turn.seat)


def _boxes(player: Player, at: int, tips: int) -> tuple[int, ...]:
    return put(player.boxes, at, player.boxes[at] + tips)


def _box_used(table: Table, event: events.BoxUsed) -> Table:
    player, tips = table.players[event.seat], event.tips
    after = replace(player, hand=player.hand - tips, boxes=_boxes(player, BOX_AT[event.box], tips))
    return replace(table, players=put(table.players, event.seat, after), turn=_resolving(table.turn))


def _placed_on_card(
    table: Table, event: events.CardUsed | events.SpeciesAcquired | events.SpeciesGuarded, player: Player
) -> Table:
    """Put tips from the player's hand on the card."""
    spot = spot_of(table, event.card)
    tips = put(table.tips, spot, table.tips[spot] + event.tips)
    players = put(table.players, event.seat, replace(player, hand=player.hand - event.tips))
    return replace(table, players=players, tips=tips, turn=_resolving(table.turn))


def _card_used(table: Table, event: events.CardUsed | events.SpeciesGuarded) -> Table:
    return _placed_on_card(table, event, table.players[event.seat])


def _let_go(table: Table, seat: Seat) -> Table:
    return _player(table, seat, replace(table.players[seat], species=()))


def _species_returned(table: Table, event: events.SpeciesReturned) -> Table:
    return _let_go(table, event.seat)


def _species_acquired(table: Table, event: events.SpeciesAcquired) -> Table:
    for loser in event.loser:
        table = _let_go(table, loser)
    player = replace(table.players[event.seat], species=(spot_of(table, event.card),))
    return _placed_on_card(table, event, player)


def _species_put_back(table: Table, event: events.SpeciesPutBack) -> Table:
    player = table.players[event.seat]
    table = _player(table, event.seat, replace(player, species=(), hand=player.hand - event.tips))
    return replace(table, turn=_resolving(table.turn))


def _ability_copied(table: Table, event: events.AbilityCopied) -> Table:
    copies = put(table.copies, spot_of(table, event.card), spot_of(table, event.copied))
    player = table.players[event.seat]
    table = _player(table, event.seat, replace(player, hand=player.hand - event.tips))
    return replace(table, copies=copies, turn=replace(table.turn, has_copied=True))


def _copy_ended(table: Table, event: events.CopyEnded) -> Table:
    spot = spot_of(table, event.card)
    return replace(table, copies=put(table.copies, spot, spot))


def _passed(table: Table, event: events.Passed) -> Table:
    players = put(table.players, event.seat, replace(table.players[event.seat], has_passed=True))
    return replace(table, players=players, turn=_resolving(table.turn))


def _level_raised(table: Table, event: events.LevelRaised) -> Table:
    player = table.players[event.seat]
    city, green, science, cosmo = put(player.levels, LEVEL_AT[event.level], event.to)
    return _player(table, event.seat, replace(player, levels=(city, green, science, cosmo)))


def _scored(
    table: Table, event: events.CardScored | events.OxygenResolved | events.WarScored | events.CarnivalScored
) -> Table:
    if not event.points:
        return table
    player = table.players[event.seat]
    return _player(table, event.seat, replace(player, points=player.points + event.points))


def _tips_taken(table: Table, event: events.TipsTaken) -> Table:
    player = table.players[event.seat]
    return _player(table, event.seat, replace(player, hand=player.hand + event.tips))


def _tips_paid(table: Table, event: events.TipsPaid) -> Table:
    player = table.players[event.seat]
    return _player(table, event.seat, replace(player, hand=player.hand - event.tips))


def _tips_added(table: Table, event: events.TipsAdded) -> Table:
    player = table.players[event.seat]
    return _player(table, event.seat, replace(player, boxes=_boxes(player, BOX_AT[event.box], event.tips)))


def _tips_forced(table: Table, event: events.TipsForced) -> Table:
    player = table.players[event.seat]
    boxes = _boxes(player, BOX_AT[event.box], event.tips)
    return _player(table, event.seat, replace(player, hand=player.hand - event.tips, boxes=boxes))


def _stars_marked(table: Table, event: events.StarsMarked) -> Table:
    return _player(table, event.seat, replace(table.players[event.seat], stars=event.total))


def _war_resolved(table: Table, event: events.WarResolved) -> Table:
    """Leave the table as it is: what the first two seats gain is in the next events."""
    return table


def _tips_returned(table: Table, event: events.TipsReturned) -> Table:
    players = tuple(replace(player, hand=0, boxes=NO_TIPS) for player in table.players)
    return replace(table, players=players, tips=(0,) * len(table.tips))


def _match_ended(table: Table, event: events.MatchEnded) -> Table:
    return replace(table, turn=Turn(OVER))


evolve: Evolve[Table] = Evolve(
    {
        events.PlanetLaid: _planet_laid,
        events.MarkerDrawn: _marker_given,
        events.RoundStarted: _round_started,
        events.TipsDealt: _tips_dealt,
        events.TurnStarted: _turn_started,
        events.BoxChosen: _box_chosen,
        events.CardChosen: _card_chosen,
        events.SpeciesChosen: _species_chosen,
        events.BoxUsed: _box_used,
        events.CardUsed: _card_used,
        events.SpeciesReturned: _species_returned,
        events.SpeciesAcquired: _species_acquired,
        events.SpeciesGuarded: _card_used,
        events.SpeciesPutBack: _species_put_back,
        events.AbilityCopied: _ability_copied,
        events.CopyEnded: _copy_ended,
        events.Passed: _passed,
        events.LevelRaised: _level_raised,
        events.CardScored: _scored,
        events.TipsTaken: _tips_taken,
        events.TipsPaid: _tips_paid,
        events.TipsAdded: _tips_added,
        events.TipsForced: _tips_forced,
        events.StarsMarked: _stars_marked,
        events.OxygenResolved: _scored,
        events.WarResolved: _war_resolved,
        events.WarScored: _scored,
        events.MarkerMoved: _marker_given,
        events.CarnivalScored: _scored,
        events.TipsReturned: _tips_returned,
        events.MatchEnded: _match_ended,
    }
)
"""Returns the table after an event."""

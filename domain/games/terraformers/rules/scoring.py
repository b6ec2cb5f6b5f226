"""Oxygen, war, carnival, the effects at the game's end, and the ranking."""

from __future__ import annotations

from domain.game import Seat, Standing
from domain.games.terraformers import events
from domain.games.terraformers.abilities import Compare, Extreme
from domain.games.terraformers.components import CARNIVAL, OXYGEN, WAR, Levels, Name
from domain.games.terraformers.printed import value_of, worth
from domain.games.terraformers.rules.cards import Buffer, happen
from domain.games.terraformers.rules.power import base_of, levels_of
from domain.games.terraformers.state import OVER, Player, Table, ability_of, clockwise

Counts = tuple[tuple[Levels, int], ...]
"""The levels and the stars of each seat."""


def oxygen(buffer: Buffer) -> None:
    """Resolve oxygen for everybody: whether green and oxygen power reach city, and what a surplus gives.

    Rule:    TF-16, TF-24, TF-35, TF-36.
    """
    for seat in clockwise(buffer.state):
        resolved = oxygen_of(buffer.state, seat)
        table = buffer.tell(resolved)
        if points := surplus_points(table, resolved):
            buffer.tell(events.CardScored(seat, _species(table, table.players[seat]), points))


def oxygen_of(table: Table, seat: Seat) -> events.OxygenResolved:
    """Return the event that resolves the seat's oxygen with the tips as they are now. Rule: TF-16, TF-35."""
    player = table.players[seat]
    ability = ability_of(table, player)
    city, green = player.levels[0], player.levels[1]
    tips = player.boxes[OXYGEN]
    power = base_of(player, ability) + tips if tips else 0
    succeeds = ability.oxygen_succeeds or green + power >= city
    return events.OxygenResolved(seat, city, green, power, succeeds, 0 if succeeds else -table.terms.pack.oxygen.lose)


def surplus_points(table: Table, oxygen: events.OxygenResolved) -> int:
    """Return the points that the seat's species gives for surplus oxygen. Rule: TF-36."""
    each = ability_of(table, table.players[oxygen.seat]).surplus
    return each * max(0, oxygen.green + oxygen.power - oxygen.city)


def _species(table: Table, player: Player) -> Name:
    return table.planet[player.species[0]].name


def war_power(table: Table, seat: Seat) -> int | None:
    """Return the seat's power in war; None if it takes no part. Rule: TF-17, TF-34."""
    player = table.players[seat]
    ability = ability_of(table, player)
    bonuses = ability.war
    tips = player.boxes[WAR]
    if not tips:
        bonuses = tuple([bonus for bonus in bonuses if bonus.without_tips])
        if not bonuses:
            return None
    power = base_of(player, ability) + tips if tips else 0
    if bonuses:
        levels = levels_of(player, ability)
        power += sum(worth(bonus.amount, levels, player.stars) for bonus in bonuses)
    return power


def belligerents(table: Table) -> tuple[tuple[Seat, int], ...]:
    """Return the seats that take part in war with their power, the strongest first.

    Of equal ones the nearer to the marker comes first.

    Rule:    TF-17.
    """
    powers = [(seat, power) for seat in clockwise(table) if (power := war_power(table, seat)) is not None]
    return tuple(sorted(powers, key=lambda entry: -entry[1]))


def war(buffer: Buffer) -> None:
    """Resolve war: the first gains points and the marker, the second points. Rule: TF-17, TF-24."""
    table = buffer.state
    ranked = belligerents(table)
    if not ranked:
        return
    buffer.tell(events.WarResolved(tuple(seat for seat, _ in ranked), tuple(power for _, power in ranked)))
    gains = (table.terms.pack.war.first, table.terms.pack.war.second)
    for place, ((seat, _), points) in enumerate(zip(ranked, gains, strict=False), start=1):
        buffer.tell(events.WarScored(seat, place, points))
    if ranked[0][0] != table.marker:
        buffer.tell(events.MarkerMoved(ranked[0][0]))


def carnival(buffer: Buffer) -> None:
    """Give all players the points of their carnival power, with tips there or without. Rule: TF-18, TF-24, TF-44."""
    for seat in clockwise(buffer.state):
        if power := carnival_power(buffer.state, seat):
            buffer.tell(events.CarnivalScored(seat, power, power))


def carnival_power(table: Table, seat: Seat) -> int | None:
    """Return the points of the seat's carnival with the tips as they are now; None if it gives none at all.

    Rule:    TF-18, TF-44.
    """
    player = table.players[seat]
    ability = ability_of(table, player)
    return None if ability.no_carnival else base_of(player, ability) + player.boxes[CARNIVAL]


def game_end(buffer: Buffer) -> None:
    """Add the effects of box cards at the end, in table order, then of species, clockwise, and the result.

    Rule:    TF-25.
    """
    for laid in buffer.state.planet:
        for compare in laid.compares:
            _compare(buffer, laid.name, compare)
        if laid.game_end:
            for seat in clockwise(buffer.state):
                happen(buffer, seat, laid.name, laid.game_end)
    for seat in clockwise(buffer.state):
        table = buffer.state
        player = table.players[seat]
        if effects := ability_of(table, player).game_end:
            happen(buffer, seat, _species(table, player), effects)
    standings = standing(buffer.state)
    buffer.tell(events.MatchEnded(standings.points, standings.ranking))


def counts_of(table: Table) -> Counts:
    """Return the numbers of each seat that cards compare: the levels as they count, and the stars. Rule: TF-30."""
    return tuple([(levels_of(player, ability_of(table, player)), player.stars) for player in table.players])


def concerned(counts: Counts, compare: Compare) -> tuple[Seat, ...]:
    """Return the seats with the most or the least of what a card compares, if they have enough of it.

    Rule:    TF-25, TF-27, TF-42.
    """
    values = [value_of(compare.of, levels, stars) for levels, stars in counts]
    mark = max(values) if compare.extreme is Extreme.HIGHEST else min(values)
    return tuple(seat for seat, value in enumerate(values) if value == mark and value >= compare.at_least)


def _compare(buffer: Buffer, card: Name, compare: Compare) -> None:
    if compare.points:
        for seat in concerned(counts_of(buffer.state), compare):
            buffer.tell(events.CardScored(seat, card, compare.points))


def standing(table: Table) -> Standing:
    """Return points and places. Of equal points the seat nearer to the marker, clockwise from its holder, is first.

    Rule:    TF-26.
    """
    points = tuple(player.points for player in table.players)
    order = sorted(clockwise(table), key=lambda seat: -points[seat])
    ranking = tuple(order.index(seat) + 1 for seat in range(len(points)))
    return Standing(points=points, ranking=ranking, over=table.turn.phase is OVER)

"""The prospects of each seat: points, what this round should bring, the rounds to come, and the game's end.

All numbers here are guesses in points. None is for one card: effects are weighed by kind.
"""

from __future__ import annotations

from functools import lru_cache

from domain.game import Seat, total
from domain.games.terraformers import abilities
from domain.games.terraformers.abilities import Happening
from domain.games.terraformers.components import CARNIVAL, OXYGEN, ROUNDS, SCIENCE, WAR, Box, Levels
from domain.games.terraformers.printed import NONE, Ability, Laid, worth
from domain.games.terraformers.rules.power import base_of, levels_of
from domain.games.terraformers.rules.scoring import Counts, belligerents, concerned, counts_of, standing
from domain.games.terraformers.state import OVER, Player, Table, Terms, ability_of, clockwise

TIP = 1.4
"""The worth of a tip in hand, while carnival is open to it."""
LATE_TIP = 0.7
"""The same if carnival is not open."""
BASE = 0.5
"""The worth of a power of 1 before any tip, which each of a few actions has."""
ACTIONS = 6
KEEP = 0.25
"""The probability that a species is kept in a later round."""
SHARE = 0.5
"""How often a player uses a box card, if one of all players uses it each round."""
NO_CARNIVAL = 1.5
"""How much less a round is worth to a player whose carnival gives nothing or may not be chosen."""
MARKER = 1.0
"""The worth of the first choice of the next round, and of every tie in it."""
LAST_MARKER = 0.3
"""The same after the last round, for a tie of points."""
OUTBID = 0.65
"""The part that is left of a place in war for each rival who can still outbid it."""
SUREST, DOUBT = 1.0, 0.35
"""How much the game's end counts now: less, the more rounds are to come."""
TURNS = 3
"""The turns of a player in a round."""

Planet = tuple[Laid, ...]
"""The cards, by which much is kept below: a bot that searches asks for the same numbers again and again."""


def prospects(table: Table) -> tuple[float, ...]:
    """Return the points that each seat may hope for in the end, in seat order."""
    if table.turn.phase is OVER:
        places = standing(table).ranking
        # the marker decides a tie, so the place is added
        return tuple(player.points + 1 / place for player, place in zip(table.players, places, strict=True))
    left = ROUNDS - table.round
    players, planet = table.players, table.planet
    terms, seats = table.terms, len(players)
    hopes = [_alone(terms, planet, left, seats, player, ability_of(table, player)) for player in players]
    hopes[table.marker] += MARKER if left else LAST_MARKER
    for seat, points in _war(table):
        hopes[seat] += points
    if left:
        for seat, player in enumerate(players):
            hopes[seat] += _shielded(table, player, left)
    sheets = tuple([(player.levels, player.stars) for player in players])
    for seat, points in _at_end(planet, left, counts_of(table), sheets):
        hopes[seat] += points
    return tuple(hopes)


@lru_cache(maxsize=1 << 13)
def _alone(terms: Terms, planet: Planet, left: int, seats: int, player: Player, ability: Ability) -> float:
    """Return the player's points, and what it may hope for whatever the others do."""
    sheet = Player(player.levels, stars=player.stars, species=player.species)
    return (
        player.points
        + _this_round(terms, planet, player, ability)
        + left * _a_round(planet, left, seats, sheet)
        - _oxygen(terms, planet, player, left)
    )


@lru_cache(maxsize=1 << 12)
def _at_end(planet: Planet, left: int, counts: Counts, sheets: Counts) -> tuple[tuple[Seat, float], ...]:
    """Return what box cards give to seats at the game's end, in table order; it counts less in earlier rounds."""
    sureness = SUREST / (1 + DOUBT * left)
    gains: list[tuple[Seat, float]] = []
    for laid in planet:
        for compare in laid.compares:
            gains.extend((seat, sureness * compare.points) for seat in concerned(counts, compare))
        for effect in laid.game_end:
            worths = [_happening(left, levels, stars, effect) for levels, stars in sheets]
            gains.extend((seat, sureness * points) for seat, points in enumerate(worths))
    return tuple(gains)


def _tips(tips: int, base: float, is_open: bool) -> float:
    """Return the worth of tips in hand."""
    return tips * (TIP if is_open else LATE_TIP) + BASE * base * min(tips, ACTIONS)


def _this_round(terms: Terms, planet: Planet, player: Player, ability: Ability) -> float:
    """Return the worth of oxygen and carnival as they are now, and of what the hand may still do."""
    base = base_of(player, ability)
    boxes, levels = player.boxes, player.levels
    carnival = boxes[CARNIVAL]
    hope = 0.0 if ability.no_carnival else float(base + carnival)
    hand = 0 if player.has_passed else player.hand
    lying = base + boxes[OXYGEN] if boxes[OXYGEN] else 0
    surplus = levels[1] + lying - levels[0]
    if surplus < 0 and not ability.oxygen_succeeds:
        lose = terms.pack.oxygen.lose
        need = max(1, -surplus - base)
        if hand >= need and not boxes[OXYGEN]:
            hope -= min(lose, need * TIP)
            hand -= need
        else:
            hope -= lose
    elif surplus > 0:
        hope += surplus * ability.surplus
    is_open = not carnival
    if hand and is_open and (ability.no_carnival or Box.CARNIVAL in ability.barred):
        hope -= NO_CARNIVAL
    worth_now = _tips(hand, base, is_open)
    if ability.copy_price and hand > ability.copy_price:
        worth_now = max(worth_now, _tips(hand - ability.copy_price, _best_base(planet, player), is_open))
    return hope + worth_now


@lru_cache(maxsize=1 << 13)
def _a_round(planet: Planet, left: int, seats: int, player: Player) -> float:
    """Return what each of the rounds to come should bring. It reads no tips and no points."""
    own = planet[player.species[0]].ability if player.species else NONE
    levels = player.levels
    science = levels[SCIENCE]
    base = science + KEEP * (base_of(player, own) - science)
    # in each of them carnival gives the power before any tip
    hope = _tips(levels[0], base, is_open=True) + base
    if player.species:
        hope += KEEP * _species(planet, left, player, own)
    share = SHARE / seats
    for laid in planet:
        if laid.is_box:
            hope += total(_happening(left, levels, player.stars, effect) for effect in laid.round_start)
            hope += share * max(0.0, _card(left, player, laid) - max(1, laid.cost - base) * TIP)
    return hope


def _oxygen(terms: Terms, planet: Planet, player: Player, left: int) -> float:
    """Return the cost of a city that outgrew its green: tips or points in each round, or the missing green once.

    Rule:    TF-14, TF-16.
    """
    missing = player.levels[0] - player.levels[1]
    if missing <= 0 or not left:
        return 0.0
    base = player.levels[SCIENCE]
    lose = terms.pack.oxygen.lose
    each = min(lose, max(1, missing - base) * TIP)
    column = terms.pack.levels.green
    filled = player.levels[1] - column.start
    prices = column.prices[filled : filled + missing]
    cost = left * each
    if len(prices) == missing:
        cost = min(cost, (1 + max(0, sum(prices) - base - 1)) * TIP)
    own = planet[player.species[0]].ability if player.species else NONE
    return cost * (1 - KEEP) if own.oxygen_succeeds else cost


def _species(planet: Planet, left: int, player: Player, own: Ability) -> float:
    """Return what a species brings in a round, without power and oxygen."""
    levels = levels_of(player, own)
    hope = total(_happening(left, levels, player.stars, effect) for effect in own.round_start)
    hope += TURNS * total(_happening(left, levels, player.stars, effect) for effect in own.turn_start)
    for bonus in own.war:
        hope += 0.5 * worth(bonus.amount, levels, player.stars) + (1.5 if bonus.without_tips else 0)
    hope += own.surplus * max(0, levels[1] - levels[0])
    if own.no_carnival or Box.CARNIVAL in own.barred:
        hope -= NO_CARNIVAL
    if own.copy_price:
        gain = _best_base(planet, player) - player.levels[SCIENCE]
        hope += max(0.0, BASE * ACTIONS * gain - TIP * own.copy_price)
    return hope


def _shielded(table: Table, player: Player, left: int) -> float:
    """Return what a species with tips on it brings when the next round starts: nobody can take it before."""
    if not player.species or not table.tips[player.species[0]]:
        return 0.0
    own = table.planet[player.species[0]].ability
    levels = levels_of(player, own)
    return (1 - KEEP) * total(_happening(left, levels, player.stars, effect) for effect in own.round_start)


def _best_base(planet: Planet, player: Player) -> int:
    """Return the power before any tip with the best of the other species copied."""
    return max(base_of(player, laid.ability) for laid in planet)


def _card(left: int, player: Player, laid: Laid) -> float:
    """Return what using a box card brings."""
    placed = max(1, laid.cost)
    return total(_happening(left, player.levels, player.stars, effect, placed) for effect in laid.used)


def _happening(left: int, levels: Levels, stars: int, effect: Happening, placed: int = 0) -> float:
    """Return what an effect brings to a player with these levels and stars."""
    match effect:
        case abilities.GainPoints(amount=amount):
            return worth(amount, levels, stars, placed)
        case abilities.TakeTips(amount=amount):
            return TIP * worth(amount, levels, stars, placed)
        case abilities.PayTips(tips=tips):
            return -TIP * tips
        case abilities.Fill(boxes=boxes):
            return float(boxes * left)
        case abilities.Outdo(points=points):
            return float(points) if levels[3] > 1 else 0.0
        case abilities.Contest(otherwise=otherwise, tied=tied):
            return (otherwise + tied) / 2
        case _:
            return 0.0


def _war(table: Table) -> list[tuple[Seat, float]]:
    """Return the worth of the places in war as tips are now: less, the more rivals can still outbid them."""
    marker = MARKER if table.round < ROUNDS else LAST_MARKER
    gains = (table.terms.pack.war.first + marker, table.terms.pack.war.second)
    ranked = belligerents(table)
    order = clockwise(table)
    hopes = []
    for (seat, power), gain in zip(ranked, gains, strict=False):
        hope = float(gain)
        is_nearer = True
        for other in order:
            if other == seat:
                is_nearer = False
            elif _may_outbid(table, table.players[other], power - is_nearer):
                hope *= OUTBID
        hopes.append((seat, hope))
    return hopes


def _may_outbid(table: Table, player: Player, power: int) -> bool:
    """Return whether the player can still place more power on war; of equal powers the marker's side wins."""
    if player.has_passed or player.boxes[WAR]:
        return False
    return base_of(player, ability_of(table, player)) + player.hand > power

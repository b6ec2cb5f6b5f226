"""The prospects of each seat: points, what this round should bring, the rounds to come, and the game's end.

All numbers here are guesses in points. None is for one card: effects are weighed by kind.
"""

from __future__ import annotations

from typing import NamedTuple

from domain.game import Seat
from domain.games.terraformers import abilities
from domain.games.terraformers.abilities import Happening
from domain.games.terraformers.components import CARNIVAL, OXYGEN, ROUNDS, SCIENCE, WAR, Box, Levels
from domain.games.terraformers.printed import NONE, Ability, Laid, worth
from domain.games.terraformers.rules.power import base_of, levels_of
from domain.games.terraformers.rules.scoring import belligerents, concerned, standing
from domain.games.terraformers.state import OVER, Player, Table, ability_of, clockwise

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

PLANETS, ROUNDS_KEPT = 64, 1 << 14
"""The planets, and the worths of rounds on each, that are kept: bots that search ask for the same ones often."""


def prospects(table: Table) -> tuple[float, ...]:
    """Return the points that each seat may hope for in the end, in seat order."""
    if table.turn.phase is OVER:
        places = standing(table).ranking
        # the marker decides a tie, so the place is added
        return tuple(player.points + 1 / place for player, place in zip(table.players, places, strict=True))
    left = ROUNDS - table.round
    hopes = [
        player.points
        + _this_round(table, player, ability_of(table, player))
        + left * _a_round(table, seat, player)
        - _oxygen(table, player, left)
        for seat, player in enumerate(table.players)
    ]
    hopes[table.marker] += MARKER if left else LAST_MARKER
    for seat, points in _war(table):
        hopes[seat] += points
    if left:
        for seat, player in enumerate(table.players):
            hopes[seat] += _shielded(table, player)
    sureness = SUREST / (1 + DOUBT * left)
    for laid in table.planet:
        for compare in laid.compares:
            for seat in concerned(table, compare):
                hopes[seat] += sureness * compare.points
        for effect in laid.game_end:
            for seat, player in enumerate(table.players):
                hopes[seat] += sureness * _happening(table, player, player.levels, effect)
    return tuple(hopes)


_KEPT: dict[int, _Kept] = {}
"""By the `id` of a planet's cards: to compare the cards themselves would take longer than the work that is saved."""


def _tips(tips: int, base: float, is_open: bool) -> float:
    """Return the worth of tips in hand."""
    return tips * (TIP if is_open else LATE_TIP) + BASE * base * min(tips, ACTIONS)


def _this_round(table: Table, player: Player, ability: Ability) -> float:
    """Return the worth of oxygen and carnival as they are now, and of what the hand may still do."""
    base = base_of(player, ability)
    boxes, levels = player.boxes, player.levels
    carnival = boxes[CARNIVAL]
    hope = 0.0 if ability.no_carnival else float(base + carnival)
    hand = 0 if player.has_passed else player.hand
    lying = base + boxes[OXYGEN] if boxes[OXYGEN] else 0
    surplus = levels[1] + lying - levels[0]
    if surplus < 0 and not ability.oxygen_succeeds:
        lose = table.terms.pack.oxygen.lose
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
        worth_now = max(worth_now, _tips(hand - ability.copy_price, _best_base(table, player), is_open))
    return hope + worth_now


def _a_round(table: Table, seat: Seat, player: Player) -> float:
    """Return what each of the rounds to come should bring. It is kept by all that it depends on."""
    kept = _KEPT.get(id(table.planet))
    if kept is None or kept.planet is not table.planet:
        if len(_KEPT) >= PLANETS:
            _KEPT.clear()
        kept = _KEPT[id(table.planet)] = _Kept(table.planet, {})
    key = (table.round, len(table.players), player.levels, player.stars, player.species)
    hope = kept.rounds.get(key)
    if hope is None:
        if len(kept.rounds) >= ROUNDS_KEPT:
            kept.rounds.clear()
        hope = kept.rounds[key] = _round_to_come(table, seat, player)
    return hope


class _Kept(NamedTuple):
    """The worth of rounds on a planet. It holds the planet, so that no other one has the same `id` meanwhile."""

    planet: tuple[Laid, ...]
    rounds: dict[tuple[object, ...], float]


def _round_to_come(table: Table, seat: Seat, player: Player) -> float:
    own = table.planet[player.species[0]].ability if player.species else NONE
    levels = player.levels
    science = levels[SCIENCE]
    base = science + KEEP * (base_of(player, own) - science)
    # in each of them carnival gives the power before any tip
    hope = _tips(levels[0], base, is_open=True) + base
    if player.species:
        hope += KEEP * _species(table, player, own)
    share = SHARE / len(table.players)
    for laid in table.planet:
        if laid.is_box:
            hope += sum(_happening(table, player, levels, effect) for effect in laid.round_start)
            hope += share * max(0.0, _card(table, seat, laid, levels) - max(1, laid.cost - base) * TIP)
    return hope


def _oxygen(table: Table, player: Player, left: int) -> float:
    """Return the cost of a city that outgrew its green: tips or points in each round, or the missing green once.

    Rule:    TF-14, TF-16.
    """
    missing = player.levels[0] - player.levels[1]
    if missing <= 0 or not left:
        return 0.0
    base = player.levels[SCIENCE]
    lose = table.terms.pack.oxygen.lose
    each = min(lose, max(1, missing - base) * TIP)
    column = table.terms.pack.levels.green
    filled = player.levels[1] - column.start
    prices = column.prices[filled : filled + missing]
    cost = left * each
    if len(prices) == missing:
        cost = min(cost, (1 + max(0, sum(prices) - base - 1)) * TIP)
    own = table.planet[player.species[0]].ability if player.species else NONE
    return cost * (1 - KEEP) if own.oxygen_succeeds else cost


def _species(table: Table, player: Player, own: Ability) -> float:
    """Return what a species brings in a round, without power and oxygen."""
    levels = levels_of(player, own)
    hope = sum(_happening(table, player, levels, effect) for effect in own.round_start)
    hope += TURNS * sum(_happening(table, player, levels, effect) for effect in own.turn_start)
    for bonus in own.war:
        hope += 0.5 * worth(bonus.amount, levels, player.stars) + (1.5 if bonus.without_tips else 0)
    hope += own.surplus * max(0, levels[1] - levels[0])
    if own.no_carnival or Box.CARNIVAL in own.barred:
        hope -= NO_CARNIVAL
    if own.copy_price:
        gain = _best_base(table, player) - player.levels[SCIENCE]
        hope += max(0.0, BASE * ACTIONS * gain - TIP * own.copy_price)
    return hope


def _shielded(table: Table, player: Player) -> float:
    """Return what a species with tips on it brings when the next round starts: nobody can take it before."""
    if not player.species or not table.tips[player.species[0]]:
        return 0.0
    own = table.planet[player.species[0]].ability
    levels = levels_of(player, own)
    return (1 - KEEP) * sum(_happening(table, player, levels, effect) for effect in own.round_start)


def _best_base(table: Table, player: Player) -> int:
    """Return the power before any tip with the best of the other species copied."""
    return max(base_of(player, laid.ability) for laid in table.planet)


def _card(table: Table, seat: Seat, laid: Laid, levels: Levels) -> float:
    """Return what using a box card brings."""
    player = table.players[seat]
    return sum(_happening(table, player, levels, effect, max(1, laid.cost)) for effect in laid.used)


def _happening(table: Table, player: Player, levels: Levels, effect: Happening, placed: int = 0) -> float:
    """Return what an effect brings to the player."""
    match effect:
        case abilities.GainPoints(amount=amount):
            return worth(amount, levels, player.stars, placed)
        case abilities.TakeTips(amount=amount):
            return TIP * worth(amount, levels, player.stars, placed)
        case abilities.PayTips(tips=tips):
            return -TIP * tips
        case abilities.Fill(boxes=boxes):
            return float(boxes * (ROUNDS - table.round))
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

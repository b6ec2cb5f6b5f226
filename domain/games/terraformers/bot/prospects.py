"""What each seat may hope for: points, what this round should bring, the rounds to come, and the game's end.

All numbers here are guesses of what things are worth in points. None belongs to a card: effects are weighed by kind.
"""

from __future__ import annotations

from domain.game import Seat
from domain.games.terraformers.components import CARNIVAL, OXYGEN, ROUNDS, SCIENCE, WAR, Box, Levels
from domain.games.terraformers.effects import Contest, Fill, GainPoints, Happening, Outdo, PayTips, TakeTips
from domain.games.terraformers.printed import NONE, Ability, Laid, worth
from domain.games.terraformers.rules.power import base_of, levels_of
from domain.games.terraformers.rules.scoring import belligerents, concerned, standing
from domain.games.terraformers.state import OVER, Player, Table, ability_of

TIP = 0.9
"""A tip in hand, as long as carnival is open to it."""
LATE_TIP = 0.5
"""The same when it is not."""
BASE = 0.5
"""Each action gains what power has before any tip: that, for each of a few actions."""
ACTIONS = 4
KEEP = 0.6
"""How far one counts on keeping a species in a later round."""
FUTURE = 1.0
"""What a point in a later round counts now."""
SHARE = 1.0
"""How often one comes to use a box card, against once a round in all."""
NO_CARNIVAL = 1.5
MARKER = 0.3
OUTBID = 0.75
"""What is left of a place in war for each rival who can still outbid it."""
SUREST, DOUBT = 1.0, 0.35
"""What the game's end counts now: the less, the more rounds are to come."""
TURNS = 3
"""Turns that a player has in a round."""


def prospects(table: Table) -> tuple[float, ...]:
    """For each seat, in points."""
    if table.turn.phase is OVER:
        places = standing(table).ranking
        # a tie is won by the marker: the winner's last bit
        return tuple(player.points + 1 / place for player, place in zip(table.players, places, strict=True))
    left = ROUNDS - table.round
    hopes = [
        player.points + _this_round(table, player, ability_of(table, player)) + FUTURE * left * _a_round(table, seat, player)
        for seat, player in enumerate(table.players)
    ]
    hopes[table.marker] += MARKER
    for seat, points in _war(table):
        hopes[seat] += points
    sureness = SUREST / (1 + DOUBT * left)
    for laid in table.planet:
        for compare in laid.compares:
            for seat in concerned(table, compare):
                hopes[seat] += sureness * compare.points
    return tuple(hopes)


def _tips(tips: int, base: float, is_open: bool) -> float:
    """What tips in hand are worth."""
    return tips * (TIP if is_open else LATE_TIP) + BASE * base * min(tips, ACTIONS)


def _this_round(table: Table, player: Player, ability: Ability) -> float:
    """Oxygen and carnival as they lie, and what the hand may still do."""
    base = base_of(player, ability)
    boxes, levels = player.boxes, player.levels
    carnival = boxes[CARNIVAL]
    hope = base + carnival if carnival and not ability.no_carnival else 0.0
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
    is_open = not (carnival or ability.no_carnival or Box.CARNIVAL in ability.barred)
    return hope + _tips(hand, base, is_open)


def _a_round(table: Table, seat: Seat, player: Player) -> float:
    """What each of the rounds to come should bring."""
    own = table.planet[player.species[0]].ability if player.species else NONE
    levels = player.levels
    science = levels[SCIENCE]
    base = science + KEEP * (base_of(player, own) - science)
    hope = _tips(levels[0], base, is_open=True)
    surplus = levels[1] - levels[0]
    if surplus < 0:
        loss = min(table.terms.pack.oxygen.lose, max(1, -surplus - base) * TIP)
        hope -= loss * (1 - KEEP) if own.oxygen_succeeds else loss
    if player.species:
        hope += KEEP * _species(table, player, own, surplus)
    share = SHARE / len(table.players)
    for laid in table.planet:
        if laid.is_box:
            hope += share * max(0.0, _card(table, seat, laid, levels) - max(1, laid.cost - base) * TIP)
    return hope


def _species(table: Table, player: Player, own: Ability, surplus: int) -> float:
    """What a species brings in a round, but for power and oxygen."""
    levels = levels_of(player, own)
    hope = sum(_happening(table, player, levels, effect) for effect in own.round_start)
    hope += TURNS * sum(_happening(table, player, levels, effect) for effect in own.turn_start)
    for bonus in own.war:
        hope += 0.5 * worth(bonus.amount, levels, player.stars) + (1.5 if bonus.without_tips else 0)
    hope += own.surplus * max(0, surplus)
    hope -= sum(NO_CARNIVAL if box is Box.CARNIVAL else 0.5 for box in own.barred) + (NO_CARNIVAL if own.no_carnival else 0)
    return hope + (_best_copy(table, player) - TIP * own.copy_price if own.copy_price else 0)


def _best_copy(table: Table, player: Player) -> float:
    """What naming the best of the other species brings in a round, by power and in war."""
    science = player.levels[SCIENCE]
    hopes = [0.0]
    for laid in table.planet:
        if not laid.is_box:
            levels = levels_of(player, laid.ability)
            bonus = 0.5 * sum(worth(bonus.amount, levels, player.stars) for bonus in laid.ability.war)
            hopes.append(BASE * ACTIONS * (base_of(player, laid.ability) - science) + bonus)
    return max(hopes)


def _card(table: Table, seat: Seat, laid: Laid, levels: Levels) -> float:
    """What using a box card brings."""
    player = table.players[seat]
    return sum(_happening(table, player, levels, effect, max(1, laid.cost)) for effect in laid.used)


def _happening(table: Table, player: Player, levels: Levels, effect: Happening, placed: int = 0) -> float:
    """What an effect brings to the player."""
    match effect:
        case GainPoints(amount=amount):
            return worth(amount, levels, player.stars, placed)
        case TakeTips(amount=amount):
            return TIP * worth(amount, levels, player.stars, placed)
        case PayTips(tips=tips):
            return -TIP * tips
        case Fill(boxes=boxes):
            return float(boxes * (ROUNDS - table.round))
        case Outdo(points=points):
            return float(points) if levels[3] > 1 else 0.0
        case Contest(otherwise=otherwise, tied=tied):
            return (otherwise + tied) / 2
        case _:
            return 0.0


def _war(table: Table) -> list[tuple[Seat, float]]:
    """The places in war as tips lie, the less worth the more rivals can still outbid them."""
    gains = (table.terms.pack.war.first + MARKER, table.terms.pack.war.second)
    ranked = belligerents(table)
    hopes = []
    for (seat, power), gain in zip(ranked, gains, strict=False):
        hope = float(gain)
        for other, player in enumerate(table.players):
            if other != seat and _may_outbid(table, player, power):
                hope *= OUTBID
        hopes.append((seat, hope))
    return hopes


def _may_outbid(table: Table, player: Player, power: int) -> bool:
    """Whether the player can still place more power on war than that."""
    if player.has_passed or player.boxes[WAR]:
        return False
    return base_of(player, ability_of(table, player)) + player.hand > power

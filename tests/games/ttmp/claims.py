"""What labels of TTMP claim, and when it is so. See `tests/laws/claims.py`."""

from __future__ import annotations

import re

from domain.games.ttmp import events, moves
from domain.games.ttmp.components import ROUNDS
from domain.games.ttmp.state import held
from tests.laws.claims import Claims, Moment, numbers, told

DICE = r"((?:\d )*\d)"


def dice(text: str) -> tuple[int, ...]:
    """Dice, the lowest first."""
    return tuple(sorted(map(int, text.split())))


def is_shown(moment: Moment, found: re.Match[str]) -> bool:
    """A card that is used changes the dice; otherwise they are as they lie."""
    table = moment.game.evolve(moment.before, moment.told[0]) if isinstance(moment.move, moves.Use) else moment.before
    return tuple(sorted(table.dice)) == dice(found[1])


def is_turned(moment: Moment, found: re.Match[str]) -> bool:
    used = moment.said(events.CardUsed)[0]
    return (used.changed, used.to) == (dice(found[1]), dice(found[2]))


def is_kept(moment: Moment, found: re.Match[str]) -> bool:
    """Which dice are rolled and which stay, of those that lie there."""
    rolled, kept = dice(found[1]), dice(found[2])
    return tuple(sorted((*rolled, *kept))) == tuple(sorted(moment.before.dice)) and tuple(moment.move.dice) == rolled


def is_left(moment: Moment, found: re.Match[str]) -> bool:
    if isinstance(moment.move, moves.Reroll):
        return tuple(sorted((*dice(found[1]), moment.move.die))) == tuple(sorted(moment.before.dice))
    return tuple(sorted(moment.before.dice)) == dice(found[1])


def is_allowed(moment: Moment, found: re.Match[str]) -> bool:
    """What may be drawn afterwards is a choice then."""
    levels = {move.level for move in moment.game.legal(moment.ended, moment.seat) if isinstance(move, moves.DrawCard)}
    return int(found[1]) in levels


def is_drawn(moment: Moment, found: re.Match[str]) -> bool:
    level = moment.move.level if isinstance(moment.move, moves.DrawCard) else moment.before.stage.level
    drawn = [one.level for one in moment.said(events.CardDrawn | events.DrawAnnounced)]
    return level == int(found[1]) and drawn[-1] == level


def is_over(moment: Moment, found: re.Match[str]) -> bool:
    place, limit = moment.before.places[moment.seat], moment.before.terms.limit
    return (len(place.stones) + held(place) - limit, limit) == numbers(found)


def towards(moment: Moment) -> tuple[int, int]:
    """Return the points that the seat has so far, and those that win."""
    return sum(stone or 0 for stone in moment.before.places[moment.seat].stones), moment.before.terms.goal


def is_last_goal(moment: Moment, found: re.Match[str]) -> bool:
    """In the last round; the points that win are named first there."""
    return moment.before.round == ROUNDS and towards(moment)[::-1] == numbers(found)


def is_mixed(moment: Moment, found: re.Match[str]) -> bool:
    mixed = moment.said(events.StonesMixed)
    others = moment.before.places[moment.move.seat].stones if isinstance(moment.move, moves.MixWith) else ()
    count = len(others) if others else len(moment.before.stones)
    return count + 1 == int(found[2]) and count == int(found[1]) and bool(mixed or moment.told)


CLAIMS = Claims(
    # the names of cards, and in brackets what is printed on them
    names=r"^(?:Use|Discard|Stock) .*?(?= to | \(|$)|\((?:one|each|\d) (?:die|dice)[^)]*\)|\bLevel\d",
    made=(
        (rf"(?:the dice|they) show {DICE}", is_shown),
        (rf"\({DICE}(?:, a \w+)?\)", is_shown),
        (r"to turn a (\d) into (\d)", is_turned),
        (rf"(?:roll|Roll) {DICE} (?:again )?and keep {DICE}", is_kept),
        (rf"Roll the die that shows {DICE} and keep {DICE}", is_kept),
        (rf"^Roll nothing and keep {DICE}", is_shown),
        (r"roll a (\d) again", told(events.DieRerolled, "die")),
        (rf"goes on with {DICE}", is_left),
        (r"you may then draw .*?level (\d) card", is_allowed),
        (r"(?:^Draw|, then draw) a level (\d) card", is_drawn),
        (r"your hand is (\d+) over its limit of (\d+)", is_over),
        (
            r"Take one of seat (\d+)'s (\d+) stones",
            lambda m, found: len(m.before.places[int(found[1])].stones) == int(found[2]),
        ),
        (r"you have (\d+) points? so far, and (\d+) win", lambda m, found: towards(m) == numbers(found)),
        (r"(\d+) points win, or else the most; you have (\d+) points? so far", is_last_goal),
        (r"(\d+) stones?\)? (?:and|by|\().*?these (\d+) by chance", is_mixed),
    ),
)

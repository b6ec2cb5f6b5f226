"""The final exam: stones are shown, a familiar is summoned, and every seat with stones rolls."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Seat
from domain.games.ttmp.components import Stone, Stones, final_value
from domain.games.ttmp.events import FamiliarSummoned, FinalRolled, StonesShown
from domain.games.ttmp.rules.scoring import Buffer, end_exam, needed, stones_of


def hold_final(buffer: Buffer, chance: Chance) -> None:
    """Hold the final exam, from the last round's end to the result. Rule: TT-13, TT-15 to TT-18."""
    buffer.tell(StonesShown(stones_of(buffer.state)))
    _summon(buffer, chance)
    end_exam(buffer, _roll(buffer, chance))


def summoner(stones: tuple[Stones, ...], summoning: Stone) -> tuple[Seat, ...]:
    """Return who becomes summoner in the final exam: the lowest, if it has the summoning stone and is not alone.

    Rule:    TT-16. Of seats tied for the lowest, the holder of that stone counts.
    """
    totals = [sum(own) for own in stones if own]
    return tuple(
        seat for seat, own in enumerate(stones) if summoning in own and sum(own) == min(totals) and len(totals) > 1
    )


def highest(stones: tuple[Stones, ...], lowest: Seat) -> Seat:
    """Return the highest of the others before the summoning; of equal ones the nearest clockwise. Rule: TT-16."""
    count = len(stones)
    return max(((lowest + i) % count for i in range(1, count)), key=lambda seat: sum(stones[seat]))


def _summon(buffer: Buffer, chance: Chance) -> None:
    stones = stones_of(buffer.state)
    summoning = buffer.state.terms.printed.summoning
    for seat in summoner(stones, summoning):
        other = highest(stones, seat)
        pool = (*stones[other], summoning)
        at = chance.below(len(pool))
        left = pool[:at] + pool[at + 1 :]
        buffer.tell(FamiliarSummoned(seat=seat, highest=other, stone=summoning, drawn=pool[at], left=left))


def _roll(buffer: Buffer, chance: Chance) -> tuple[int, ...]:
    """Roll for each seat: the highest first, of equal ones the lowest seat, then the others clockwise.

    Rule:    TT-15, TT-17.
    """
    stones = stones_of(buffer.state)
    players = len(stones)
    values = [0] * players
    totals = [sum(own) for own in stones]
    first = totals.index(max(totals))
    for seat in ((first + i) % players for i in range(players)):
        if stones[seat]:
            dice = (chance.roll(), chance.roll(), chance.roll())
            values[seat] = final_value(totals[seat], players, dice)
            buffer.tell(
                FinalRolled(
                    seat=seat,
                    points=totals[seat],
                    players=players,
                    dice=dice,
                    value=values[seat],
                    needed=needed(buffer.state.terms.modes),
                )
            )
    return tuple(values)

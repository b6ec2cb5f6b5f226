"""The final exam, and the result of the match."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Seat, Standing, Teller, rank
from domain.games.ttmp.components import HARD_PASS, PASS, Mode, Stone, Stones
from domain.games.ttmp.events import FamiliarSummoned, FinalRolled, MatchEnded, StonesShown, TtmpEvent
from domain.games.ttmp.state import OVER, Table, known_stones

Telling = Teller[Table, TtmpEvent]


def hold_final(teller: Telling, chance: Chance) -> None:
    """Stones are shown, a familiar may be summoned, everybody who holds stones rolls; the result.

    Rule:    TT-13, TT-15 to TT-18.
    """
    teller.tell(StonesShown(_stones(teller.state)))
    _summon(teller, chance)
    values = _roll(teller, chance)
    modes = teller.state.terms.modes
    if Mode.RANKING in modes:
        winners = tuple(seat for seat, value in enumerate(values) if value and value == max(values))
        ranking = rank(values)
    else:
        needed = _needed(modes)
        winners = tuple(seat for seat, value in enumerate(values) if value >= needed)
        ranking = rank(tuple(value >= needed for value in values))
    teller.tell(MatchEnded(points=values, ranking=ranking, winners=winners))


def _stones(table: Table) -> tuple[Stones, ...]:
    return tuple(known_stones(place.stones) for place in table.places)


def _needed(modes: tuple[Mode, ...]) -> int:
    """The final value that passes; 0 where values rank. Rule: TT-17, TT-20, TT-22."""
    if Mode.RANKING in modes:
        return 0
    return HARD_PASS if Mode.HARD in modes else PASS


def summoner(stones: tuple[Stones, ...], summoning: Stone) -> tuple[Seat, ...]:
    """Who becomes summoner in the final exam, or nobody: the lowest, holding the summoning stone, if not alone.

    Rule:    TT-16. A tie for the lowest goes to the holder of that stone.
    """
    totals = [sum(own) for own in stones if own]
    lowest = min(totals, default=0)
    return tuple(seat for seat, own in enumerate(stones) if summoning in own and sum(own) == lowest and len(totals) > 1)


def highest(stones: tuple[Stones, ...], lowest: Seat) -> Seat:
    """The highest among the others before the summoning; of equal ones the nearest clockwise. Rule: TT-16."""
    count = len(stones)
    return max(((lowest + i) % count for i in range(1, count)), key=lambda seat: sum(stones[seat]))


def _summon(teller: Telling, chance: Chance) -> None:
    stones = _stones(teller.state)
    summoning = teller.state.terms.printed.summoning
    for seat in summoner(stones, summoning):
        other = highest(stones, seat)
        pool = (*stones[other], summoning)
        at = chance.below(len(pool))
        left = pool[:at] + pool[at + 1 :]
        teller.tell(FamiliarSummoned(seat=seat, highest=other, stone=summoning, drawn=pool[at], left=left))


def _roll(teller: Telling, chance: Chance) -> tuple[int, ...]:
    """The highest rolls first, of equal ones the lowest seat, then the others clockwise. Rule: TT-15, TT-17."""
    stones = _stones(teller.state)
    players = len(stones)
    values = [0] * players
    totals = [sum(own) for own in stones]
    first = totals.index(max(totals))
    for seat in ((first + i) % players for i in range(players)):
        if stones[seat]:
            dice = (chance.roll(), chance.roll(), chance.roll())
            values[seat] = totals[seat] * players * sum(dice)
            teller.tell(
                FinalRolled(
                    seat=seat,
                    points=totals[seat],
                    players=players,
                    dice=dice,
                    value=values[seat],
                    needed=_needed(teller.state.terms.modes),
                )
            )
    return tuple(values)


def count_stones(teller: Telling, winner: tuple[Seat, ...]) -> None:
    """Knockout ends without a final exam: who reached the goal wins alone; if nobody did, most points of stones win.

    Rule:    TT-14, TT-23.
    """
    stones = _stones(teller.state)
    teller.tell(StonesShown(stones))
    points = tuple(map(sum, stones))
    ranking = rank(tuple((seat in winner, count) for seat, count in enumerate(points)))
    winners = winner or tuple(seat for seat, place in enumerate(ranking) if place == 1)
    teller.tell(MatchEnded(points=points, ranking=ranking, winners=winners))


def standing(table: Table) -> Standing:
    """Final values, once there are any; before that nothing is counted, and most stones are ahead. Rule: TT-18."""
    if table.stage.step is OVER:
        return Standing(points=table.points, ranking=table.ranking, over=True)
    places = table.places
    return Standing(points=(0,) * len(places), ranking=rank(tuple(len(place.stones) for place in places)), over=False)

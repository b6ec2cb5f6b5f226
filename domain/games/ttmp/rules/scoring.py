"""Who has passed, who has won, and who is ahead."""

from __future__ import annotations

from functools import lru_cache

from domain.game import EventBuffer, Seat, Standing, rank
from domain.games.ttmp.components import HARD_PASS, PASS, Mode, Stones, final_value
from domain.games.ttmp.events import MatchEnded, StonesShown, TtmpEvent
from domain.games.ttmp.state import OVER, Table
from domain.secrecy import known

Buffer = EventBuffer[Table, TtmpEvent]


def stones_of(table: Table) -> tuple[Stones, ...]:
    """Return the stones of every seat; all must be known. Rule: TT-16."""
    return tuple(known(place.stones) for place in table.places)


@lru_cache(maxsize=1 << 6)
def needed(modes: tuple[Mode, ...]) -> int:
    """Return the final value that passes; 0 if nobody has to pass. Rule: TT-17, TT-20, TT-22, TT-23."""
    if Mode.RANKING in modes or Mode.KNOCKOUT in modes:
        return 0
    return HARD_PASS if Mode.HARD in modes else PASS


def winners(points: tuple[int, ...], ranking: tuple[int, ...], modes: tuple[Mode, ...]) -> tuple[Seat, ...]:
    """Return the seats in the first place, unless their points are too few to win.

    Rule:    TT-17, TT-18, TT-20, TT-22, TT-23. Where values rank, a seat without a value has failed too.
    """
    least = needed(modes)
    return tuple(
        seat
        for seat, place in enumerate(ranking)
        if place == 1 and points[seat] >= least and (points[seat] or Mode.RANKING not in modes)
    )


def end_exam(buffer: Buffer, values: tuple[int, ...]) -> None:
    """End the match with these final values: they rank the seats, or only separate those who pass from those who fail.

    Rule:    TT-18, TT-20, TT-22.
    """
    modes = buffer.state.terms.modes
    ranking = _ranking(values, modes)
    buffer.tell(MatchEnded(points=values, ranking=ranking, winners=winners(values, ranking, modes)))


def _ranking(values: tuple[int, ...], modes: tuple[Mode, ...]) -> tuple[int, ...]:
    least = needed(modes)
    return rank(tuple(value >= least for value in values) if least else values)


def count_stones(buffer: Buffer, winner: tuple[Seat, ...]) -> None:
    """End a knockout without a final exam: the seat that reached the goal wins alone; if none did, most points win.

    Rule:    TT-14, TT-23.
    """
    stones = stones_of(buffer.state)
    buffer.tell(StonesShown(stones))
    points = tuple(map(sum, stones))
    ranking = rank(tuple((seat in winner, count) for seat, count in enumerate(points)))
    buffer.tell(MatchEnded(points=points, ranking=ranking, winners=winners(points, ranking, buffer.state.terms.modes)))


def standing(table: Table) -> Standing:
    """Return the final values that were rolled so far; before the first, 0 for each seat, and most stones are ahead.

    Rule:    TT-18.
    """
    if table.stage.step is OVER:
        return Standing(points=table.points, ranking=table.ranking, over=True)
    places = table.places
    if any(place.exam for place in places):
        # who rolls has shown their stones
        values = tuple(
            final_value(sum(known(place.stones)), len(places), place.exam) if place.exam else 0 for place in places
        )
        return Standing(points=values, ranking=_ranking(values, table.terms.modes), over=False)
    return Standing(points=(0,) * len(places), ranking=rank(tuple(len(place.stones) for place in places)), over=False)

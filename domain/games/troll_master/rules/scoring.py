"""Points, the end of a round, and the end of the match."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Standing, rank
from domain.games.troll_master.components import GOAL, ROUNDS
from domain.games.troll_master.events import CardsCleared, MatchEnded, PointsCounted
from domain.games.troll_master.rules.preparation import Buffer, start_round
from domain.games.troll_master.state import Step, Table, points


def score(buffer: Buffer, chance: Chance) -> None:
    """Count points; then end the match or start the next round.

    Rule:    TM-31, TM-32, TM-33, TM-34.
    """
    table = buffer.state
    counted = tuple(map(points, table.places))
    buffer.tell(PointsCounted(round=table.round, points=counted))
    if max(counted) >= GOAL or table.round >= ROUNDS:
        mana = tuple(place.mana for place in table.places)
        ranking = rank(tuple(zip(counted, mana, strict=True)))
        buffer.tell(MatchEnded(points=counted, mana=mana, ranking=ranking))
        return
    buffer.tell(CardsCleared(len(table.cards.open)))
    start_round(buffer, chance)


def standing(table: Table) -> Standing:
    """Return points and places as they are now: most points win, then most mana in hand; seats equal in both tie.

    Rule:    TM-33.
    """
    counted = tuple(map(points, table.places))
    ranking = rank(tuple(zip(counted, (place.mana for place in table.places), strict=True)))
    return Standing(points=counted, ranking=ranking, over=table.stage.step is Step.OVER)

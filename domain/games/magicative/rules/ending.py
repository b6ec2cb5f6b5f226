"""The end of a match: a seat reaches the goal, or no card can be drawn."""

from __future__ import annotations

from domain.game import EventBuffer, Seat, Standing, rank
from domain.games.magicative.components import card_of
from domain.games.magicative.events import AptitudeShown, AptitudesShown, MagicativeEvent, MatchDrawn, MatchEnded
from domain.games.magicative.evolve import evolve
from domain.games.magicative.state import OVER, Aptitude, Table, points, unshown, with_one_shown, with_shown

Buffer = EventBuffer[Table, MagicativeEvent]


def buffered(table: Table, *told: MagicativeEvent) -> Buffer:
    """Return a buffer that has these events, and can take more."""
    return EventBuffer(evolve, table, told)


def showing(table: Table, seat: Seat) -> AptitudesShown:
    """Return the event that shows all aptitude cards of the seat not shown yet, with its points after it.

    Rule:    MG-16.
    """
    won = table.places[seat].won
    cards = tuple(map(_card, unshown(won)))
    return AptitudesShown(seat, cards, points(with_shown(won, cards)))


def showing_one(table: Table, seat: Seat, at: int) -> AptitudeShown:
    """Return the event that shows this one of the seat's aptitude cards, with its points after it. Rule: MG-16."""
    won = table.places[seat].won
    card = _card(won.aptitudes[at])
    return AptitudeShown(seat, at, card, points(with_one_shown(won, at, card)))


def _card(aptitude: Aptitude) -> int:
    assert aptitude.number is not None, "only who knows the cards shows them"
    return card_of(aptitude.school, aptitude.number)


def has_won(table: Table, seat: Seat) -> bool:
    """Return whether the seat has reached the goal. Rule: MG-17."""
    return points(table.places[seat].won) >= table.terms.goal


def end(buffer: Buffer, winner: Seat) -> tuple[MagicativeEvent, ...]:
    """Return all events so far, and those that end the match: all cards are shown; the totals rank all but the winner.

    Rule:    MG-17, MG-18.
    """
    totals = _totals(buffer)
    ranking = rank(tuple((seat == winner, total) for seat, total in enumerate(totals)))
    buffer.tell(MatchEnded(winner, totals, ranking))
    return tuple(buffer.events)


def draw_match(buffer: Buffer) -> tuple[MagicativeEvent, ...]:
    """Return all events so far, and those that end the match as a draw for all. Rule: MG-19."""
    totals = _totals(buffer)
    buffer.tell(MatchDrawn(totals, (1,) * len(totals)))
    return tuple(buffer.events)


def _totals(buffer: Buffer) -> tuple[int, ...]:
    """Show all aptitude cards, and return the points of each seat. Rule: MG-18."""
    for seat, place in enumerate(buffer.state.places):
        if unshown(place.won):
            buffer.tell(showing(buffer.state, seat))
    return tuple(points(place.won) for place in buffer.state.places)


def standing(table: Table) -> Standing:
    """Return points and places by what is open. Rule: MG-17, MG-18, MG-19."""
    totals = tuple(points(place.won) for place in table.places)
    return Standing(points=totals, ranking=table.middle.ranking or rank(totals), over=table.stage.step is OVER)

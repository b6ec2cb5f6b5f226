"""The end: somebody reaches the goal, or no card can be drawn."""

from __future__ import annotations

from domain.game import Seat, Standing, Teller, rank
from domain.games.magicative.components import card_of
from domain.games.magicative.events import AptitudeShown, AptitudesShown, MagicativeEvent, MatchDrawn, MatchEnded
from domain.games.magicative.evolve import evolve
from domain.games.magicative.state import OVER, Aptitude, Table, points, unshown, with_one_shown, with_shown

Telling = Teller[Table, MagicativeEvent]


def telling(table: Table, *told: MagicativeEvent) -> Telling:
    """A teller that has told these events and can tell more."""
    teller: Telling = Teller(evolve, table)
    for event in told:
        teller.tell(event)
    return teller


def showing(table: Table, seat: Seat) -> AptitudesShown:
    """The event by which the seat shows all aptitude cards not shown yet, with its points after it. Rule: MG-16."""
    won = table.places[seat].won
    cards = tuple(map(_card, unshown(won)))
    return AptitudesShown(seat, cards, points(with_shown(won, cards)))


def showing_one(table: Table, seat: Seat, at: int) -> AptitudeShown:
    """The event by which the seat shows that one of its aptitude cards, with its points after it. Rule: MG-16."""
    won = table.places[seat].won
    card = _card(won.aptitudes[at])
    return AptitudeShown(seat, at, card, points(with_one_shown(won, at, card)))


def _card(aptitude: Aptitude) -> int:
    assert aptitude.number is not None, "only who knows the cards shows them"
    return card_of(aptitude.school, aptitude.number)


def has_won(table: Table, seat: Seat) -> bool:
    """Whether the seat has reached the goal. Rule: MG-17."""
    return points(table.places[seat].won) >= table.terms.goal


def end(teller: Telling, winner: Seat) -> tuple[MagicativeEvent, ...]:
    """All events told, and those by which the match ends: all cards are shown, and the totals rank the others.

    Rule:    MG-17, MG-18.
    """
    totals = _totals(teller)
    ranking = rank(tuple((seat == winner, total) for seat, total in enumerate(totals)))
    ranking = tuple(1 if seat == winner else place for seat, place in enumerate(ranking))
    teller.tell(MatchEnded(winner, totals, ranking))
    return tuple(teller.events)


def draw_match(teller: Telling) -> tuple[MagicativeEvent, ...]:
    """All events told, and those by which the match ends as a draw for all. Rule: MG-19."""
    totals = _totals(teller)
    teller.tell(MatchDrawn(totals, (1,) * len(totals)))
    return tuple(teller.events)


def _totals(teller: Telling) -> tuple[int, ...]:
    """Everybody shows their aptitude cards; what they have then. Rule: MG-18."""
    for seat, place in enumerate(teller.state.places):
        if unshown(place.won):
            teller.tell(showing(teller.state, seat))
    return tuple(points(place.won) for place in teller.state.places)


def standing(table: Table) -> Standing:
    """Who is ahead, by what is open. Rule: MG-17, MG-18, MG-19."""
    totals = tuple(points(place.won) for place in table.places)
    return Standing(points=totals, ranking=table.middle.ranking or rank(totals), over=table.stage.step is OVER)

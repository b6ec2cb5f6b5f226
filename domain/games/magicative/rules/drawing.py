"""Drawing cards, rebuilding the deck from discards, and passing the turn."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Seat
from domain.games.magicative.components import DRAWN, FATE, Cards
from domain.games.magicative.events import CardsDrawn, DeckReshuffled, DrawWaits, Events, TurnStarted
from domain.games.magicative.rules.ending import buffered, draw_match, end, has_won
from domain.games.magicative.state import Table, Won, unshown


def next_turn(table: Table, seat: Seat, told: Events, chance: Chance) -> Events:
    """Return these events and the beginning of the next player's turn: the draw, unless the player may use Fate before.

    Rule:    MG-4, MG-5, MG-15.
    """
    after = seat + 1
    if after == len(table.places):
        after = 0
    started, won, deck = TurnStarted(after), table.places[after].won, table.deck
    if FATE in table.middle.artefacts and not won.artefact and (deck or discards(buffered(table, *told).state)):
        return (*told, started)
    return draw(table, after, drawn_at_start(won), (*told, started), chance)


def turn_drawn(table: Table, seat: Seat, told: Events, chance: Chance) -> Events:
    """Return these events and the draw at the start of the seat's turn. Rule: MG-5."""
    return draw(table, seat, drawn_at_start(table.places[seat].won), told, chance)


def draw(table: Table, seat: Seat, count: int, told: Events, chance: Chance) -> Events:
    """Return these events, which do not touch the deck, and the seat's draw of so many cards.

    If the deck is empty, all discards but the last one of each row are shuffled into a new one. If they run out too,
    the match is over; but if the seat has aptitude cards that it may show before, the last event says so.

    Rule:    MG-5, MG-9, MG-11, MG-16, MG-19.
    """
    deck = table.deck
    if len(deck) >= count:
        told += (CardsDrawn(seat, deck[:count]),)
        return told
    if table.terms.edition.shows_at_any_time:
        buffer = buffered(table, *told)
        if runs_out(buffer.state, count):
            if has_won(buffer.state, seat):
                return end(buffer, seat)
            if unshown(buffer.state.places[seat].won):
                return (*told, DrawWaits(seat, count))
    return draw_at_last(table, seat, count, told, chance)


def draw_at_last(table: Table, seat: Seat, count: int, told: Events, chance: Chance) -> Events:
    """Return these events and the draw of so many cards, more than the deck has. Rule: MG-19."""
    deck = table.deck
    swept = discards(buffered(table, *told).state)
    if deck:
        told += (CardsDrawn(seat, deck),)
        count -= len(deck)
    if swept:
        rebuilt = rebuild(swept, chance)
        told += (rebuilt, CardsDrawn(seat, rebuilt.cards[:count]))
        count -= len(swept)
    return told if count <= 0 else draw_match(buffered(table, *told))


def runs_out(table: Table, count: int) -> bool:
    """Return whether fewer cards than that are left to draw, with those of a deck made of the discards. Rule: MG-19."""
    return len(table.deck) + len(discards(table)) < count


def turn_runs_out(table: Table, seat: Seat) -> bool:
    """Return whether the seat's turn, which has not begun, has too few cards to draw and no choice before.

    Rule:    MG-5, MG-15, MG-19.
    """
    won = table.places[seat].won
    may_choose = FATE in table.middle.artefacts and not won.artefact and not runs_out(table, 1)
    return not may_choose and runs_out(table, drawn_at_start(won))


def drawn_at_start(won: Won) -> int:
    """Return how many cards a turn begins with: two, and one for each awakening of an earlier turn. Rule: MG-5."""
    return DRAWN + len(won.awakened)


def discards(table: Table) -> Cards:
    """Return the cards of a rebuilt deck, once in a match: all discards but the last one of each row. Rule: MG-19."""
    if table.middle.is_rebuilt:
        return ()
    return tuple([card for place in table.places for card in place.row[:-1]])


def rebuild(swept: Cards, chance: Chance) -> DeckReshuffled:
    """Return the event that shuffles these discards into a new deck. Rule: MG-19."""
    return DeckReshuffled(chance.shuffle(swept))

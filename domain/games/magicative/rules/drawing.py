"""Setting up, drawing cards, and whose turn is next."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.magicative.components import AT, DEALT, DRAWN, FATE, SEATS, Cards, Options
from domain.games.magicative.events import (
    AptitudesShuffled,
    CardsDealt,
    CardsDrawn,
    DeckReshuffled,
    DeckShuffled,
    MagicativeEvent,
    StartDrawn,
    TurnStarted,
)
from domain.games.magicative.pack import Pack, deck_of
from domain.games.magicative.rules.ending import draw_match, telling
from domain.games.magicative.state import Table

Events = tuple[MagicativeEvent, ...]


def check_options(options: Options, seats: int, pack: Pack) -> None:
    """Refuse what can't be played. Rule: MG-3."""
    if seats not in SEATS:
        raise Refusal("MG-3", "seats", least=min(SEATS), most=max(SEATS), seats=seats)


def setup(table: Table, chance: Chance) -> Events:
    """Shuffle, draw who begins, deal by twos from there, and begin. Rule: MG-1 to MG-4."""
    pack, seats = table.terms.pack, len(table.places)
    aptitudes = sorted(pack.aptitudes, key=lambda aptitudes: AT[aptitudes.school])
    shuffled = [AptitudesShuffled(one.school, chance.shuffle(one.numbers)) for one in aptitudes]
    deck = chance.shuffle(deck_of(pack))
    start = chance.below(seats)
    told: list[MagicativeEvent] = [*shuffled, DeckShuffled(deck), StartDrawn(start)]
    for at in range(0, pack.play.hand * seats, DEALT):
        told.append(CardsDealt((start + at // DEALT) % seats, deck[at : at + DEALT]))
    return (*told, TurnStarted(start))


def next_turn(table: Table, seat: Seat, told: Events, chance: Chance) -> Events:
    """After these events it is the next player's turn: a choice between Fate and drawing, or the draw.

    Rule:    MG-4, MG-5, MG-15.
    """
    after = seat + 1
    if after == len(table.places):
        after = 0
    started, won, deck = TurnStarted(after), table.places[after].won, table.deck
    if FATE in table.middle.artefacts and not won.artefact and (deck or discards(telling(table, *told).state)):
        return (*told, started)
    count = DRAWN + len(won.awakened)
    if len(deck) < count:
        return draw(table, after, count, (*told, started), chance)
    told += (started, CardsDrawn(after, deck[:count]))
    return told


def turn_drawn(table: Table, seat: Seat, told: Events, chance: Chance) -> Events:
    """The cards at the start of a turn: two, and one for each awakening of an earlier turn. Rule: MG-5."""
    return draw(table, seat, DRAWN + len(table.places[seat].won.awakened), told, chance)


def draw(table: Table, seat: Seat, count: int, told: Events, chance: Chance) -> Events:
    """After these events, none of which touches the deck, the seat draws so many cards.

    When the deck is empty the discards are shuffled, all but each row's last; when they run out too the match is drawn,
    which the last event tells then.

    Rule:    MG-5, MG-9, MG-11, MG-19.
    """
    deck = table.deck
    if len(deck) >= count:
        told += (CardsDrawn(seat, deck[:count]),)
        return told
    swept = discards(telling(table, *told).state)
    if deck:
        told += (CardsDrawn(seat, deck),)
        count -= len(deck)
    if swept:
        rebuilt = rebuild(swept, chance)
        told += (rebuilt, CardsDrawn(seat, rebuilt.cards[:count]))
        count -= len(swept)
    return told if count <= 0 else draw_match(telling(table, *told))


def discards(table: Table) -> Cards:
    """What an empty deck is rebuilt of, once a match: all discards but the last of each row. Rule: MG-19."""
    if table.middle.is_rebuilt:
        return ()
    return tuple([card for place in table.places for card in place.row[:-1]])


def rebuild(swept: Cards, chance: Chance) -> DeckReshuffled:
    """These discards become the deck. Rule: MG-19."""
    return DeckReshuffled(chance.shuffle(swept))

"""Setting up, drawing cards, and whose turn is next."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.magicative.components import AT, DEALT, DRAWN, FATE, SEATS, Options
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
from domain.games.magicative.state import Place, Table

Events = tuple[MagicativeEvent, ...]


def check_options(options: Options, seats: int, pack: Pack) -> None:
    """Refuse what can't be played. Rule: MG-3."""
    if seats not in SEATS:
        raise Refusal("MG-3", "seats", f"MAGICATIVE is played by 2 or 3, not by {seats}.")


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
    after = (seat + 1) % len(table.places)
    told = (*told, TurnStarted(after))
    if may_look_first(table, after):
        return told
    return turn_drawn(table, after, told, chance)


def may_look_first(table: Table, seat: Seat) -> bool:
    """Whether the seat may use Fate before it draws. Rule: MG-15."""
    return FATE in table.middle.artefacts and not table.places[seat].won.artefact and len(table.deck) > 0


def turn_drawn(table: Table, seat: Seat, told: Events, chance: Chance) -> Events:
    """The cards at the start of a turn: two, and one for each awakening of an earlier turn. Rule: MG-5."""
    return draw(table, seat, DRAWN + _awakenings(table.places[seat]), told, chance)


def _awakenings(place: Place) -> int:
    return len(place.won.awakened)


def draw(table: Table, seat: Seat, count: int, told: Events, chance: Chance) -> Events:
    """After these events, none of which touches the deck, the seat draws so many cards.

    When the deck is empty the discards are shuffled, all but each row's last; if none is left the match is drawn.

    Rule:    MG-5, MG-9, MG-11, MG-19.
    """
    deck = table.deck
    if len(deck) >= count:
        return (*told, CardsDrawn(seat, deck[:count]))
    teller = telling(table, *told)
    while count:
        if not teller.state.deck:
            swept = tuple(card for place in teller.state.places for card in place.row[:-1])
            if not swept:
                return draw_match(teller)
            teller.tell(DeckReshuffled(chance.shuffle(swept)))
        cards = teller.state.deck[:count]
        teller.tell(CardsDrawn(seat, cards))
        count -= len(cards)
    return tuple(teller.events)

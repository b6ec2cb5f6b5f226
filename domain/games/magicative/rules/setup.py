"""Setting up: the shuffles, the first player, and the first hands."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal
from domain.games.magicative import events
from domain.games.magicative.components import AT, DEALT, SEATS, Options
from domain.games.magicative.events import Events, MagicativeEvent
from domain.games.magicative.pack import Pack, deck_of
from domain.games.magicative.state import Table


def check_options(options: Options, seats: int, pack: Pack) -> None:
    """Refuse a number of seats that cannot be played. Rule: MG-3."""
    if seats not in SEATS:
        raise Refusal("MG-3", "seats", least=min(SEATS), most=max(SEATS), seats=seats)


def setup(table: Table, chance: Chance) -> Events:
    """Return the events of setting up: the shuffles, the first player, the deal by twos from there.

    Rule:    MG-1 to MG-4.
    """
    pack, seats = table.terms.pack, len(table.places)
    aptitudes = sorted(pack.aptitudes, key=lambda aptitudes: AT[aptitudes.school])
    shuffled = [events.AptitudesShuffled(cards.school, chance.shuffle(cards.numbers)) for cards in aptitudes]
    deck = chance.shuffle(deck_of(pack))
    start = chance.below(seats)
    beginning: list[MagicativeEvent] = [*shuffled, events.DeckShuffled(deck), events.StartDrawn(start)]
    for at in range(0, pack.play.hand * seats, DEALT):
        beginning.append(events.CardsDealt((start + at // DEALT) % seats, deck[at : at + DEALT]))
    return (*beginning, events.TurnStarted(start))

"""Drawing magic cards and stones, and discarding for them."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import EventBuffer, Refusal, Seat
from domain.games.ttmp.components import ALLOWED, STONE, Card, Cards, is_triple
from domain.games.ttmp.events import CardDiscarded, CardDrawn, DeckRefilled, DrawAnnounced, Events
from domain.games.ttmp.evolve import evolve
from domain.games.ttmp.rules.playing import kind_in_hand
from domain.games.ttmp.rules.rounds import draw_stone, keep_limits, mixable, summon, take_stone
from domain.games.ttmp.rules.scoring import Buffer
from domain.games.ttmp.state import FIRST, LIMIT, A, B, Table, is_full
from domain.secrecy import known


def may_draw_card(table: Table) -> bool:
    """Return whether the turn still allows a card.

    It does on a first turn, under A until a card was used after the roll, and under C.

    Rule:    TT-6, TT-8, TT-9, TT-10.
    """
    stage = table.stage
    action = stage.action
    return not (stage.drew or action is B or (action is A and stage.used))


def drawable(table: Table) -> tuple[int, ...]:
    """Return the levels of which a card may be drawn now. Rule: TT-8, TT-10, TT-14."""
    levels = ALLOWED[table.dice]
    if not levels or not may_draw_card(table):
        return ()
    deck = table.decks[levels[0] - 1]
    return levels if deck.cards or deck.discards else ()


def may_draw_stone(table: Table) -> bool:
    """Return whether the dice are a triple after a dice action; a round's first roll is not one.

    Rule:    TT-6, TT-9, TT-10.
    """
    return is_triple(table.dice) and table.stage.action is not FIRST


def takeable(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats from which the seat may take a stone: none while the deck has stones. Rule: TT-23."""
    if table.stones or not table.terms.goal:
        return ()
    return tuple(other for other, place in enumerate(table.places) if other != seat and place.stones)


def draw_card(table: Table, seat: Seat, level: int, chance: Chance) -> Events:
    """Draw a magic card; with a full hand, announce the draw, so that a card is discarded first.

    Rule:    TT-2, TT-8, TT-10, TT-14.
    Raises:  Refusal, unless the turn, the dice and the deck allow it.
    """
    if not may_draw_card(table):
        raise Refusal("TT-8", "no-draw")
    if level not in ALLOWED[table.dice]:
        raise Refusal("TT-10", "dice")
    if not drawable(table):
        raise Refusal("TT-14", "no-cards")
    if is_full(table, table.places[seat]):
        return (DrawAnnounced(seat, level),)
    deck = table.decks[level - 1]
    return _draw_from(seat, level, known(deck.cards), deck.discards, chance)


def _draw_from(seat: Seat, level: int, cards: Cards, discards: Cards, chance: Chance) -> Events:
    """Draw the next card of a level; refill a deck that has run out first. Rule: TT-14."""
    if cards:
        return (CardDrawn(seat, level, cards[0]),)
    refill = chance.shuffle(discards)
    return DeckRefilled(level, refill), CardDrawn(seat, level, refill[0])


def start_drawing_stone(table: Table, seat: Seat, chance: Chance) -> Events:
    """Draw a stone from the deck; with a full hand, announce the draw, so that a card is discarded first.

    Rule:    TT-2, TT-9, TT-10.
    Raises:  Refusal, unless the dice and the deck allow it.
    """
    _check_stone(table)
    if not table.stones:
        raise Refusal("TT-23", "no-stones")
    if is_full(table, table.places[seat]):
        return (DrawAnnounced(seat, STONE),)
    buffer: Buffer = EventBuffer(evolve, table)
    draw_stone(buffer, seat, chance)
    return tuple(buffer.events)


def _check_stone(table: Table) -> None:
    if not may_draw_stone(table):
        raise Refusal("TT-9", "no-triple")


def take_from(table: Table, seat: Seat, owner: Seat, chance: Chance) -> Events:
    """Take one of the owner's stones; the deck of stones is empty.

    Rule:    TT-9, TT-23.
    Raises:  Refusal, unless a stone may be drawn now, and from there.
    """
    _check_stone(table)
    if owner not in takeable(table, seat):
        raise Refusal("TT-23", "not-from-there")
    buffer: Buffer = EventBuffer(evolve, table)
    take_stone(buffer, seat, owner, chance)
    return tuple(buffer.events)


def discard(table: Table, seat: Seat, card: Card, chance: Chance) -> Events:
    """Discard a card; then the announced draw follows, or the round goes on to begin.

    Rule:    TT-2, TT-12.
    Raises:  Refusal, when the seat does not hold the card.
    """
    kind = kind_in_hand(table, seat, card)
    discarded = CardDiscarded(seat, kind.level, kind.card)
    buffer: Buffer = EventBuffer(evolve, table, (discarded,))
    stage = table.stage
    if stage.step is LIMIT:
        keep_limits(buffer, chance)
    elif stage.level == STONE:
        draw_stone(buffer, seat, chance)
    else:
        deck = buffer.state.decks[stage.level - 1]
        return discarded, *_draw_from(seat, stage.level, known(deck.cards), deck.discards, chance)
    return tuple(buffer.events)


def mix(table: Table, seat: Seat, owner: tuple[Seat, ...], chance: Chance) -> Events:
    """Mix the summoning stone with the owner's stones, or with the deck if there is no owner.

    Rule:    TT-23.
    Raises:  Refusal, when no stones are there.
    """
    *seats, deck = mixable(table, seat)
    if not (deck if not owner else owner[0] in range(len(seats)) and seats[owner[0]]):
        raise Refusal("TT-23", "nothing-there")
    buffer: Buffer = EventBuffer(evolve, table)
    summon(buffer, seat, owner, chance)
    return tuple(buffer.events)

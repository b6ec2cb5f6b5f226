"""Changes the table by events. No rules are applied here: each consequence of an event is another event."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from domain.game import Evolve, Seat, put
from domain.games.ttmp import events
from domain.games.ttmp.components import Levels, Lying
from domain.games.ttmp.state import (
    ACTION,
    AFTER,
    DISCARD,
    LIMIT,
    NO_ACTION,
    OVER,
    STOCK,
    SUMMON,
    C,
    Deck,
    Place,
    Stage,
    Table,
)
from domain.secrecy import face, faces, shuffled, without

NOTHING: Levels = ((), ())
IDLE = Stage()


def _place(table: Table, seat: Seat, **changes: Any) -> tuple[Place, ...]:
    return put(table.places, seat, replace(table.places[seat], **changes))


def _level(levels: Levels, level: int, cards: Lying) -> Levels:
    return (cards, levels[1]) if level == 1 else (levels[0], cards)


def _deck(decks: tuple[Deck, Deck], level: int, deck: Deck) -> tuple[Deck, Deck]:
    return (deck, decks[1]) if level == 1 else (decks[0], deck)


def _together(some: Levels, more: Levels) -> Levels:
    return (some[0] + more[0], some[1] + more[1])


def _stones_shuffled(table: Table, event: events.StonesShuffled) -> Table:
    return replace(table, stones=shuffled(table.stones, event.stones))


def _cards_shuffled(table: Table, event: events.CardsShuffled) -> Table:
    deck = table.decks[event.level - 1]
    after = Deck(shuffled(deck.cards, event.cards), deck.discards)
    return replace(table, decks=_deck(table.decks, event.level, after))


def _start_rolled(table: Table, event: events.StartRolled) -> Table:
    """Leave the table as it is: the beginning of the round has the start player."""
    return table


def _round_began(table: Table, event: events.RoundBegan) -> Table:
    places = tuple(
        replace(place, hand=_together(place.hand, place.stock), stock=NOTHING) if place.stock != NOTHING else place
        for place in table.places
    )
    return replace(table, round=event.round, start=event.start, places=places, stage=IDLE)


def _limit_exceeded(table: Table, event: events.LimitExceeded) -> Table:
    return replace(table, stage=Stage(step=LIMIT, seat=event.seat))


def _turn_began(table: Table, event: events.TurnBegan) -> Table:
    return replace(table, stage=Stage(ACTION, event.seat, event.turn))


def _card_used(table: Table, event: events.CardUsed) -> Table:
    table = _laid_open(table, event)
    stage = table.stage
    if stage.action is not NO_ACTION:
        stage = replace(stage, used=True)
    return replace(table, dice=event.dice, stage=stage)


def _laid_open(table: Table, event: events.CardUsed | events.CardDiscarded) -> Table:
    """Move the card from the hand to the face-up discards of its deck."""
    level, card = event.level, event.card
    hand = table.places[event.seat].hand
    deck = table.decks[level - 1]
    places = _place(table, event.seat, hand=_level(hand, level, without(hand[level - 1], card)))
    return replace(table, places=places, decks=_deck(table.decks, level, Deck(deck.cards, (*deck.discards, card))))


def _dice_rolled(table: Table, event: events.DiceRolled) -> Table:
    stage = replace(table.stage, step=AFTER, action=event.action, kept=event.kept)
    return replace(table, dice=event.dice, stage=stage)


def _dice_kept(table: Table, event: events.DiceKept) -> Table:
    return replace(table, stage=replace(table.stage, step=AFTER, action=C, kept=event.dice))


def _draw_announced(table: Table, event: events.DrawAnnounced) -> Table:
    return replace(table, stage=replace(table.stage, step=DISCARD, level=event.level))


def _deck_refilled(table: Table, event: events.DeckRefilled) -> Table:
    deck = table.decks[event.level - 1]
    after = Deck((*deck.cards, *shuffled(deck.discards, event.cards)))
    return replace(table, decks=_deck(table.decks, event.level, after))


def _card_drawn(table: Table, event: events.CardDrawn) -> Table:
    level, seat = event.level, event.seat
    deck = table.decks[level - 1]
    hand = table.places[seat].hand
    places = _place(table, seat, hand=_level(hand, level, (*hand[level - 1], face(deck.cards[0], event.card))))
    decks = _deck(table.decks, level, Deck(deck.cards[1:], deck.discards))
    return replace(table, places=places, decks=decks, stage=replace(table.stage, step=AFTER, drew=True))


def _stone_drawn(table: Table, event: events.StoneDrawn) -> Table:
    stones, place = table.stones, table.places[event.seat]
    own = (*place.stones, face(stones[0], event.stone))
    # with nothing to mix it with, the summoning stone makes no summoner
    has_others = len(stones) > 1 or any(other.stones for other in table.places if other is not place)
    places = _place(table, event.seat, stones=own, plain=(*place.plain, has_others))
    return replace(table, stones=stones[1:], places=places)


def _stones_mixed(table: Table, event: events.StonesMixed) -> Table:
    place = table.places[event.seat]
    plain = (all(place.plain),) * len(place.stones)
    return replace(table, places=_place(table, event.seat, stones=shuffled(place.stones, event.stones), plain=plain))


def _stone_taken(table: Table, event: events.StoneTaken) -> Table:
    owner, place = table.places[event.owner], table.places[event.seat]
    first, *others = owner.stones
    table = replace(table, places=_place(table, event.owner, stones=tuple(others), plain=owner.plain[1:]))
    own = (*place.stones, face(first, event.stone))
    return replace(table, places=_place(table, event.seat, stones=own, plain=(*place.plain, *owner.plain[:1])))


def _summoner_found(table: Table, event: events.SummonerFound) -> Table:
    place = table.places[event.seat]
    *others, last = place.stones
    plain = (*place.plain[:-1], False)
    places = _place(table, event.seat, stones=(*others, face(last, event.stone)), plain=plain)
    return replace(table, places=places, stage=replace(table.stage, step=SUMMON, seat=event.seat))


def _stone_summoned(table: Table, event: events.StoneSummoned) -> Table:
    return _mixed(table, event, event.owner)


def _mixed(table: Table, event: events.StoneSummoned | events.FamiliarSummoned, owner: tuple[Seat, ...]) -> Table:
    """Mix the summoning stone with the owner's stones, or with the deck if there is no owner, and draw one of them."""
    own = (*without(table.places[event.seat].stones, event.stone), event.drawn)
    table = replace(table, places=_place(table, event.seat, stones=own))
    before = table.places[owner[0]].stones if owner else table.stones
    shuffled((*before, event.stone), (*event.left, event.drawn))
    if owner:
        plain = (False,) * len(event.left)
        return replace(table, places=_place(table, owner[0], stones=event.left, plain=plain))
    return replace(table, stones=event.left)


def _die_rerolled(table: Table, event: events.DieRerolled) -> Table:
    return replace(table, dice=event.dice, stage=replace(table.stage, step=STOCK))


def _dice_left(table: Table, event: events.DiceLeft) -> Table:
    return replace(table, stage=replace(table.stage, step=STOCK))


def _card_stocked(table: Table, event: events.CardStocked) -> Table:
    level = event.level
    place = table.places[event.seat]
    stock = _level(place.stock, level, (*place.stock[level - 1], event.card))
    hand = _level(place.hand, level, without(place.hand[level - 1], event.card))
    return replace(table, places=_place(table, event.seat, hand=hand, stock=stock))


def _back(table: Table, cards: Levels) -> tuple[Deck, Deck]:
    """Return the decks with these cards at the bottom; they will be shuffled."""
    (first, second), (ones, twos) = table.decks, cards
    return (Deck(first.cards + ones, first.discards), Deck(second.cards + twos, second.discards))


def _exam_left(table: Table, event: events.ExamLeft) -> Table:
    place = table.places[event.seat]
    decks = _back(table, _together(place.hand, place.stock))
    return replace(table, decks=decks, places=_place(table, event.seat, hand=NOTHING, stock=NOTHING, is_out=True))


def _rest_taken(table: Table, event: events.RestTaken) -> Table:
    own = table.places[event.seat].stones + faces(table.stones, event.stones)
    return replace(table, stones=(), places=_place(table, event.seat, stones=own))


def _round_ended(table: Table, event: events.RoundEnded) -> Table:
    cards: Levels = (table.decks[0].discards, table.decks[1].discards)
    places = table.places
    for seat in event.returned:
        cards = _together(cards, places[seat].hand)
        places = put(places, seat, replace(places[seat], hand=NOTHING))
    first, second = _back(table, cards)
    decks = (Deck(first.cards), Deck(second.cards))
    return replace(table, decks=decks, places=places, stage=IDLE)


def _stones_shown(table: Table, event: events.StonesShown) -> Table:
    places = tuple(
        replace(place, stones=faces(place.stones, stones))
        for place, stones in zip(table.places, event.stones, strict=True)
    )
    # the dice of the last round have no part in the final exam
    return replace(table, places=places, is_shown=True, stage=IDLE, dice=())


def _familiar_summoned(table: Table, event: events.FamiliarSummoned) -> Table:
    return _mixed(table, event, (event.highest,))


def _final_rolled(table: Table, event: events.FinalRolled) -> Table:
    return replace(table, places=_place(table, event.seat, exam=event.dice))


def _match_ended(table: Table, event: events.MatchEnded) -> Table:
    return replace(table, points=event.points, ranking=event.ranking, stage=Stage(step=OVER))


evolve: Evolve[Table] = Evolve(
    {
        events.StonesShuffled: _stones_shuffled,
        events.CardsShuffled: _cards_shuffled,
        events.StartRolled: _start_rolled,
        events.RoundBegan: _round_began,
        events.LimitExceeded: _limit_exceeded,
        events.TurnBegan: _turn_began,
        events.CardUsed: _card_used,
        events.DiceRolled: _dice_rolled,
        events.DiceKept: _dice_kept,
        events.DrawAnnounced: _draw_announced,
        events.CardDiscarded: _laid_open,
        events.DeckRefilled: _deck_refilled,
        events.CardDrawn: _card_drawn,
        events.StoneDrawn: _stone_drawn,
        events.StonesMixed: _stones_mixed,
        events.StoneTaken: _stone_taken,
        events.SummonerFound: _summoner_found,
        events.StoneSummoned: _stone_summoned,
        events.DieRerolled: _die_rerolled,
        events.DiceLeft: _dice_left,
        events.CardStocked: _card_stocked,
        events.ExamLeft: _exam_left,
        events.RestTaken: _rest_taken,
        events.RoundEnded: _round_ended,
        events.StonesShown: _stones_shown,
        events.FamiliarSummoned: _familiar_summoned,
        events.FinalRolled: _final_rolled,
        events.MatchEnded: _match_ended,
    }
)
"""Returns the table after an event.

Raises:  ValueError when an event has a face other than the one that is known to be there.
"""

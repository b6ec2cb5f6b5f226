"""Writes events down on the table. Judges nothing: whatever an event brings about is told by the next one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.game import Seat
from domain.games.ttmp.components import Levels, Lying
from domain.games.ttmp.events import (
    CardDiscarded,
    CardDrawn,
    CardsShuffled,
    CardStocked,
    CardUsed,
    DeckRefilled,
    DiceKept,
    DiceLeft,
    DiceRolled,
    DieRerolled,
    DrawAnnounced,
    ExamLeft,
    FamiliarSummoned,
    FinalRolled,
    LimitExceeded,
    MatchEnded,
    RestTaken,
    RoundBegan,
    RoundEnded,
    StartRolled,
    StoneDrawn,
    StonesMixed,
    StonesShown,
    StonesShuffled,
    StoneSummoned,
    StoneTaken,
    SummonerFound,
    TtmpEvent,
    TurnBegan,
)
from domain.games.ttmp.lying import face, faces, shuffled, taken
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

NOTHING: Levels = ((), ())
IDLE = Stage()


def evolve(table: Table, event: TtmpEvent) -> Table:
    """The table after the event.

    Raises:  ValueError when an event tells a face other than the one that is known to lie there.
    """
    return WRITE[type(event)](table, event)


def _put(places: tuple[Place, ...], seat: Seat, place: Place) -> tuple[Place, ...]:
    return (*places[:seat], place, *places[seat + 1 :])


def _place(table: Table, seat: Seat, **changes: Any) -> tuple[Place, ...]:
    return _put(table.places, seat, replace(table.places[seat], **changes))


def _level(levels: Levels, level: int, cards: Lying) -> Levels:
    return (cards, levels[1]) if level == 1 else (levels[0], cards)


def _deck(decks: tuple[Deck, Deck], level: int, deck: Deck) -> tuple[Deck, Deck]:
    return (deck, decks[1]) if level == 1 else (decks[0], deck)


def _together(some: Levels, more: Levels) -> Levels:
    return (some[0] + more[0], some[1] + more[1])


def _stones_shuffled(table: Table, event: StonesShuffled) -> Table:
    return replace(table, stones=shuffled(table.stones, event.stones))


def _cards_shuffled(table: Table, event: CardsShuffled) -> Table:
    deck = table.decks[event.level - 1]
    after = Deck(shuffled(deck.cards, event.cards), deck.discards)
    return replace(table, decks=_deck(table.decks, event.level, after))


def _start_rolled(table: Table, event: StartRolled) -> Table:
    """What is told to be read: the round that begins says who starts."""
    return table


def _round_began(table: Table, event: RoundBegan) -> Table:
    places = tuple(
        replace(place, hand=_together(place.hand, place.stock), stock=NOTHING) if place.stock != NOTHING else place
        for place in table.places
    )
    return replace(table, round=event.round, start=event.start, places=places, stage=IDLE)


def _limit_exceeded(table: Table, event: LimitExceeded) -> Table:
    return replace(table, stage=Stage(step=LIMIT, seat=event.seat))


def _turn_began(table: Table, event: TurnBegan) -> Table:
    return replace(table, stage=Stage(ACTION, event.seat, event.turn))


def _card_used(table: Table, event: CardUsed) -> Table:
    table = _laid_open(table, event)
    stage = table.stage
    if stage.action is not NO_ACTION:
        stage = replace(stage, used=True)
    return replace(table, dice=event.dice, stage=stage)


def _laid_open(table: Table, event: CardUsed | CardDiscarded) -> Table:
    """The card leaves the hand and lies face up beside its deck."""
    level, card = event.level, event.card
    hand = table.places[event.seat].hand
    deck = table.decks[level - 1]
    places = _place(table, event.seat, hand=_level(hand, level, taken(hand[level - 1], card)))
    return replace(table, places=places, decks=_deck(table.decks, level, Deck(deck.cards, (*deck.discards, card))))


def _dice_rolled(table: Table, event: DiceRolled) -> Table:
    stage = replace(table.stage, step=AFTER, action=event.action, kept=event.kept)
    return replace(table, dice=event.dice, stage=stage)


def _dice_kept(table: Table, event: DiceKept) -> Table:
    return replace(table, stage=replace(table.stage, step=AFTER, action=C, kept=event.dice))


def _draw_announced(table: Table, event: DrawAnnounced) -> Table:
    return replace(table, stage=replace(table.stage, step=DISCARD, level=event.level))


def _deck_refilled(table: Table, event: DeckRefilled) -> Table:
    deck = table.decks[event.level - 1]
    after = Deck((*deck.cards, *shuffled(deck.discards, event.cards)))
    return replace(table, decks=_deck(table.decks, event.level, after))


def _card_drawn(table: Table, event: CardDrawn) -> Table:
    level, seat = event.level, event.seat
    deck = table.decks[level - 1]
    hand = table.places[seat].hand
    places = _place(table, seat, hand=_level(hand, level, (*hand[level - 1], face(deck.cards[0], event.card))))
    decks = _deck(table.decks, level, Deck(deck.cards[1:], deck.discards))
    return replace(table, places=places, decks=decks, stage=replace(table.stage, step=AFTER, drew=True, level=0))


def _stone_drawn(table: Table, event: StoneDrawn) -> Table:
    stones = table.stones
    own = (*table.places[event.seat].stones, face(stones[0], event.stone))
    return replace(table, stones=stones[1:], places=_place(table, event.seat, stones=own))


def _stones_mixed(table: Table, event: StonesMixed) -> Table:
    lying = table.places[event.seat].stones
    return replace(table, places=_place(table, event.seat, stones=shuffled(lying, event.stones)))


def _stone_taken(table: Table, event: StoneTaken) -> Table:
    first, *others = table.places[event.owner].stones
    table = replace(table, places=_place(table, event.owner, stones=tuple(others)))
    own = (*table.places[event.seat].stones, face(first, event.stone))
    return replace(table, places=_place(table, event.seat, stones=own))


def _summoner_found(table: Table, event: SummonerFound) -> Table:
    *others, last = table.places[event.seat].stones
    places = _place(table, event.seat, stones=(*others, face(last, event.stone)))
    stage = replace(table.stage, step=SUMMON, seat=event.seat)
    return replace(table, places=places, stage=stage, is_called=True)


def _stone_summoned(table: Table, event: StoneSummoned) -> Table:
    own = (*taken(table.places[event.seat].stones, event.stone), event.drawn)
    table = replace(table, places=_place(table, event.seat, stones=own))
    before = table.places[event.owner[0]].stones if event.owner else table.stones
    shuffled((*before, event.stone), (*event.left, event.drawn))
    if event.owner:
        return replace(table, places=_place(table, event.owner[0], stones=event.left))
    return replace(table, stones=event.left)


def _die_rerolled(table: Table, event: DieRerolled) -> Table:
    return replace(table, dice=event.dice, stage=replace(table.stage, step=STOCK))


def _dice_left(table: Table, event: DiceLeft) -> Table:
    return replace(table, stage=replace(table.stage, step=STOCK))


def _card_stocked(table: Table, event: CardStocked) -> Table:
    level = event.level
    place = table.places[event.seat]
    stock = _level(place.stock, level, (*place.stock[level - 1], event.card))
    hand = _level(place.hand, level, taken(place.hand[level - 1], event.card))
    return replace(table, places=_place(table, event.seat, hand=hand, stock=stock))


def _back(table: Table, cards: Levels) -> tuple[Deck, Deck]:
    """The decks with these cards under them, which will be shuffled."""
    (first, second), (ones, twos) = table.decks, cards
    return (Deck(first.cards + ones, first.discards), Deck(second.cards + twos, second.discards))


def _exam_left(table: Table, event: ExamLeft) -> Table:
    place = table.places[event.seat]
    decks = _back(table, _together(place.hand, place.stock))
    return replace(table, decks=decks, places=_place(table, event.seat, hand=NOTHING, stock=NOTHING, is_out=True))


def _rest_taken(table: Table, event: RestTaken) -> Table:
    own = table.places[event.seat].stones + faces(table.stones, event.stones)
    return replace(table, stones=(), places=_place(table, event.seat, stones=own))


def _round_ended(table: Table, event: RoundEnded) -> Table:
    cards: Levels = (table.decks[0].discards, table.decks[1].discards)
    places = table.places
    for seat in event.returned:
        cards = _together(cards, places[seat].hand)
        places = _put(places, seat, replace(places[seat], hand=NOTHING))
    first, second = _back(table, cards)
    decks = (Deck(first.cards), Deck(second.cards))
    return replace(table, decks=decks, places=places, stage=IDLE)


def _stones_shown(table: Table, event: StonesShown) -> Table:
    places = tuple(
        replace(place, stones=faces(place.stones, stones))
        for place, stones in zip(table.places, event.stones, strict=True)
    )
    return replace(table, places=places, is_shown=True, stage=IDLE)


def _familiar_summoned(table: Table, event: FamiliarSummoned) -> Table:
    own = (*taken(table.places[event.seat].stones, event.stone), event.drawn)
    table = replace(table, places=_place(table, event.seat, stones=own))
    before = (*table.places[event.highest].stones, event.stone)
    shuffled(before, (*event.left, event.drawn))
    return replace(table, places=_place(table, event.highest, stones=event.left))


def _final_rolled(table: Table, event: FinalRolled) -> Table:
    """What is told to be read: the match's end says all final values."""
    return table


def _match_ended(table: Table, event: MatchEnded) -> Table:
    return replace(table, points=event.points, ranking=event.ranking, stage=Stage(step=OVER))


WRITE: dict[type[Any], Callable[[Table, Any], Table]] = {
    StonesShuffled: _stones_shuffled,
    CardsShuffled: _cards_shuffled,
    StartRolled: _start_rolled,
    RoundBegan: _round_began,
    LimitExceeded: _limit_exceeded,
    TurnBegan: _turn_began,
    CardUsed: _card_used,
    DiceRolled: _dice_rolled,
    DiceKept: _dice_kept,
    DrawAnnounced: _draw_announced,
    CardDiscarded: _laid_open,
    DeckRefilled: _deck_refilled,
    CardDrawn: _card_drawn,
    StoneDrawn: _stone_drawn,
    StonesMixed: _stones_mixed,
    StoneTaken: _stone_taken,
    SummonerFound: _summoner_found,
    StoneSummoned: _stone_summoned,
    DieRerolled: _die_rerolled,
    DiceLeft: _dice_left,
    CardStocked: _card_stocked,
    ExamLeft: _exam_left,
    RestTaken: _rest_taken,
    RoundEnded: _round_ended,
    StonesShown: _stones_shown,
    FamiliarSummoned: _familiar_summoned,
    FinalRolled: _final_rolled,
    MatchEnded: _match_ended,
}
"""How each event is written down; looked up by type, which folds faster than a match."""

"""Changes the table by events. No rules are applied here: each consequence of an event is another event."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import Evolve, Seat, put
from domain.games.magicative import events
from domain.games.magicative.components import AT, AWAKENING, FATE, FORM_OF, IMITATION, PAST, SEATS, Cards
from domain.games.magicative.hands import drawn, played, taken, traced
from domain.games.magicative.state import (
    APTITUDE,
    ARRANGE,
    DECLARE,
    FORMULA,
    IMITATE,
    OVER,
    PUT,
    SHOWING,
    START,
    SWAP,
    TAKE,
    TURN,
    Aptitude,
    Formula,
    Hand,
    Place,
    Stage,
    Step,
    Table,
    Won,
    Work,
    with_one_shown,
    with_shown,
)
from domain.secrecy import face, faces, shuffled

IDLE = Work()
# made once: every turn has them
STARTS = tuple([Stage(START, seat) for seat in range(max(SEATS))])
TURNS = tuple([Stage(TURN, seat) for seat in range(max(SEATS))])


def _with_hand(table: Table, seat: Seat, hand: Hand) -> tuple[Place, ...]:
    place = table.places[seat]
    return put(table.places, seat, Place(hand, place.row, place.won))


def _with_won(table: Table, seat: Seat, won: Won) -> tuple[Place, ...]:
    place = table.places[seat]
    return put(table.places, seat, Place(place.hand, place.row, won))


def _at(stage: Stage, step: Step, work: Work = IDLE) -> Stage:
    return Stage(step, stage.seat, stage.has_swapped, work)


def _aptitudes_shuffled(table: Table, event: events.AptitudesShuffled) -> Table:
    decks = put(table.middle.aptitudes, AT[event.school], event.numbers)
    return replace(table, middle=replace(table.middle, aptitudes=decks))


def _deck_shuffled(table: Table, event: events.DeckShuffled) -> Table:
    return replace(table, deck=event.cards)


def _start_drawn(table: Table, event: events.StartDrawn) -> Table:
    return table


def _cards_dealt(table: Table, event: events.CardsDealt) -> Table:
    lying = len(event.cards)
    hand = drawn(table.places[event.seat].hand, faces(table.deck[:lying], event.cards))
    return replace(table, places=_with_hand(table, event.seat, hand), deck=table.deck[lying:])


def _turn_started(table: Table, event: events.TurnStarted) -> Table:
    return Table(table.terms, table.places, STARTS[event.seat], table.deck, table.middle)


def _cards_drawn(table: Table, event: events.CardsDrawn) -> Table:
    seat, cards = event.seat, event.cards
    deck, stage = table.deck, table.stage
    count = len(cards)
    top = deck[:count]
    if top != cards:
        top = faces(top, cards)
    places = [*table.places]
    place = places[seat]
    hand, middle = drawn(place.hand, top), table.middle
    if middle.looked:
        if seat != middle.looker:
            hand = traced(hand, top[: middle.looked])
        middle = replace(middle, looked=max(0, middle.looked - count))
    places[seat] = Place(hand, place.row, place.won)
    if stage.step is not TURN:
        stage = TURNS[stage.seat]
    return Table(table.terms, tuple(places), stage, deck[count:], middle)


def _deck_reshuffled(table: Table, event: events.DeckReshuffled) -> Table:
    swept = tuple([card for place in table.places for card in place.row[:-1]])
    places = tuple(Place(place.hand, place.row[-1:], place.won) for place in table.places)
    middle = replace(table.middle, is_rebuilt=True)
    return replace(table, places=places, deck=table.deck + shuffled(swept, event.cards), middle=middle)


def _swap_begun(table: Table, event: events.SwapBegun) -> Table:
    stage = _at(table.stage, SWAP, Work(other=event.other))
    return Table(table.terms, table.places, stage, table.deck, table.middle)


def _cards_swapped(table: Table, event: events.CardsSwapped) -> Table:
    seat, other = event.seat, event.other
    places = [*table.places]
    place = places[seat]
    hand = taken(played(place.hand, event.given), event.taken)
    places[seat] = Place(hand, place.row, place.won)
    place = places[other]
    *row, last = place.row
    face(last, event.taken)
    places[other] = Place(place.hand, (*row, event.given), place.won)
    return Table(table.terms, tuple(places), Stage(TURN, seat, True), table.deck, table.middle)


def _school_declared(table: Table, event: events.SchoolDeclared) -> Table:
    work = Work(school=(event.school,), aside=table.stage.work.aside)
    return replace(table, stage=_at(table.stage, FORMULA, work))


def _formula_fixed(table: Table, event: events.FormulaFixed) -> Table:
    seat, cards, stage = event.seat, event.cards, table.stage
    places = [*table.places]
    place = places[seat]
    hand, won = place.hand, place.won
    from_hand = cards
    if stage.step is FORMULA:
        from_hand = _from_hand(cards, stage.work.aside)
        stage = _at(stage, TURN)
    for card in from_hand:
        hand = played(hand, card)
    formula = Formula(AT[event.school], FORM_OF[event.numbers], cards)
    chips, formulas = won.chips + event.chips, (*won.formulas, formula)
    won = Won(formulas, chips, won.awakened, won.aptitudes, won.artefact, won.penalty)
    places[seat] = Place(hand, place.row, won)
    return Table(table.terms, tuple(places), stage, table.deck, table.middle)


def _from_hand(cards: Cards, aside: Cards) -> Cards:
    """Return the formula's cards without the one that was set aside to count as innocent."""
    left = [*cards]
    for card in aside:
        left.remove(card)
    return tuple(left)


def _chips_taken(table: Table, event: events.ChipsTaken | events.SpecialCompleted) -> Table:
    won = table.places[event.seat].won
    won = Won(won.formulas, won.chips + event.chips, won.awakened, won.aptitudes, won.artefact, won.penalty)
    return Table(table.terms, _with_won(table, event.seat, won), table.stage, table.deck, table.middle)


def _awakened(table: Table, event: events.Awakened) -> Table:
    place = table.places[event.seat]
    hand = place.hand
    for _ in range(AWAKENING):
        hand = played(hand, event.card)
    won = replace(place.won, awakened=(*place.won.awakened, event.card))
    places = put(table.places, event.seat, Place(hand, place.row, won))
    return replace(table, places=places, stage=_at(table.stage, APTITUDE))


def _draw_waits(table: Table, event: events.DrawWaits) -> Table:
    return replace(table, stage=_at(table.stage, SHOWING, Work(of=event.count)))


def _aptitude_taken(table: Table, event: events.AptitudeTaken) -> Table:
    middle, won = table.middle, table.places[event.seat].won
    at = AT[event.school]
    first, *left = middle.aptitudes[at]
    decks = put(middle.aptitudes, at, tuple(left))
    aptitude = Aptitude(event.school, face(first, event.number), False, table.terms.reaches[at])
    places = _with_won(table, event.seat, replace(won, aptitudes=(*won.aptitudes, aptitude)))
    return Table(table.terms, places, _at(table.stage, TURN), table.deck, replace(middle, aptitudes=decks))


def _resumed(table: Table, event: events.AptitudeMissed | events.ArtefactDone) -> Table:
    return replace(table, stage=_at(table.stage, START if table.stage.work.before_draw else TURN))


def _aptitude_shown(table: Table, event: events.AptitudeShown) -> Table:
    won = with_one_shown(table.places[event.seat].won, event.at, event.card)
    return replace(table, places=_with_won(table, event.seat, won))


def _aptitudes_shown(table: Table, event: events.AptitudesShown) -> Table:
    won = with_shown(table.places[event.seat].won, event.cards)
    return replace(table, places=_with_won(table, event.seat, won))


STEP_OF = {FATE: ARRANGE, PAST: PUT, IMITATION: IMITATE}


def _artefact_used(table: Table, event: events.ArtefactUsed) -> Table:
    stage, middle = table.stage, table.middle
    won = replace(table.places[event.seat].won, artefact=(event.artefact,), penalty=event.points)
    left = tuple(artefact for artefact in middle.artefacts if artefact is not event.artefact)
    stage = _at(stage, STEP_OF[event.artefact], Work(before_draw=stage.step is START))
    places = _with_won(table, event.seat, won)
    return Table(table.terms, places, stage, table.deck, replace(middle, artefacts=left))


def _fate_looked(table: Table, event: events.FateLooked) -> Table:
    count = len(event.cards)
    deck = faces(table.deck[:count], event.cards) + table.deck[count:]
    stage = _at(table.stage, ARRANGE, replace(table.stage.work, of=count))
    middle = replace(table.middle, looker=event.seat, looked=count)
    return Table(table.terms, table.places, stage, deck, middle)


def _fate_arranged(table: Table, event: events.FateArranged) -> Table:
    work, deck = table.stage.work, table.deck
    left = list(deck[work.done : work.of])
    if event.card is not None:
        left.remove(event.card if event.card in left else None)
        left.insert(0, event.card)
    deck = (*deck[: work.done], *left, *deck[work.of :])
    return replace(table, deck=deck, stage=_at(table.stage, ARRANGE, replace(work, done=work.done + 1)))


def _past_put(table: Table, event: events.PastPut) -> Table:
    place, work = table.places[event.seat], table.stage.work
    row = (*place.row[: work.done], event.card, *place.row[work.done :])
    places = put(table.places, event.seat, Place(played(place.hand, event.card), row, place.won))
    stage = _at(table.stage, PUT if event.left else TAKE, replace(work, done=work.done + 1))
    return Table(table.terms, places, stage, table.deck, table.middle)


def _past_taken(table: Table, event: events.PastTaken) -> Table:
    place, work = table.places[event.seat], table.stage.work
    face(place.row[event.at], event.card)
    row = place.row[: event.at] + place.row[event.at + 1 :]
    places = put(table.places, event.seat, Place(taken(place.hand, event.card), row, place.won))
    stage = _at(table.stage, TAKE, replace(work, of=work.of + 1))
    return Table(table.terms, places, stage, table.deck, table.middle)


def _card_imitates(table: Table, event: events.CardImitates) -> Table:
    hand = played(table.places[event.seat].hand, event.card)
    stage = _at(table.stage, DECLARE, Work(aside=(event.card,)))
    return replace(table, places=_with_hand(table, event.seat, hand), stage=stage)


def _card_discarded(table: Table, event: events.CardDiscarded) -> Table:
    seat, card = event.seat, event.card
    # `put`, written out because every turn comes here
    places = [*table.places]
    place = places[seat]
    places[seat] = Place(played(place.hand, card), (*place.row, card), place.won)
    return Table(table.terms, tuple(places), table.stage, table.deck, table.middle)


def _over(table: Table, event: events.MatchDrawn | events.MatchEnded) -> Table:
    middle = replace(table.middle, ranking=event.ranking)
    return replace(table, stage=Stage(OVER, table.stage.seat), middle=middle)


evolve: Evolve[Table] = Evolve(
    {
        events.AptitudesShuffled: _aptitudes_shuffled,
        events.DeckShuffled: _deck_shuffled,
        events.StartDrawn: _start_drawn,
        events.CardsDealt: _cards_dealt,
        events.TurnStarted: _turn_started,
        events.CardsDrawn: _cards_drawn,
        events.DeckReshuffled: _deck_reshuffled,
        events.SwapBegun: _swap_begun,
        events.CardsSwapped: _cards_swapped,
        events.SchoolDeclared: _school_declared,
        events.FormulaFixed: _formula_fixed,
        events.ChipsTaken: _chips_taken,
        events.SpecialCompleted: _chips_taken,
        events.Awakened: _awakened,
        events.DrawWaits: _draw_waits,
        events.AptitudeTaken: _aptitude_taken,
        events.AptitudeMissed: _resumed,
        events.AptitudeShown: _aptitude_shown,
        events.AptitudesShown: _aptitudes_shown,
        events.ArtefactUsed: _artefact_used,
        events.FateLooked: _fate_looked,
        events.FateArranged: _fate_arranged,
        events.PastPut: _past_put,
        events.PastTaken: _past_taken,
        events.ArtefactDone: _resumed,
        events.CardImitates: _card_imitates,
        events.CardDiscarded: _card_discarded,
        events.MatchDrawn: _over,
        events.MatchEnded: _over,
    }
)
"""Returns the table after an event.

Raises:  ValueError when an event has a face other than the one that is known to be there.
"""

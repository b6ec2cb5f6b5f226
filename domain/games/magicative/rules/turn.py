"""A turn: draw, then any actions in any order, then discard."""

from __future__ import annotations

from typing import assert_never

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.magicative import events, moves
from domain.games.magicative.components import (
    AT,
    AWAKENING,
    AWAKENING_DRAWN,
    FATE,
    INNOCENT,
    SCHOOLS,
    SEATS,
    School,
    count,
)
from domain.games.magicative.events import Events
from domain.games.magicative.moves import Discard, Fix, MagicativeMove
from domain.games.magicative.rules import artefacts
from domain.games.magicative.rules.drawing import draw, draw_at_last, next_turn, turn_drawn
from domain.games.magicative.rules.ending import buffered, end, has_won, showing, showing_one
from domain.games.magicative.rules.formulas import declare, fix, innocents_at_hand
from domain.games.magicative.rules.holding import (
    declares,
    gives,
    holds,
    imitations,
    makes_and_discards,
    puts,
    with_innocents,
)
from domain.games.magicative.rules.steps import check_step
from domain.games.magicative.state import (
    APTITUDE,
    ARRANGE,
    DEALING,
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
    Hand,
    Place,
    Table,
    Won,
    held,
    size_of,
    unshown,
)

Moves = tuple[MagicativeMove, ...]

DRAW, SHOW, END = moves.Draw(), moves.Show(), moves.End()
SHOWS, ENDS = (SHOW,), (END,)
SWAPS = tuple(map(moves.Swap, range(max(SEATS))))
SWAPS_OF = {seats: SWAPS[:seats] for seats in SEATS}
TAKE_APTITUDE: Moves = tuple(map(moves.TakeAptitude, SCHOOLS))

# The longest list is that of a turn: 3 schools with 12 formulas and 7 awakenings each, 3 declared schools, 3 swaps,
# 3 artefacts, showing all aptitude cards, and 22 kinds of discard: 89 at most. Showing one of several makes it no
# longer: the 7 copies of a kind can awaken only once, and then that awakening is not in the list. A formula with
# innocents: 5 runs with 6 ways each, 7 threes with 2: 44. A row has at most 46 cards: each turn takes 2 of the at most
# 162 cards of the deck and of the rebuilt one, and adds one to the rows of two players or more; Past puts at most 5.


def to_act(table: Table) -> tuple[Seat, ...]:
    """Return the seat that is to act, if there is one. Rule: MG-4."""
    stage = table.stage
    step = stage.step
    return () if step is OVER or step is DEALING else (stage.seat,)


def legal(table: Table, seat: Seat) -> Moves:
    """Return every move that the seat may make now; none if its cards are not known. Rule: MG-6."""
    stage = table.stage
    if stage.seat != seat:
        return ()
    step = stage.step
    if step is TURN:
        return _turn(table, seat)
    if step is START:
        return (artefacts.USES[FATE], DRAW, *_shows_now(table, seat))
    if step is SHOWING:
        return (*_shows(table.places[seat].won), DRAW)
    if step is TAKE:
        return artefacts.takes(table)
    if step is APTITUDE:
        return TAKE_APTITUDE
    if step is ARRANGE:
        return artefacts.arrangements(table)
    hand = table.places[seat].hand
    return () if hand.secret is None else _from_hand(table, seat, hand)


def _from_hand(table: Table, seat: Seat, hand: Hand) -> Moves:
    """Return the moves of steps in which a card of the hand is named, or a formula of its cards.

    Rule:    MG-8, MG-10, MG-15.
    """
    step = table.stage.step
    pile = held(hand)
    if step is SWAP:
        return gives(pile)
    if step is PUT:
        return puts(pile)
    if step is IMITATE:
        return imitations(pile)
    if step is DECLARE:
        return declares(pile, innocents_at_hand(table, seat))
    if step is FORMULA:
        return with_innocents(pile, AT[table.stage.work.school[0]], innocents_at_hand(table, seat))
    return ()


def _turn(table: Table, seat: Seat) -> Moves:
    """Return every move of a turn; none if the seat's cards are not known. Rule: MG-6 to MG-11, MG-15, MG-16."""
    places = table.places
    place = places[seat]
    hand, won = place.hand, place.won
    if hand.secret is None:
        return ()
    pile = hand.taken + hand.secret
    choices: Moves
    choices, discards = makes_and_discards(pile)
    if pile and not table.stage.has_swapped:
        choices += _swaps(places)
    if table.middle.artefacts and not won.artefact:
        choices += artefacts.uses(table, seat)
    if won.aptitudes:
        choices += _shows(won)
    return choices + discards if pile else choices + ENDS


def _shows(won: Won) -> Moves:
    """Return the moves that show all aptitude cards not shown, or one of them if there are several. Rule: MG-16."""
    left = [at for at, aptitude in enumerate(won.aptitudes) if not aptitude.is_shown]
    if len(left) > 1:
        return (SHOW, *map(moves.ShowOne, left))
    return SHOWS if left else ()


def _shows_now(table: Table, seat: Seat) -> Moves:
    """Return these moves at the start of a turn, if the edition allows them there. Rule: MG-16."""
    return _shows(table.places[seat].won) if table.terms.edition.shows_at_any_time else ()


def _swaps(places: tuple[Place, ...]) -> tuple[moves.Swap, ...]:
    """Return a swap with every seat that has a discard; after the first round that is every seat. Rule: MG-8."""
    for place in places:
        if not place.row:
            return tuple([SWAPS[other] for other, place in enumerate(places) if place.row])
    return SWAPS_OF[len(places)]


def decide(table: Table, seat: Seat, move: MagicativeMove, chance: Chance) -> Events:
    """Return the events that the move causes.

    Raises:  Refusal, with the clause.
    """
    # most moves are of these two kinds, and `match` takes three times as long to find them; the classes are final, so
    # that the type checker knows that `match` gets all others
    if type(move) is Discard:
        return _discard(table, seat, move.card, chance)
    if type(move) is Fix:
        return fix(table, seat, move, chance)
    match move:
        case moves.Swap():
            return _swap(table, seat, move.other)
        case moves.Give():
            return _give(table, seat, move.card)
        case moves.Declare():
            return declare(table, seat, move.school)
        case moves.Draw():
            if check_step(table, seat, START, SHOWING) is SHOWING:
                return draw_at_last(table, seat, table.stage.work.of, (), chance)
            return turn_drawn(table, seat, (), chance)
        case moves.Awaken():
            return _awaken(table, seat, move.card)
        case moves.TakeAptitude():
            return _take_aptitude(table, seat, move.school, chance)
        case moves.Show():
            return _show(table, seat, chance)
        case moves.ShowOne(at=at):
            return _show_one(table, seat, at, chance)
        case moves.End():
            return _end(table, seat, chance)
        case moves.Use() | moves.Arrange() | moves.ArrangeLast() | moves.Put() | moves.Take() | moves.Imitate():
            return _with_artefact(table, seat, move, chance)
        case _:
            assert_never(move)


def _with_artefact(
    table: Table,
    seat: Seat,
    move: moves.Use | moves.Arrange | moves.ArrangeLast | moves.Put | moves.Take | moves.Imitate,
    chance: Chance,
) -> Events:
    match move:
        case moves.Use(artefact=artefact):
            return artefacts.use(table, seat, artefact, chance)
        case moves.Arrange(card=card):
            return artefacts.arrange(table, seat, card)
        case moves.ArrangeLast():
            return artefacts.arrange_last(table, seat, chance)
        case moves.Put(card=card):
            return artefacts.put(table, seat, card)
        case moves.Take(at=at):
            return artefacts.take(table, seat, at)
        case moves.Imitate(card=card):
            return artefacts.imitate(table, seat, card)
        case _:
            assert_never(move)


def _discard(table: Table, seat: Seat, card: int, chance: Chance) -> Events:
    """Discard a card face up to the right end of the row, and end the turn. Rule: MG-7."""
    stage = table.stage
    if stage.step is not TURN or stage.seat != seat:
        check_step(table, seat, TURN)
    if not holds(table.places[seat].hand, card):
        raise Refusal("MG-7", "not-in-hand", card=card)
    return next_turn(table, seat, (events.CardDiscarded(seat, card),), chance)


def _end(table: Table, seat: Seat, chance: Chance) -> Events:
    """End a turn without a card to discard. Rule: MG-7."""
    check_step(table, seat, TURN)
    if held_cards := size_of(table.places[seat].hand):
        raise Refusal("MG-7", "must-discard", held=held_cards)
    return next_turn(table, seat, (), chance)


def _swap(table: Table, seat: Seat, other: Seat) -> Events:
    """Begin the swap with that seat's last discard; the hand card is named next. Rule: MG-8."""
    check_step(table, seat, TURN)
    if table.stage.has_swapped:
        raise Refusal("MG-8", "swapped")
    if not 0 <= other < len(table.places) or not table.places[other].row:
        raise Refusal("MG-8", "no-discard", seat=other)
    if not size_of(table.places[seat].hand):
        raise Refusal("MG-8", "no-card")
    return (events.SwapBegun(seat, other),)


def _give(table: Table, seat: Seat, card: int) -> Events:
    """Put the hand card in the place of the discard. Rule: MG-8."""
    check_step(table, seat, SWAP)
    if not holds(table.places[seat].hand, card):
        raise Refusal("MG-8", "not-in-hand", card=card)
    other = table.stage.work.other
    return (events.CardsSwapped(seat, other, card, table.places[other].row[-1]),)


def _awaken(table: Table, seat: Seat, card: int) -> Events:
    """Set four equal cards aside; the school of an aptitude card is asked next. Rule: MG-10, MG-11."""
    check_step(table, seat, TURN)
    if card == INNOCENT:
        raise Refusal("MG-10", "innocent")
    if count(held(table.places[seat].hand), card) < AWAKENING:
        raise Refusal("MG-11", "not-in-hand", card=card, wanted=AWAKENING)
    return (events.Awakened(seat, card),)


def _take_aptitude(table: Table, seat: Seat, school: School, chance: Chance) -> Events:
    """Take an aptitude card of the school, if one is left, and draw three cards. Rule: MG-11, MG-12."""
    check_step(table, seat, APTITUDE)
    deck = table.middle.aptitudes[AT[school]]
    event = events.AptitudeTaken(seat, school, deck[0]) if deck else events.AptitudeMissed(seat, school)
    return draw(table, seat, AWAKENING_DRAWN, (event,), chance)


def _check_showing(table: Table, seat: Seat) -> None:
    """Refuse to show aptitude cards within another action, or out of turn. Rule: MG-6, MG-16."""
    early = (START,) if table.terms.edition.shows_at_any_time else ()
    check_step(table, seat, TURN, SHOWING, *early)


def _show(table: Table, seat: Seat, chance: Chance) -> Events:
    """Show all aptitude cards that are not shown, which may win. Rule: MG-16, MG-17."""
    _check_showing(table, seat)
    if not unshown(table.places[seat].won):
        raise Refusal("MG-16", "nothing-to-show")
    return _shown(table, seat, showing(table, seat), chance)


def _show_one(table: Table, seat: Seat, at: int, chance: Chance) -> Events:
    """Show one of several aptitude cards, which may win. Rule: MG-16, MG-17."""
    _check_showing(table, seat)
    won = table.places[seat].won
    if not 0 <= at < len(won.aptitudes):
        raise Refusal("MG-16", "no-aptitude", at=at, taken=len(won.aptitudes))
    if won.aptitudes[at].is_shown:
        raise Refusal("MG-16", "shown", at=at)
    if moves.ShowOne(at) not in _shows(won):
        raise Refusal("MG-16", "only-one")
    return _shown(table, seat, showing_one(table, seat, at), chance)


def _shown(table: Table, seat: Seat, told: events.AptitudeShown | events.AptitudesShown, chance: Chance) -> Events:
    """Return the event, then the end if it wins, or a waiting draw if no other card is left to show before it."""
    buffer = buffered(table, told)
    if has_won(buffer.state, seat):
        return end(buffer, seat)
    if table.stage.step is SHOWING and not unshown(buffer.state.places[seat].won):
        return draw_at_last(table, seat, table.stage.work.of, (told,), chance)
    return (told,)


def forced(table: Table) -> tuple[Seat, MagicativeMove] | None:
    """Return the only move, if everybody can tell that it is the only one.

    These are Fate's last card; a card of a row that has no more than must be taken; and the end of a turn with no card
    and nothing else to do.

    Rule:    MG-7, MG-15.
    """
    stage = table.stage
    if stage.step is TURN:
        place = table.places[stage.seat]
        if place.hand.hidden or size_of(place.hand) or artefacts.uses(table, stage.seat) or unshown(place.won):
            return None
        return stage.seat, END
    elif stage.step is ARRANGE:
        if stage.work.of - stage.work.done == 1:
            return stage.seat, artefacts.ARRANGE_LAST
    elif stage.step is TAKE:
        only = artefacts.only_take(table)
        return None if only is None else (stage.seat, only)
    return None

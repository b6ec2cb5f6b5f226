"""The touches of each move, and the moves that other touches may have meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import assert_never

from domain.game import Seat
from domain.games.magicative import moves
from domain.games.magicative.components import (
    AT,
    FORMS,
    INNOCENT,
    SCHOOLS,
    Artefact,
    Card,
    Number,
    Numbers,
    School,
    card_of,
    cards_of,
    count,
)
from domain.games.magicative.moves import MagicativeMove
from domain.games.magicative.rules.formulas import innocents_at_hand
from domain.games.magicative.rules.holding import with_innocents
from domain.games.magicative.scene import ids
from domain.games.magicative.state import FORMULA, IMITATE, PUT, SWAP, TAKE, TURN, Table, held, unshown
from domain.scene import SceneId, Touches

Moves = tuple[MagicativeMove, ...]


def touches(seen: Table, seat: Seat, move: MagicativeMove) -> Touches:
    """Return the card, then where it goes or what it makes; a button if the move has no place."""
    match move:
        case moves.Fix():
            return _along(seat, move, _real(move))
        case moves.Declare(school=school):
            # in the step after the card that counts as innocent was named, that card is set aside already
            first = (ids.copy(seat, INNOCENT),) if seen.stage.step is TURN else ()
            return (*first, ids.do_school(school))
        case moves.Discard(card=card):
            return ids.copy(seat, card), ids.row(seat)
        case moves.Awaken(card=card):
            return ids.copy(seat, card), ids.AWAKEN
        case moves.Give(card=card) | moves.Put(card=card) | moves.Imitate(card=card):
            return (ids.copy(seat, card),)
        case moves.Swap(other=other):
            return (f"{ids.row(other)}/{len(seen.places[other].row) - 1}",)
        case moves.Take(at=at):
            return (f"{ids.row(seat)}/{at}",)
        case moves.TakeAptitude(school=school):
            return (ids.aptitude_deck(school),)
        case moves.Use(artefact=artefact):
            return (ids.artefact(artefact),)
        case moves.Arrange() | moves.ArrangeLast():
            return (_arranged(seen, move),)
        case moves.Show() | moves.ShowOne():
            return (_shown(seen, seat, move),)
        case moves.Draw():
            # what the seat has looked at lies beside the pile
            middle = seen.middle
            known = middle.looked if middle.looker == seat else 0
            return (f"{ids.DECK}/cards" if len(seen.deck) > known else ids.DRAW,)
        case moves.End():
            return (ids.END,)
        case _:
            assert_never(move)


def ways(seen: Table, seat: Seat, move: MagicativeMove) -> tuple[Touches, ...]:
    """Return further paths: a formula is begun at any of its cards, also one with innocents, which are touched next."""
    if isinstance(move, moves.Declare) and seen.stage.step is TURN:
        innocent = ids.copy(seat, INNOCENT)
        return tuple((ids.copy(seat, card), innocent) for card in _beside_innocents(seen, seat, move.school))
    if not isinstance(move, moves.Fix) or len(real := _real(move)) < 2:
        return ()
    (_, *others) = dict.fromkeys(permutations(real))
    return tuple(_along(seat, move, numbers) for numbers in others)


def _beside_innocents(seen: Table, seat: Seat, school: School) -> list[Card]:
    """Return the cards that can be in a formula of the school with innocents."""
    pile, innocents = held(seen.places[seat].hand), innocents_at_hand(seen, seat)
    fixes = with_innocents(pile, AT[school], innocents)
    return [card_of(school, number) for number in sorted({number for fix in fixes for number in _real(fix)})]


def _real(move: moves.Fix) -> list[Number]:
    """Return the numbers of the formula's cards that are no innocents, from the lowest."""
    return sorted((Counter(move.numbers) - Counter(move.innocents)).elements())


def _along(seat: Seat, move: moves.Fix, numbers: Sequence[Number]) -> Touches:
    """Return the cards in that order; with innocents, then a button for the formula's numbers."""
    cards = [card_of(move.school, number) for number in numbers]
    touched = [ids.copy(seat, card, 1 + cards[:at].count(card)) for at, card in enumerate(cards)]
    return (*touched, ids.do_numbers(move.numbers)) if move.innocents else tuple(touched)


def _arranged(seen: Table, move: moves.Arrange | moves.ArrangeLast) -> SceneId:
    """Return the first of the equal cards on top of the deck that are not put back."""
    done = seen.stage.work.done
    return f"{ids.TOP}/{done if isinstance(move, moves.ArrangeLast) else seen.deck.index(move.card, done)}"


def _shown(seen: Table, seat: Seat, move: moves.Show | moves.ShowOne) -> SceneId:
    """Return one aptitude card, also if it is the only one; a button for several."""
    won = seen.places[seat].won
    if isinstance(move, moves.ShowOne):
        return f"{ids.aptitudes(seat)}/{move.at}"
    if len(unshown(won)) > 1:
        return ids.SHOW
    (only,) = (at for at, aptitude in enumerate(won.aptitudes) if not aptitude.is_shown)
    return f"{ids.aptitudes(seat)}/{only}"


def meant(seen: Table, seat: Seat, touched: SceneId) -> Moves:
    """Return the moves that a touch may have meant, so that the rules can say why they are not legal."""
    if touched in BUTTONS:
        return BUTTONS[touched]
    if touched == ids.AWAKEN:
        return _awakening(seen, seat)
    if touched in NUMBERS and seen.stage.step is FORMULA:
        return (_with_innocents(seen, seat, NUMBERS[touched]),)
    zone, _, name = touched.rpartition("/")
    if zone == ids.hand(seat):
        return _from_hand(seen, name)
    if zone.endswith("/tokens") and name in ARTEFACTS:
        return (moves.Use(Artefact(name)),)
    return _at(seen, seat, zone, int(name)) if name.isdecimal() else _a_row(seen, touched)


ARTEFACTS = {artefact.value for artefact in Artefact}
BUTTONS: dict[SceneId, Moves] = {
    ids.DRAW: (moves.Draw(),),
    f"{ids.DECK}/cards": (moves.Draw(),),
    ids.DECK: (moves.Draw(),),
    ids.SHOW: (moves.Show(),),
    ids.END: (moves.End(),),
    **{ids.do_school(school): (moves.Declare(school),) for school in SCHOOLS},
    **{ids.aptitude_deck(school): (moves.TakeAptitude(school),) for school in SCHOOLS},
    **{ids.artefact(artefact): (moves.Use(artefact),) for artefact in Artefact},
}
"""Touches with one meaning at every step."""
NUMBERS = {ids.do_numbers(numbers): numbers for numbers in FORMS}


def _awakening(seen: Table, seat: Seat) -> Moves:
    """Return the awakening of the card of which the hand has most."""
    cards: Counter[Card] = Counter(card for card in cards_of(held(seen.places[seat].hand)) if card != INNOCENT)
    return tuple(moves.Awaken(card) for card, _ in cards.most_common(1))


def _with_innocents(seen: Table, seat: Seat, numbers: Numbers) -> moves.Fix:
    """Return the formula with innocents for all cards that the hand misses."""
    school, cards = seen.stage.work.school[0], held(seen.places[seat].hand)
    wanted = Counter(numbers)
    missing = wanted - Counter({number: count(cards, card_of(school, number)) for number in wanted})
    return moves.Fix(school, numbers, tuple(sorted(missing.elements())))


def _from_hand(seen: Table, name: str) -> Moves:
    """Return the move for which a hand card is touched at this step; in a turn, its discard."""
    card = ids.CARDS_BY_ID.get(name.partition(".")[0])
    if card is None:
        return ()
    step = seen.stage.step
    if step is SWAP:
        return (moves.Give(card),)
    if step is PUT:
        return (moves.Put(card),)
    if step is IMITATE:
        return (moves.Imitate(card),)
    return (moves.Discard(card),)


def _at(seen: Table, seat: Seat, zone: str, at: int) -> Moves:
    """Return the moves for a card that has a place of its own: on the deck, in a row, among aptitude cards."""
    if zone == ids.TOP:
        return tuple(moves.Arrange(card) for card in seen.deck[at : at + 1] if card is not None)
    if zone == ids.aptitudes(seat):
        return (moves.ShowOne(at),)
    if zone == ids.row(seat) and seen.stage.step is TAKE:
        return (moves.Take(at),)
    rows = enumerate(seen.places)
    return tuple(moves.Swap(other) for other, place in rows if (zone, at) == (ids.row(other), len(place.row) - 1))


def _a_row(seen: Table, touched: SceneId) -> Moves:
    """Return the moves for a whole row, which means its last card."""
    return tuple(moves.Swap(other) for other in range(len(seen.places)) if touched == ids.row(other))

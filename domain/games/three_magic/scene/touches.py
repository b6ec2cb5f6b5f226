"""By which touches a hand makes a move, and what a touch that begins none may have meant."""

from __future__ import annotations

from itertools import combinations
from typing import assert_never

from domain.game import Seat
from domain.games.three_magic import moves
from domain.games.three_magic.rules import legal
from domain.games.three_magic.state import Phase, Table
from domain.scene import Touches

BUTTONS: dict[str, moves.ThreeMagicMove] = {
    "do/tsumo": moves.Tsumo(),
    "do/ron": moves.Ron(),
    "do/pass": moves.Pass(),
}


def touches(seen: Table, seat: Seat, move: moves.ThreeMagicMove) -> Touches:
    """The card, then the place or what is done with it; for a pledge the discard, then the two cards of the hand.

    A discard with which reach may be declared ends with a button, whether it is declared or not. Rule: 3M-19.
    """
    hand = f"seat.{seat}/hand"
    match move:
        case moves.Insert(at=at):
            return f"{hand}/drawn", _place(seen, seat, at)
        case moves.Discard(at=at, reach=reach):
            if moves.Discard(at, reach=True) not in legal(seen, seat):
                return (f"{hand}/{at}",)
            return f"{hand}/{at}", "do/reach" if reach else "do/discard"
        case moves.DiscardDrawn():
            return (f"{hand}/drawn",)
        case moves.Pledge(first=first, second=second):
            return _last_discard(seen, seen.deal.turn), f"{hand}/{first}", f"{hand}/{second}"
        case moves.Tsumo():
            return ("do/tsumo",)
        case moves.Ron():
            return ("do/ron",)
        case moves.Pass():
            return ("do/pass",)
        case _:
            assert_never(move)


def _place(seen: Table, seat: Seat, at: int) -> str:
    """The card before which another one is inserted, or the right end."""
    end = at == len(seen.deal.places[seat].hand)
    return f"seat.{seat}/hand/{'end' if end else at}"


def _last_discard(seen: Table, seat: Seat) -> str:
    return f"seat.{seat}/discards/{len(seen.deal.places[seat].row) - 1}"


def meant(seen: Table, seat: Seat, touched: str) -> tuple[moves.ThreeMagicMove, ...]:
    """A card of one's own is touched to discard it, to put the drawn one before it or to pledge with it; another's
    last discard to pledge it; a button for what it says."""
    places = seen.deal.places
    hand = tuple(range(len(places[seat].hand)))
    discards = tuple(_last_discard(seen, other) for other, place in enumerate(places) if other != seat and place.row)
    at = next((at for at in hand if touched == f"seat.{seat}/hand/{at}"), None)
    if at is not None:
        return _with_card(seen, seat, at)
    if touched in discards:
        return _pledges(seen, seat, hand)
    if touched == f"seat.{seat}/hand/end":
        return (moves.Insert(len(hand)),)
    if touched in {"do/discard", "do/reach"}:
        return tuple(moves.Discard(at, reach=touched == "do/reach") for at in hand)
    return tuple(move for button, move in BUTTONS.items() if button == touched)


def _with_card(seen: Table, seat: Seat, at: int) -> tuple[moves.ThreeMagicMove, ...]:
    """What may be wanted with a card of one's own hand."""
    if seen.deal.phase is Phase.CLAIMS and seen.deal.turn != seat:
        return _pledges(seen, seat, (at,))
    # In reach it is that the hand is frozen which is to be said.
    wanted = (moves.Discard(at), moves.Insert(at))
    return wanted[::-1] if seen.deal.places[seat].in_reach else wanted


def _pledges(seen: Table, seat: Seat, cards: tuple[int, ...]) -> tuple[moves.ThreeMagicMove, ...]:
    """Pledges with one of those cards, first those that may be made."""
    hand = range(len(seen.deal.places[seat].hand))
    pairs = (pair for pair in combinations(hand, 2) if not {*pair}.isdisjoint(cards))
    may = legal(seen, seat)
    return tuple(sorted((moves.Pledge(*pair) for pair in pairs), key=lambda move: move not in may))

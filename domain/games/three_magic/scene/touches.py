"""The touches of each move, and the moves that other touches may have meant."""

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
    """Return the card, then its place or a button; for a pledge the discard, then the two cards of the hand.

    If reach may be declared with a discard, a button ends the discard, with reach or without. Rule: 3M-19.
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
    """Return the card before which another one is inserted, or the right end."""
    end = at == len(seen.deal.places[seat].hand)
    return f"seat.{seat}/hand/{'end' if end else at}"


def _last_discard(seen: Table, seat: Seat) -> str:
    return f"seat.{seat}/discards/{len(seen.deal.places[seat].row) - 1}"


def meant(seen: Table, seat: Seat, touched: str) -> tuple[moves.ThreeMagicMove, ...]:
    """Return the moves that the seat may have meant by a touch.

    A card of its own: discard it, insert the drawn card before it, or pledge with it. Another seat's last discard:
    pledge it. A button: its move.
    """
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
    """Return the moves with a card of the seat's own hand."""
    if seen.deal.phase is Phase.CLAIMS and seen.deal.turn != seat:
        return _pledges(seen, seat, (at,))
    # In reach, the refusal of the insertion says that the hand is frozen.
    wanted = (moves.Discard(at), moves.Insert(at))
    return wanted[::-1] if seen.deal.places[seat].in_reach else wanted


def _pledges(seen: Table, seat: Seat, cards: tuple[int, ...]) -> tuple[moves.ThreeMagicMove, ...]:
    """Return the pledges with one of those cards, the legal ones first."""
    hand = range(len(seen.deal.places[seat].hand))
    pairs = (pair for pair in combinations(hand, 2) if not {*pair}.isdisjoint(cards))
    may = legal(seen, seat)
    return tuple(sorted((moves.Pledge(*pair) for pair in pairs), key=lambda move: move not in may))

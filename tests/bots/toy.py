"""A game small enough to be seen through, with all that a bot may meet: hidden cards, chance, answers under seal.

Everybody has three cards from 0 to 9. A round: the leader draws a card and may swap it for their lowest; then all bid a
card under seal, and the highest bid takes a point (a tie takes none). The last card is bid by itself.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec

from domain.chance import Chance
from domain.game import Event, Evolve, Game, Move, Refusal, Seat, Standing, Value, rank
from domain.secrecy import Hidden

HAND = 3


class Swap(Move, frozen=True):
    """Take the drawn card for the lowest one."""


class Keep(Move, frozen=True):
    """Leave it."""


class Bid(Move, frozen=True):
    """A card of one's hand."""

    card: int


class Dealt(Event, frozen=True):
    """A hand."""

    seat: Seat
    cards: Annotated[tuple[int | None, ...], Hidden("seat")]


class Drawn(Event, frozen=True):
    """The leader looks at a card."""

    seat: Seat
    card: Annotated[int | None, Hidden("seat")]


class Swapped(Event, frozen=True):
    """Or not."""

    seat: Seat
    did: bool


class Bids(Event, frozen=True):
    """All bids, open."""

    cards: tuple[int, ...]
    winner: Seat | None


class Table(Value, frozen=True):
    """What lies there."""

    hands: tuple[tuple[int | None, ...], ...]
    drawn: int | None
    is_drawn: bool
    leader: Seat
    points: tuple[int, ...]


class Options(Value, frozen=True):
    """Cards in a hand."""

    hand: int = HAND


def _check(options: Options, seats: int, pack: Any) -> None:
    if not 1 <= options.hand <= HAND:
        raise Refusal("T-1", "options", most=HAND)


def _initial(options: Options, seats: int, pack: Any) -> Table:
    return Table(((None,) * options.hand,) * seats, None, False, 0, (0,) * seats)


def _setup(state: Table, chance: Chance) -> tuple[Event, ...]:
    deck = chance.shuffle(tuple(range(10)))
    size = len(state.hands[0])
    hands = tuple(
        Dealt(seat=seat, cards=tuple(sorted(deck[seat * size : seat * size + size])))
        for seat in range(len(state.hands))
    )
    return (*hands, Drawn(seat=0, card=chance.below(10)))


def _to_act(state: Table) -> tuple[Seat, ...]:
    if not state.hands[0]:
        return ()
    return (state.leader,) if state.is_drawn else tuple(range(len(state.hands)))


def _legal(state: Table, seat: Seat) -> tuple[Any, ...]:
    if seat not in _to_act(state):
        return ()
    if state.is_drawn:
        return (Swap(), Keep())
    return tuple(Bid(card=card) for card in state.hands[seat])  # type: ignore[arg-type]


def _decide(state: Table, seat: Seat, move: Any, chance: Chance) -> tuple[Event, ...]:
    if move not in _legal(state, seat):
        raise Refusal("T-2", "illegal")
    return (Swapped(seat=seat, did=isinstance(move, Swap)),)


def _close(state: Table, answers: tuple[Any, ...], chance: Chance) -> tuple[Event, ...]:
    cards = tuple(answer.card for answer in answers)
    best = max(cards)
    winner = cards.index(best) if cards.count(best) == 1 else None
    bids = Bids(cards=cards, winner=winner)
    if len(state.hands[0]) == 1:
        return (bids,)
    return (bids, Drawn(seat=(state.leader + 1) % len(state.hands), card=chance.below(10)))


def _evolve(state: Table, event: Any) -> Table:
    put = msgspec.structs.replace
    hands = list(state.hands)
    match event:
        case Dealt(seat=seat, cards=cards):
            hands[seat] = cards
            return put(state, hands=tuple(hands))
        case Drawn(seat=seat, card=card):
            return put(state, leader=seat, drawn=card, is_drawn=True)
        case Swapped(seat=seat, did=did):
            if did:
                known = sorted(card for card in (*hands[seat][1:], state.drawn) if card is not None)
                hands[seat] = tuple(known) or (None,) * len(hands[seat])
            return put(state, hands=tuple(hands), drawn=None, is_drawn=False)
        case Bids(cards=cards, winner=winner):
            for seat, card in enumerate(cards):
                hand = list(hands[seat])
                hand.remove(card if card in hand else None)
                hands[seat] = tuple(hand)
            points = tuple(one + (seat == winner) for seat, one in enumerate(state.points))
            return put(state, hands=tuple(hands), points=points)
        case _:
            raise AssertionError(event)


def _imagine(seen: Table, seat: Seat | None, chance: Chance) -> Table:
    hands = tuple(tuple(sorted(chance.below(10) if card is None else card for card in hand)) for hand in seen.hands)
    drawn = chance.below(10) if seen.is_drawn and seen.drawn is None else seen.drawn
    return msgspec.structs.replace(seen, hands=hands, drawn=drawn)


def _evaluate(seen: Table, seat: Seat) -> float:
    return 100 * seen.points[seat] + sum(card or 0 for card in seen.hands[seat])


def _explain(refusal: Refusal, lang: str) -> str:
    return "Not now." if refusal.code == "illegal" else f"A hand has 1 to {refusal.fields['most']} cards."


GAME: Game[Any, Any, Any] = Game(
    slug="toy",
    title={"en": "Toy", "ja": "玩具"},
    version=1,
    seats=(2, 3),
    bound=40,
    Move=Swap | Keep | Bid,
    Event=Dealt | Drawn | Swapped | Bids,
    View=Table,
    Options=Options,
    Pack=Value,
    parse_pack=lambda data, file: json.loads(data),
    check_options=_check,
    initial=_initial,
    setup=_setup,
    to_act=_to_act,
    legal=_legal,
    decide=_decide,
    evolve=Evolve(dict.fromkeys((Dealt, Drawn, Swapped, Bids), _evolve)),
    forced=lambda state: None,
    secret=lambda state: bool(state.hands[0]) and not state.is_drawn,
    close=_close,
    default=lambda seen, seat: _legal(seen, seat)[-1],
    view=lambda seen, seat: seen,
    explain=_explain,
    standing=lambda state: Standing(points=state.points, ranking=rank(state.points), over=not state.hands[0]),
    describe=lambda it, lang: type(it).__name__,
    label=lambda seen, seat, move, lang: str(move),
    scene=lambda view, lang: None,
    touches=lambda seen, seat, move: (),
    palette=(),
    imagine=_imagine,
    evaluate=_evaluate,
)

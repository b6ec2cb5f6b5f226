"""A turn: draw, insert or win, discard, perhaps with reach, then claims or the next draw."""

from __future__ import annotations

from typing import assert_never

from domain.chance import Chance
from domain.game import EventBuffer, Refusal, Seat
from domain.games.three_magic import events, moves
from domain.games.three_magic.components import HAND, PLEDGES, SEATS, Card
from domain.games.three_magic.events import Events
from domain.games.three_magic.evolve import evolve
from domain.games.three_magic.rules.claims import (
    check_claim,
    claims,
    discard_claimed,
    is_won_with,
    may_claim,
    pledged,
    ready_without,
    standing_claim,
    waits,
)
from domain.games.three_magic.rules.settling import draw_deal, ron, tsumo
from domain.games.three_magic.state import CLAIMS, DISCARD, DRAWN, NEXT_SEAT, OVER, PREVIOUS_SEAT, Phase, Table
from domain.secrecy import known

TSUMO = moves.Tsumo()
DISCARD_DRAWN = moves.DiscardDrawn()
# A hand has 8, 5 or 2 cards, and one more before the discard.
INSERTS = {n: tuple(moves.Insert(at) for at in range(n + 1)) for n in range(HAND, HAND - 3 * PLEDGES - 1, -3)}
DISCARDS = {n + 1: tuple(moves.Discard(at) for at in range(n + 1)) for n in INSERTS}
REACHES = tuple(moves.Discard(at, True) for at in range(HAND + 1))


def to_act(table: Table) -> tuple[Seat, ...]:
    """Return the seats that are to act; while claims are open, those that are known to be asked. Rule: 3M-7, 3M-12."""
    deal = table.deal
    phase = deal.phase
    if phase is DRAWN or phase is DISCARD:
        return (deal.turn,)
    if phase is CLAIMS:
        return tuple([seat for seat, asked in enumerate(deal.asked) if asked])
    return ()


def legal(table: Table, seat: Seat) -> tuple[moves.ThreeMagicMove, ...]:
    """Return every move that the seat may make now; none if its cards are not known. Rule: 3M-7, 3M-12, 3M-20."""
    deal = table.deal
    phase = deal.phase
    if phase is CLAIMS:
        return claims(table, seat) if deal.asked[seat] else ()
    if deal.turn != seat:
        return ()
    if phase is DRAWN:
        return _with_the_drawn_card(table, seat)
    return _discards(table, seat) if phase is DISCARD else ()


def _with_the_drawn_card(table: Table, seat: Seat) -> tuple[moves.ThreeMagicMove, ...]:
    place = table.deal.places[seat]
    drawn = table.deal.drawn[0]
    if drawn is None:
        return ()
    others: tuple[moves.ThreeMagicMove, ...] = (DISCARD_DRAWN,) if place.in_reach else INSERTS[len(place.hand)]
    return (TSUMO, *others) if is_won_with(known(place.hand), drawn) else others


def _discards(table: Table, seat: Seat) -> tuple[moves.ThreeMagicMove, ...]:
    hand = table.deal.places[seat].hand
    if hand[0] is None:
        return ()
    discards = DISCARDS[len(hand)]
    if not _may_reach(table, seat) or not (ready := ready_without(known(hand))):
        return discards
    return discards + tuple(REACHES[at] for at in ready)


def _may_reach(table: Table, seat: Seat) -> bool:
    """Return whether the seat has made no pledge and can pay for reach. Rule: 3M-17, 3M-19."""
    return not table.deal.places[seat].pledges and table.od[seat] >= table.terms.pack.prices.reach


def decide(table: Table, seat: Seat, move: moves.ThreeMagicMove, chance: Chance) -> Events:
    """Return the events that a move causes; none for an answer to claims, as `close` returns those of all answers.

    Raises:  Refusal, with the clause.
    """
    match move:
        case moves.Insert(at=at):
            return _insert(table, seat, at)
        case moves.Discard():
            return _discard(table, seat, move, chance)
        case moves.DiscardDrawn():
            return _discard_drawn(table, seat, chance)
        case moves.Tsumo():
            drawn = _check_turn(table, seat, DRAWN)
            if not is_won_with(known(table.deal.places[seat].hand), known(drawn)[0]):
                raise Refusal("3M-9", "not-winning")
            return tsumo(table, seat, chance)
        case moves.Ron() | moves.Pledge() | moves.Pass():
            check_claim(table, seat, move)
            return ()
        case _:
            assert_never(move)


def _check_turn(table: Table, seat: Seat, phase: Phase) -> tuple[Card | None, ...]:
    """Return the drawn card, if there is one; refuse a move that is not for this seat to make now. Rule: 3M-7."""
    deal = table.deal
    if deal.phase is phase and deal.turn == seat:
        return deal.drawn
    if deal.phase is OVER:
        raise Refusal("3M-34", "over")
    if seat not in to_act(table) or deal.phase is CLAIMS:
        raise Refusal("3M-7", "not-your-turn")
    raise Refusal("3M-7", "wrong-step", step=deal.phase)


def _insert(table: Table, seat: Seat, at: int) -> Events:
    """Insert the drawn card into the hand. Rule: 3M-6, 3M-7, 3M-20."""
    _check_turn(table, seat, DRAWN)
    place = table.deal.places[seat]
    if place.in_reach:
        raise Refusal("3M-20", "in-reach")
    if not 0 <= at <= len(place.hand):
        raise Refusal("3M-6", "no-such-place", places=len(place.hand) + 1)
    return (events.CardInserted(seat, at),)


def _discard(table: Table, seat: Seat, move: moves.Discard, chance: Chance) -> Events:
    """Discard a card of the hand. A reach that is declared with it is paid before claims are opened.

    Rule:    3M-7, 3M-19.
    """
    _check_turn(table, seat, DISCARD)
    deal = table.deal
    hand = known(deal.places[seat].hand)
    at = move.at
    if not 0 <= at < len(hand):
        raise Refusal("3M-7", "no-such-card", cards=len(hand))
    discarded = events.CardDiscarded(seat, at, hand[at], move.reach)
    if not move.reach:
        return _follow(table, seat, hand[at], (discarded,), chance)
    _check_reach(table, seat, hand[:at] + hand[at + 1 :])
    declared = events.ReachDeclared(seat, table.terms.pack.prices.reach)
    turned = events.IndicatorTurned(known(deal.unused)[0])
    return _follow(table, seat, hand[at], (discarded, declared, turned), chance)


def _check_reach(table: Table, seat: Seat, hand: tuple[Card, ...]) -> None:
    """Refuse reach to a seat that may not declare it; `hand` is what is left of the hand. Rule: 3M-17, 3M-19."""
    if table.deal.places[seat].pledges:
        raise Refusal("3M-17", "pledged")
    if not _may_reach(table, seat):
        raise Refusal("3M-19", "cannot-pay", od=table.terms.pack.prices.reach)
    if not waits(hand):
        raise Refusal("3M-19", "not-ready")


def _discard_drawn(table: Table, seat: Seat, chance: Chance) -> Events:
    """Discard the drawn card, in reach. Rule: 3M-20."""
    drawn = _check_turn(table, seat, DRAWN)
    if not table.deal.places[seat].in_reach:
        raise Refusal("3M-7", "not-in-reach")
    card = known(drawn)[0]
    return _follow(table, seat, card, (events.DrawnDiscarded(seat, card),), chance)


def _follow(table: Table, seat: Seat, card: Card, told: Events, chance: Chance) -> Events:
    """Open claims on the discard if a seat could claim it, otherwise go on.

    Rule:    3M-7, 3M-12.
    Shape:   `table` is as it was before the events `told` of the discard, which change no seat's right to claim.
    """
    asked = [False] * SEATS
    for other in (NEXT_SEAT[seat], PREVIOUS_SEAT[seat]):
        asked[other] = may_claim(table, other, seat, card)
    if any(asked):
        return (*told, events.ClaimsOpened(seat, card, tuple(asked)))
    return _go_on(table, seat, told, chance)


def _go_on(table: Table, discarder: Seat, told: Events, chance: Chance) -> Events:
    """Draw for the next player; when the wall is empty, draw the deal. Rule: 3M-4, 3M-7, 3M-16, 3M-32."""
    if wall := known(table.deal.wall):
        return (*told, events.CardDrawn(NEXT_SEAT[discarder], wall[0]))
    return draw_deal(EventBuffer(evolve, table, told), chance)


def secret(table: Table) -> bool:
    """Return whether answers are given under seal: while claims are open. Rule: 3M-12."""
    return table.deal.phase is CLAIMS


def close(table: Table, answers: tuple[moves.ThreeMagicMove | None, ...], chance: Chance) -> Events:
    """Return the events when all have answered: of the winning claim alone, or of the next draw.

    Rule:    3M-11, 3M-12, 3M-16, 3M-18.
    """
    discarder, card = discard_claimed(table)
    claim = standing_claim(table, answers)
    if claim is None:
        return _go_on(table, discarder, (events.ClaimsPassed(discarder, card),), chance)
    seat, move = claim
    if isinstance(move, moves.Pledge):
        return (pledged(table, seat, move),)
    return ron(table, seat, discarder, card, chance)


def forced(table: Table) -> None:
    """Return None: the engine plays no move by itself.

    A seat in reach that may only discard is asked all the same: discarding for it would show that it could not win.
    """

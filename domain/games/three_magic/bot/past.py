"""Limits on hidden hands from the deal so far: no seat could claim a discard about which nobody was asked.

Where cards go into a hand and leave it is open, so the present hand shows what it was at every earlier discard.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from domain.game import Seat
from domain.games.three_magic.components import KINDS, PLEDGES, SEATS, Card, Cards, attribute_of, face_of
from domain.games.three_magic.rules.claims import has_partners
from domain.games.three_magic.state import DISCARDED, NEXT_SEAT, NOWHERE, OPENED, PLEDGED, REACHED, RECORD, Table

Slot = int
"""A card of a hand: the unknown card at that index of `Past.hidden`, or, below 0, the known card `~slot`."""

KNOWN: Cards = tuple(reversed(range(KINDS)))
"""Put behind all unknown cards, these let each slot be the index of its card."""


class Then(NamedTuple):
    """A hand at a discard, and what its seat could have done about the discard."""

    hand: tuple[Slot, ...]
    card: Card | None
    """The discard; None if the question is whether the hand was ready, and not whether it could claim."""
    may_chi: bool = False
    may_pledge: bool = False

    def is_so(self, hand: Cards, faces: int) -> bool:
        """Return whether the hand could claim, or was ready, if it is this one and waits for these faces.

        Rule:    3M-9, 3M-12.
        """
        _, card, may_chi, may_pledge = self
        if card is None:
            return faces > 0
        return faces >> face_of(card) & 1 == 1 or (may_pledge and has_partners(hand, card, may_chi=may_chi))


class Past(NamedTuple):
    """The conditions on the unknown cards in hands."""

    hidden: tuple[tuple[Seat, int], ...]
    """The seat and position of each unknown card in a hand."""
    thens: tuple[Then, ...]
    never: int
    """How many of `thens`, from the first on, are false."""
    some: tuple[tuple[int, ...], ...]
    """The numbers of the others in groups; in each group at least one is true. Rule: 3M-12, 3M-19."""
    hands: tuple[tuple[tuple[Slot, ...], tuple[int, ...]], ...]
    """Each hand of `thens`, with their numbers: it stays as it is for a few discards, and in reach for all."""

    def passed(self, seat: Seat) -> int:
        """Return the faces with which the hand as it is now did not win, a bit each."""
        hand = tuple(at for at, (one, _) in enumerate(self.hidden) if one == seat)
        cards = (then.card for then in self.thens[: self.never] if then.hand == hand)
        return sum({1 << face_of(card) for card in cards if card is not None})

    def touched(self) -> tuple[tuple[int, ...], ...]:
        """Return, for each card by its place in `hidden`, the indices of the `hands` that have it."""
        return tuple(
            tuple([index for index, (hand, _) in enumerate(self.hands) if at in hand]) for at in range(len(self.hidden))
        )


class _Rewinding:
    """The hands, and what seats could pay, followed from now backwards."""

    def __init__(self, seen: Table) -> None:
        self.hidden: list[tuple[Seat, int]] = []
        self.hands = [self._slots(seat, place.hand) for seat, place in enumerate(seen.deal.places)]
        self.od = list(seen.od)
        self.pledges = [len(place.pledges) for place in seen.deal.places]
        self.in_reach = [place.in_reach for place in seen.deal.places]
        self.prices = seen.terms.pack.prices
        self.attributes = seen.attributes

    def _slots(self, seat: Seat, hand: Sequence[Card | None]) -> tuple[Slot, ...]:
        slots = []
        for at, card in enumerate(hand):
            slots.append(len(self.hidden) if card is None else ~card)
            if card is None:
                self.hidden.append((seat, at))
        return tuple(slots)

    def undo(self, kind: int, seat: Seat, card: Card, out: int, into: int) -> None:
        """Undo what a record of the past did to hands and od."""
        if out != NOWHERE:
            self.hands[seat] = (*self.hands[seat][:out], ~card, *self.hands[seat][out:])
        if into != NOWHERE:
            self.draw_back(seat, into)
        if kind == REACHED:
            self.od[seat] += self.prices.reach
            self.in_reach[seat] = False
        elif kind == PLEDGED:
            self.pledges[seat] -= 1
            self.od[seat] += self._amounts(seat, card)[self.pledges[seat]]

    def draw_back(self, seat: Seat, into: int) -> None:
        """Take the drawn card out of the hand again."""
        self.hands[seat] = self.hands[seat][:into] + self.hands[seat][into + 1 :]

    def then(self, seat: Seat, discarder: Seat, card: Card) -> Then:
        """Return the seat's hand when the card was discarded, and its rights."""
        return Then(self.hands[seat], card, NEXT_SEAT[discarder] == seat, self._may_pledge(seat, card))

    def _amounts(self, seat: Seat, card: Card) -> tuple[int, ...]:
        """Return what the first and the second pledge of the card cost the seat. Rule: 3M-15."""
        is_own = attribute_of(card) is self.attributes[seat]
        return self.prices.pledge_own if is_own else self.prices.pledge_other

    def _may_pledge(self, seat: Seat, card: Card) -> bool:
        """Return whether the seat had the right and the od to pledge the card. Rule: 3M-15, 3M-20."""
        made = self.pledges[seat]
        return not self.in_reach[seat] and made < PLEDGES and self.od[seat] >= self._amounts(seat, card)[made]


def read(seen: Table) -> Past:
    """Return what the deal so far says about the unknown cards in hands. Rule: 3M-6, 3M-12, 3M-19."""
    past = _Rewinding(seen)
    never: list[Then] = []
    some: list[tuple[Then, ...]] = [
        (Then(hand, None),) for hand, is_in in zip(past.hands, past.in_reach, strict=True) if is_in
    ]
    for into in seen.deal.inserted:
        past.draw_back(seen.deal.turn, into)
    is_opened = False
    for kind, seat, card, out, into in reversed(tuple(RECORD.iter_unpack(seen.deal.past))):
        if kind == OPENED:
            is_opened = True
        elif kind == DISCARDED:
            others = [past.then(other, seat, card) for other in range(SEATS) if other != seat]
            if is_opened:
                some.append(tuple(others))
            else:
                never += others
            is_opened = False
        past.undo(kind, seat, card, out, into)
    never = [then for then in never if max(then.hand) >= 0]
    some = [group for group in some if any(max(then.hand) >= 0 for then in group)]
    thens = (*never, *(then for group in some for then in group))
    hands = tuple(
        (hand, tuple([number for number, then in enumerate(thens) if then.hand == hand]))
        for hand in dict.fromkeys([then.hand for then in thens])
    )
    numbers = iter(range(len(never), len(thens)))
    groups = tuple(tuple(next(numbers) for _ in group) for group in some)
    return Past(tuple(past.hidden), thens, len(never), groups, hands)

"""Fills in what a seat can't see, so that what it does see could be so.

Told apart from the truth by nothing that the seat may know: a hand in reach is ready, and while claims are open
somebody could claim. Cards are otherwise laid by chance. Where the search for such hands fails (which takes a pool
that is nearly empty), the hand is any hand, and the first seat that may have been asked counts as asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from domain.chance import Chance
from domain.facedown import fill, unseen
from domain.game import Seat
from domain.games.three_magic.components import (
    COMBINATION,
    COMPLETING,
    DECK,
    KINDS,
    SEATS,
    SPELLS,
    Card,
    Cards,
    Lying,
    face_of,
)
from domain.games.three_magic.rules.claims import discard_claimed, may_claim, may_pledge
from domain.games.three_magic.state import Phase, Place, Table, next_seat

Faces = tuple[int, ...]

FACES = range(KINDS // 2)
SPELLABLE: tuple[Faces, ...] = tuple(
    (a, b, c) for a in FACES for b in FACES for c in FACES if COMBINATION[a * 1800 + b * 60 + c * 2]
)
"""All spells, by face."""
PAIRS: tuple[Faces, ...] = tuple((a, b) for a in FACES for b in FACES if COMPLETING[a * 60 + b * 2])
"""All that lacks one card of a spell, by face."""

LAID_BY_CHANCE = 12
"""So many times hands are laid by chance before one is built to claim the discard."""
BUILT = 12


def imagine(seen: Table, seat: Seat | None, chance: Chance) -> Table:
    """A full table that looks the same to the seat; None is a spectator.

    What the seat knows is what `seen` shows, so it is all the same who asks.

    Rule:    3M-1, 3M-12, 3M-19.
    """
    pool = unseen(DECK, *_zones(seen))
    for attempt in range(LAID_BY_CHANCE + BUILT):
        claimer = _claimer(seen, chance) if attempt >= LAID_BY_CHANCE else None
        table = _ask(_lay(seen, list(chance.shuffle(pool)), claimer, chance))
        if table.deal.phase is not Phase.CLAIMS or True in table.deal.asked:
            return table
    return _ask_somebody(table)


def _zones(seen: Table) -> Iterator[Lying]:
    """Wherever cards lie."""
    deal = seen.deal
    yield from (deal.wall, deal.unused, deal.indicators, deal.drawn)
    for place in deal.places:
        yield from (place.hand, tuple(lain.card for lain in place.row), *place.pledges)


def _lay(seen: Table, pool: list[Card], claimer: Seat | None, chance: Chance) -> Table:
    """Every unknown card from the pool: hands that must be of a kind first, then as the pool lies."""
    deal = seen.deal
    built: dict[Seat, Cards] = {}
    for seat, place in enumerate(deal.places):
        if None in place.hand and (seat == claimer or place.in_reach):
            built[seat] = _build(seen, seat, pool, seat == claimer, chance)
    left = reversed(pool)
    places = tuple(
        replace(place, hand=built[seat] if seat in built else fill(place.hand, left))
        for seat, place in enumerate(deal.places)
    )
    drawn, unused, wall = fill(deal.drawn, left), fill(deal.unused, left), fill(deal.wall, left)
    return replace(seen, deal=replace(deal, places=places, drawn=drawn, unused=unused, wall=wall))


def _claimer(seen: Table, chance: Chance) -> Seat:
    """One of those who may have been asked."""
    return chance.choose(tuple(seat for seat, asked in enumerate(seen.deal.asked) if _may_be_asked(seen, seat, asked)))


def _may_be_asked(seen: Table, seat: Seat, asked: bool | None) -> bool:
    return asked is None and seat != seen.deal.turn


def _ask(table: Table) -> Table:
    """While claims are open: what is not known of who is asked, by who could claim."""
    if None not in table.deal.asked:
        return table
    discarder, card = discard_claimed(table)
    asked = tuple(
        (seat != discarder and may_claim(table, seat, discarder, card)) if known is None else known
        for seat, known in enumerate(table.deal.asked)
    )
    return replace(table, deal=replace(table.deal, asked=asked))


def _ask_somebody(table: Table) -> Table:
    """The search has failed: somebody is asked who can only pass."""
    somebody = next_seat(table.deal.turn)
    asked = tuple(seat == somebody for seat in range(SEATS))
    return replace(table, deal=replace(table.deal, asked=asked))


def _build(seen: Table, seat: Seat, pool: list[Card], is_claimer: bool, chance: Chance) -> Cards:
    """A hand from the pool that is ready, or that could claim the discard, if it can be had; else any hand."""
    place = seen.deal.places[seat]
    pairs = PAIRS
    if is_claimer:
        discarder, card = discard_claimed(seen)
        pairs = tuple(pair for pair in PAIRS if COMPLETING[pair[0] * 60 + pair[1] * 2] >> face_of(card) & 1)
        if may_pledge(seen, seat, card) and chance.below(2):
            callable_pairs = tuple(p for p in pairs if p[0] == p[1] or next_seat(discarder) == seat)
            return _hand_with_a_pair(place, callable_pairs, pool, chance)
    spells = SPELLS - 1 - len(place.pledges)
    held = Counter(map(face_of, pool))
    groups = next(_groups(held, chance.shuffle(pairs), chance.shuffle(SPELLABLE), spells), ())
    cards = _take((face for group in chance.shuffle(groups) for face in group), pool)
    return (*cards, *(pool.pop() for _ in range(len(place.hand) - len(cards))))


def _groups(
    held: Counter[int], pairs: tuple[Faces, ...], spells: tuple[Faces, ...], count: int
) -> Iterator[tuple[Faces, ...]]:
    """One of the pairs and so many of the spells, of cards that are held."""
    for group in spells if count else pairs:
        left = held.copy()
        left.subtract(group)
        if all(left[face] >= 0 for face in group):
            if count:
                yield from ((group, *others) for others in _groups(left, pairs, spells, count - 1))
            else:
                yield (group,)


def _take(faces: Iterator[int], pool: list[Card]) -> Cards:
    """A card of each face out of the pool."""
    taken = []
    for face in faces:
        card = next(card for card in pool if face_of(card) == face)
        pool.remove(card)
        taken.append(card)
    return tuple(taken)


def _hand_with_a_pair(place: Place, pairs: tuple[Faces, ...], pool: list[Card], chance: Chance) -> Cards:
    """A hand with one of the pairs somewhere in it, if it can be had."""
    groups = next(_groups(Counter(map(face_of, pool)), chance.shuffle(pairs), (), 0), ((),))
    hand = list(_take(iter(groups[0]), pool))
    while len(hand) < len(place.hand):
        hand.insert(chance.below(len(hand) + 1), pool.pop())
    return tuple(hand)

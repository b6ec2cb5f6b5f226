"""Fills in what a seat cannot see, in a way that fits all that it was told.

A hand in reach is ready; while claims are open a seat could claim; and no hand could claim a discard about which nobody
was asked (`past`). Cards are dealt by chance, then cards of hands are swapped until nothing is contradicted. About one
world in 50 still contradicts what was told, nearly always with a hand in reach. If no hand that claims can be made, the
first seat that may have been asked counts as asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import compress

from msgspec.structs import replace

from domain.chance import Chance
from domain.game import Seat, put
from domain.games.three_magic.bot.past import KNOWN, Past, read
from domain.games.three_magic.components import (
    COMBINATION,
    COMPLETING,
    DECK,
    KINDS,
    SPELLS,
    Card,
    Cards,
    Lying,
    face_of,
)
from domain.games.three_magic.rules.claims import discard_claimed, may_claim, may_pledge, waits
from domain.games.three_magic.state import NEXT_SEAT, Phase, Place, Table
from domain.secrecy import fill, unseen

Faces = tuple[int, ...]

FACES = range(KINDS // 2)
SPELLABLE: tuple[Faces, ...] = tuple(
    (a, b, c) for a in FACES for b in FACES for c in FACES if COMBINATION[a * 2][b * 2][c * 2]
)
"""All spells, by face."""
PAIRS: tuple[Faces, ...] = tuple((a, b) for a in FACES for b in FACES if COMPLETING[a * 2][b * 2])
"""All pairs that lack one card of a spell, by face."""

TRIES = 6
"""How often cards are dealt and mended before a world is taken that contradicts what was told."""
BUILT = 8
"""How many deals are made for one that is mended, if a hand is in reach: such hands are seldom mended."""
SWAPS = 100
"""How many swaps of two cards are tried to mend a world."""


def imagine(seen: Table, seat: Seat | None, chance: Chance) -> Table:
    """Return a full table that looks the same to the seat; None is a spectator.

    All that the seat knows is in `seen`, so `seat` makes no difference.

    Rule:    3M-1, 3M-12, 3M-19.
    """
    pool, past, touched = _told(seen)
    laid = BUILT if any(place.in_reach and None in place.hand for place in seen.deal.places) else 1
    for attempt in range(TRIES):
        claimer = _claimer(seen, chance) if attempt % 2 and None in seen.deal.asked else None
        lain = (_lay(seen, past, list(chance.shuffle(pool)), claimer, chance) for _ in range(laid))
        worlds = [_Mending(past, touched, *cards) for cards in lain]
        world = min(worlds, key=lambda world: len(world.wrong()))
        if world.run(chance):
            break
    table = _ask(_filled(seen, world.cards[:-KINDS]))
    return table if table.deal.phase is not Phase.CLAIMS or True in table.deal.asked else _ask_somebody(seen, table)


@lru_cache(maxsize=1 << 4)
def _told(seen: Table) -> tuple[Cards, Past, tuple[tuple[int, ...], ...]]:
    """Return the unknown cards, their limits, and `Past.touched`: a search imagines many worlds of the same table."""
    past = read(seen)
    return unseen(DECK, *_zones(seen)), past, past.touched()


class _Mending:
    """A world in which cards of hands are swapped with others until nothing that was told is contradicted."""

    def __init__(self, past: Past, touched: tuple[tuple[int, ...], ...], cards: list[Card], left: list[Card]) -> None:
        """`cards` are the unknown cards in hands, by `past.hidden`; `left` are all other unknown cards."""
        self.past, self.cards = past, [*cards, *left, *KNOWN]
        self.touched = (*touched, *((),) * len(left))
        self.so = [False] * len(past.thens)
        self._look(range(len(past.hands)))

    def _look(self, hands: Iterable[int]) -> None:
        """Note which conditions on these hands are so, with the cards as they are."""
        so, cards, thens = self.so, self.cards, self.past.thens
        for index in hands:
            slots, numbers = self.past.hands[index]
            hand = tuple([cards[slot] for slot in slots])
            faces = waits(hand)
            for number in numbers:
                so[number] = thens[number].is_so(hand, faces)

    def wrong(self) -> list[int]:
        """Return the numbers of the conditions that are wrong, of those that one card might mend."""
        so, past = self.so, self.past
        never = list(compress(range(past.never), so))
        groups = [group for group in past.some if not any(map(so.__getitem__, group))]
        return never + [number for group in groups for number in group if max(past.thens[number].hand) >= 0]

    def run(self, chance: Chance) -> bool:
        """Swap cards; return whether the world is mended within the limit."""
        wrong, cards, touched = self.wrong(), self.cards, self.touched
        for _ in range(SWAPS):
            if not wrong:
                return True
            at, to = self._chosen(chance.choose(tuple(wrong)), chance)
            before = self.so
            cards[at], cards[to] = cards[to], cards[at]
            self.so = before.copy()
            self._look({*touched[at], *touched[to]})
            if len(now := self.wrong()) <= len(wrong):
                wrong = now
            else:
                cards[at], cards[to] = cards[to], cards[at]
                self.so = before
        return not wrong

    def _chosen(self, number: int, chance: Chance) -> tuple[int, int]:
        """Return two cards to swap; if a hand could wrongly claim, one of the discard's attribute for another."""
        then, cards = self.past.thens[number], self.cards
        unknown = tuple([slot for slot in then.hand if slot >= 0])
        to = chance.below(len(self.touched))
        if number >= self.past.never or then.card is None:
            return chance.choose(unknown), to
        guilty = tuple([at for at in unknown if cards[at] // 10 == then.card // 10])
        if cards[to] // 10 == then.card // 10:
            to = chance.below(len(self.touched))
        return chance.choose(guilty or unknown), to


def _zones(seen: Table) -> Iterator[Lying]:
    """Yield the cards of every place."""
    deal = seen.deal
    yield from (deal.wall, deal.unused, deal.indicators, deal.drawn)
    for place in deal.places:
        yield from (place.hand, tuple(lain.card for lain in place.row), *place.pledges)


def _lay(
    seen: Table, past: Past, pool: list[Card], claimer: Seat | None, chance: Chance
) -> tuple[list[Card], list[Card]]:
    """Return the unknown cards in hands, and all others: hands that must be of a kind first, the rest from the pool."""
    built: dict[Seat, Cards] = {}
    for seat, place in enumerate(seen.deal.places):
        if None in place.hand and (seat == claimer or place.in_reach):
            built[seat] = _build(seen, seat, pool, seat == claimer, past.passed(seat), chance)
    cards = [built[seat][at] if seat in built else pool.pop() for seat, at in past.hidden]
    return cards, pool


def _filled(seen: Table, cards: list[Card]) -> Table:
    """Return the table with these cards, those in hands first."""
    deal, left = seen.deal, iter(cards)
    places = tuple(replace(place, hand=fill(place.hand, left)) for place in deal.places)
    drawn, unused, wall = fill(deal.drawn, left), fill(deal.unused, left), fill(deal.wall, left)
    return replace(seen, deal=replace(deal, places=places, drawn=drawn, unused=unused, wall=wall))


def _claimer(seen: Table, chance: Chance) -> Seat:
    """Return one of the seats that may have been asked."""
    return chance.choose(tuple(seat for seat, asked in enumerate(seen.deal.asked) if _may_be_asked(seen, seat, asked)))


def _may_be_asked(seen: Table, seat: Seat, asked: bool | None) -> bool:
    return asked is None and seat != seen.deal.turn


def _ask(table: Table) -> Table:
    """Return the table, with unknown answers to who is asked filled in by who could claim."""
    if None not in table.deal.asked:
        return table
    discarder, card = discard_claimed(table)
    asked = tuple(
        (seat != discarder and may_claim(table, seat, discarder, card)) if known is None else known
        for seat, known in enumerate(table.deal.asked)
    )
    return replace(table, deal=replace(table.deal, asked=asked))


def _ask_somebody(seen: Table, table: Table) -> Table:
    """Return the table with the first seat that may have been asked as asked; it can only pass.

    This is for a search that has failed.
    """
    somebody = min(seat for seat, asked in enumerate(seen.deal.asked) if _may_be_asked(seen, seat, asked))
    return replace(table, deal=replace(table.deal, asked=put(table.deal.asked, somebody, True)))


def _build(seen: Table, seat: Seat, pool: list[Card], is_claimer: bool, passed: int, chance: Chance) -> Cards:
    """Return a hand from the pool that is ready, or that could claim the discard; any hand if there is none.

    Shape:   `passed` are the faces with none of which the hand won, a bit each.
    """
    place = seen.deal.places[seat]
    pairs = tuple(pair for pair in PAIRS if not COMPLETING[pair[0] * 2][pair[1] * 2] & passed) or PAIRS
    if is_claimer:
        discarder, card = discard_claimed(seen)
        pairs = tuple(pair for pair in PAIRS if COMPLETING[pair[0] * 2][pair[1] * 2] >> face_of(card) & 1)
        if may_pledge(seen, seat, card) and chance.below(2):
            callable_pairs = tuple(p for p in pairs if p[0] == p[1] or NEXT_SEAT[discarder] == seat)
            return _hand_with_a_pair(place, callable_pairs, pool, chance)
    spells = SPELLS - 1 - len(place.pledges)
    held = Counter(map(face_of, pool))
    groups = next(_groups(held, chance.shuffle(pairs), chance.shuffle(SPELLABLE), spells), ())
    cards = _take((face for group in chance.shuffle(groups) for face in group), pool)
    return (*cards, *(pool.pop() for _ in range(len(place.hand) - len(cards))))


def _groups(
    held: Counter[int], pairs: tuple[Faces, ...], spells: tuple[Faces, ...], count: int
) -> Iterator[tuple[Faces, ...]]:
    """Yield one of the pairs with so many of the spells, made of cards that are held."""
    for group in spells if count else pairs:
        left = held.copy()
        left.subtract(group)
        if all(left[face] >= 0 for face in group):
            if count:
                yield from ((group, *others) for others in _groups(left, pairs, spells, count - 1))
            else:
                yield (group,)


def _take(faces: Iterator[int], pool: list[Card]) -> Cards:
    """Take a card of each face out of the pool, and return them."""
    taken = []
    for face in faces:
        card = next(card for card in pool if face_of(card) == face)
        pool.remove(card)
        taken.append(card)
    return tuple(taken)


def _hand_with_a_pair(place: Place, pairs: tuple[Faces, ...], pool: list[Card], chance: Chance) -> Cards:
    """Return a hand with one of the pairs somewhere in it, if the pool has one."""
    groups = next(_groups(Counter(map(face_of, pool)), chance.shuffle(pairs), (), 0), ((),))
    hand = list(_take(iter(groups[0]), pool))
    while len(hand) < len(place.hand):
        hand.insert(chance.below(len(hand) + 1), pool.pop())
    return tuple(hand)

"""Fills in the cards that a seat does not know, so that the table looks the same to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from domain.chance import Chance
from domain.game import Seat
from domain.games.magicative.components import (
    AT,
    AWAKENING,
    FORMS,
    INNOCENT,
    INNOCENTS,
    KINDS,
    SCHOOLS,
    Card,
    Cards,
    Lying,
    School,
    card_of,
    cards_of,
    pile_of,
)
from domain.games.magicative.pack import deck_of
from domain.games.magicative.state import DECLARE, FORMULA, IMITATE, Aptitude, Hand, Place, Table
from domain.secrecy import fill, unseen


def imagine(seen: Table, seat: Seat | None, chance: Chance) -> Table:
    """Return a full table that looks like `seen`: unknown cards are dealt by chance to hands and deck.

    All that the seat knows is in `seen`, so `seat` makes no difference. A hand for which a formula with innocents was
    declared gets one; cards that Fate's user has traced are in the hands that drew them. Traces of another user of Fate
    are imagined as none: they change only what that user is shown.

    Rule:    MG-1, MG-2, MG-10, MG-15.
    Raises:  ValueError when the cards that are left do not fit.
    """
    pool = list(chance.shuffle(_unknown(seen)))
    places = list(seen.places)
    # a seat that has declared something needs certain cards, and has the first choice
    for holder in sorted(range(len(places)), key=lambda holder: holder != seen.stage.seat):
        places[holder] = _laid(seen, holder, places[holder], pool, chance)
    left = reversed(pool)
    deck = fill(seen.deck, left)
    assert next(left, None) is None, "cards are left that lie nowhere"
    return _with_aptitudes(replace(seen, places=tuple(places), deck=deck), chance)


def _unknown(seen: Table) -> Cards:
    """Return the cards that are nowhere in sight."""
    zones: list[Lying] = [seen.deck, seen.stage.work.aside]
    for place in seen.places:
        hand, won = place.hand, place.won
        zones += [place.row, cards_of(hand.taken + _seen_of(hand)), won.awakened * AWAKENING]
        zones += [formula.cards for formula in won.formulas]
    return unseen(deck_of(seen.terms.pack), *zones)


def _seen_of(hand: Hand) -> int:
    """Return what is known of the cards that were not taken openly: all, those traced, or none."""
    return (hand.traced or 0) if hand.secret is None else hand.secret


def _laid(seen: Table, holder: Seat, place: Place, pool: list[Card], chance: Chance) -> Place:
    """Return the place with its hand filled from the pool."""
    hand = place.hand
    if hand.secret is not None:
        return place
    lying = list(cards_of(_seen_of(hand)))
    for card in _needed(seen, holder, lying, pool, chance):
        pool.remove(card)
        lying.append(card)
    while len(lying) < hand.hidden:
        lying.append(pool.pop())
    return replace(place, hand=replace(hand, secret=pile_of(tuple(lying)), traced=hand.traced or 0))


def _needed(seen: Table, holder: Seat, lying: list[Card], pool: list[Card], chance: Chance) -> Cards:
    """Return cards without which the seat could not have declared what it did. Rule: MG-10, MG-15."""
    stage = seen.stage
    if stage.seat != holder or stage.step not in (IMITATE, DECLARE, FORMULA):
        return ()
    known = Counter((*lying, *cards_of(seen.places[holder].hand.taken)))
    left = Counter(pool)
    room = seen.places[holder].hand.hidden - len(lying)
    schools = stage.work.school or SCHOOLS
    wild = 1 if stage.step is IMITATE or stage.work.aside else 0
    makings = _makings(tuple(AT[school] for school in schools), wild)
    if stage.step is IMITATE:
        makings = ((*making, card) for making in tuple(makings) for card in KINDS if card != INNOCENT)
    for wanted in chance.shuffle(tuple(makings)):
        missing = Counter(wanted) - known
        if missing.total() <= room and not missing - left:
            return tuple(missing.elements())
    raise ValueError("no hand fits what was announced")


def _makings(schools: tuple[int, ...], wild: int) -> Iterator[Cards]:
    """Yield the cards of a hand that make a formula with innocents, of which so many are there besides."""
    for school in schools:
        for numbers in FORMS:
            for innocents in range(1, INNOCENTS + 1):
                for left in _left(numbers, innocents):
                    own = tuple(card_of(SCHOOLS[school], number) for number in left)
                    yield own + (INNOCENT,) * (innocents - wild)


def _left(numbers: tuple[int, ...], innocents: int) -> set[tuple[int, ...]]:
    """Return the numbers of a formula that are no innocents."""
    first, second, third = numbers
    if innocents == 1:
        return {(first, second), (first, third), (second, third)}
    return {(first,), (second,), (third,)}


def _with_aptitudes(table: Table, chance: Chance) -> Table:
    """Return the table with the unknown aptitude cards filled in, each of the school on its back."""
    middle = table.middle
    left: dict[School, Iterator[int]] = {}
    for aptitudes in table.terms.pack.aptitudes:
        school = aptitudes.school
        taken = [one.number for place in table.places for one in place.won.aptitudes if one.school is school]
        left[school] = reversed(chance.shuffle(unseen(aptitudes.numbers, middle.aptitudes[AT[school]], taken)))
    places = tuple(
        replace(place, won=replace(place.won, aptitudes=tuple(_named(one, left) for one in place.won.aptitudes)))
        for place in table.places
    )
    decks = tuple(fill(deck, left[SCHOOLS[at]]) for at, deck in enumerate(middle.aptitudes))
    return replace(table, places=places, middle=replace(middle, aptitudes=decks))


def _named(aptitude: Aptitude, left: dict[School, Iterator[int]]) -> Aptitude:
    return replace(aptitude, number=next(left[aptitude.school])) if aptitude.number is None else aptitude

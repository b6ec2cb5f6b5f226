"""The zones of a seat."""

from __future__ import annotations

from domain.game import Seat
from domain.games.troll_master.components import Magic
from domain.games.troll_master.scene import ids, pieces
from domain.games.troll_master.scene.palette import CHIP, FAMILIAR, MANA
from domain.games.troll_master.state import Step
from domain.games.troll_master.text.describe import amount, card_name
from domain.games.troll_master.view import PlaceView, TableView
from domain.scene import Kind, Look, Mark, Piece, Zone, ZoneKind, numbered
from domain.texts import Words

PLANS = (Step.DISCARD, Step.PLANNING)
"""The steps at which it matters who has passed; later everybody has."""


def zones(words: Words, shown: TableView, place: PlaceView) -> tuple[Zone, ...]:
    """Return what the seat has, its hand, its familiars, and the covered ones if there are any."""
    seat = place.seat
    own = (seat,)
    covered = _covered(words, place)
    below = Zone(ids.seat_of(seat, "covered"), ZoneKind.ROW, words["scene-covered"], covered, seat=own)
    familiars = _familiars(words, shown, place)
    return (
        Zone(ids.seat_of(seat, "has"), ZoneKind.COUNTERS, "", _has(words, shown, place), seat=own),
        Zone(ids.seat_of(seat, "hand"), ZoneKind.HAND, words["scene-hand"], _hand(words, shown, place), seat=own),
        Zone(ids.seat_of(seat, "familiars"), ZoneKind.ROW, words["scene-familiars"], familiars, seat=own),
        *((below,) if covered else ()),
    )


def power(place: PlaceView) -> int:
    """Return the power of all uncovered familiars. Rule: TM-27."""
    return sum(owned.card.power for owned in place.familiars)


def _has(words: Words, shown: TableView, place: PlaceView) -> tuple[Piece, ...]:
    """Return the counters, the markers of the seat, and the pawn while it is at home."""
    seat, strength = place.seat, power(place)
    in_all = words["scene-power-in-all"].format(power=strength)
    counted = (
        _counter(seat, "mana", Kind.TOKEN, place.mana, amount(words, "mana", place.mana), MANA),
        _counter(seat, "chips", Kind.CHIP, place.chips, amount(words, "chips", place.chips), CHIP),
        _counter(seat, "power", Kind.TOKEN, strength, in_all, Magic.WAND.value),
    )
    marks = {
        "start": shown.start == seat,
        "broom": shown.broom == seat,
        "out": place.is_out,
        "passed": place.has_passed and not place.is_out and shown.step in PLANS,
    }
    markers = tuple(
        Piece(ids.seat_of(seat, name), Kind.MARKER, "", words[f"scene-{name}"])
        for name, is_so in marks.items()
        if is_so
    )
    pawn = pieces.pawn(ids.seat_of(seat, "pawn"), seat, words["scene-home"])
    return (*counted, *markers, *(() if place.pawn else (pawn,)))


def _counter(seat: Seat, name: str, kind: Kind, number: int, title: str, tone: str) -> Piece:
    return Piece(ids.seat_of(seat, name), kind, str(number), title, tone=tone)


def _hand(words: Words, shown: TableView, place: PlaceView) -> tuple[Piece, ...]:
    """Return the hand, the drawn card last; it is marked if the hand has no other card of its kind. Rule: TM-8.

    The hand may be empty at a discard: the seat has just discarded its only card.
    """
    hand = place.hand
    is_discarding = shown.step is Step.DISCARD and place.seat in shown.turn
    drawn = hand[-1:] if is_discarding and hand and hand.count(hand[-1]) == 1 else ()
    return tuple(
        pieces.back(words, at)
        if card is None
        else pieces.magic(words.lang, at, card, (Mark(Look.NEW, words["scene-drawn"]),) if card in drawn else ())
        for at, card in zip(ids.hand(place.seat, hand), hand, strict=True)
    )


def _familiars(words: Words, shown: TableView, place: PlaceView) -> tuple[Piece, ...]:
    """Return the uncovered familiars, and the place for a new one while the seat acquires one."""
    lying = tuple(
        pieces.familiar(words.lang, ids.familiar(place.seat, owned.card.name), owned.card, owned.charges)
        for owned in place.familiars
    )
    if shown.step is not Step.SUMMON or place.seat not in shown.turn:
        return lying
    return (*lying, Piece(ids.seat_of(place.seat, "place"), Kind.SPACE, "+", words["scene-place"]))


def _covered(words: Words, place: PlaceView) -> tuple[Piece, ...]:
    """Return the covered cards, of which nothing counts any more. Rule: TM-25."""
    below = [(name, owned.card.name) for owned in place.familiars for name in owned.covered]
    places = numbered(ids.seat_of(place.seat, "covered"), [ids.part(name) for name, _ in below])
    return tuple(
        Piece(
            at,
            Kind.CARD,
            "–",
            card_name(words, name),
            tone=FAMILIAR,
            marks=(Mark(Look.BLOCKED, words["scene-under"].format(familiar=card_name(words, top))),),
        )
        for at, (name, top) in zip(places, below, strict=True)
    )

"""The table as it is drawn, and where a hand makes a move."""

from __future__ import annotations

from typing import assert_never

from domain.game import Lang, Maybe, Seat
from domain.scene import Button, Face, Kind, Look, Mark, Piece, Scene, Score, Tone, Touches, Zone, ZoneKind
from domain.texts import Words, spoken
from tests.toy.high_card.components import Lying
from tests.toy.high_card.moves import HighCardMove, Pass, Raise, Roll, SetAside
from tests.toy.high_card.state import Table
from tests.toy.high_card.text import WORDS
from tests.toy.high_card.view import PlaceView, TableView

PALETTE = (
    Tone(
        name="card",
        title=spoken(WORDS, "tone-card"),
        light="#8a3324",
        dark="#a8452f",
        sign="M12 2l3 7h7l-6 4 2 8-6-5-6 5 2-8-6-4h7z",
    ),
)


def scene(view: TableView, lang: Lang) -> Scene:
    """The stock and the pot, then each seat's cards and die."""
    words = WORDS[lang]
    pot = Piece("pot/chips", Kind.CHIP, "", words["chip"], count=view.pot)
    middle = (
        Zone("stock", ZoneKind.PILE, words["stock"], _cards(words, "stock", (None,), count=view.stock)),
        Zone("pot", ZoneKind.COUNTERS, words["pot"], (pot,)),
    )
    return Scene(
        line=words["line"].format(round=view.round, rounds=view.rounds, step=words[f"step-{view.step}"]),
        turn=view.turn,
        zones=(*middle, *(zone for place in view.places for zone in _place(words, place))),
        scores=tuple(Score(one.seat, one.chips, words["chips"].format(chips=one.chips)) for one in view.places),
        buttons=(Button("do/raise", words["raise"]), Button("do/pass", words["pass"]), Button("do/roll", words["die"])),
    )


def _place(words: Words, place: PlaceView) -> tuple[Zone, ...]:
    own: Maybe[Seat] = (place.seat,)
    at = f"seat.{place.seat}"
    marks = (Mark(Look.SHOWN, words["shown"]),) if place.raised else ()
    dice = tuple(
        Piece(f"{at}/die/0", Kind.DIE, str(pips), words["pips"].format(pips=pips), tone="card") for pips in place.pips
    )
    return (
        Zone(f"{at}/hand", ZoneKind.HAND, words["hand"], _cards(words, f"{at}/hand", place.hand, marks), seat=own),
        Zone(f"{at}/aside", ZoneKind.ROW, words["aside"], _cards(words, f"{at}/aside", place.aside), seat=own),
        Zone(f"{at}/die", ZoneKind.ROW, words["die"], dice, seat=own),
    )


def _cards(words: Words, at: str, cards: Lying, marks: tuple[Mark, ...] = (), *, count: int = 1) -> tuple[Piece, ...]:
    return tuple(
        Piece(f"{at}/{place}", Kind.CARD, "", words["back"], face=Face.DOWN, count=count)
        if card is None
        else Piece(f"{at}/{place}", Kind.CARD, str(card), words["card"].format(card=card), tone="card", marks=marks)
        for place, card in enumerate(cards)
    )


def touches(seen: Table, seat: Seat, move: HighCardMove) -> Touches:
    """The card that is set aside, or a button."""
    match move:
        case SetAside(card=card):
            return (f"seat.{seat}/hand/{seen.places[seat].hand.index(card)}",)
        case Raise():
            return ("do/raise",)
        case Pass():
            return ("do/pass",)
        case Roll():
            return ("do/roll",)
        case _:
            assert_never(move)


def meant(seen: Table, seat: Seat, touched: str) -> tuple[HighCardMove, ...]:
    """A card of one's own is touched to set it aside, a die to roll it."""
    hand = seen.places[seat].hand
    if touched == f"seat.{seat}/die":
        return (Roll(),)
    return tuple(SetAside(card=card) for at, card in enumerate(hand) if touched == f"seat.{seat}/hand/{at}")

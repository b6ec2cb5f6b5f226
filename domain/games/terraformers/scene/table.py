"""The drawn table: the planet cards, then each seat's tips, sheet and species."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang
from domain.games.terraformers.components import Kind as CardKind
from domain.games.terraformers.scene.palette import FAMILY, STAR, TIP
from domain.games.terraformers.scene.places import (
    GUARD,
    PASS,
    PUT_BACK,
    ROWS,
    card_id,
    hand_id,
    seat_id,
    sheet_id,
    tips_id,
)
from domain.games.terraformers.scene.sheet import boxes, chosen_mark, tips_on
from domain.games.terraformers.state import ACTION, OVER, RESOLVING
from domain.games.terraformers.text.describe import WORDS, counted, in_language
from domain.games.terraformers.view import PlaceView, TableView
from domain.scene import Button, Fact, Kind, Look, Mark, Piece, Scene, Score, Zone, ZoneKind, emblem
from domain.texts import Words, seat_name

COLUMNS = 4
"""The columns of a sheet: above the boxes that raise a level, below those that are resolved at the round's end."""


def scene(view: TableView, lang: Lang) -> Scene:
    """Return the whole table, the same for everybody. Rule: TF-5."""
    words = WORDS[lang]
    if not view.planet:
        return Scene(line=words["table-nothing-laid"], turn=view.turn, zones=())
    places = (zone for place in view.places for zone in _place(words, view, place))
    return Scene(
        line=words["table-line"].format(round=view.round, rounds=view.rounds, state=_state(words, view)),
        turn=view.turn,
        zones=(*(_row(words, view, kind) for kind in CardKind), *places),
        scores=tuple(Score(place.seat, place.points, counted(words["points"], place.points)) for place in view.places),
        buttons=tuple(_buttons(words, view)),
    )


def _state(words: Words, view: TableView) -> str:
    """Return who has to do what; at the end who has won: of equal points the seat nearer to the marker. Rule: TF-26."""
    seats, points = view.turn, ""
    if view.step is OVER:
        clockwise = view.places[view.marker :] + view.places[: view.marker]
        best = max(clockwise, key=lambda place: place.points)
        seats, points = (best.seat,), counted(words["points"], best.points)
    names = "".join(seat_name(words, seat) for seat in seats)
    return words[f"table-phase-{view.step}"].format(seat=names, chosen=_chosen(words, view), points=points)


def _chosen(words: Words, view: TableView) -> str:
    """Return the place on which tips are to be placed; "" if there is none."""
    text = words["table-chosen-against"] if view.against else words["table-chosen-card"]
    other = "".join(seat_name(words, seat) for seat in view.against)
    sheet = (words["table-chosen-box"].format(box=words[f"box-{box}"]) for box in view.box)
    return "".join((*sheet, *(text.format(card=in_language(words, card), other=other) for card in view.card)))


def _row(words: Words, view: TableView, kind: CardKind) -> Zone:
    """Return the cards of a kind that nobody holds."""
    cards = tuple(
        _card(words, view, spot) for spot, card in enumerate(view.planet) if card.kind is kind and not card.holder
    )
    return Zone(ROWS[kind], ZoneKind.OFFER, words[f"table-row-{kind}"], cards)


def _card(words: Words, view: TableView, spot: int) -> Piece:
    card = view.planet[spot]
    place, cost = card_id(spot, card.kind, card.holder), str(card.cost)
    copied = (words["table-copying"].format(card=in_language(words, name)) for name in card.copies)
    marks = tuple(Mark(Look.NOTED, title) for title in copied)
    return Piece(
        place,
        Kind.CARD,
        cost,
        in_language(words, card.name),
        text=in_language(words, card.text),
        tone=f"card-{card.kind.value}",
        facts=(Fact(words["table-cost"], cost),),
        marks=(*chosen_mark(words, is_chosen=card.name in view.card), *marks),
        on=tips_on(words, place, card.tips),
        emblem=emblem(FAMILY[card.kind], card.name.en),
    )


def _place(words: Words, view: TableView, place: PlaceView) -> Iterator[Zone]:
    own, at = (place.seat,), seat_id(place.seat)
    yield Zone(f"{at}/state", ZoneKind.COUNTERS, "", tuple(_counters(words, view, place)), seat=own)
    yield Zone(
        sheet_id(place.seat),
        ZoneKind.GRID,
        words["table-sheet"],
        tuple(boxes(words, view, place)),
        seat=own,
        columns=COLUMNS,
        text=words["table-sheet-text"],
    )
    held = (spot for spot, card in enumerate(view.planet) if card.holder == own)
    species = tuple(_card(words, view, spot) for spot in held)
    yield Zone(f"{at}/species", ZoneKind.OFFER, words["table-species"], species, seat=own)


def _counters(words: Words, view: TableView, place: PlaceView) -> Iterator[Piece]:
    """Yield tips in hand, stars, power, and the markers of the seat."""
    at = f"{seat_id(place.seat)}/state"
    if place.hand:
        name = words["table-hand-tip"].format(number=place.hand)
        yield Piece(hand_id(place.seat), Kind.CHIP, "", name, tone=TIP, count=place.hand)
    if place.stars:
        yield Piece(f"{at}/stars", Kind.TOKEN, "★", words["table-star"], tone=STAR, count=place.stars)
    yield Piece(f"{at}/power", Kind.MARKER, "", words["table-power"].format(base=place.base))
    if place.seat == view.marker:
        yield Piece(f"{at}/marker", Kind.MARKER, "", words["table-marker"])
    if place.has_passed:
        yield Piece(f"{at}/passed", Kind.MARKER, "", words["table-passed"])
    if place.seat in view.against:
        card = "".join(in_language(words, name) for name in view.card)
        yield Piece(f"{at}/named", Kind.MARKER, "", words["table-named"].format(card=card))


def _buttons(words: Words, view: TableView) -> Iterator[Button]:
    """Yield the moves with a touched species, and passing; or the numbers of tips to place. Rule: TF-8, TF-10."""
    if view.step in (RESOLVING, OVER):
        return
    (place,) = (place for place in view.places if place.seat in view.turn)
    if view.step is not ACTION:
        for tips in range(1, place.hand + 1):
            yield Button(tips_id(tips), counted(words["tips"], tips))
        return
    if place.species:
        yield Button(GUARD, words["table-guard"])
        yield Button(PUT_BACK, words["table-put-back"])
    yield Button(PASS, words["table-pass"])

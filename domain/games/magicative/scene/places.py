"""The zones of a seat."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Maybe, Seat
from domain.games.magicative.components import AWAKENING, card_of
from domain.games.magicative.scene import ids
from domain.games.magicative.scene.cards import WILD, artefact_piece, card_piece, face_down
from domain.games.magicative.scene.palette import CHIP_TONE
from domain.games.magicative.state import PUT, SWAP, TAKE
from domain.games.magicative.text.describe import aptitude_name, card_alone, counted
from domain.games.magicative.view import AptitudeView, FormulaView, PlaceView, TableView
from domain.scene import Face, Fact, Kind, Look, Mark, Piece, Zone, ZoneKind
from domain.texts import Words, sentence


def place_zones(words: Words, view: TableView, place: PlaceView) -> Iterator[Zone]:
    """Yield all zones of a seat: what it has, its hand and row, then what it has made of its cards."""
    own: Maybe[Seat] = (place.seat,)
    at = f"seat.{place.seat}"
    if tokens := tuple(_tokens(words, view, place)):
        yield Zone(ids.tokens(place.seat), ZoneKind.COUNTERS, "", tokens, seat=own)
    yield Zone(ids.hand(place.seat), ZoneKind.HAND, words["scene-hand"], _hand(words, place), seat=own)
    if view.turn == own and view.work.imitating:
        imitates = (_noted(words["scene-imitates"]),)
        wild = card_piece(words, f"{at}/imitating/0", view.work.imitating[0], marks=imitates)
        yield Zone(f"{at}/imitating", ZoneKind.ROW, words["scene-imitating"], (wild,), seat=own)
    yield Zone(ids.row(place.seat), ZoneKind.ROW, words["scene-row"], _row(words, view, place), seat=own)
    for number, formula in enumerate(place.formulas):
        zone, title = f"{at}/formulas/{number}", words["scene-formula"].format(school=words[f"school-{formula.school}"])
        yield Zone(zone, ZoneKind.ROW, sentence(title), _formula(words, zone, formula), seat=own)
    if place.awakened:
        # MG-5: the turn's draw is larger by one for each
        more = words["scene-more"].format(cards=counted(words["cards"], len(place.awakened)))
        four = tuple(
            card_piece(words, f"{at}/awakened/{number}", card, count=AWAKENING)
            for number, card in enumerate(place.awakened)
        )
        yield Zone(f"{at}/awakened", ZoneKind.ROW, words["scene-awakened"], four, seat=own, text=more)
    if place.aptitudes:
        taken = tuple(
            _aptitude(words, f"{ids.aptitudes(place.seat)}/{number}", place, aptitude)
            for number, aptitude in enumerate(place.aptitudes)
        )
        yield Zone(ids.aptitudes(place.seat), ZoneKind.ROW, words["scene-aptitudes"], taken, seat=own)


def _noted(title: str) -> Mark:
    return Mark(Look.NOTED, title)


def _tokens(words: Words, view: TableView, place: PlaceView) -> Iterator[Piece]:
    """Yield the counters and the markers of the seat."""
    at = ids.tokens(place.seat)
    for rank in view.ranking[place.seat : place.seat + 1]:
        yield Piece(f"{at}/rank", Kind.MARKER, "", words["scene-rank"].format(rank=rank))
    if place.chips:
        name = words["scene-chip"].format(number=place.chips)
        yield Piece(f"{at}/chips", Kind.CHIP, "", name, tone=CHIP_TONE, count=place.chips)
    for artefact in place.artefact:
        yield artefact_piece(words, f"{at}/{artefact.value}", artefact, view.sheet)
    if view.swapped and view.turn == (place.seat,):
        yield Piece(f"{at}/swapped", Kind.MARKER, "⇄", words["scene-swapped"])


def _hand(words: Words, place: PlaceView) -> tuple[Piece, ...]:
    names = ids.held(place.seat, [None if card is None else card.card for card in place.hand])
    return tuple(
        face_down(words, name) if card is None else card_piece(words, name, card)
        for name, card in zip(names, place.hand, strict=True)
    )


def _row(words: Words, view: TableView, place: PlaceView) -> tuple[Piece, ...]:
    """Return the discards, the last one at the right. Rule: MG-7, MG-8, MG-15."""
    last = len(place.row) - 1
    put = view.work.done if view.step in (PUT, TAKE) and view.turn == (place.seat,) else 0
    pieces = []
    for at, card in enumerate(place.row):
        marks = [Mark(Look.NEW, words["scene-put"])] if at < put else []
        if at == last:
            marks.append(_noted(words["scene-last"]))
            if view.step is SWAP and view.work.other == (place.seat,):
                marks.append(Mark(Look.RAISED, words["scene-to-be-taken"]))
        pieces.append(card_piece(words, f"{ids.row(place.seat)}/{at}", card, marks=tuple(marks)))
    return tuple(pieces)


def _formula(words: Words, zone: str, formula: FormulaView) -> tuple[Piece, ...]:
    """Return the formula's cards, some of which may count as another card. Rule: MG-9, MG-10."""
    pieces = []
    for at, (number, card) in enumerate(zip(formula.numbers, formula.cards, strict=True)):
        meant = card_of(formula.school, number)
        if card.card == meant:
            pieces.append(card_piece(words, f"{zone}/{at}", card))
        else:
            as_it = _noted(words["scene-as"].format(card=card_alone(words, meant)))
            pieces.append(card_piece(words, f"{zone}/{at}", card, label=f"{number}{WILD}", marks=(as_it,)))
    return tuple(pieces)


def _aptitude(words: Words, at: str, place: PlaceView, aptitude: AptitudeView) -> Piece:
    """Return an aptitude card, whose school everybody sees, with what it counts. Rule: MG-11, MG-16."""
    name = words[f"school-{aptitude.school}"]
    facts: tuple[Fact, ...] = ()
    if aptitude.number is not None:
        name = aptitude_name(words, aptitude.school, aptitude.number, aptitude.names)
        worth = words["scene-points" if aptitude.shown else "scene-points-if-shown"]
        facts = (Fact(worth, str(_worth(place, aptitude))),)
    return Piece(
        at,
        Kind.CARD,
        "" if aptitude.number is None else str(aptitude.number),
        name if aptitude.shown else words["scene-face-down"].format(name=name),
        text=words["scene-text-aptitude"],
        face=Face.UP if aptitude.shown else Face.DOWN,
        tone=aptitude.school.value,
        facts=facts,
    )


def _worth(place: PlaceView, aptitude: AptitudeView) -> int:
    """Return the points of an aptitude card once it is shown; 0 if the viewer does not know its number. Rule: MG-16."""
    return sum(
        number in aptitude.names
        for formula in place.formulas
        if formula.school is aptitude.school
        for number in formula.numbers
    )

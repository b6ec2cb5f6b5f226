"""The drawn table, made from a view alone: dice, decks and discards, the terms, and each seat's cards."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang, Maybe, Seat
from domain.games.ttmp.abilities import Shift, Turn
from domain.games.ttmp.components import LEVELS, STONE, final_value
from domain.games.ttmp.scene import cards, places
from domain.games.ttmp.state import ACTION, AFTER, DEALING, OVER, STOCK
from domain.games.ttmp.text.describe import WORDS, counted, dice_shape, result
from domain.games.ttmp.view import PlaceView, TableView
from domain.scene import Button, Face, Kind, Piece, Scene, Score, Zone, ZoneKind
from domain.texts import Words, seat_name

SAID = {
    ACTION: ("roll-one", "roll-two", "roll-all", "keep"),
    AFTER: ("reroll", "leave"),
    STOCK: ("stock-nothing",),
}
"""By step: the buttons. Rule: TT-8, TT-11."""


def scene(view: TableView, lang: Lang) -> Scene:
    """Return the table: who is to do what, the middle, then the zones of each seat."""
    words = WORDS[lang]
    return Scene(
        line=_line(words, view),
        turn=view.turn,
        zones=(
            *_middle(words, view),
            *(zone for place in view.places for zone in _place(words, view, place)),
        ),
        scores=tuple(Score(seat, points, counted(words, "points", points)) for seat, points in enumerate(view.points)),
        buttons=(*_said(words, view), *_chosen(words, view)),
    )


def _line(words: Words, view: TableView) -> str:
    """Return how far the match is, and who is to act; at the end, who has won."""
    phase = "over" if view.step is OVER else "turn" if view.turns else "start" if view.round else "before"
    if view.step is OVER:
        state = result(words, view.points, view.winners)
    elif any(place.exam for place in view.places):
        phase = "exam"
        state = words["step-exam"]
    elif view.step is DEALING:
        state = words[f"step-{view.step}"]
    else:
        state = words["turn"].format(seat=seat_name(words, view.turn[0]), step=_step(words, view))
    how_far = words[f"phase-{phase}"].format(round=view.round, turn=view.turns)
    return words["line"].format(phase=how_far, said=state[:1].lower() + state[1:])


def _step(words: Words, view: TableView) -> str:
    """Return the words for what the seat is to do, or may do, in its turn."""
    if view.step in (ACTION, AFTER):
        return words["or"].join(_may(words, view))
    for level in view.announced:
        draws = words["label-a-stone"] if level == STONE else words["level"].format(level=level)
        return words["discard-for"].format(draws=draws)
    return words[f"step-{view.step}"]


def _may(words: Words, view: TableView) -> Iterator[str]:
    """Yield what may be done in a turn now. Rule: TT-7 to TT-10."""
    for level in view.may_draw:
        if level == STONE:
            yield words["kind-DrawStone" if view.stones else "may-take"]
        else:
            yield words["may-draw"].format(level=level)
    if view.may_use:
        yield words["kind-Use"]
    yield words["may-act" if view.step is ACTION else "may-end"]


def _middle(words: Words, view: TableView) -> Iterator[Zone]:
    """Yield the zones that belong to nobody."""
    dice = cards.dice(words, view.dice)
    yield Zone(places.DICE, ZoneKind.ROW, words["zone-dice"], dice, text=_dice_text(words, view))
    counts = (view.stones, *(deck.cards for deck in view.decks))
    piles = tuple(cards.pile(words, level, count) for level, count in zip((STONE, *LEVELS), counts, strict=True))
    yield Zone(places.DECKS, ZoneKind.ROW, words["zone-decks"], piles)
    for level, deck in zip(LEVELS, view.decks, strict=True):
        if deck.discards:
            at = f"discards/level-{level}"
            pieces = cards.discards(words, at, level, deck.discards)
            yield Zone(at, ZoneKind.PILE, words["zone-discards"].format(level=level), pieces)
    yield Zone("terms", ZoneKind.COUNTERS, words["zone-terms"], tuple(_terms(words, view)))


def _dice_text(words: Words, view: TableView) -> str:
    """Return what the dice are, and the dice action; not in the turn change, where one may have been rolled again."""
    if not view.turns or not view.dice:
        return ""
    action = "" if view.step is STOCK else words[f"action-{view.action}"]
    return words["comma"].join(filter(None, (dice_shape(words, view.dice), action)))


def _terms(words: Words, view: TableView) -> Iterator[Piece]:
    """Yield the terms of the match: modes, the hand limit, and what wins. Rule: TT-2, TT-17, TT-19 to TT-23."""
    if not view.modes:
        yield Piece("terms/standard", Kind.MARKER, "", words["standard"])
    for mode in view.modes:
        yield Piece(f"terms/{mode}", Kind.MARKER, "", words[f"mode-{mode}"])
    (limit,) = view.limit or (0,)
    text = words["terms-limit" if limit else "terms-any"].format(limit=limit)
    yield Piece("terms/limit", Kind.MARKER, "", text)
    (wins,) = view.goal or view.needed or (0,)
    term = "goal" if view.goal else "pass" if view.needed else "rank"
    yield Piece("terms/wins", Kind.MARKER, "", words[f"terms-{term}"].format(goal=wins, needed=wins))


def _place(words: Words, view: TableView, place: PlaceView) -> Iterator[Zone]:
    """Yield the zones of a seat."""
    seat = place.seat
    own: Maybe[Seat] = (seat,)
    if marks := tuple(_marks(words, view, place)):
        yield Zone(f"seat.{seat}", ZoneKind.COUNTERS, "", marks, seat=own)
    if place.exam:
        rolled = cards.dice(words, place.exam, places.exam(seat))
        yield Zone(places.exam(seat), ZoneKind.ROW, words["zone-exam"], rolled, text=_exam(words, view, seat), seat=own)
    yield Zone(places.stones(seat), ZoneKind.ROW, words["zone-stones"], cards.stones(words, view, seat), seat=own)
    hand = cards.held(words, places.hand(seat), place.hand)
    yield Zone(places.hand(seat), ZoneKind.HAND, words["zone-hand"], hand, seat=own)
    if any(place.stock):
        face = Face.UP if view.step is OVER else Face.DOWN
        stock = cards.held(words, places.stock(seat), place.stock, face)
        yield Zone(places.stock(seat), ZoneKind.ROW, words["zone-stock"], stock, seat=own)


def _exam(words: Words, view: TableView, seat: Seat) -> str:
    """Return how the final value of a seat comes about, and whether it passes. Rule: TT-17."""
    place, players = view.places[seat], len(view.places)
    points = sum(stone or 0 for stone in place.stones)
    value = final_value(points, players, place.exam)
    verdict = "".join(words["passes" if value >= least else "fails"].format(needed=least) for least in view.needed)
    return words["exam"].format(
        points=counted(words, "points", points), players=players, sum=sum(place.exam), value=value, verdict=verdict
    )


def _marks(words: Words, view: TableView, place: PlaceView) -> Iterator[Piece]:
    """Yield the markers of a seat. Rule: TT-3, TT-5, TT-18."""
    at = f"seat.{place.seat}"
    if view.round and view.start == place.seat and not view.points:
        yield Piece(f"{at}/start", Kind.MARKER, "", words["piece-start"])
    if place.is_out:
        yield Piece(f"{at}/out", Kind.MARKER, "", words["piece-out"])
    if place.seat in view.winners:
        yield Piece(f"{at}/won", Kind.MARKER, "", words["piece-won"])


def _said(words: Words, view: TableView) -> Iterator[Button]:
    """Yield the buttons of this step, for all or for a die that was touched."""
    for name in SAID.get(view.step, ()):
        yield Button(places.button(name), words[f"button-{name}"])


def _chosen(words: Words, view: TableView) -> Iterator[Button]:
    """Yield the faces and steps that a card leaves to choose, for a known hand that may be used."""
    if not view.may_use:
        return
    levels = view.places[view.turn[0]].hand
    effects = [card.effect for cards in levels for card in cards if card is not None]
    faces = {face for effect in effects if isinstance(effect, Turn) and len({*effect.to}) > 1 for face in effect.to}
    steps = {step for effect in effects if isinstance(effect, Shift) and len({*effect.by}) > 1 for step in effect.by}
    for face in sorted(faces):
        yield Button(places.to_face(face), words["button-face"].format(face=face))
    for step in sorted(steps - {0}):
        yield Button(places.by_step(step), words["button-step"].format(step=f"{step:+d}"))

"""The drawn table: the wall, the indicators and the ley line, then each seat's zones."""

from __future__ import annotations

from collections.abc import Iterator

from domain.game import Lang, rank
from domain.games.three_magic.components import NUMBERS, WEAK_TO, Call, combination, face_of, is_sequence, named_by
from domain.games.three_magic.scene.palette import OD
from domain.games.three_magic.state import Phase
from domain.games.three_magic.text.describe import WORDS, card_name, result
from domain.games.three_magic.view import CardView, PlaceView, TableView
from domain.scene import Button, Face, Fact, Kind, Look, Mark, Piece, Scene, Score, Zone, ZoneKind
from domain.texts import Words, figure, seat_name, sentence

BUTTONS = {Phase.DRAWN: ("tsumo",), Phase.DISCARD: ("discard", "reach"), Phase.CLAIMS: ("ron", "pass")}
"""By what the deal waits for."""

RIVER = 6
"""How many discards lie in a row: they are a river, as at a mahjong table."""

Faces = frozenset[int]
"""The catalysts, by attribute and number without the star."""


def scene(view: TableView, lang: Lang) -> Scene:
    """Return what the deal waits for, the middle of the table, and the zones of each seat."""
    words = WORDS[lang]
    if not view.places:
        return Scene(line=words["table-nothing-dealt"], turn=view.turn, zones=())
    return Scene(
        line=_line(words, view),
        turn=view.turn,
        zones=(*_middle(words, view), *(zone for place in view.places for zone in _place(words, view, place))),
        scores=tuple(
            Score(place.seat, place.od, words["table-od"].format(od=figure(place.od))) for place in view.places
        ),
        buttons=tuple(Button(f"do/{name}", words[f"button-{name}"]) for name in BUTTONS.get(view.step, ())),
    )


def _line(words: Words, view: TableView) -> str:
    """Return which deal it is and what it waits for, or how the match ended."""
    od = tuple(place.od for place in view.places)
    text = words[f"table-phase-{view.step}"]
    seats = view.discarder or view.turn
    if view.step is Phase.DRAWN and view.places[seats[0]].in_reach:
        text = words["table-drawn-in-reach"]
    state = text.format(
        seat="".join(seat_name(words, seat) for seat in seats),
        card="".join(card_name(words, claimed.card) for claimed in view.claimed),
        result=sentence(result(words, od, rank(od))),
    )
    return words["table-line"].format(deal=view.deal, lap=view.lap, laps=view.laps, state=sentence(state))


def _middle(words: Words, view: TableView) -> Iterator[Zone]:
    wall = (Piece("wall/0", Kind.CARD, "", words["table-back"], face=Face.DOWN, count=view.wall),) if view.wall else ()
    yield Zone("wall", ZoneKind.PILE, words["table-wall"], wall)
    indicators = tuple(_indicator(words, at, shown) for at, shown in enumerate(view.indicators))
    yield Zone("indicators", ZoneKind.ROW, words["table-indicators"], indicators, text=words["table-indicators-text"])
    od = _od("ley-line/od", view.ley_line, words["table-od"])
    yield Zone("ley-line", ZoneKind.COUNTERS, words["table-ley-line"], (od,))


def _od(at: str, od: int, title: str) -> Piece:
    return Piece(at, Kind.CHIP, str(od), title.format(od=od), tone=OD)


def _indicator(words: Words, at: int, shown: CardView) -> Piece:
    """Return an indicator and the catalyst that it names. The first one counts for everybody. Rule: 3M-21, 3M-26."""
    number = str(named_by(shown.card) % NUMBERS)
    fact = Fact(words["table-catalyst"], number, tone=shown.attribute.value)
    marks = (Mark(Look.NOTED, words["table-in-reach-only"]),) if at else ()
    return _card(words, f"indicators/{at}", shown, marks, facts=(fact,))


def _card(
    words: Words, at: str, shown: CardView | None, marks: tuple[Mark, ...], facts: tuple[Fact, ...] = ()
) -> Piece:
    if shown is None:
        return Piece(at, Kind.CARD, "", words["table-back"], face=Face.DOWN, marks=marks)
    label = str(shown.number) + words["star"] * shown.star
    return Piece(
        at, Kind.CARD, label, card_name(words, shown.card), tone=shown.attribute.value, facts=facts, marks=marks
    )


def _place(words: Words, view: TableView, place: PlaceView) -> Iterator[Zone]:
    """Yield the seat's counters, its hand with the drawn card, its pledges, its discards."""
    own, at = (place.seat,), f"seat.{place.seat}"
    counts = view.indicators if place.in_reach else view.indicators[:1]  # 3M-21
    catalysts = frozenset(named_by(indicator.card) for indicator in counts)
    yield Zone(f"{at}/counters", ZoneKind.COUNTERS, "", tuple(_counters(words, view, place)), seat=own)
    hand = (*_hand(words, place, catalysts), *_drawn(words, place, catalysts))
    yield Zone(f"{at}/hand", ZoneKind.HAND, words["table-hand"], hand, seat=own)
    for number, spell in enumerate(place.pledges):
        zone = f"{at}/pledge-{number}"
        cards = tuple(
            _card(words, f"{zone}/{i}", shown, _catalyst(words, shown, catalysts)) for i, shown in enumerate(spell)
        )
        yield Zone(zone, ZoneKind.ROW, sentence(words[f"call-{_call(spell)}"]), cards, seat=own)
    discards = tuple(_discards(words, view, place))
    yield Zone(f"{at}/discards", ZoneKind.ROW, words["table-discards"], discards, seat=own, columns=RIVER)


def _counters(words: Words, view: TableView, place: PlaceView) -> Iterator[Piece]:
    """Yield the attribute, the manager's marker, the od laid, reach, and whether the viewer knows that it is asked."""
    at = f"seat.{place.seat}/counters"
    name = words[f"attribute-{place.attribute}"]
    weak = sentence(words["table-weak"].format(attribute=words[f"attribute-{WEAK_TO[place.attribute]}"]))
    yield Piece(f"{at}/attribute", Kind.TOKEN, sentence(name), name, weak, tone=place.attribute.value)
    if view.manager == place.seat:
        yield Piece(f"{at}/manager", Kind.MARKER, "", words["table-manager"])
    if place.laid:
        yield _od(f"{at}/laid", place.laid, words["table-laid"])
    if place.in_reach:
        yield Piece(f"{at}/reach", Kind.MARKER, "", words["table-in-reach"])
    if place.asked:
        yield Piece(f"{at}/asked", Kind.MARKER, "", words["table-asked"])


def _hand(words: Words, place: PlaceView, catalysts: Faces) -> Iterator[Piece]:
    """Yield the hand in its order, which has a meaning. The place of a card that was just inserted is open.

    Rule:    3M-6.
    """
    for at, shown in enumerate(place.hand):
        new = [Mark(Look.NEW, words["table-inserted"])] * (place.inserted == (at,))
        yield _card(words, f"seat.{place.seat}/hand/{at}", shown, (*new, *_catalyst(words, shown, catalysts)))


def _drawn(words: Words, place: PlaceView, catalysts: Faces) -> Iterator[Piece]:
    """Yield the drawn card beside the hand, after a space if the viewer may insert it at the right end.

    Rule:    3M-7, 3M-20.
    """
    at = f"seat.{place.seat}/hand"
    for shown in place.drawn:
        if shown is not None and not place.in_reach:
            yield Piece(f"{at}/end", Kind.SPACE, "", words["table-right-end"])
        marks = (Mark(Look.NEW, words["table-drawn"]), *_catalyst(words, shown, catalysts))
        yield _card(words, f"{at}/drawn", shown, marks)


def _catalyst(words: Words, shown: CardView | None, catalysts: Faces) -> tuple[Mark, ...]:
    """Return a mark if the card scores as a catalyst when its player wins. Rule: 3M-26."""
    if shown is None or face_of(shown.card) not in catalysts:
        return ()
    return (Mark(Look.BRIGHT, words["table-catalyst"]),)


def _call(spell: tuple[CardView, ...]) -> Call:
    first, second, third = spell
    return Call.CHI if is_sequence(combination((first.card, second.card, third.card))) else Call.PON


def _discards(words: Words, view: TableView, place: PlaceView) -> Iterator[Piece]:
    """Yield the discards in their order. That of a reach lies across; one that may be claimed is the last."""
    claimed = len(place.discards) - 1 if view.discarder == (place.seat,) else None
    for at, discard in enumerate(place.discards):
        across = [Mark(Look.ACROSS, words["table-reach"])] * discard.reach
        raised = [Mark(Look.RAISED, words["table-claimed"])] * (at == claimed)
        yield _card(words, f"seat.{place.seat}/discards/{at}", discard.card, (*across, *raised))

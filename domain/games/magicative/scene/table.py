"""The drawn table: who is to do what, the middle, then each seat's zones."""

from __future__ import annotations

from domain.game import Lang
from domain.games.magicative.components import FORMS, SCHOOLS
from domain.games.magicative.scene import ids
from domain.games.magicative.scene.cards import artefact_piece, card_piece, face_down, sheet_piece
from domain.games.magicative.scene.places import place_zones
from domain.games.magicative.state import ARRANGE, DECLARE, FORMULA, SHOWING, START, TURN
from domain.games.magicative.text.describe import WORDS, card_name, counted, number_names
from domain.games.magicative.view import TableView
from domain.scene import Button, Face, Kind, Look, Mark, Piece, Scene, Score, Zone, ZoneKind
from domain.texts import Words, seat_name, sentence


def scene(view: TableView, lang: Lang) -> Scene:
    """Return the deck, artefacts, aptitude cards and the goal, then the zones of each seat."""
    words = WORDS[lang]
    return Scene(
        line=_line(words, view),
        turn=view.turn,
        zones=(*_middle(words, view), *(zone for place in view.places for zone in place_zones(words, view, place))),
        scores=tuple(Score(place.seat, place.points, counted(words["points"], place.points)) for place in view.places),
        buttons=_buttons(words, view),
    )


def _line(words: Words, view: TableView) -> str:
    """Return who is to do what, or who has won."""
    text = words["swap-own"] if view.turn and view.turn == view.work.other else words[f"step-{view.step}"]
    parts = [sentence(text.format(**_step(words, view)))]
    if view.ranking:
        parts.append(_result(words, view))
    return words["clause"].join(parts)


def _step(words: Words, view: TableView) -> dict[str, str]:
    """Return the words for the line about the choice that is open."""
    work = view.work
    fields = {"done": str(work.done), "taken": str(work.taken), "imitating": ""}
    for seat in view.turn:
        fields["seat"] = seat_name(words, seat)
    for other in work.other:
        fields |= {"other": seat_name(words, other), "taken": card_name(words, view.places[other].row[-1].card)}
    for school in work.school:
        fields["school"] = words[f"school-{school}"]
    for card in work.imitating:
        fields["imitating"] = words["imitating"].format(card=card_name(words, card.card))
    return fields


def _result(words: Words, view: TableView) -> str:
    """Return who has won, or that it is a draw, if nobody is second."""
    if max(view.ranking) == 1:
        return words["all-draw"]
    winner = view.places[view.ranking.index(1)]
    return words["has-won"].format(seat=seat_name(words, winner.seat), points=counted(words["points"], winner.points))


def _buttons(words: Words, view: TableView) -> tuple[Button, ...]:
    """Return the moves that have no place on the table. Rule: MG-5, MG-7, MG-10, MG-11, MG-16."""
    schools = tuple(
        Button(ids.do_school(school), sentence(words["scene-formula-of"].format(school=words[f"school-{school}"])))
        for school in SCHOOLS
    )
    step = view.step
    is_taken = any(not aptitude.shown for seat in view.turn for aptitude in view.places[seat].aptitudes)
    show = (Button(ids.SHOW, words["scene-show"]),) * is_taken
    if step is START or step is SHOWING:
        draw = (Button(ids.DRAW, words["scene-draw"]),) * (view.deck == len(view.top))
        return (*draw, *show)
    if step is TURN:
        awaken, end = (Button(at, words[f"scene-{name}"]) for at, name in ((ids.AWAKEN, "awaken"), (ids.END, "end")))
        return (*schools, awaken, *show, end)
    if step is DECLARE:
        return schools
    if step is FORMULA:
        return tuple(Button(ids.do_numbers(numbers), number_names(numbers)) for numbers in FORMS)
    return ()


def _middle(words: Words, view: TableView) -> tuple[Zone, ...]:
    tools = tuple(artefact_piece(words, ids.artefact(artefact), artefact, view.sheet) for artefact in view.artefacts)
    goal = Piece("goal/points", Kind.MARKER, "", counted(words["points"], view.goal))
    return (
        *_deck(words, view),
        Zone(ids.ARTEFACTS, ZoneKind.ROW, words["scene-artefacts"], tools),
        Zone(ids.APTITUDES, ZoneKind.ROW, words["scene-aptitude-decks"], _aptitude_decks(words, view)),
        Zone("goal", ZoneKind.COUNTERS, words["scene-goal"], (goal, sheet_piece(words, "goal/sheet", view.sheet))),
    )


def _deck(words: Words, view: TableView) -> tuple[Zone, ...]:
    """Return the deck, and beside it the cards on its top that the viewer knows, the next one first.

    Rule:    MG-15, MG-19.
    """
    below = view.deck - len(view.top)
    notes = [words["scene-rebuilt"]] * view.rebuilt
    if view.top:
        notes.append(words["scene-with-top"].format(cards=counted(words["cards"], view.deck)))
    elif view.known:
        notes.append(words["scene-known"].format(seat=seat_name(words, view.known[0])))
    pile = (face_down(words, f"{ids.DECK}/cards", count=below),) if below else ()
    deck = Zone(ids.DECK, ZoneKind.PILE, words["scene-deck"], pile, text=words["clause"].join(notes))
    if not view.top:
        return (deck,)
    done = view.work.done if view.step is ARRANGE else 0
    back = (Mark(Look.NOTED, words["scene-put-back"]),)
    top = tuple(
        card_piece(words, f"{ids.TOP}/{at}", card, marks=back if at < done else ()) for at, card in enumerate(view.top)
    )
    return Zone(ids.TOP, ZoneKind.ROW, words["scene-top"], top), deck


def _aptitude_decks(words: Words, view: TableView) -> tuple[Piece, ...]:
    """Return a pile for each school; if none is left, an empty space, which may still be chosen. Rule: MG-2, MG-11."""
    pieces = []
    for school, left in zip(SCHOOLS, view.aptitudes, strict=True):
        place, name, tone = ids.aptitude_deck(school), words[f"school-{school}"], school.value
        if left:
            pieces.append(Piece(place, Kind.CARD, "", name, face=Face.DOWN, tone=tone, count=left))
        else:
            pieces.append(Piece(place, Kind.SPACE, "", words["scene-none-left"].format(name=name), tone=tone))
    return tuple(pieces)

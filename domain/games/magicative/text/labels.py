"""Each legal move in its position, for its seat: which card, what it costs, what it brings and rules out."""

from __future__ import annotations

from typing import assert_never

from domain.game import Lang, Seat
from domain.games.magicative import events, moves
from domain.games.magicative.components import (
    AT,
    AWAKENING,
    AWAKENING_DRAWN,
    FATE,
    FORM_OF,
    FORMS,
    FORMULA_DRAWN,
    INNOCENT,
    INNOCENTS,
    ONE,
    PAST,
    Artefact,
    Card,
    School,
)
from domain.games.magicative.evolve import evolve
from domain.games.magicative.moves import MagicativeMove
from domain.games.magicative.rules.artefacts import COST_AT
from domain.games.magicative.rules.drawing import discards, drawn_at_start, runs_out, turn_runs_out
from domain.games.magicative.rules.ending import showing, showing_one
from domain.games.magicative.rules.formulas import innocents_at_hand
from domain.games.magicative.rules.holding import declares, with_innocents
from domain.games.magicative.rules.scoring import completed, total_with
from domain.games.magicative.state import SHOWING, START, Formula, Table, held, points, unshown
from domain.games.magicative.text.describe import (
    WORDS,
    card_name,
    card_names,
    counted,
    number_names,
    one_of,
    special_name,
    wild_names,
)
from domain.texts import Words, figure, seat_name, sentence

MOST_FORMS = 6
"""The most formulas that are named; of more, only the number is given."""


def label(seen: Table, seat: Seat, move: MagicativeMove, lang: Lang) -> str:
    """Return the move of the seat as one line; no two legal moves have the same line."""
    return sentence(_told(WORDS[lang], seen, seat, move))


def _told(words: Words, seen: Table, seat: Seat, move: MagicativeMove) -> str:
    match move:
        case moves.Draw():
            return _draw(words, seen, seat)
        case moves.Swap(other=other):
            return _with_last_discard(words, seen, seat, other, "swap")
        case moves.Give(card=card):
            return _with_last_discard(words, seen, seat, seen.stage.work.other, "give", card)
        case moves.Fix():
            return _fix(words, seen, seat, move)
        case moves.Declare(school=school):
            return _declare(words, seen, seat, school)
        case moves.Awaken(card=card):
            may_take = any(seen.middle.aptitudes)
            name = "awaken" if may_take else "awaken-none"
            text = _say(words, name, card=card_name(words, card), four=AWAKENING, count=AWAKENING_DRAWN)
            return text + _end(words, seen, seat, AWAKENING_DRAWN, may_take)
        case moves.TakeAptitude(school=school):
            text, is_taken = _take_aptitude(words, seen, seat, school), bool(seen.middle.aptitudes[AT[school]])
            return text + _end(words, seen, seat, AWAKENING_DRAWN, is_taken)
        case moves.Show() | moves.ShowOne():
            return _show(words, seen, seat, move)
        case moves.Discard(card=card):
            text = _say(words, "discard", card=card_name(words, card))
            return text + _end_of_turn(words, evolve(seen, events.CardDiscarded(seat, card)), seat)
        case moves.End():
            return _say(words, "end") + _end_of_turn(words, seen, seat)
        case moves.Use(artefact=artefact):
            return _use(words, seen, seat, artefact)
        case moves.Imitate(card=card):
            return _imitate(words, seen, seat, card)
        case moves.Arrange() | moves.ArrangeLast() | moves.Put() | moves.Take():
            return _lay(words, seen, seat, move)
        case _:
            assert_never(move)


def _say(words: Words, name: str, **fields: object) -> str:
    return words[f"label-{name}"].format(**fields)


def _end(words: Words, table: Table, seat: Seat, count: int, is_more_to_show: bool = False) -> str:
    """Return that the match ends if the seat cannot draw so many cards, and whether it may show aptitude cards before.

    Rule:    MG-16, MG-19.
    """
    if not runs_out(table, count):
        return ""
    may_show = is_more_to_show or unshown(table.places[seat].won)
    return _say(words, "ends-unless" if may_show and table.terms.edition.shows_at_any_time else "ends", count=count)


def _draw(words: Words, seen: Table, seat: Seat) -> str:
    """Return the draw at a turn's start, with Fate if it may be used before; or the draw that ends the match.

    Rule:    MG-5, MG-15, MG-16, MG-19.
    """
    if seen.stage.step is SHOWING:
        return _say(words, "draw-at-last") + _say(words, "ends", count=seen.stage.work.of)
    won = seen.places[seat].won
    drawn, may_use_fate = drawn_at_start(won), FATE in seen.middle.artefacts and not won.artefact
    text = _say(words, "draw-first" if may_use_fate else "draw", cards=counted(words["cards"], drawn))
    return text + _end(words, seen, seat, drawn)


def _end_of_turn(words: Words, table: Table, seat: Seat) -> str:
    """Return that the match ends if the next player cannot draw, and has no choice before. Rule: MG-5, MG-15, MG-19."""
    after = (seat + 1) % len(table.places)
    return _end(words, table, after, drawn_at_start(table.places[after].won)) if turn_runs_out(table, after) else ""


def _with_last_discard(words: Words, seen: Table, seat: Seat, other: Seat, name: str, given: Card | None = None) -> str:
    """Return a swap, or what is given in it; the seat's own row has another sentence. Rule: MG-8."""
    last = card_name(words, seen.places[other].row[-1])
    fields = {"card": last} if given is None else {"card": card_name(words, given), "taken": last}
    return _say(words, name if other != seat else f"{name}-own", other=seat_name(words, other), **fields)


def _fix(words: Words, seen: Table, seat: Seat, move: moves.Fix) -> str:
    """Return a formula, with the cards that count as other numbers, and what it brings.

    Rule:    MG-9, MG-10, MG-13, MG-16.
    """
    wild = zip((*seen.stage.work.aside, *(INNOCENT,) * INNOCENTS), move.innocents, strict=False)
    school = words[f"school-{move.school}"]
    text = _say(words, "fix", school=school, numbers=number_names(move.numbers), wild=wild_names(words, wild))
    won = seen.places[seat].won
    total = total_with(won, Formula(AT[move.school], FORM_OF[move.numbers], ()))
    ends = _end(words, seen, seat, FORMULA_DRAWN)
    if ends and seen.terms.edition.shows_at_any_time and total >= seen.terms.goal:
        ends = _say(words, "wins-before", points=counted(words["points"], total - points(won)), total=total)
    return text + (ends or _gain(words, seen, seat, move))


def _gain(words: Words, seen: Table, seat: Seat, move: moves.Fix) -> str:
    terms, won = seen.terms, seen.places[seat].won
    formula = Formula(AT[move.school], FORM_OF[move.numbers], ())
    chips, by_aptitudes = terms.pack.play.formula, total_with(won, formula) - points(won)
    specials = completed(terms.pack.specials, won.formulas, formula)
    parts = [_say(words, "by-special", special=special_name(words, group), count=gained) for group, gained in specials]
    if by_aptitudes:
        parts.append(_say(words, "by-aptitudes", count=by_aptitudes))
    gained = chips + sum(gained for _, gained in specials) + by_aptitudes
    if parts:
        parts.insert(0, _say(words, "by-formula", count=chips))
    return _say(
        words,
        "gain",
        count=FORMULA_DRAWN,
        points=counted(words["points"], gained),
        parts=_say(words, "parts", parts=words["comma"].join(parts)) if parts else "",
        **_total(words, seen, points(won) + gained),
    )


def _total(words: Words, seen: Table, total: int) -> dict[str, str]:
    """Return the points after a move, and whether they win. Rule: MG-17."""
    return {
        "total": figure(total),
        "win": _say(words, "win") if total >= seen.terms.goal else "",
    }


def _declare(words: Words, seen: Table, seat: Seat, school: School) -> str:
    """Return the school of a formula with innocents, and the possible formulas. Rule: MG-10, MG-15."""
    pile = held(seen.places[seat].hand)
    formulas = with_innocents(pile, AT[school], innocents_at_hand(seen, seat))
    forms = [number_names(FORMS[form]) for form in sorted({FORM_OF[fix.numbers] for fix in formulas})]
    names = words["comma"].join(forms) if len(forms) <= MOST_FORMS else _say(words, "one-of", count=len(forms))
    for card in seen.stage.work.aside:
        return _say(words, "declare-with", school=words[f"school-{school}"], forms=names, card=card_name(words, card))
    return _say(words, "declare", school=words[f"school-{school}"], forms=names)


def _take_aptitude(words: Words, seen: Table, seat: Seat, school: School) -> str:
    """Return an aptitude card of a school, and how many cards it may come to count. Rule: MG-11, MG-16."""
    name, left = words[f"school-{school}"], len(seen.middle.aptitudes[AT[school]])
    if not left:
        return _say(words, "aptitude-none", school=name, count=AWAKENING_DRAWN)
    fixed = sum(len(formula.cards) for formula in seen.places[seat].won.formulas if formula.school == AT[school])
    cards = counted(words["cards"], fixed)
    return _say(words, "aptitude", school=name, left=left, count=AWAKENING_DRAWN, cards=cards)


def _show(words: Words, seen: Table, seat: Seat, move: moves.Show | moves.ShowOne) -> str:
    """Return aptitude cards by name, and what they count. Rule: MG-16, MG-17."""
    won = seen.places[seat].won
    if isinstance(move, moves.ShowOne):
        event = showing_one(seen, seat, move.at)
        name, total = "show-one", event.total
        fields = {"card": card_name(words, event.card), "at": str(move.at + 1), "of": str(len(won.aptitudes))}
    else:
        shown = showing(seen, seat)
        name, total = "show" if len(unshown(won)) > 1 else "show-only", shown.total
        fields = {"cards": card_names(words, shown.cards)}
    gained = counted(words["points"], total - points(won))
    text = _say(words, name, points=gained, **fields, **_total(words, seen, total))
    is_last = seen.stage.step is SHOWING and (name != "show-one") and total < seen.terms.goal
    return text + _say(words, "ends", count=seen.stage.work.of) if is_last else text


def _use(words: Words, seen: Table, seat: Seat, artefact: Artefact) -> str:
    """Return an artefact, its cost, and what it does now. Rule: MG-15."""
    terms, place = seen.terms, seen.places[seat]
    cost = counted(words["points"], terms.costs[COST_AT[artefact]])
    if artefact is FATE:
        count = min(terms.fate, len(seen.deck) or len(discards(seen)))
        if seen.stage.step is not START:
            return _say(words, "fate", points=cost, number=count)
        drawn = drawn_at_start(place.won)
        return _say(words, "fate-first", points=cost, number=count, drawn=drawn) + _end(words, seen, seat, drawn)
    if artefact is PAST:
        others = len(place.row)
        taking = "past-any" if others > terms.past else "past-all" if others else "past-none"
        taken = _say(words, taking, count=terms.past, others=counted(words["cards"], others))
        return _say(words, "past", points=cost, number=terms.past, taking=taken)
    return _say(words, "innocent", points=cost)


def _imitate(words: Words, seen: Table, seat: Seat, card: Card) -> str:
    """Return a card that counts as innocent, and the schools of the formulas that it then makes. Rule: MG-15."""
    pile, innocents = held(seen.places[seat].hand) - ONE[card], innocents_at_hand(seen, seat) + 1
    schools = one_of(words, [words[f"school-{move.school}"] for move in declares(pile, innocents)])
    return _say(words, "imitate", card=card_name(words, card), schools=schools)


def _lay(
    words: Words, seen: Table, seat: Seat, move: moves.Arrange | moves.ArrangeLast | moves.Put | moves.Take
) -> str:
    """Return a card that goes onto the deck, into the row or out of it, and its place, counted from 1. Rule: MG-15."""
    work, row = seen.stage.work, seen.places[seat].row
    at, name = work.done + 1, "arrange"
    match move:
        case moves.Arrange(card=card):
            of = work.of
        case moves.ArrangeLast():
            card, of = seen.deck[work.done], work.of
        case moves.Put(card=card):
            name, of = "put", seen.terms.past
        case moves.Take(at=taken):
            name, card, at, of = "take", row[taken], taken + 1, len(row)
        case _:
            assert_never(move)
    text = _say(words, name, card=card_name(words, card), at=at, of=of)
    left = min(seen.terms.past - work.of, len(row) - work.done) - 1 if name == "take" else 0
    return text + _say(words, "take-more", left=left) if left else text

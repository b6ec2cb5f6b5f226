"""What labels of MAGICATIVE claim, and when it is so. See `tests/laws/claims.py`."""

from __future__ import annotations

import re

from domain.games.magicative import events, moves
from domain.games.magicative.components import School
from domain.games.magicative.rules.drawing import drawn_at_start
from domain.games.magicative.state import Place, Step, points
from tests.laws.claims import Claims, Moment, numbers, told


def own(moment: Moment) -> Place:
    place: Place = moment.before.places[moment.seat]
    return place


def is_drawn(moment: Moment, found: re.Match[str]) -> bool:
    """Now, or when the aptitude card is taken; fewer where the match ends by it."""
    drawn = sum(len(one.cards) for one in moment.said(events.CardsDrawn) if one.seat == moment.seat)
    wanted = int(found[1])
    if isinstance(moment.move, moves.Use):
        return wanted == drawn_at_start(own(moment).won)
    if isinstance(moment.move, moves.Awaken):
        return drawn in (0, wanted)
    are_few = moment.said(events.MatchDrawn) or "cards are left to draw" in moment.label
    return drawn == wanted or (drawn < wanted and bool(are_few))


def is_scored(moment: Moment, found: re.Match[str]) -> bool:
    """Points of a formula or of aptitude cards that are shown, its parts, and what they come to in all."""
    kinds = events.ChipsTaken | events.SpecialCompleted | events.AptitudeShown | events.AptitudesShown
    scored = [one for one in moment.said(kinds) if one.seat == moment.seat]
    total = int(found["total"].replace("−", "-"))
    gained = total - points(own(moment).won)
    parts = [int(part) for part in re.findall(r"(\d+) (?:for|by)", found["parts"] or "")]
    chips = [one.chips for one in scored if isinstance(one, events.ChipsTaken | events.SpecialCompleted)]
    return total in [one.total for one in scored] and gained == int(found["points"]) and (
        not parts or (sum(parts) == gained and set(chips) <= {*parts})
    )  # fmt: skip


def is_won(moment: Moment, found: re.Match[str]) -> bool:
    """Points that the formula brings by aptitude cards that are shown already, what they come to, and that they win."""
    before, after = (points(table.places[moment.seat].won) for table in (moment.before, moment.after))
    return (after - before, after) == numbers(found) and bool(moment.said(events.MatchEnded))


def is_put(moment: Moment, found: re.Match[str]) -> bool:
    """As many as the artefact says, at most; of so many others as lie in the row."""
    past, row = moment.before.terms.past, len(own(moment).row)
    numbers = [int(number) for number in re.findall(r"\d+", found[0])]
    return numbers[0] == past and (len(numbers) == 1 or numbers[-1] == row) and numbers[1:-1] in ([], [past])


def is_aptitude(moment: Moment, found: re.Match[str]) -> bool:
    taken = moment.said(events.AptitudeTaken)
    left = len(moment.before.middle.aptitudes[list(School).index(moment.move.school)])
    return bool(taken) and left == int(found[1])


def is_counted(moment: Moment, found: re.Match[str]) -> bool:
    school = list(School).index(moment.move.school)
    return sum(len(one.cards) for one in own(moment).won.formulas if one.school == school) == int(found[1])


def is_declared(moment: Moment, found: re.Match[str]) -> bool:
    """So many formulas may be named next."""
    legal = moment.game.legal(moment.after, moment.seat)
    return len({move.numbers for move in legal if isinstance(move, moves.Fix)}) == int(found[1])


def is_placed(moment: Moment, found: re.Match[str]) -> bool:
    """Which one it is of how many: in the row, in what was looked at, or among aptitude cards."""
    at, of = int(found[1]), int(found[2])
    work = moment.before.stage.work
    match moment.move:
        case moves.Take(at=place):
            return (at, of) == (place + 1, len(own(moment).row))
        case moves.ShowOne(at=place):
            return (at, of) == (place + 1, len(own(moment).won.aptitudes))
        case moves.Put():
            return (at, of) == (work.done + 1, moment.before.terms.past)
        case _:
            return (at, of) == (work.done + 1, work.of)


def is_more(moment: Moment, found: re.Match[str]) -> bool:
    """So many cards are taken after it."""
    table, more = moment.after, 0
    while takes := [one for one in moment.game.legal(table, moment.seat) if isinstance(one, moves.Take)]:
        if not moment.said(events.PastTaken):
            break
        for event in moment.game.decide(table, moment.seat, takes[0], None):  # type: ignore[arg-type]  # no chance
            table = moment.game.evolve(table, event)
        more += 1
        if table.stage.seat != moment.seat:
            break
    return more == int(found[1])


def is_short(moment: Moment, found: re.Match[str]) -> bool:
    """The match ends by the move, or by the draw that follows from it, before which aptitude cards may be shown."""
    if isinstance(moment.move, moves.Awaken | moves.Use):
        return True
    table = moment.ended
    if table.stage.step is Step.SHOWING:
        for event in moment.game.decide(table, table.stage.seat, moves.Draw(), None):  # type: ignore[arg-type]  # no chance
            table = moment.game.evolve(table, event)
    return bool(moment.game.standing(table).over)


CLAIMS = Claims(
    # cards and formulas by name, and what is printed of specials
    names=r"(?:magic|alchemy|astrology) \d(?:-\d)*(?: as \d)?|\b\d-\d-\d\b|innocent as \d"
    r"|for (?:\d equal runs|3 of the same number)|1 card more",
    made=(
        (r"; fewer than (\d+) cards are left", is_short),
        (r"take (?P<points>\d+) points?(?P<parts> \([^)]*\))?, (?P<total>−?\d+) in all", is_scored),
        (r": (?P<points>\d+) points? more, (?P<total>−?\d+) in all(?P<parts>)", is_scored),
        (r": your shown aptitude cards count (\d+) points? for it, (\d+) in all, and you win before you draw", is_won),
        (r"[Dd]raw (\d+)(?! cards are)", is_drawn),
        (r"\((−?\d+) points?\)", told(events.ArtefactUsed, "points")),
        (
            r"look at the top (\d+)",
            lambda m, found: [len(one.cards) for one in m.said(events.FateLooked)] == [int(found[1])],
        ),
        (r"put (\d+) hand cards? at the left of your row and take (?:any \d+|all|nothing)[^;]*", is_put),
        (r"\((\d+) left\)", is_aptitude),
        (r"you have fixed (\d+) cards?", is_counted),
        (r"one of (\d+)", is_declared),
        (r"set (\d+) of", lambda m, found: len(m.said(events.Awakened)) == 1 and int(found[1]) == 4),
        (r"(?:as |your aptitude )?card (\d+) of (\d+)", is_placed),
        (r"; (\d+) more to take after it", is_more),
    ),
)

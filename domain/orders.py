"""Standing orders: what a seat leaves to be played for it, judged only by what the seat sees.

An order is a rule over the legal moves of a decision: play the move that fits a pattern, unless a legal move fits
another pattern, and if comparisons of what is seen hold. It never makes a move that is not legal, and none where it
fits several: then the seat is asked, as it is where no order plays. Of several orders the one given first decides. A
*premove* is an order for one decision alone, the next one. Orders stand in the seat's private stream, so they open,
like all secrets, when the match is over. They have no free text, since a log is kept for ever: their words are those of
the game.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from domain import matches
from domain.game import Game, Refusal, Seat, classes
from domain.happenings import Comparison, OrderGiven, OrderWithdrawn, Pattern, PremoveGiven, Rule
from domain.matches import Match
from domain.play import Told

MOST = 16
"""The most standing orders of a seat at a time."""

EVER = 500
"""The most orders that a seat gives in a match, since its private log is kept for ever."""

PARTS = 20
"""The most patterns in a list, and the most comparisons in a pattern."""

DEPTH = 8
"""The most steps in a path to what is seen."""

LARGEST = 10**9

LONGEST = 64
"""The most characters in a word, and in a step of a path."""

ME, SIZE = "me", "size"
"""Steps of a path beside names and places: the seat's own number as a place, and the length of a list."""

COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

NOTHING = object()

Given = OrderGiven | PremoveGiven

Standing = Mapping[int, Given]
"""A seat's orders that stand, by number."""


def give(game: Game[Any, Any, Any], standing: Standing, given: int, rule: Rule, after: int | None = None) -> Given:
    """Return the event of one more order. Raises Refusal.

    Shape:   `given`: how many the seat has given so far. `after`: the version of the match's log, for a premove.
    """
    if len(standing) >= MOST or given >= EVER:
        raise Refusal("", "too-many-orders", most=MOST, ever=EVER)
    check(game, rule)
    if after is None:
        return OrderGiven(order=given + 1, rule=rule)
    return PremoveGiven(order=given + 1, rule=rule, after=after)


def withdraw(standing: Standing, order: int) -> OrderWithdrawn:
    """Return the event that ends an order. Raises Refusal if it does not stand."""
    if order not in standing:
        raise Refusal("", "no-such-order", order=order)
    return OrderWithdrawn(order=order)


def told(event: Given | OrderWithdrawn, seat: Seat) -> Told:
    """Return the event as it stands in the seat's private log: it belongs to no move."""
    return Told(event, f"seat:{seat}", 0)


def evolve(standing: Standing, event: Given | OrderWithdrawn) -> Standing:
    """Return the orders that stand after the event."""
    if not isinstance(event, OrderWithdrawn):
        return {**standing, event.order: event}
    return {number: given for number, given in standing.items() if number != event.order}


def premoves(standing: Standing) -> tuple[PremoveGiven, ...]:
    """Return the premoves that stand, which end with the seat's next decision, whether they play or not."""
    return tuple([given for given in standing.values() if isinstance(given, PremoveGiven)])


def past(game: Game[Any, Any, Any], view: Any, standing: Standing, seat: Seat) -> tuple[Given, ...]:
    """Return the orders that can play no more, since they are for a part of the match (`Game.part`) that is over."""
    now = at(view, game.part, seat) if game.part else None
    if type(now) is not int:
        return ()

    def is_past(one: Comparison) -> bool:
        return one.of == game.part and one.relation == "=" and type(one.value) is int and one.value < now

    return tuple([given for given in standing.values() if any(map(is_past, given.rule.when))])


def check(game: Game[Any, Any, Any], rule: Rule) -> None:
    """Check that the rule can be an order in this game. Raises Refusal."""
    for patterns in (rule.play, rule.unless):
        if len(patterns) > PARTS:
            raise Refusal("", "order-size", most=PARTS)
        for pattern in patterns:
            _check_pattern(game, pattern)
    if not rule.play or len(rule.when) > PARTS:
        raise Refusal("", "order-size", most=PARTS)
    for comparison in rule.when:
        steps = comparison.of.split(".")
        if len(steps) > DEPTH or not all(map(_is_step, steps)):
            raise Refusal("", "order-way", of=comparison.of[:64])
        _check_value(comparison)


def _is_step(step: str) -> bool:
    """Return whether a path may have that step: a name or a place, in ASCII and not too long."""
    return len(step) <= LONGEST and step.isascii() and (step.isidentifier() or step.isdigit())


def _check_pattern(game: Game[Any, Any, Any], pattern: Pattern) -> None:
    fields = fields_of(game).get(pattern.type)
    if fields is None:
        raise Refusal("", "no-such-move", type=pattern.type[:64], known=tuple(fields_of(game)))
    if len(pattern.where) > PARTS:
        raise Refusal("", "order-size", most=PARTS)
    for comparison in pattern.where:
        if comparison.of not in fields:
            raise Refusal("", "no-such-field", type=pattern.type, of=comparison.of[:64], known=fields or ("-",))
        _check_value(comparison)


def _check_value(comparison: Comparison) -> None:
    if isinstance(comparison.value, int) and not -LARGEST <= comparison.value <= LARGEST:
        raise Refusal("", "order-value", most=LARGEST)
    if isinstance(comparison.value, str | bool) and comparison.relation not in {"=", "!="}:
        raise Refusal("", "order-relation", of=comparison.of)


def like(game: Game[Any, Any, Any], view: Any, legal: Sequence[Any], move: Any, *, is_for_part: bool) -> Rule:
    """Return the rule that makes this move of a decision again whenever no other kinds of moves are legal than now.

    Shape:   `legal` are the decision's moves, `view` what the seat sees as JSON. `is_for_part`: only as long as the
             part of the match (`Game.part`) lasts.
    Raises:  Refusal if the game has no parts, or the move's fields can't all be compared.
    """
    fields = msgspec.to_builtins(move)
    kind = fields.pop("type")
    if not all(isinstance(value, int | str | bool) for value in fields.values()):
        raise Refusal("", "order-like")
    if is_for_part and not game.part:
        raise Refusal("", "order-part")
    now = {type(each).__name__ for each in legal}
    part = at(view, game.part, 0) if is_for_part else None
    return Rule(
        play=(Pattern(kind, tuple([Comparison(name, "=", value) for name, value in fields.items()])),),
        unless=tuple([Pattern(other) for other in fields_of(game) if other not in now]),
        when=(Comparison(game.part, "=", part),) if part is not None else (),
    )


@cache
def fields_of(game: Game[Any, Any, Any]) -> dict[str, tuple[str, ...]]:
    """Return the names of the fields of each of the game's moves, by the move's type."""
    return {move.__name__: move.__struct_fields__ for move in classes(game.Move)}


def chosen(game: Game[Any, Any, Any], seen: Match[Any], seat: Seat, standing: Standing) -> Any:
    """Return the move that the seat's orders make of its open decision; None if they make none or it has no decision.

    Shape:   `seen` is what the seat sees.
    """
    return played(game, seen.table, seat, standing) if matches.decision_of(game, seen, seat) else None


def played(game: Game[Any, Any, Any], seen: Any, seat: Seat, standing: Standing) -> Any:
    """Return the move that these orders make at a table where the seat is asked; None if they make none."""
    if not standing:
        return None
    legal = game.legal(seen, seat)
    moves = [msgspec.to_builtins(move) for move in legal]
    # made when first needed
    view = cache(lambda: seen_by(game, seen, seat))
    for _, given in sorted(standing.items()):
        rule = given.rule
        if any(fits(pattern, move) for pattern in rule.unless for move in moves):
            continue
        if not all(_holds(comparison, at(view(), comparison.of, seat)) for comparison in rule.when):
            continue
        for pattern in rule.play:
            fitting = [number for number, move in enumerate(moves) if fits(pattern, move)]
            if len(fitting) == 1:
                return legal[fitting[0]]
    return None


def fits(pattern: Pattern, move: Mapping[str, Any]) -> bool:
    """Return whether the move, as the JSON that clients get, fits the pattern."""
    return move["type"] == pattern.type and all(
        _holds(comparison, move.get(comparison.of, NOTHING)) for comparison in pattern.where
    )


def _holds(comparison: Comparison, value: Any) -> bool:
    """Return whether the comparison holds for the value; never if the value is missing, hidden, or of another type."""
    if type(value) is not type(comparison.value):
        return False
    return COMPARED[comparison.relation](value, comparison.value)


def seen_by(game: Game[Any, Any, Any], seen: Any, seat: Seat) -> Any:
    """Return the seat's view of the table as the JSON that clients get."""
    return msgspec.to_builtins(game.view(seen, seat))


def at(view: Any, way: str, seat: Seat) -> Any:
    """Return what is at the end of the path; `NOTHING` if the path does not exist."""
    for step in way.split("."):
        if isinstance(view, dict) and step in view:
            view = view[step]
        elif isinstance(view, list | tuple) and step == SIZE:
            view = len(view)
        elif isinstance(view, list | tuple) and (step == ME or step.isdigit()):
            place = seat if step == ME else int(step)
            view = view[place] if place < len(view) else NOTHING
        else:
            return NOTHING
    return view


def words_of(game: Game[Any, Any, Any], view: Any, names: Iterable[str]) -> frozenset[str]:
    """Return the words that an order may use: those of the game's moves, of what is seen, and of its pieces.

    Shape:   `names` are what moves and events call the pieces of the match's pack.
    """
    words = {ME, SIZE, *fields_of(game), *names}
    schemas = msgspec.json.schema_components([game.Move])[1]
    rest: list[Any] = [view, *schemas.values()]
    while rest:
        match rest.pop():
            case str() as word:
                words.add(word)
            case dict() as inner:
                words.update(inner)
                rest.extend(inner.values())
            case list() | tuple() as inner:
                rest.extend(inner)
    return frozenset(words)


def check_words(rule: Rule, words: frozenset[str]) -> None:
    """Check that the rule uses only words of the game. Raises Refusal."""
    patterns = (*rule.play, *rule.unless)
    compared = (*rule.when, *(comparison for pattern in patterns for comparison in pattern.where))
    used = [step for comparison in compared for step in comparison.of.split(".") if not step.isdigit()]
    used += [comparison.value for comparison in compared if isinstance(comparison.value, str)]
    for word in used:
        if word not in words:
            raise Refusal("", "order-word", word=word[:64])

"""Standing orders: what a seat leaves to be played for it, judged by what it sees and by nothing else.

An order is a rule over the legal moves of a decision: play the one that fits a pattern, unless a move that fits another
one is legal, and when what is seen compares so. It never makes a move that is not legal, and where it fits several it
makes none: the seat is asked then, as it is where no order says anything. Of several orders the one given first
decides. The log tells an order in the seat's private stream, so it opens, as all secrets do, when the match is over.

Nothing in an order is free text, for a log is for ever: its words are those of the game.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, get_args

import msgspec

from domain import matches
from domain.game import Game, Refusal, Seat
from domain.happenings import Comparison, OrderGiven, OrderWithdrawn, Pattern, Rule
from domain.matches import PLAYING, Match
from domain.play import Told

MOST = 16
"""Orders of a seat that stand at a time."""

EVER = 500
"""Orders that a seat gives in a match: its private log is for ever."""

PARTS = 8
"""Patterns in a list, and comparisons in one."""

DEPTH = 8
"""Steps of a way to what is seen."""

LARGEST = 10**9

LONGEST = 64
"""Characters of a word, and of a step of a way."""

ME, SIZE = "me", "size"
"""Steps of a way beside names and places: the seat's own number as a place, and how many there are."""

COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

NOTHING = object()

Standing = Mapping[int, Rule]
"""The orders of a seat that stand, by number."""


def give(game: Game[Any, Any, Any], standing: Standing, given: int, rule: Rule) -> OrderGiven:
    """The event of one more order; `given`: how many the seat has given so far. Raises Refusal."""
    if len(standing) >= MOST or given >= EVER:
        raise Refusal("", "too-many-orders", most=MOST, ever=EVER)
    check(game, rule)
    return OrderGiven(order=given + 1, rule=rule)


def withdraw(standing: Standing, order: int) -> OrderWithdrawn:
    """The event that ends an order. Raises Refusal when it does not stand."""
    if order not in standing:
        raise Refusal("", "no-such-order", order=order)
    return OrderWithdrawn(order=order)


def told(event: OrderGiven | OrderWithdrawn, seat: Seat) -> Told:
    """The event as it stands in the seat's private log: it belongs to no move."""
    return Told(event, f"seat:{seat}", 0)


def evolve(standing: Standing, event: OrderGiven | OrderWithdrawn) -> Standing:
    """The orders that stand after the event."""
    if isinstance(event, OrderGiven):
        return {**standing, event.order: event.rule}
    return {number: rule for number, rule in standing.items() if number != event.order}


def check_playing(state: Match[Any]) -> None:
    """Raises Refusal when the match is not being played: before it starts a seat may be left to somebody else."""
    if state.status is not PLAYING:
        raise Refusal("", f"match-{state.status}")


def check(game: Game[Any, Any, Any], rule: Rule) -> None:
    """Whether the rule can be one of this game's. Raises Refusal."""
    for patterns in (rule.play, rule.unless):
        if len(patterns) > PARTS:
            raise Refusal("", "order-size", most=PARTS)
        for pattern in patterns:
            _check_pattern(game, pattern)
    if not rule.play or len(rule.when) > PARTS:
        raise Refusal("", "order-size", most=PARTS)
    for one in rule.when:
        steps = one.of.split(".")
        if len(steps) > DEPTH or not all(map(_is_step, steps)):
            raise Refusal("", "order-way", of=one.of[:64])
        _check_value(one)


def _is_step(step: str) -> bool:
    """Whether a way may have that step: a name or a place, in ASCII and not too long."""
    return len(step) <= LONGEST and step.isascii() and (step.isidentifier() or step.isdigit())


def _check_pattern(game: Game[Any, Any, Any], pattern: Pattern) -> None:
    fields = fields_of(game).get(pattern.type)
    if fields is None:
        raise Refusal("", "no-such-move", type=pattern.type[:64], known=tuple(fields_of(game)))
    if len(pattern.where) > PARTS:
        raise Refusal("", "order-size", most=PARTS)
    for one in pattern.where:
        if one.of not in fields:
            raise Refusal("", "no-such-field", type=pattern.type, of=one.of[:64], known=fields or ("-",))
        _check_value(one)


def _check_value(one: Comparison) -> None:
    if isinstance(one.value, int) and not -LARGEST <= one.value <= LARGEST:
        raise Refusal("", "order-value", most=LARGEST)
    if isinstance(one.value, str | bool) and one.relation not in {"=", "!="}:
        raise Refusal("", "order-relation", of=one.of)


@cache
def fields_of(game: Game[Any, Any, Any]) -> dict[str, tuple[str, ...]]:
    """The fields of the game's moves, by the moves' types."""
    return {one.__name__: one.__struct_fields__ for one in get_args(game.Move) or (game.Move,)}


def chosen(game: Game[Any, Any, Any], seen: Match[Any], seat: Seat, standing: Standing) -> Any:
    """The move that the seat's orders make of its open decision; None where they say nothing, or it has none.

    Shape:   `seen` is what the seat sees.
    """
    if not standing or not matches.decision_of(game, seen, seat):
        return None
    legal = game.legal(seen.table, seat)
    told = [msgspec.to_builtins(move) for move in legal]
    view = _View(game, seen, seat)
    for _, rule in sorted(standing.items()):
        if any(fits(pattern, move) for pattern in rule.unless for move in told):
            continue
        if not all(_holds(one, view.at(one.of)) for one in rule.when):
            continue
        for pattern in rule.play:
            found = [number for number, move in enumerate(told) if fits(pattern, move)]
            if len(found) == 1:
                return legal[found[0]]
    return None


def fits(pattern: Pattern, move: Mapping[str, Any]) -> bool:
    """Whether the move, told as clients are, is one of those."""
    return move["type"] == pattern.type and all(_holds(one, move.get(one.of, NOTHING)) for one in pattern.where)


def _holds(one: Comparison, value: Any) -> bool:
    """Whether the value compares so; what is not there, is hidden, or is of another kind never does."""
    if type(value) is not type(one.value):
        return False
    return COMPARED[one.relation](value, one.value)


class _View:
    """What the seat sees, told as clients are, once it is asked for."""

    def __init__(self, game: Game[Any, Any, Any], seen: Match[Any], seat: Seat) -> None:
        self._game = game
        self._seen = seen
        self._seat = seat
        self._told: Any = NOTHING

    def at(self, way: str) -> Any:
        """What lies at the end of the way; `NOTHING` where it leads nowhere."""
        if self._told is NOTHING:
            self._told = seen_by(self._game, self._seen, self._seat)
        return at(self._told, way, self._seat)


def seen_by(game: Game[Any, Any, Any], seen: Match[Any], seat: Seat) -> Any:
    """The seat's view of the table, told as clients are."""
    return msgspec.to_builtins(game.view(seen.table, seat))


def at(view: Any, way: str, seat: Seat) -> Any:
    """What lies at the end of the way; `NOTHING` where it leads nowhere."""
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
    """The words that an order may use: those of the game's moves, of what is seen, and of its pieces.

    Shape:   `names` are what the pieces of the match's pack are called by moves and events.
    """
    found = {ME, SIZE, *fields_of(game), *names}
    schemas = msgspec.json.schema_components([game.Move])[1]
    rest: list[Any] = [view, *schemas.values()]
    while rest:
        match rest.pop():
            case str() as word:
                found.add(word)
            case dict() as inner:
                found.update(inner)
                rest.extend(inner.values())
            case list() | tuple() as inner:
                rest.extend(inner)
    return frozenset(found)


def check_words(rule: Rule, words: frozenset[str]) -> None:
    """Whether the rule says nothing but words of the game. Raises Refusal."""
    patterns = (*rule.play, *rule.unless)
    compared = (*rule.when, *(one for pattern in patterns for one in pattern.where))
    said = [step for one in compared for step in one.of.split(".") if not step.isdigit()]
    said += [one.value for one in compared if isinstance(one.value, str)]
    for word in said:
        if word not in words:
            raise Refusal("", "order-word", word=word[:64])

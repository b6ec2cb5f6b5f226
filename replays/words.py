"""Events in words, without the state: a game describes its own events, and this module those of the match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec.structs import asdict

from domain import happenings, matches, orders, texts
from domain.game import Game, Lang
from domain.happenings import Comparison, OrderGiven, Pattern, PremoveGiven, Rule
from domain.matches import NOT_ASKED, Answer, Cause

WORDS = texts.read("replays", "words")
"""The sentences of events by language and class, and their parts."""

CAUSES = {lang: {cause: words[f"cause-{cause}"] for cause in Cause} for lang, words in WORDS.items()}
"""What follows a move, by language and cause."""

UNITS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s"), (1, "ms"))
"""Milliseconds of each unit, and its key."""

UNNAMED = (matches.SeatTaken, matches.SeatLeft, happenings.SeatPassedOn)
"""Events of a seat that may have been another player's at that time, so they don't get the present player's name."""


def describe(game: Game[Any, Any, Any], event: Any, lang: Lang) -> str:
    """Return an event, which may be redacted, in words. Seats are counted from 0, as in the data."""
    if not isinstance(event, matches.EVENTS):
        return game.describe(event, lang)
    return WORDS[lang][type(event).__name__].format(**asdict(event) | _parts(game, event, lang))


def describe_all(game: Game[Any, Any, Any], events: Iterable[Any], lang: Lang, say: Callable[[str], str]) -> list[str]:
    """Return the events in words. `say`: puts names in the place of the seats' numbers."""
    texts = [(event, describe(game, event, lang)) for event in events]
    return [text if isinstance(event, UNNAMED) else say(text) for event, text in texts]


def asides(game: Game[Any, Any, Any], events: Sequence[Any]) -> list[bool]:
    """Return of each event whether a list can leave it out. See `is_aside`."""
    return [is_aside(game, event, following) for event, following in zip_longest(events, events[1:])]


def is_aside(game: Game[Any, Any, Any], event: Any, following: Any) -> bool:
    """Return whether a list can leave the event out: a deadline, which clocks show, or a move that the next one tells.

    A move by the clock stays, since nothing else says that the clock made it.
    """
    if isinstance(event, matches.MoveMade):
        return event.cause is not Cause.CLOCK and is_told(game, event, following)
    return isinstance(event, happenings.DeadlineSet)


def is_told(game: Game[Any, Any, Any], move: matches.MoveMade[Any], following: Any) -> bool:
    """Return whether the event that follows a move, None if there is none, is the game's own and tells of the mover."""
    if following is None or isinstance(following, matches.EVENTS):
        return False
    return game.describe(following, "en").startswith((f"Seat {move.seat} ", f"Seat {move.seat}'s "))


def _parts(game: Game[Any, Any, Any], event: Any, lang: Lang) -> dict[str, str]:
    """Return those fields of the event's sentence that are words themselves."""
    words = WORDS[lang]
    match event:
        case matches.MoveMade(move=move, cause=cause):
            return {"move": game.describe(move, lang), "cause": CAUSES[lang][cause]}
        case matches.AnswerSealed(answer=answer, cause=cause):
            return {"answer": game.describe(answer, lang), "cause": CAUSES[lang][cause]}
        case matches.AnswersClosed(answers=answers):
            told = ((seat, _answer(game, answer, lang)) for seat, answer in enumerate(answers) if answer is not None)
            return {"answers": "".join(words["answer"].format(seat=seat, answer=answer) for seat, answer in told)}
        case matches.Opened():
            return {"title": game.title[lang]}
        case OrderGiven(rule=rule) | PremoveGiven(rule=rule):
            return {"rule": rule_in_words(game, rule, lang)}
        case matches.Aborted(reason=reason) | happenings.Paused(reason=reason):
            return {"reason": words[f"by-{reason}"]}
        case happenings.ClockSet(defaults=defaults):
            spans = {name: duration(getattr(event, name), lang) for name in ("allowance", "bank", "claims")}
            return spans | {"takeover": words["takeover"].format(number=defaults) if defaults else ""}
        case happenings.DeadlineSet(due=due) | matches.RungSealed(due=due):
            return {"due": moment(due)}
        case happenings.BankUsed(spent=spent, due=due):
            return {"spent": duration(spent, lang), "due": moment(due)}
        case happenings.DeadlineExtended(length=length, reason=reason):
            return {"length": duration(length, lang), "reason": words[f"time-{reason}"]}
        case happenings.SeatHandedOver(reason=reason):
            return {"reason": words[f"bot-{reason}"]}
        case happenings.Resumed(length=length) | happenings.OutageExtended(length=length):
            return {"length": duration(length, lang)}
    return {}


def _answer(game: Game[Any, Any, Any], answer: Answer[Any], lang: Lang) -> str:
    if answer.answer == NOT_ASKED:
        return WORDS[lang]["not-asked"]
    return game.describe(answer.answer, lang).rstrip("。.")


def rule_in_words(game: Game[Any, Any, Any], rule: Rule, lang: Lang) -> str:
    """Return a standing order in words.

    Where it is refused by most kinds of moves, as if it was made from a decision, it says instead which ones it takes.
    """
    words, kinds = WORDS[lang], game.kinds(lang)

    def told(patterns: Iterable[Pattern]) -> str:
        return words["or"].join(_pattern(pattern, kinds) for pattern in patterns)

    text = words["or"].join(_as_move(game, pattern, lang) or _pattern(pattern, kinds) for pattern in rule.play)
    others = {pattern.type for pattern in rule.unless}
    left = [Pattern(kind) for kind in orders.fields_of(game) if kind not in others]
    if len(left) < len(rule.unless) and not any(pattern.where for pattern in rule.unless):
        text += words["if-only"].format(moves=told(left))
    elif rule.unless:
        text += words["unless"].format(moves=told(rule.unless))
    if rule.when:
        text += words["when"].format(comparisons=", ".join(_condition(game, one, words) for one in rule.when))
    return text


def _condition(game: Game[Any, Any, Any], one: Comparison, words: Mapping[str, str]) -> str:
    """Return what limits an order, in words if it is the part of the match."""
    is_part = one.of == game.part and one.relation == "="
    text = words.get(f"in-{game.part}") if is_part else None
    return text.format(number=one.value) if text else _comparison(one)


def _as_move(game: Game[Any, Any, Any], pattern: Pattern, lang: Lang) -> str:
    """Return the words for the only move that fits the pattern; "" if others fit too, or it has none."""
    fields = {one.of: one.value for one in pattern.where if one.relation == "="}
    if not fields or len(fields) < len(pattern.where) or set(fields) != set(orders.fields_of(game)[pattern.type]):
        return ""
    try:
        text = game.describe(msgspec.convert({"type": pattern.type, **fields}, game.Move), lang)
    except (msgspec.ValidationError, LookupError):
        return ""  # a word of another kind of piece
    return (text[:1].lower() + text[1:] if lang == "en" else text).rstrip(".。")


def _pattern(pattern: Pattern, kinds: Mapping[str, str]) -> str:
    where = ", ".join(map(_comparison, pattern.where))
    kind = kinds.get(pattern.type, pattern.type)
    return f"{kind} ({where})" if where else kind


def _comparison(comparison: Comparison) -> str:
    value = str(comparison.value).lower() if isinstance(comparison.value, bool) else comparison.value
    return f"{comparison.of} {comparison.relation} {value}"


def duration(milliseconds: int, lang: Lang) -> str:
    """Return a duration in words, by its two greatest units; milliseconds only below a second."""
    words = WORDS[lang]
    parts: list[str] = []
    rest = milliseconds
    for size, unit in UNITS:
        count, rest = divmod(rest, size)
        if count and not (parts and unit == "ms"):
            parts.append(words[unit].format(number=count))
    return words["between-units"].join(parts[:2]) or words["s"].format(number=0)


def moment(at: str) -> str:
    """Return a moment as people write it, to the second; pages replace it by their reader's own time."""
    return f"{at[:10]} {at[11:19]} UTC"

"""Events in words, without the state: a game describes its own events, and this module those of the match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from domain import matches
from domain.game import Game, Lang
from domain.happenings import Comparison, OrderGiven, OrderWithdrawn, Pattern, Rule
from domain.matches import NOT_ASKED, Answer, Cause

CAUSES: dict[Lang, dict[Cause, str]] = {
    "en": {Cause.SEAT: "", Cause.FORCED: " (the only move)", Cause.CLOCK: " (by the clock)"},
    "ja": {Cause.SEAT: "", Cause.FORCED: "（他に手なし）", Cause.CLOCK: "（時間切れ）"},
}

REASONS: dict[Lang, dict[str, str]] = {
    "en": {"agreement": "by agreement", "operator": "by the operator", "pause": "after too long a pause"},
    "ja": {"agreement": "合意により", "operator": "運営により", "pause": "中断が長すぎたため"},
}

HANDED: dict[Lang, dict[str, str]] = {
    "en": {
        "absence": " after too many moves by the clock",
        "resignation": ", who has resigned",
        "wish": " on request",
        "agreement": ", as all have agreed",
    },
    "ja": {
        "absence": "時間切れが続いたため、",
        "resignation": "投了したため、",
        "wish": "希望により、",
        "agreement": "全員の合意により、",
    },
}

EXTENDED: dict[Lang, dict[str, str]] = {
    "en": {"vacation": " on vacation", "return": " after the return", "passed": " for whoever plays it now"},
    "ja": {"vacation": "休暇のため", "return": "復帰したため", "passed": "交代したため"},
}

RULES: dict[Lang, tuple[str, str, str]] = {
    "en": (", or ", ", unless this is legal: {}", ", when {}"),
    "ja": ("または", "。ただし{}ができるときを除く", "。条件は{}"),
}
"""Stand between patterns, before `unless`, and before `when`."""

UNITS = (
    (86_400_000, "d", "日"),
    (3_600_000, "h", "時間"),
    (60_000, "min", "分"),
    (1000, "s", "秒"),
    (1, "ms", "ミリ秒"),
)
"""Milliseconds of each unit, and its names."""


SEAT = re.compile(r"\b[Ss]eat (\d+)\b|席(\d+)")
"""Matches a seat in texts: "seat 1", "Seat 1's", "席1"."""

UNNAMED = (matches.SeatTaken, matches.SeatLeft, matches.SeatPassedOn)
"""Events of a seat that may have been another player's at that time, so they don't get the present player's name."""


def named(text: str, names: Sequence[str]) -> str:
    """Return the text with names in the place of the seats' numbers; "" keeps the number."""
    if "eat " not in text and "席" not in text:
        return text  # the expression is slow, and most texts name no seat

    def name(match: re.Match[str]) -> str:
        seat = int(match[1] or match[2])
        return (names[seat] if seat < len(names) else "") or match[0]

    return SEAT.sub(name, text)


def describe(game: Game[Any, Any, Any], event: Any, lang: Lang) -> str:
    """Return an event, which may be redacted, in words. Seats are counted from 0, as in the data."""
    if not isinstance(event, matches.EVENTS):
        return game.describe(event, lang)
    return _japanese(game, event) if lang == "ja" else _english(game, event)


def _english(game: Game[Any, Any, Any], event: Any) -> str:
    match event:
        case matches.Opened():
            return (
                f"A match is opened: {game.title['en']} for {event.seats} players,"
                f" rules version {event.version}, pack {event.pack}."
            )
        case matches.Forked():
            return f"It goes on from version {event.version} of {event.parent}."
        case matches.SeatTaken():
            return f"Seat {event.seat} is taken."
        case matches.SeatLeft():
            return f"Seat {event.seat} is free again."
        case matches.Started():
            return "The match starts."
        case matches.MoveMade():
            return f"Seat {event.seat}: {game.describe(event.move, 'en')}{CAUSES['en'][event.cause]}"
        case matches.AnswerSealed():
            return f"Answered under seal: {game.describe(event.answer, 'en')}{CAUSES['en'][event.cause]}"
        case matches.AnswersClosed():
            return "All sealed answers are in." + "".join(
                f" Seat {seat}: {_answer(game, answer, 'en')}." for seat, answer in _told(event)
            )
        case matches.RungSealed():
            return f"Asked under seal: to be answered by {moment(event.due)}."
        case OrderGiven():
            return f"Standing order {event.order}: {_rule(event.rule, 'en')}."
        case OrderWithdrawn():
            return f"Standing order {event.order} is withdrawn."
        case matches.Finished():
            # the game's own last event has told the result
            return "Everything is open now."
        case matches.Aborted():
            return f"The match is broken off {REASONS['en'][event.reason]}."
        case _:
            return _keeping_in_english(event)


def _rule(rule: Rule, lang: Lang) -> str:
    """Return a standing order in words."""
    either, unless, when = RULES[lang]
    text = either.join(map(_pattern, rule.play))
    if rule.unless:
        text += unless.format(either.join(map(_pattern, rule.unless)))
    if rule.when:
        text += when.format(", ".join(map(_comparison, rule.when)))
    return text


def _pattern(pattern: Pattern) -> str:
    where = ", ".join(map(_comparison, pattern.where))
    return f"{pattern.type} ({where})" if where else pattern.type


def _comparison(comparison: Comparison) -> str:
    value = str(comparison.value).lower() if isinstance(comparison.value, bool) else comparison.value
    return f"{comparison.of} {comparison.relation} {value}"


def _keeping_in_english(event: Any) -> str:
    """Return an event of time or seats in words."""
    match event:
        case matches.ClockSet():
            bank, claims = duration(event.bank, "en"), duration(event.claims, "en")
            after = f" A bot takes over after {event.defaults} moves by the clock in a row." if event.defaults else ""
            return (
                f"Time for a decision: {duration(event.allowance, 'en')}, and a bank of {bank};"
                f" for an answer under seal: {claims}.{after}"
            )
        case matches.DeadlineSet():
            return f"Seat {event.seat} is to answer by {moment(event.due)}."
        case matches.BankUsed():
            return (
                f"Seat {event.seat} uses {duration(event.spent, 'en')} of the bank:"
                f" the answer is due by {moment(event.due)}."
            )
        case matches.DeadlineExtended():
            reason = EXTENDED["en"][event.reason]
            return f"Seat {event.seat} has {duration(event.length, 'en')} more{reason}."
        case matches.SeatHandedOver():
            return f"The bot {event.bot} plays for seat {event.seat}{HANDED['en'][event.reason]}."
        case matches.SeatHandedBack():
            return f"Seat {event.seat} plays without the bot again."
        case matches.SeatResigned():
            return f"Seat {event.seat} resigns."
        case matches.SeatPassedOn():
            return f"Seat {event.seat} is played by somebody else from now on."
        case matches.Paused():
            return f"The match is paused {REASONS['en'][event.reason]}."
        case matches.Resumed():
            return f"The match goes on after a pause of {duration(event.length, 'en')}."
        case matches.OutageExtended():
            return f"The service was out of reach: {duration(event.length, 'en')} more for every decision."
        case _:
            raise AssertionError(f"no words for {type(event).__name__}")


def _japanese(game: Game[Any, Any, Any], event: Any) -> str:
    match event:
        case matches.Opened():
            return f"{game.title['ja']}の{event.seats}人戦を開いた。規則は第{event.version}版、パックは{event.pack}。"
        case matches.Forked():
            return f"{event.parent}の版{event.version}から続ける。"
        case matches.SeatTaken():
            return f"席{event.seat}が埋まった。"
        case matches.SeatLeft():
            return f"席{event.seat}が空いた。"
        case matches.Started():
            return "対局開始。"
        case matches.MoveMade():
            return f"席{event.seat}：{game.describe(event.move, 'ja')}{CAUSES['ja'][event.cause]}"
        case matches.AnswerSealed():
            return f"封じた答え：{game.describe(event.answer, 'ja')}{CAUSES['ja'][event.cause]}"
        case matches.AnswersClosed():
            return "封じた答えが揃った。" + "".join(
                f"席{seat}：{_answer(game, answer, 'ja')}。" for seat, answer in _told(event)
            )
        case matches.RungSealed():
            return f"封をした答えの期限は{moment(event.due)}。"
        case OrderGiven():
            return f"予約{event.order}：{_rule(event.rule, 'ja')}。"
        case OrderWithdrawn():
            return f"予約{event.order}を取り消した。"
        case matches.Finished():
            return "すべてが公開された。"
        case matches.Aborted():
            return f"{REASONS['ja'][event.reason]}、対局を打ち切った。"
        case _:
            return _keeping_in_japanese(event)


def _keeping_in_japanese(event: Any) -> str:
    match event:
        case matches.ClockSet():
            bank, claims = duration(event.bank, "ja"), duration(event.claims, "ja")
            after = f"時間切れが{event.defaults}回続くとボットが代わる。" if event.defaults else ""
            return f"持ち時間は一手{duration(event.allowance, 'ja')}、予備時間{bank}、封をした答えは{claims}。{after}"
        case matches.DeadlineSet():
            return f"席{event.seat}の期限は{moment(event.due)}。"
        case matches.BankUsed():
            return f"席{event.seat}は予備時間を{duration(event.spent, 'ja')}使い、期限は{moment(event.due)}になった。"
        case matches.DeadlineExtended():
            reason = EXTENDED["ja"][event.reason]
            return f"{reason}、席{event.seat}の期限が{duration(event.length, 'ja')}延びた。"
        case matches.SeatHandedOver():
            return f"{HANDED['ja'][event.reason]}席{event.seat}をボット{event.bot}が代わる。"
        case matches.SeatHandedBack():
            return f"席{event.seat}は再び自分でプレイする。"
        case matches.SeatResigned():
            return f"席{event.seat}は投了した。"
        case matches.SeatPassedOn():
            return f"席{event.seat}はこれから別の人がプレイする。"
        case matches.Paused():
            return f"{REASONS['ja'][event.reason]}、対局を中断した。"
        case matches.Resumed():
            return f"{duration(event.length, 'ja')}の中断の後、対局を再開した。"
        case matches.OutageExtended():
            return f"サービスが止まっていたため、どの期限も{duration(event.length, 'ja')}延びた。"
        case _:
            raise AssertionError(f"no words for {type(event).__name__}")


def duration(milliseconds: int, lang: Lang) -> str:
    """Return a duration in words, by its two greatest units; milliseconds only below a second."""
    parts: list[str] = []
    rest = milliseconds
    for unit, english, japanese in UNITS:
        count, rest = divmod(rest, unit)
        if count and not (parts and unit == 1):
            parts.append(f"{count}{japanese}" if lang == "ja" else f"{count} {english}")
    return ("" if lang == "ja" else " ").join(parts[:2]) or ("0秒" if lang == "ja" else "0 s")


def moment(at: str) -> str:
    """Return a moment as people write it, to the second; pages replace it by their reader's own time."""
    return f"{at[:10]} {at[11:19]} UTC"


def _told(event: Any) -> list[tuple[int, Answer[Any]]]:
    return [(seat, answer) for seat, answer in enumerate(event.answers) if answer is not None]


def _answer(game: Game[Any, Any, Any], answer: Answer[Any], lang: Lang) -> str:
    if answer.answer == NOT_ASKED:
        return "尋ねられなかった" if lang == "ja" else "not asked"
    return game.describe(answer.answer, lang).rstrip("。.")

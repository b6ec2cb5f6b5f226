"""Events in words, told without the state: the game tells its own, and this the match's."""

from __future__ import annotations

from typing import Any

from domain import match
from domain.game import Game, Lang
from domain.match import NOT_ASKED, Answer, Cause

CAUSES: dict[Lang, dict[Cause, str]] = {
    "en": {Cause.SEAT: "", Cause.FORCED: " (the only move)", Cause.CLOCK: " (by the clock)"},
    "ja": {Cause.SEAT: "", Cause.FORCED: "（他に手なし）", Cause.CLOCK: "（時間切れ）"},
}

REASONS: dict[Lang, dict[str, str]] = {
    "en": {"agreement": "by agreement", "operator": "by the operator", "pause": "after too long a pause"},
    "ja": {"agreement": "合意により", "operator": "運営により", "pause": "中断が長すぎたため"},
}


def describe(game: Game[Any, Any, Any], event: Any, lang: Lang) -> str:
    """An event, also a redacted one, in words. Seats are counted from 0, as in the data."""
    if not isinstance(event, match.EVENTS):
        return game.describe(event, lang)
    return _japanese(game, event) if lang == "ja" else _english(game, event)


def _english(game: Game[Any, Any, Any], event: Any) -> str:
    match event:
        case match.Opened():
            return (
                f"A match of {game.title['en']} for {event.seats} is opened:"
                f" rules version {event.version}, pack {event.pack}."
            )
        case match.Forked():
            return f"It goes on from version {event.version} of {event.parent}."
        case match.SeatTaken():
            return f"Seat {event.seat} is taken."
        case match.SeatLeft():
            return f"Seat {event.seat} is free again."
        case match.Started():
            return "The match starts."
        case match.MoveMade():
            return f"Seat {event.seat}: {game.describe(event.move, 'en')}{CAUSES['en'][event.cause]}"
        case match.AnswerSealed():
            return f"Answered under seal: {game.describe(event.answer, 'en')}{CAUSES['en'][event.cause]}"
        case match.AnswersClosed():
            return "All sealed answers are in." + "".join(
                f" Seat {seat}: {_answer(game, answer, 'en')}." for seat, answer in _told(event)
            )
        case match.Finished():
            places = ", ".join(
                f"seat {seat} is {_ordinal(place)} with {points}"
                for seat, (place, points) in enumerate(zip(event.ranking, event.points, strict=True))
            )
            return f"The match is over: {places}."
        case match.Aborted():
            return f"The match is broken off {REASONS['en'][event.reason]}."
        case _:
            raise AssertionError(f"no words for {type(event).__name__}")


def _japanese(game: Game[Any, Any, Any], event: Any) -> str:
    match event:
        case match.Opened():
            return f"{game.title['ja']}の{event.seats}人戦を開いた。規則は第{event.version}版、パックは{event.pack}。"
        case match.Forked():
            return f"{event.parent}の版{event.version}から続ける。"
        case match.SeatTaken():
            return f"席{event.seat}に着いた。"
        case match.SeatLeft():
            return f"席{event.seat}が空いた。"
        case match.Started():
            return "対局開始。"
        case match.MoveMade():
            return f"席{event.seat}：{game.describe(event.move, 'ja')}{CAUSES['ja'][event.cause]}"
        case match.AnswerSealed():
            return f"封じた答え：{game.describe(event.answer, 'ja')}{CAUSES['ja'][event.cause]}"
        case match.AnswersClosed():
            return "封じた答えが揃った。" + "".join(
                f"席{seat}：{_answer(game, answer, 'ja')}。" for seat, answer in _told(event)
            )
        case match.Finished():
            places = "、".join(
                f"席{seat}は{place}位、{points}点"
                for seat, (place, points) in enumerate(zip(event.ranking, event.points, strict=True))
            )
            return f"対局終了。{places}。"
        case match.Aborted():
            return f"{REASONS['ja'][event.reason]}、対局を打ち切った。"
        case _:
            raise AssertionError(f"no words for {type(event).__name__}")


def _told(event: Any) -> list[tuple[int, Answer[Any]]]:
    return [(seat, answer) for seat, answer in enumerate(event.answers) if answer is not None]


def _answer(game: Game[Any, Any, Any], answer: Answer[Any], lang: Lang) -> str:
    if answer.answer == NOT_ASKED:
        return "尋ねられなかった" if lang == "ja" else "not asked"
    return game.describe(answer.answer, lang).rstrip("。.")


def _ordinal(place: int) -> str:
    ending = "th" if 10 <= place % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"

"""A match as a row of a list: its players, status, clock and result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import g

from domain.game import Lang
from domain.matches import Status
from service.clock import DAY, HOUR, MINUTE, WEEK
from service.matches import rows, seat_of, shown
from service.store import Chair, Entry
from service.web.pages import page
from service.web.pages.words.rows import ROWS
from service.web.reply import service

SPANS = ((WEEK, "weeks"), (DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes"))


def of_all(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return the matches as rows, without those of games that this service does not have."""
    return [row(entry) for entry in entries if entry.game in service().catalogue.rooms]


def row(entry: Entry) -> dict[str, Any]:
    """Return the match as a row."""
    lang = page.lang()
    names = shown.names_of(entry, lang)
    is_drawn = all(chair.place == 1 for chair in entry.chairs)
    return {
        "id": entry.id,
        "title": title_of(entry.game),
        "game": entry.game,
        "status": entry.status,
        "visibility": entry.visibility,
        "seats": [{**seat(chair, lang), "won": chair.place == 1 and not is_drawn} for chair in entry.chairs],
        "mine": seat_of(entry, g.asker),
        "kept": any(chair.is_free and chair.reserved == g.asker.player for chair in entry.chairs if chair.reserved),
        "moves": entry.moves or 0,
        "moved": entry.ended or entry.moved or entry.created,
        "created": entry.created,
        "clock": "" if entry.clock is None else clock(entry.clock.allowance, entry.clock.bank, lang),
        "ended": ended(entry, names, lang),
        "line": "",
        "due": "",
        "waits": False,
    }


def title_of(slug: str) -> str:
    """Return the game's title; its slug if this service does not have it."""
    room = service().catalogue.rooms.get(slug)
    return slug if room is None else str(room.game.title[page.lang()])


def seat(chair: Chair, lang: Lang) -> dict[str, Any]:
    """Return the name of who has the seat, and the path of their page."""
    texts = ROWS[lang]
    if chair.is_free:
        is_kept = chair.reserved is not None
        text = texts["kept"].format(name=chair.reserved_name or texts["gone"]) if is_kept else texts["free"]
        return {"name": text, "href": "", "is_free": True}
    name = chair.player_name if chair.bot is None else shown.BOT_NAMES[lang].format(bot=chair.bot)
    href = f"/players/{chair.player}" if chair.player is not None and chair.player_kind != "erased" else ""
    return {"name": name or texts["gone"], "href": href, "is_free": False}


def span(milliseconds: int, lang: Lang) -> str:
    """Return a duration in words."""
    for size, unit in SPANS:
        if milliseconds >= size and not milliseconds % size:
            number = milliseconds // size
            return ROWS[lang][unit if number > 1 or lang != "en" else unit[:-1]].format(number=number)
    return ROWS[lang]["seconds"].format(number=round(milliseconds / 1000))


def clock(allowance: int, bank: int, lang: Lang) -> str:
    """Return a clock in words."""
    text = ROWS[lang]["clock"].format(allowance=span(allowance, lang))
    return text + ROWS[lang]["bank"].format(bank=span(bank, lang)) if bank else text


def ended(entry: Entry, names: tuple[str, ...], lang: Lang) -> str:
    """Return in words how the match ended; "" if it has not."""
    texts = ROWS[lang]
    if entry.status not in {Status.FINISHED, Status.ABORTED}:
        return ""
    result = rows.summary(entry).result
    if entry.status == Status.ABORTED or result is None:
        return texts["aborted"] if entry.status == Status.ABORTED else texts["finished"]
    points = texts["dash"].join(map(str, result.points))
    if len(result.winners) == len(entry.chairs):
        return texts["drawn"].format(points=points)
    winners = texts["and"].join(names[seat] or texts["gone"] for seat in result.winners)
    return texts["won"].format(winners=winners, points=points)

"""Fills a store like that of a large service: matches of all games, open, running and over; one player sits in many."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec

from benchmarks.record import AT, Record
from domain.catalogue import Catalogue
from events.chain import Stored
from events.store import Append, Decision, Write
from service.matches import terms
from service.store import PUBLIC, Chair, Entry, listing, lobby, results
from service.store.results import Conduct, Ended
from service.wiring import Service

GAME = "magicative"
STATUSES = ("open", "open", "playing", "playing", "playing", *["finished"] * 4, "aborted")
"""The status of one match after the other."""

CLOCKS = (None, *terms.PRESETS.values())
LONGEST = 8
"""The most events of a match. Few are enough: lists read of the log only the time of the last move."""

LOT = 500
"""The number of matches that are stored at once."""


def fill(service: Service, matches: int, me: str, own: int) -> None:
    """Store so many matches. In the last `own` of them the player `me` has a seat, or one is kept for them.

    One match is played, and each log is the beginning of its log: no list reads more.
    """
    catalogue = Catalogue()
    played = Record(catalogue.rooms[GAME], "m_played")
    played.store(service.recorder)
    log, slugs = service.recorder.read(played.id, 0, LONGEST), sorted(catalogue.rooms)
    made = (_match(number, slugs[number // 10 % len(slugs)], log, me, matches - own) for number in range(matches))
    while lot := [one for _, one in zip(range(LOT), made, strict=False)]:
        for result in service.recorder.append_all(lot):
            if isinstance(result, BaseException):
                raise result


def _match(number: int, game: str, log: tuple[Stored, ...], me: str, first: int) -> Append:
    id, status = f"m_{number:016x}", STATUSES[number % len(STATUSES)]
    created = _after(number)
    events = tuple([msgspec.structs.replace(event, stream=id) for event in log[: 1 if status == "open" else LONGEST]])
    clock = CLOCKS[number % len(CLOCKS)]
    entry = Entry(
        id,
        game,
        status,
        PUBLIC,
        me if number >= first and number % 2 else None,
        created,
        tuple(_chairs(number, status, me if number >= first else None, me)),
        None if clock is None else clock.told,
    )
    beside = lobby.enter(entry)
    if status in {"finished", "aborted"}:
        beside += results.end(id, _ended(number, status))
    asked = (Decision(id, 1, len(events), "", "bot:greedy"),) if status == "playing" else ()
    return Append(id, (Write(id, 0, events),), decisions=asked, beside=listing.keep(id, beside, is_new=True))


def _chairs(number: int, status: str, player: str | None, other: str) -> Iterator[Chair]:
    """Yield the chairs of a match. Half of the open matches have a free seat, the others one kept for `other`."""
    yield Chair(0, bot="greedy") if player is None else Chair(0, player=player, reserved=player)
    yield Chair(1, bot="greedy")
    if status != "open":
        yield Chair(2, bot="greedy")
    else:
        yield Chair(2) if number % 2 else Chair(2, reserved=other)


def _ended(number: int, status: str) -> Ended:
    is_played = status == "finished"
    return Ended(
        at=_after(number + 1000),
        how="played" if is_played else "agreement",
        moves=40,
        moved=_after(number + 900),
        points=(30, 20, 10) if is_played else (),
        ranking=(1, 2, 3) if is_played else (),
        conducts=(Conduct(resigned=False, by_clock=0, handed_over=()),) * 3,
    )


def _after(minutes: int) -> str:
    moment = datetime.fromisoformat(AT) + timedelta(minutes=minutes)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

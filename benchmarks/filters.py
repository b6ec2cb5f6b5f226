"""Measures how long a page of the lobby takes with every filter and every pair of filters, on two sizes of store.

The time of a page must depend on what it shows, not on the number of matches. So each page is read from a store and
from one with twenty times the matches, in turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import combinations
from random import Random
from time import perf_counter
from typing import Any

from benchmarks import Figures
from benchmarks.places import STORES
from domain.happenings import ClockSet
from events.postgres import PostgresRecorder
from events.sqlite import SqliteRecorder
from events.store import Statement
from service.clock import DAY
from service.store import (  # fmt: skip
    LINK,
    PRIVATE,
    PUBLIC,
    Chair,
    Conduct,
    Ended,
    Entry,
    Wanted,
    listing,
    lobby,
    results,
    schema,
)

Recorder = SqliteRecorder | PostgresRecorder

MATCHES, TIMES, ROUNDS = 500, 20, 15
ME, THEM, RARE = "p_me", "p_them", "p_rare"
GAMES = ("magicative", "three-magic", "troll-master", "ttmp")
BEGUN = datetime(2026, 1, 1, tzinfo=UTC)

ASKED: dict[str, dict[str, Any]] = {
    "game": {"game": "ttmp"},
    "status": {"status": "aborted"},
    "free": {"free": True},
    "mine": {"mine": True},
    "player": {"player": THEM},
    "result": {"player": THEM, "result": "won"},
    "how": {"how": "operator"},
    "since": {"since": "2026-01-01T00:00:00.000Z"},
    "speed": {"speed": "days"},
    "seats": {"seats": 6},
}
"""Each filter, with a value that few matches have."""


def wanted() -> Iterator[tuple[str, Wanted]]:
    """Yield no filter, every filter, and every pair of filters, each with its name."""
    yield "none", Wanted()
    for number in (1, 2):
        for names in combinations(ASKED, number):
            yield "&".join(names), Wanted(**{key: value for name in names for key, value in ASKED[name].items()})


def entry(number: int) -> tuple[Entry, Ended | None]:
    """Return the lobby's entry of a match, and how it ended if it is over. Each filter in `ASKED` finds few of them."""
    draw = Random(number)
    kind = draw.choices(("open", "playing", "finished", "aborted"), (6, 4, 80, 10))[0]
    is_rare = number % 50 == 0
    players = [None, ME, THEM, "p_1", "p_2", RARE if is_rare else "p_3"]
    draw.shuffle(players)
    size = 6 if number % 50 == 1 else draw.choice((2, 3, 4))
    chairs = tuple(
        Chair(seat, player=player, bot=None if player or kind == "open" else "greedy")
        for seat, player in enumerate(players[:size])
    )
    if kind == "open" and number % 100:
        # few open matches have a seat that anybody may take
        chairs = tuple(Chair(one.seat, one.player, reserved=None if one.player else "p_4") for one in chairs)
    found = Entry(
        id=f"m_{number:016}",
        game="ttmp" if number % 50 == 2 else draw.choice(GAMES[:3]),
        status=kind,
        visibility=draw.choices((PUBLIC, LINK, PRIVATE), (8, 1, 1))[0],
        creator="p_5",
        created=_stamp(number),
        chairs=chairs,
        clock=draw.choice((None, ClockSet(90_000, 0, 0, 0))) if number % 50 != 3 else ClockSet(2 * DAY, 0, 0, 0),
    )
    return found, _ended(number, found) if found.is_over else None


def _ended(number: int, found: Entry) -> Ended:
    is_played, seats = found.status == "finished", range(len(found.chairs))
    # `THEM` wins seldom
    first = next((one.seat for one in found.chairs if one.player != THEM or number % 50 == 4), 0)
    return Ended(
        at=_stamp(number + 1),
        how="played" if is_played else "operator" if number % 50 == 5 else "agreement",
        moves=9,
        moved=_stamp(number),
        points=tuple(9 if seat == first else 1 for seat in seats) if is_played else (),
        ranking=tuple(1 if seat == first else 2 for seat in seats) if is_played else (),
        conducts=tuple(Conduct(resigned=False, by_clock=0, handed_over=()) for _ in seats),
    )


def _stamp(number: int) -> str:
    return f"{BEGUN + timedelta(minutes=number):%Y-%m-%dT%H:%M:%S}.000Z"


def fill(store: Recorder, first: int, end: int) -> None:
    """Enter the matches with these numbers into the lobby, without logs."""
    for start in range(first, end, 500):
        statements: list[Statement] = []
        for number in range(start, min(end, start + 500)):
            found, ended = entry(number)
            over = results.end(found.id, ended) if ended else []
            statements += listing.keep(found.id, [*lobby.enter(found), *over], is_new=True)
        store.write(statements)


def made(store: Recorder, matches: int) -> Recorder:
    """Make the service's tables in the store, enter so many matches, and return it."""
    schema.prepare(store, "bench")
    fill(store, 0, matches)
    return store


def page(store: Recorder, asked: Wanted) -> int:
    """Read a page of the lobby, and return its number of rows."""
    return len(listing.page(store, ME, asked))


def run(matches: int = MATCHES) -> Figures:
    """Return the milliseconds of each page, on SQLite and PostgreSQL and for both sizes: the best of some rounds."""
    figures: Figures = {}
    for name, places in STORES.items():
        with ExitStack() as left:
            make: Callable[[str], Any] = left.enter_context(places())
            stores = []
            for times in (1, TIMES):
                place = make(f"x{times}")
                store = place.opened()
                left.callback(store.close)
                made(store, matches * times)
                place.settle()
                stores.append(store)
            for what, asked in wanted():
                small, large = _measured(stores, asked)
                figures[f"{name} {what} at {matches}"] = {"value": round(1000 * small, 2), "unit": "ms"}
                figures[f"{name} {what} at {matches * TIMES}"] = {"value": round(1000 * large, 2), "unit": "ms"}
    return figures


def _measured(stores: list[Recorder], asked: Wanted) -> list[float]:
    best = [float("inf")] * len(stores)
    for _ in range(ROUNDS):
        for number, store in enumerate(stores):
            begun = perf_counter()
            page(store, asked)
            best[number] = min(best[number], perf_counter() - begun)
    return best

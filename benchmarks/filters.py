"""How long the lobby takes for a page of every filter and of every pair of filters, as the matches become more.

A filter that finds little must cost what it shows and not what there is, so each is asked on a store and on one with
twenty times the matches, in turns.
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
"""Each filter, with a value that lets little through, alone or with another one."""


def wanted() -> Iterator[tuple[str, Wanted]]:
    """No filter, every filter and every pair of two, with their names."""
    yield "none", Wanted()
    for number in (1, 2):
        for names in combinations(ASKED, number):
            yield "&".join(names), Wanted(**{key: value for name in names for key, value in ASKED[name].items()})


def entry(number: int) -> tuple[Entry, Ended | None]:
    """One match of many: what each filter finds are few, of whatever kind most of the others are."""
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
        # hardly any open match has a seat for everybody
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
    # they win seldom
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
    """Enter so many matches, as the service does that knows of them without their logs."""
    for start in range(first, end, 500):
        statements: list[Statement] = []
        for number in range(start, min(end, start + 500)):
            found, ended = entry(number)
            over = results.end(found.id, ended) if ended else []
            statements += listing.keep(found.id, [*lobby.enter(found), *over], is_new=True)
        store.write(statements)


def made(store: Recorder, matches: int) -> Recorder:
    """The store with the service's tables and so many matches."""
    schema.prepare(store, "bench")
    fill(store, 0, matches)
    return store


def page(store: Recorder, asked: Wanted) -> int:
    """How many rows the page has."""
    return len(listing.page(store, ME, asked))


def run(matches: int = MATCHES) -> Figures:
    """Milliseconds of a page, on both stores: the best of some rounds, in which the two sizes take turns."""
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

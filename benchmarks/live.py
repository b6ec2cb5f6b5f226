"""Measures how soon a page shows another player's move: from the append to the page, and to the first changed frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import quantiles
from threading import Event
from time import time

from benchmarks import Figures
from benchmarks.crowd import Table, crowd
from benchmarks.eyes import staged
from benchmarks.http import Client
from tests.browser import Browser

GAMES = ("terraformers", "three-magic")
MOVES = 50
"""The moves that are measured for each game and number of watchers."""

WATCHERS = (0, 50)
PACE = 0.8
"""Seconds between two moves, so that pieces have arrived before the next move."""

BEFORE = 4
PATIENCE = 5.0
"""Seconds after which the benchmark stops waiting for the page to show a move."""

WATCH = """(() => {
    const now = () => performance.timeOrigin + performance.now()
    const all = { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ['class'] }
    window.heard = {}
    window.shown = []
    const start = () => {
        const log = document.querySelector('#log')
        const table = document.querySelector('#table')
        if (!log || !table) return requestAnimationFrame(start)
        new MutationObserver(changes => {
            for (const line of changes.flatMap(one => [...one.addedNodes])) window.heard[line.value] ??= now()
        }).observe(log, { childList: true })
        // changes are drawn at the end of a frame's work, so a task that is queued there runs after the drawing
        new MutationObserver(() => requestAnimationFrame(() => {
            const channel = new MessageChannel()
            channel.port1.onmessage = () => window.shown.push(now())
            channel.port2.postMessage(0)
        })).observe(table, all)
    }
    document.addEventListener('DOMContentLoaded', start)
})()"""
"""A script that notes when the page got each event, and when it had drawn each changed table."""


@dataclass(frozen=True)
class Seen:
    """The times of a move, in milliseconds after its append: its answer, its arrival at the page, its drawing."""

    answered: float
    heard: float
    drawn: float


def run(
    games: Sequence[str] = GAMES, moves: int = MOVES, watchers: Iterable[int] = WATCHERS, pace: float = PACE
) -> Figures:
    """Return the milliseconds from the append of a bot's move until a page has it, and until the table shows it.

    Raises:  NotAtHand if there is no chromium.
    """
    figures: Figures = {}
    with staged(WATCH) as stage:
        stage.eyes.looks(1280, 900)
        for game in games:
            for many in watchers:
                with stage.table(game) as (table, person):
                    seen = _watched(stage.eyes, table, person, stage.port, many, moves, pace)
                figures |= _told(f"live_{game.replace('-', '_')}_{many}", seen)
    return figures


def _watched(
    eyes: Browser, table: Table, person: Client, port: int, watchers: int, moves: int, pace: float
) -> list[Seen]:
    """Return the times of so many moves, from as many matches as needed."""
    seen: list[Seen] = []
    while len(seen) < moves:
        match = table.sit()
        table.play(1.0, 0.0, BEFORE)
        eyes.open(f"http://127.0.0.1:{port}/matches/{match}?lang=en")
        eyes.waits_for("document.documentElement.dataset.state === 'live' && !!document.querySelector('#table .line')")
        path = f"/api/matches/{match}/events?scenes=true&lang=en&after={table.version()}"
        with crowd(port, path, watchers):
            while len(seen) < moves:
                version, begun = table.version(), time()
                if table.move() is None:
                    break
                if found := _seen(eyes, person, match, version, 1000 * time()):
                    seen.append(found)
                Event().wait(max(0.0, pace - (time() - begun)))
    return seen


def _seen(eyes: Browser, person: Client, match: str, version: int, answered: float) -> Seen | None:
    """Return the times of the move after that version; None for a sealed answer, which shows nothing."""
    events = person.ask("GET", f"/api/matches/{match}/events?after={version}&limit=1&lang=en")["events"]
    if not events:
        return None
    appended = 1000 * datetime.fromisoformat(events[0]["at"]).timestamp()
    heard, drawn = eyes.value(
        f"""new Promise(done => {{
            const until = performance.now() + {1000 * PATIENCE}
            const look = () => {{
                const versions = Object.keys(window.heard).filter(one => one > {version})
                const heard = Math.min(...versions.map(one => window.heard[one]))
                const drawn = window.shown.find(one => one > heard)
                if (drawn || performance.now() > until) return done([heard, drawn ?? Infinity])
                setTimeout(look, 20)
            }}
            look()
        }})"""
    )
    return Seen(answered - appended, heard - appended, drawn - appended)


def _told(name: str, seen: Sequence[Seen]) -> Figures:
    figures: Figures = {f"{name}_moves": {"value": len(seen), "unit": "moves"}}
    for what in ("answered", "heard", "drawn"):
        cuts = quantiles([getattr(one, what) for one in seen], n=20, method="inclusive")
        figures |= {
            f"{name}_{what}_p50": {"value": round(cuts[9], 1), "unit": "ms"},
            f"{name}_{what}_p95": {"value": round(cuts[18], 1), "unit": "ms"},
        }
    return figures

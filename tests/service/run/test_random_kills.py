"""Under load any process may be killed at any moment, the store's server and Redis among them: nothing of it shows.

For long: `make soak-faults MINUTES=10 SEED=7`.
"""

from __future__ import annotations

import os
import random
from contextlib import closing
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from events.stores import open_to_read
from tests import postgres
from tests.service.run.callers import Pair, counted, moved, playing, reckon, tally
from tests.service.run.crew import Crew, crew
from tests.service.run.uprun import until

pytestmark = pytest.mark.faults

ROUNDS = 2
"""In each of which every kind of process is killed once."""

LONGEST = 20
"""Most moves that are made between two kills."""

MINUTES = float(os.environ.get("MINUTES", "3"))
SEED = int(os.environ.get("SEED", "11"))


def kill(one: Crew, kind: str, draw: random.Random) -> None:
    if kind != "postgres":
        draw.choice(one.of(kind)).kill()
        return
    assert one.server is not None
    one.server.strike()
    Event().wait(draw.random())
    one.server.start()


def kill_at_random(one: Crew, pairs: list[Pair], seed: int, minutes: float) -> int:
    """Kill one after the other, two at once now and then, at whatever moment: how many."""
    draw, kills, end = random.Random(seed), 0, monotonic() + 60 * minutes
    for number in range(1_000_000):
        if number >= ROUNDS and monotonic() > end:
            break
        for kind in draw.sample(one.kinds, len(one.kinds)):
            goal = moved(pairs) + draw.randint(1, LONGEST)
            until(lambda: moved(pairs) >= goal, f"they play on after {kills} kills")  # noqa: B023
            Event().wait(draw.random() / 10)
            for struck in {kind, *([draw.choice(one.kinds)] if draw.random() < 0.2 else [])}:
                kill(one, struck, draw)
                kills += 1
    return kills


def play_through(one: Crew, seed: int, minutes: float) -> None:
    try:
        with playing(one.url, seed) as pairs:
            kills = kill_at_random(one, pairs, seed, minutes)
        reckon(one.config, pairs)
        with closing(open_to_read(one.config.store_url)) as store:
            games = ("magicative", "three-magic")
            until(lambda: counted(store, games) == tally(store), "what has ended is counted")
            opened = {match for pair in pairs for match in (*pair.opened, *pair.of_bots)}
            assert set(store.matches()) == opened, "an opening counts once"
        people = [person for pair in pairs for person in pair.people]
        print(f"{kills} kills, {moved(pairs)} moves, {len(opened)} matches, {sum(p.cut for p in people)} cut off,")
        print(f"refused: {sorted({code for person in people for code in person.refused})}")
    except BaseException:
        print(one.said())
        raise


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.soak)])
@pytest.mark.parametrize("minutes", [0.0, pytest.param(MINUTES, marks=pytest.mark.soak, id="long")])
def test_whatever_is_killed_under_load_nothing_is_lost_or_doubled(tmp_path: Path, kind: str, minutes: float) -> None:
    print(f"seed {SEED}")
    if kind == "sqlite":
        with crew(tmp_path / "data") as one:
            play_through(one, SEED, minutes)
        return
    with postgres.server(fsync="on") as server, crew(tmp_path / "data", server.database(), server) as one:
        play_through(one, SEED, minutes)

"""Processes of one name share the partitions, and take over from those that die or hang."""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from shutil import rmtree
from threading import Event

import pytest

from events import stores
from events.postgres.opening import PARTITIONS
from events.store import partition_of
from service import heartbeat
from service.followers import claims as claiming
from service.followers.claims import FileClaims, share
from service.followers.follower import Follower
from service.heartbeat import Ages
from tests.service.followers.stands import Stand, processes, start
from tests.service.run.uprun import hang, until

pytestmark = pytest.mark.faults

WRITERS, MATCHES, KILLS = 8, 6, 40
LOOK = 20
"""Appends of a writer between two looks at how far the followers are."""

PACE = 0.005
"""Seconds that a writer takes over an append."""

AHEAD = 2000
"""Events that writers may be ahead of the followers: on a slow machine they would leave them behind for good."""

# Of one moment: how far the follower has noted, and what it has seen. Each event is an effect here, so they are equal.
LAW = """
SELECT (SELECT coalesce(max(position), 0) FROM positions WHERE partition = ? AND follower = 'seeing'),
    (SELECT count(*) FROM seen WHERE partition = ?)
"""


def writes(stand: Stand, writer: int, stop: Event) -> None:
    """Append to the writer's own matches, in turn, until it is enough."""
    for number in count():
        stand.say(f"w{writer}m{number % MATCHES}", "one", "two")
        while stop.wait(PACE) or (number % LOOK == 0 and stand.behind() > AHEAD):
            if stop.is_set():
                return


def is_past(stand: Stand, goal: int) -> bool:
    return sum(map(stand.position, range(stand.recorder.partitions))) >= goal


def holds_law(stand: Stand, partition: int) -> bool:
    ((position, seen),) = stand.rows(LAW, partition, partition)
    return bool(position == seen)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
def test_each_effect_happens_once_however_often_followers_are_killed(stand: Stand, seed: int) -> None:
    """Eight write while two follow, of whom one is killed and replaced again and again."""
    draw = random.Random(seed)
    partitions = range(stand.recorder.partitions)
    enough = Event()
    with processes(stand.url, 2) as running, ThreadPoolExecutor(WRITERS) as threads:
        written = [threads.submit(writes, stand, writer, enough) for writer in range(WRITERS)]
        try:
            for _ in range(KILLS):
                # at whatever moment while they follow
                goal = sum(map(stand.position, partitions)) + draw.randint(1, 200)
                until(partial(is_past, stand, goal), "they follow")
                number = draw.randrange(2)
                os.kill(running[number].pid, signal.SIGKILL)
                running[number].wait()
                assert all(holds_law(stand, partition) for partition in partitions)
                running[number] = start(stand.url)
        finally:
            enough.set()
        for one in written:
            one.result()
        until(stand.is_caught_up, "everything is seen")
    for partition in partitions:
        assert stand.seen(partition) == stand.events(partition)
        assert holds_law(stand, partition)


@pytest.mark.parametrize("how", [pytest.param(signal.SIGKILL, marks=pytest.mark.soak), signal.SIGSTOP])
def test_another_process_takes_over_from_one_that_dies_or_hangs(stand: Stand, how: signal.Signals) -> None:
    matches = [f"m{number}" for number in range(40)]
    with processes(stand.url, 1) as running:
        for match in matches:
            stand.say(match, "one")
        until(stand.is_caught_up, "the first one follows")
        running.append(start(stand.url))
        if how is signal.SIGSTOP and (file := stores.file_of(stand.url)):
            # in its turn to write it would hold up this process too, and `up` is not there to end it
            hang(running[0].pid, file, in_turn=False)
        else:
            os.kill(running[0].pid, how)
        for match in matches:
            stand.say(match, "two")
        until(stand.is_caught_up, "the second one follows")
        if how is signal.SIGSTOP:
            # it wakes up, and finds that others have gone on
            os.kill(running[0].pid, signal.SIGCONT)
            for match in matches:
                stand.say(match, "three")
            until(stand.is_caught_up, "one of them follows")
            os.kill(running[1].pid, signal.SIGKILL)
            for match in matches:
                stand.say(match, "four")
            until(stand.is_caught_up, "the first one follows again")
    for partition in range(stand.recorder.partitions):
        assert Counter(stand.seen(partition)) == Counter(stand.events(partition))


def test_two_share_the_partitions_that_one_has_alone(postgres_stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.followers.follower.BEAT", 0.0)
    first, second, third = (postgres_stand.follower()[0] for _ in range(3))
    first.look()
    assert len(first.held) == PARTITIONS
    for _ in range(2):
        second.look()
        first.look()
    assert (len(first.held), len(second.held)) == (2, 2)
    assert set(first.held) | set(second.held) == set(range(PARTITIONS))
    for _ in range(2):
        for one in (third, second, first):
            one.look()
    third.look()
    assert sorted(map(len, (first.held, second.held, third.held))) == [0, 2, 2]
    # a session that was closed counts until the server has seen that it was
    first.leave()
    until(lambda: hold_all(second, third), "two hold all of them")
    second.leave()
    until(lambda: hold_all(third), "one holds all of them")


def hold_all(*followers: Follower) -> bool:
    """Whether they do after another look."""
    for one in followers:
        one.look()
    return sorted(partition for one in followers for partition in one.held) == list(range(PARTITIONS))


def test_so_many_partitions_a_process_that_all_are_held() -> None:
    assert [share(16, members) for members in (0, 1, 2, 3, 5, 16, 20)] == [16, 16, 8, 6, 4, 1, 1]
    assert share(1, 2) == 1


def test_who_gives_no_sign_by_the_watchers_clock_hangs_and_any_change_is_a_sign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, ages = 0.0, Ages()
    monkeypatch.setattr(heartbeat, "monotonic", lambda: now)
    assert [ages.of("a", 1), ages.of("b", 1), ages.of("c", 5)] == [0.0] * 3
    now = 7.5
    assert [ages.of("a", 1), ages.of("b", 2), ages.of("c", 4)] == [7.5, 0.0, 0.0]
    now = 8.0
    assert [ages.of("a", 1), ages.of("b", 2), ages.of("d", 1)] == [8.0, 0.5, 0.0]
    assert ages.of("a", 3) == 0.0


def test_a_file_is_taken_from_who_hangs_and_from_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = FileClaims(tmp_path, "f"), FileClaims(tmp_path, "f")
    first.beat()
    assert first.take(0)
    assert not second.take(0)
    second.beat()
    monkeypatch.setattr(claiming, "HANGS", 0.0)
    second.beat()
    monkeypatch.undo()
    # it counts up after all
    assert first.beat() == {0}
    assert not second.take(0)
    monkeypatch.setattr(claiming, "HANGS", 0.0)
    second.beat()
    assert second.take(0)
    assert first.beat() == frozenset()
    assert second.beat() == {0}
    first.close()
    assert not first.beat(), "it is the second one's"
    second.close()


def test_a_folder_of_locks_that_is_gone_is_made_anew_and_names_do_not_share(tmp_path: Path) -> None:
    claims, others = FileClaims(tmp_path / "locks", "f"), FileClaims(tmp_path / "locks", "g")
    for one in (claims, others):
        one.beat()
        assert one.take(0)
    rmtree(tmp_path / "locks")
    assert claims.beat() == frozenset()
    assert claims.take(0)
    assert claims.beat() == {0}
    claims.close()
    others.close()


def test_a_process_that_is_told_to_stop_notes_how_far_it_came(stand: Stand) -> None:
    with processes(stand.url, 1) as (process,):
        stand.say("m", "one", "two")
        until(stand.is_caught_up, "it follows")
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert stand.position(partition_of("m", stand.recorder.partitions)) == 2

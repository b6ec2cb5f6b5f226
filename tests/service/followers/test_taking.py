"""An effect happens once, in the order of the log; what can't be taken is set aside, and nothing else waits for it."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from events.postgres.opening import PARTITIONS
from events.store import StoreError, partition_of
from service.config import Config
from service.followers import status, try_again
from service.followers.claims import FileClaims
from service.run.copy import copy
from service.store import Overtaken, effects, open_effects
from service.telemetry import metrics
from tests.events.streams import neighbour
from tests.postgres import Server
from tests.service.followers.seeing import Seeing
from tests.service.followers.stands import Stand, look_until_done
from tests.service.together import meanwhile


class All(FileClaims):
    """Claims that grant everything: two processes each of which believes that the other is gone."""

    def __init__(self, partitions: int) -> None:
        super().__init__(Path("nowhere"), "all")
        self._all = frozenset(range(partitions))

    def beat(self) -> frozenset[int]:
        return self._all

    def take(self, partition: int) -> bool:
        return True


def where_is(stand: Stand, match: str) -> int:
    return partition_of(match, stand.recorder.partitions)


def test_every_event_is_seen_once_in_its_order(stand: Stand) -> None:
    for match in ("m", "n", "o"):
        stand.say(match, "one", "two", "three")
    follower, _ = stand.follower()
    look_until_done(follower)
    stand.say("m", "four")
    stand.say("n", "quiet", "five", "quiet")
    look_until_done(follower)
    follower.leave()
    quiet = [("n", 4), ("n", 6)]
    for partition in range(stand.recorder.partitions):
        assert stand.seen(partition) == [event for event in stand.events(partition) if event not in quiet]
        assert stand.position(partition) == len(stand.events(partition)), "what has no effect is passed"


def test_of_two_who_believe_that_they_hold_a_partition_one_is_refused(stand: Stand) -> None:
    (first, _), (second, _) = (stand.follower(All(stand.recorder.partitions)) for _ in range(2))
    # both begin where nothing was seen yet
    assert first.look() == second.look() == 0
    stand.say("m", "one", "two")
    assert (first.look(), second.look()) == (2, 0)
    stand.say("m", "three")
    # who was refused does not hold the partition any more, until it is granted again
    assert second.look() == 0
    assert first.look() == 1
    assert stand.seen(where_is(stand, "m")) == [("m", 1), ("m", 2), ("m", 3)]


def test_a_position_that_is_not_where_it_was_left_is_not_moved(stand: Stand) -> None:
    stand.store.commit([], [[effects.begin("f", 0)]])
    stand.store.commit([effects.move_on("f", 0, 0, 7)])
    with pytest.raises(Overtaken):
        stand.store.commit([effects.move_on("f", 0, 0, 9)], [[effects.begin("other", 0)]])
    assert stand.store.positions(0) == {"f": 7}


@pytest.mark.parametrize("what", ["poison", "fails"])
def test_a_log_that_cant_be_taken_is_set_aside_and_the_others_go_on(stand: Stand, what: str) -> None:
    """Whether the handler raises, or what it says can't be written."""
    other = neighbour(stand.recorder, "m")
    stand.say("m", "one", "two", what, "four")
    stand.say(other, "one", "two")
    follower, _ = stand.follower()
    look_until_done(follower)
    stand.say("m", "five")
    stand.say(other, "three")
    look_until_done(follower)
    partition = where_is(stand, "m")
    assert stand.seen(partition) == [("m", 1), ("m", 2), (other, 1), (other, 2), (other, 3)]
    assert stand.position(partition) == len(stand.events(partition))
    (aside,) = stand.store.aside(partition)
    assert (aside.follower, aside.match, aside.stream, aside.version) == (Seeing.name, "m", "m", 3)
    assert ("poisonous" if what == "poison" else "no_such_table") in aside.error


def test_what_was_set_aside_is_caught_up_with_from_where_it_stopped(stand: Stand) -> None:
    other, partition = neighbour(stand.recorder, "m"), where_is(stand, "m")
    stand.say("m", "one", "poison", "three")
    stand.say(other, "one")
    stand.say("m", "four")
    first, _ = stand.follower()
    look_until_done(first)
    first.leave()
    passing, _ = stand.follower()
    look_until_done(passing)
    passing.leave()
    assert stand.seen(partition) == [("m", 1), (other, 1)], "another process passes over what is set aside"
    assert try_again(stand.store, "nobody") == 0
    assert try_again(stand.store, "m") == 1
    second, handler = stand.follower()
    handler.is_cured = True
    # what the others have not come to is not caught up with, but followed
    stand.say(other, "two")
    stand.say("m", "five")
    look_until_done(second)
    assert stand.store.aside(partition) == ()
    before = [("m", 1), (other, 1), ("m", 2), ("m", 3), ("m", 4), (other, 2), ("m", 5)]
    assert stand.seen(partition) == before
    stand.say("m", "six")
    look_until_done(second)
    assert stand.seen(partition) == [*before, ("m", 6)]


@pytest.mark.parametrize("what", ["poison", "fails"])
def test_what_is_tried_again_in_vain_goes_as_far_as_it_can(stand: Stand, what: str) -> None:
    stand.say("m", "one", "poison", "three", "four")
    first, _ = stand.follower()
    look_until_done(first)
    first.leave()
    stand.rows("UPDATE events SET public = ? WHERE version = 2", b'{"text":"mended"}')
    stand.rows("UPDATE events SET public = ? WHERE version = 4", b'{"text":"%b"}' % what.encode())
    try_again(stand.store, None)
    second, handler = stand.follower()
    look_until_done(second)
    (aside,) = stand.store.aside(where_is(stand, "m"))
    assert (aside.version, aside.again) == (4, False)
    assert stand.seen(where_is(stand, "m")) == [("m", 1), ("m", 2), ("m", 3)]
    try_again(stand.store, None)
    handler.is_cured = True
    second.leave()
    look_until_done(second)
    assert stand.store.aside(where_is(stand, "m")) == ()
    assert stand.seen(where_is(stand, "m")) == [("m", 1), ("m", 2), ("m", 3), ("m", 4)]


def test_a_handler_that_can_not_ask_the_store_sets_nothing_aside(stand: Stand) -> None:
    stand.say("m", "one", "away", "three")
    follower, handler = stand.follower()
    handler.is_away = True
    with pytest.raises(StoreError):
        follower.look()
    handler.is_away = False
    look_until_done(follower)
    assert stand.seen(where_is(stand, "m")) == [("m", 1), ("m", 2), ("m", 3)]
    assert stand.store.aside(where_is(stand, "m")) == ()


def test_a_store_that_fails_sets_nothing_aside(sqlite_stand: Stand) -> None:
    sqlite_stand.say("m", "one")
    follower, _ = sqlite_stand.follower()
    assert follower.look() == 1
    sqlite_stand.say("m", "two")
    sqlite_stand.store.close()
    with pytest.raises(StoreError):
        follower.look()
    sqlite_stand.store = open_effects(sqlite_stand.url)
    again, _ = sqlite_stand.follower()
    follower.leave()
    look_until_done(again)
    assert sqlite_stand.seen(0) == [("m", 1), ("m", 2)]
    assert sqlite_stand.store.aside(0) == ()


def test_the_status_says_who_is_behind_and_what_is_set_aside(stand: Stand) -> None:
    stand.say("m", "one", "poison")
    follower, _ = stand.follower()
    look_until_done(follower)
    stand.say("m", "three")
    partition = where_is(stand, "m")
    text = status(stand.store, (Seeing.name, "nobody"))
    assert [line for line in text if " behind" in line and not line.endswith(" 0 behind")] == [
        f"nobody, partition {partition}: at 0 of 3, 3 behind",
        f"seeing, partition {partition}: at 2 of 3, 1 behind",
    ]
    assert text[-2].startswith("  seeing: m, at version 2 of m, ")
    assert text[-1] == "    ValueError: it is poisonous"
    stand.rows("UPDATE set_aside SET error = ?", "\x1b[2J\nnew line")
    assert status(stand.store, ())[-1] == "    ?[2J?new line", "it does nothing to a terminal"


def told(name: str) -> float:
    found = metrics.REGISTRY.get_sample_value(f"foldtable_follower_{name}", {"follower": "seeing"})
    assert found is not None
    return found


@pytest.mark.parametrize("is_slow", [False, True])
def test_a_follower_tells_how_far_it_is_behind(stand: Stand, is_slow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_slow:
        # it commits after each event
        monkeypatch.setattr("service.followers.follower.SLICE", -1.0)
    stand.say("m", "one", "two", "three", "four")
    follower, _ = stand.follower()
    wake, stop = Event(), Event()
    wake.set()
    with meanwhile(stop.set, follower, "look", after=True):
        follower.run(wake, stop)
    assert told("behind_events") == (3 if is_slow else 0)
    assert is_slow or told("lag_seconds") < 60


def test_who_moves_with_the_store_sees_nothing_twice_and_tries_again(tmp_path: Path, postgres_server: Server) -> None:
    url = postgres_server.database()
    before = Stand(f"sqlite:{tmp_path / 'foldtable.db'}")
    # many matches between, so that positions differ
    matches = [f"o{number}" for number in range(40)]
    before.say("m", "one", "poison")
    for match in matches:
        before.say(match, "one")
    before.say("m", "three")
    first, _ = before.follower()
    look_until_done(first)
    before.close()
    copy(Config(data=tmp_path, store=url), lambda said: None)
    after = Stand(url)
    partition = partition_of("m", PARTITIONS)
    (aside,) = after.store.aside(partition)
    assert (aside.match, aside.version) == ("m", 2)
    second, handler = after.follower()
    look_until_done(second)
    second.leave()
    assert [after.seen(one) for one in range(PARTITIONS)] == [[]] * PARTITIONS
    try_again(after.store, "m")
    handler.is_cured = True
    after.say("m", "four")
    look_until_done(second)
    assert after.seen(partition) == [("m", 2), ("m", 3), ("m", 4)]
    assert after.store.aside(partition) == ()
    after.close()
    postgres_server.drop(url)

"""Followers: at least once, in order, past streams that they can't digest, and again when something was away."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from events import followers
from events.followers import Batch, Follower, NotNow
from events.memory import MemoryRecorder
from events.store import Recorder
from tests.events.streams import write


class Seen:
    """An effect that remembers what it was given, and fails as it is told to."""

    def __init__(self) -> None:
        self.events: list[tuple[str, int]] = []
        self.bad: set[str] = set()
        self.is_away = False
        self.caught_up = Event()

    def __call__(self, batch: Batch) -> None:
        if self.is_away:
            raise NotNow("the mail server is away")
        for _, event in batch:
            if event.stream in self.bad:
                raise ValueError(f"can't digest {event.stream}")
        self.events += [(event.stream, event.version) for _, event in batch]
        self.caught_up.set()


def test_a_follower_goes_on_where_it_was(recorder: Recorder) -> None:
    recorder.append("m", [write("m", 2)])
    seen = Seen()
    assert Follower("mail", recorder, seen).follow_once() == 2
    recorder.append("n", [write("n", 1)])
    follower = Follower("mail", recorder, seen)
    assert (follower.follow_once(), follower.follow_once()) == (1, 0)
    assert seen.events == [("m", 1), ("m", 2), ("n", 1)]
    assert Follower("bots", recorder, Seen()).follow_once() == 3


def test_a_long_log_comes_in_batches(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followers, "BATCH", 2)
    recorder.append("m", [write("m", 5)])
    seen = Seen()
    follower = Follower("mail", recorder, seen)
    assert [follower.follow_once() for _ in range(4)] == [2, 2, 1, 0]
    assert seen.events == [("m", version) for version in range(1, 6)]


def test_a_stream_that_can_t_be_digested_is_set_aside_and_the_others_go_on(recorder: Recorder) -> None:
    for match in ("m", "n", "o"):
        recorder.append(match, [write(match, 1)])
    recorder.append("m", [write("m", 1, recorder.head("m"))])
    seen = Seen()
    seen.bad = {"n"}
    follower = Follower("mail", recorder, seen)
    follower.follow_once()
    assert sorted(seen.events) == [("m", 1), ("m", 2), ("o", 1)]
    assert {stream: str(error) for stream, error in follower.aside.items()} == {"n": "can't digest n"}
    recorder.append("n", [write("n", 1, recorder.head("n"))])
    assert follower.follow_once() == 1
    assert ("n", 2) not in seen.events
    seen.bad = set()
    del follower.aside["n"]
    recorder.append("n", [write("n", 1, recorder.head("n"))])
    follower.follow_once()
    assert seen.events[-1] == ("n", 3)


def test_what_is_away_is_waited_for(recorder: Recorder) -> None:
    recorder.append("m", [write("m", 2)])
    seen = Seen()
    seen.is_away = True
    follower = Follower("mail", recorder, seen)
    with pytest.raises(NotNow):
        follower.follow_once()
    assert (follower.aside, recorder.position("mail", 0)) == ({}, 0)
    seen.is_away = False
    assert follower.follow_once() == 2


def test_a_follower_may_share_the_partitions_with_another() -> None:
    recorder = MemoryRecorder(partitions=4)
    for i in range(20):
        recorder.append(f"m{i}", [write(f"m{i}", 1)])
    one, other = Seen(), Seen()
    assert Follower("mail", recorder, one, partitions=(0, 2)).follow_once() == len(one.events)
    assert Follower("mail", recorder, other, partitions=(1, 3)).follow_once() == len(other.events)
    assert len(set(one.events + other.events)) == 20
    assert Follower("mail", recorder, Seen()).follow_once() == 0


def test_a_running_follower_is_woken_and_stopped(recorder: Recorder) -> None:
    seen, wake, stop = Seen(), Event(), Event()
    thread = Thread(target=Follower("mail", recorder, seen).run, args=(wake, stop, 60))
    thread.start()
    recorder.append("m", [write("m", 1)])
    wake.set()
    assert seen.caught_up.wait(10)
    stop.set()
    wake.set()
    thread.join(10)
    assert not thread.is_alive()


def test_a_running_follower_looks_by_itself_and_tries_again(recorder: Recorder) -> None:
    seen, stop = Seen(), Event()
    seen.is_away = True
    follower = Follower("mail", recorder, seen)
    thread = Thread(target=follower.run, args=(Event(), stop, 0.001))
    thread.start()
    recorder.append("m", [write("m", 1)])
    seen.is_away = False
    assert seen.caught_up.wait(10)
    stop.set()
    thread.join(10)
    assert not thread.is_alive()


def test_a_follower_stops_in_the_middle_of_a_long_log(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followers, "BATCH", 1)
    recorder.append("m", [write("m", 5)])
    stop = Event()
    Follower("mail", recorder, lambda batch: stop.set()).run(Event(), stop, 0.001)
    assert recorder.position("mail", 0) == 1


def test_something_away_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    recorder, stop = MemoryRecorder(), Event()
    recorder.append("m", [write("m", 1)])

    def effect(batch: Batch) -> None:
        stop.set()
        raise NotNow("the mail server is away")

    Follower("mail", recorder, effect).run(Event(), stop, 60)
    assert "mail waits: the mail server is away" in caplog.text

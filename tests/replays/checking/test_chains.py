"""What a store has of a match proves itself, or is named: its chains, its commits, and where it came from."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
import pytest

from events import chain
from events.chain import Draft, Head, Stored
from events.memory import MemoryRecorder
from events.store import Write
from replays.checking.chains import Checked, check
from replays.files import exports
from replays.log import Log
from tests.replays.exported import games
from tests.replays.staged import Stage

replaced = msgspec.structs.replace


class Edited(MemoryRecorder):
    """A store in which somebody has changed events."""

    def edit(self, stream: str, version: int, change: Callable[[Stored], Stored | None]) -> None:
        """Replace an event, or take it out."""
        events = self._streams[stream]
        after = change(events[version - 1])
        events[version - 1 : version] = [] if after is None else [after]


@pytest.fixture
def sealed() -> Stage:
    """A running match of which one seat has answered under seal."""
    staged = Stage(Edited(), games().rooms["three-magic"], "m_1", ["greedy"] * 3, laps=1)
    staged.seat_all()
    while not any(one.sealed for one in staged.state.answers):
        staged.step()
    return staged


def store(staged: Stage) -> Edited:
    assert isinstance(staged.recorder, Edited)
    return staged.recorder


def test_all_streams_of_a_match_are_checked_and_their_events_counted(sealed: Stage) -> None:
    there = sealed.recorder
    streams = ("m_1", *there.private_streams("m_1"))
    assert len(streams) > 1
    assert check(there, "m_1") == Checked("m_1", sum(len(there.read(one)) for one in streams))
    assert check(MemoryRecorder(), "m_1") == Checked("m_1", 0)


def test_an_event_that_was_changed_or_is_missing_breaks_its_chain(sealed: Stage) -> None:
    stream, there = next(iter(sealed.recorder.private_streams("m_1"))), store(sealed)
    there.edit(stream, 1, lambda event: replaced(event, actor="seat:9"))
    found = check(there, "m_1")
    assert (found.fault, found.events) == (f"version 1 of {stream} does not fit its hash", sealed.state.version)
    there.edit("m_1", 3, lambda event: replaced(event, at="2026-03-01T12:00:00.001Z"))
    assert check(there, "m_1").fault == "version 3 of m_1 does not fit its hash"
    there.edit("m_1", 3, lambda event: None)
    assert check(there, "m_1").fault == "version 4 of m_1 follows 2"


def test_what_an_event_hides_is_what_it_has_committed_to(sealed: Stage) -> None:
    """The hash covers commits only: what is hidden is changed without it."""
    sealed.finish()
    event = max(sealed.recorder.read("m_1"), key=lambda event: len(msgspec.json.decode(event.secret)))
    told = msgspec.json.decode(event.secret)
    assert len(told) == 3
    others: list[bytes] = [b"{}", b"{nonsense", b'{"none": {"readers": [0], "value": 1}}']
    for path in told:
        for change in ({"readers": [0, 1, 2]}, {"value": "another"}):
            others.append(msgspec.json.encode({**told, path: {**told[path], **change}}))
    for secret in others:
        store(sealed).edit("m_1", event.version, partial(replaced, secret=secret))
        fault = f"what version {event.version} of m_1 hides is not what it has committed to"
        assert check(sealed.recorder, "m_1").fault == fault, secret
    store(sealed).edit("m_1", 1, partial(replaced, secret=b"{nonsense"))
    assert check(sealed.recorder, "m_1").fault == "what version 1 of m_1 hides can't be read"


def test_where_a_fork_goes_on_from_has_to_be_readable() -> None:
    there, secret = MemoryRecorder(), bytes(32)
    hidden = b'{"secret":{"readers":[],"value":"%b"}}' % secret.hex().encode()
    opened = Draft("match/Opened", 1, b'{"secret":null}', hidden, "service", 0)
    forked = Draft("match/Forked", 1, b'{"parent":1}', b"{}", "service", 0)
    events = chain.seal(Head(), "m_1", (opened, forked), "2026-03-01T12:00:00.000Z", secret)
    there.append("m_1", [Write("m_1", 0, events)])
    assert check(there, "m_1").fault.startswith("version 2 of m_1 can't be read")


def test_a_fork_needs_its_parent_as_far_as_it_goes_on_from_it() -> None:
    there, room = Edited(), games().rooms["high-card"]
    parent = Stage(there, room, "m_0", ("random", "greedy"))
    parent.seat_all()
    parent.finish()
    log = Log(there, "m_0", games())
    point = exports.fork_points(log)[-1]
    told, _ = exports.fork(log, point, f"{1:064x}")
    Stage(there, room, "m_1", ("random", "greedy"), told)
    assert check(there, "m_1").fault == ""
    while there.head("m_0").version > point:
        there.edit("m_0", there.head("m_0").version, lambda event: None)
    assert check(there, "m_1").fault == ""
    there.edit("m_0", point, lambda event: None)
    assert check(there, "m_1").fault == f"m_1 goes on from version {point} of m_0, which is not here"


@pytest.mark.parametrize(("proof", "fault"), [(b"", "what came with the import of m_1 can't be read"), (None, "")])
def test_what_came_with_an_import_can_be_read(sealed: Stage, proof: bytes | None, fault: str) -> None:
    if proof is not None:
        store(sealed).append("m_1", [], proof=proof)
    assert check(sealed.recorder, "m_1").fault == fault

"""What every recorder promises: one suite for all of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from events import chain
from events.chain import Draft, Head, Stored, head_of
from events.memory import MemoryRecorder
from events.postgres import PostgresRecorder
from events.postgres.opening import PARTITIONS
from events.sqlite import SqliteRecorder
from events.store import (
    Append,
    Appended,
    Command,
    CommandReused,
    Decision,
    Recorder,
    Span,
    StaleVersion,
    Write,
    match_of,
    partition_of,
)
from tests.events.streams import AT, SECRET, draft, everything, neighbour, sealed, write

ASKED = Decision(match="m", seat=1, since=2, due="2024-03-04T12:00:00.000Z", who="bot:greedy")
ASKED_TOO = Decision(match="m", seat=0, since=2, due="", who="player:7")


def test_what_is_appended_is_read_as_it_was_given(recorder: Recorder) -> None:
    assert (recorder.head("m"), recorder.read("m"), recorder.briefs("m")) == (Head(), (), [])
    drafts = [
        Draft(type="test/Said", schema=schema, public=b'{"text":null}', secret=secret, actor="service", move=1)
        for schema in (1, 2)
        for secret in (b"{}", '{"text":{"readers":[1],"value":"é"}}'.encode())
    ]
    events = chain.seal(Head(), "m", tuple(drafts), AT, SECRET)
    assert recorder.append("m", [Write("m", 0, events)]) == Appended((Span("m", 1, 4),))
    assert recorder.read("m") == events
    assert recorder.read("m", after=1) == events[1:]
    assert recorder.read("m", after=1, limit=2) == events[1:3]
    assert recorder.read("other") == ()
    assert recorder.head("m") == head_of(events)
    facts = [(event.type, event.schema, event.public, event.secret) for event in events]
    assert (list(recorder.facts("m")), list(recorder.facts("m", after=3))) == (facts, facts[3:])
    # the same in fewer values
    rests = [None, drafts[1].secret, "2 {}", '2 {"text":{"readers":[1],"value":"é"}}']
    briefs = [("test/Said", b'{"text":null}', rest) for rest in rests]
    assert (recorder.briefs("m"), recorder.briefs("m", after=1)) == (briefs, briefs[1:])


def test_a_stale_version_is_refused_with_the_current_one(recorder: Recorder) -> None:
    recorder.append("m", [write("m", 2)])
    for expected in (0, 1, 3):
        stale = Write("m", expected, sealed("m", 1, Head(version=expected)))
        with pytest.raises(StaleVersion, match="m is at version 2") as refused:
            recorder.append("m", [stale])
        assert (refused.value.stream, refused.value.current) == ("m", 2)
    assert recorder.head("m").version == 2


def test_one_stale_write_refuses_all_of_them_and_the_command_may_come_again(recorder: Recorder) -> None:
    recorder.append("m", [write("m", 2)])
    command, wrong = Command("c", "d"), [write("m/seat:0", 1), write("m", 1)]
    with pytest.raises(StaleVersion):
        recorder.append("m", wrong, command=command, decisions=(ASKED,), proof=b"{}")
    assert (recorder.private_streams("m"), recorder.command("m", "c"), recorder.proof("m")) == ((), None, None)
    assert recorder.decisions() == ()
    assert len(everything(recorder)) == 2
    assert not recorder.append("m", [write("m", 1, recorder.head("m"))], command=Command("c", "e")).repeated


def test_a_write_without_events_only_demands_a_version(recorder: Recorder) -> None:
    recorder.append("m", [write("m", 2)])
    appended = recorder.append("m", [Write("m", 2), write("m/seat:1", 1)])
    assert appended == Appended((Span("m/seat:1", 1, 1),))
    with pytest.raises(StaleVersion):
        recorder.append("m", [Write("m", 1), write("m/seat:1", 1, recorder.head("m/seat:1"))])
    assert recorder.head("m/seat:1").version == 1
    assert recorder.append("n", [Write("n", 0)]) == Appended(())
    assert recorder.matches() == ("m",)


@pytest.mark.parametrize(
    ("match", "writes", "decisions"),
    [
        ("m", [Write("m", 0, sealed("m", 3)[1:])], None),
        ("m", [Write("m", 0, sealed("m", 3)[::2])], None),
        ("m", [Write("m", 1, sealed("m", 1))], None),
        ("m", [Write("m", 0, sealed("n", 1))], None),
        ("m", [write("n", 1)], None),
        ("m", [write("m/", 1)], None),
        ("m", [write("m", 1), Write("m", 1)], None),
        ("m/seat:1", [write("m/seat:1", 1)], None),
        ("", [], None),
        ("n", [], (ASKED,)),
        ("m", [], (ASKED, ASKED)),
    ],
)
def test_what_no_store_would_take_is_refused(
    recorder: Recorder, match: str, writes: list[Write], decisions: tuple[Decision, ...] | None
) -> None:
    with pytest.raises(ValueError):
        recorder.append(match, writes, decisions=decisions)
    assert recorder.matches() == ()
    assert recorder.decisions() == ()


def test_a_repeated_command_is_answered_with_what_it_stored(recorder: Recorder) -> None:
    command = Command(id="seven:move:1", digest="d")
    writes = [write("m", 2), write("m/seat:1", 1)]
    first = recorder.append("m", writes, command=command, decisions=(ASKED,))
    assert not first.repeated
    spans = (Span("m", 1, 2), Span("m/seat:1", 1, 1))
    again = recorder.append("m", writes, command=command, decisions=())
    assert again == Appended(spans, repeated=True)
    assert recorder.append("m", [], command=command) == again
    assert recorder.command("m", "seven:move:1") == (command, again)
    assert recorder.command("m", "seven:move:2") is None
    assert recorder.head("m").version == 2
    assert recorder.decisions() == (ASKED,)


def test_a_command_is_one_of_its_match_and_is_not_reused_for_another_body(recorder: Recorder) -> None:
    one = recorder.append("m", [write("m", 2)], command=Command("c", "d"))
    other = recorder.append("n", [write("n", 1)], command=Command("c", "e"))
    assert (one.repeated, other.repeated) == (False, False)
    assert recorder.command("m", "c") == (Command("c", "d"), Appended((Span("m", 1, 2),), repeated=True))
    assert recorder.command("n", "c") == (Command("c", "e"), Appended((Span("n", 1, 1),), repeated=True))
    assert (recorder.command("o", "c"), recorder.command("m/seat:0", "c")) == (None, None)
    with pytest.raises(CommandReused):
        recorder.append("n", [], command=Command("c", "d"))
    with pytest.raises(CommandReused, match="c came before") as refused:
        recorder.append("m", [write("m", 1, recorder.head("m"))], command=Command("c", "e"))
    assert (refused.value.id, recorder.head("m").version) == ("c", 2)


def test_of_many_appends_none_is_stored_where_one_can_t_be_asked_for(recorder: Recorder) -> None:
    with pytest.raises(ValueError, match="no match id"):
        recorder.append_all([Append("m", (write("m", 1),)), Append("m/seat:1", ())])
    assert everything(recorder) == []


def test_more_appends_than_share_a_commit_are_all_stored(recorder: Recorder) -> None:
    matches = [f"m{number:03}" for number in range(600)]
    results = recorder.append_all([Append(match, (write(match, 1),)) for match in matches])
    assert results == [Appended((Span(match, 1, 1),)) for match in matches]
    assert recorder.matches() == tuple(matches)


def test_what_came_with_an_imported_match_is_kept_beside_it(recorder: Recorder) -> None:
    recorder.append("m", [write("m", 2)], proof=b'{"keys":[]}')
    recorder.append("n", [write("n", 2)])
    assert (recorder.proof("m"), recorder.proof("n"), recorder.proof("o")) == (b'{"keys":[]}', None, None)


def test_the_latest_moment_is_that_of_the_store_s_own_events(recorder: Recorder) -> None:
    def add(match: str, stream: str, at: str, proof: bytes | None = None) -> None:
        head = recorder.head(stream)
        stored = chain.seal(head, stream, (draft(),), at, SECRET)
        recorder.append(match, [Write(stream, head.version, stored)], proof=proof)

    assert recorder.latest() == ""
    add("m_other", "m_other", "2026-09-01T12:00:00.000Z", b"{}")
    add("m_other", "m_other/seat:0", "2026-10-01T12:00:00.000Z")
    assert recorder.latest() == "", "what was imported is another's"
    add("m", "m", "2026-03-01T12:00:00.000Z")
    assert recorder.latest() == "2026-03-01T12:00:00.000Z"
    add("m", "m/seat:1", "2026-05-01T12:00:00.000Z")
    add("m", "m", "2026-04-01T12:00:00.000Z")
    assert recorder.latest() == "2026-05-01T12:00:00.000Z"


def test_decisions_replace_the_open_ones_of_their_match_and_are_found_by_who(recorder: Recorder) -> None:
    other = Decision(match="n", seat=0, since=1, due="2024-03-05T12:00:00.000Z", who="bot:random")
    recorder.append("m", [write("m", 2)], decisions=(ASKED, ASKED_TOO))
    recorder.append("n", [write("n", 1)], decisions=(other,))
    assert recorder.decisions() == (ASKED_TOO, ASKED, other)
    recorder.append("m", [write("m", 1, recorder.head("m"))])
    assert recorder.decisions(match="m") == (ASKED_TOO, ASKED)
    assert recorder.decisions("bot:") == (ASKED, other)
    assert recorder.decisions("bot:greedy", match="m") == recorder.decisions("bot:", match="m") == (ASKED,)
    assert recorder.decisions("bot:greedy", match="n") == ()
    assert recorder.decisions("player:7") == (ASKED_TOO,)
    recorder.append("m", [], decisions=(ASKED_TOO,))
    assert recorder.decisions() == (ASKED_TOO, other)
    recorder.append("m", [], decisions=())
    assert recorder.decisions() == (other,)


def test_a_partition_is_read_in_the_order_of_its_appends(recorder: Recorder) -> None:
    partition, n = partition_of("m", recorder.partitions), neighbour(recorder, "m")
    recorder.append("m", [write("m", 2), write("m/seat:1", 1)])
    recorder.append(n, [write(n, 2)])
    recorder.append("m", [write("m", 1, recorder.head("m"))])
    all_of_it = recorder.read_all(partition, 0, 100)
    found = [(event.stream, event.version) for _, event in all_of_it]
    assert found == [("m", 1), ("m", 2), ("m/seat:1", 1), (n, 1), (n, 2), ("m", 3)]
    positions = [position for position, _ in all_of_it]
    assert positions == sorted(set(positions))
    assert recorder.read_all(partition, positions[2], 2) == all_of_it[3:5]
    assert recorder.read_all(partition, positions[-1], 2) == ()


def test_matches_come_in_the_order_of_their_ids(recorder: Recorder) -> None:
    for match in ("b", "a-1", "a", "ä", "a0"):
        recorder.append(match, [write(match, 1), write(f"{match}/seat:0", 1)])
    assert recorder.matches() == ("a", "a-1", "a0", "b", "ä")
    assert recorder.matches(limit=2) == ("a", "a-1")


def test_private_logs_are_those_of_the_match_alone_and_end_with_their_last_events(recorder: Recorder) -> None:
    assert (recorder.private_streams("m"), recorder.private_ends("m")) == ((), ())
    for match in ("m", "m0", "m-", "l"):
        recorder.append(match, [write(match, 4), write(f"{match}/seat:10", 1), write(f"{match}/seat:2", 3)])
    assert recorder.private_streams("m") == ("m/seat:2", "m/seat:10")
    assert recorder.private_ends("m") == tuple(recorder.read(stream)[-1] for stream in recorder.private_streams("m"))


def test_threads_that_append_many_at_once_lose_nothing_and_who_reads_all_misses_nothing(recorder: Recorder) -> None:
    """Each version of a stream is won once, whoever appends and in whichever lot."""
    matches = [f"m{number}" for number in range(12)]

    def append_lots(_: int) -> int:
        won = 0
        for _ in range(10):
            wanted = [Append(match, (write(match, 1, recorder.head(match)),)) for match in matches]
            won += sum(isinstance(result, Appended) for result in recorder.append_all(wanted))
        return won

    found: list[list[tuple[int, Stored]]] = [[] for _ in range(recorder.partitions)]
    with ThreadPoolExecutor(4) as threads:
        appending = [threads.submit(append_lots, thread) for thread in range(4)]
        is_last = False
        while not is_last:
            is_last = all(future.done() for future in appending)
            for partition, seen in enumerate(found):
                while batch := recorder.read_all(partition, seen[-1][0] if seen else 0, 7):
                    seen.extend(batch)
    assert [one for seen in found for one in seen] == everything(recorder)
    assert sum(future.result() for future in appending) == len(everything(recorder))
    for match in matches:
        assert recorder.head(match).version == len(recorder.read(match)) >= 10


def test_partitions_are_told_by_the_match_s_hash() -> None:
    assert [partition_of(match, 16) for match in ("m", "n", "")] == [10, 15, 2]
    assert match_of("m/seat:1") == match_of("m") == "m"
    recorder = MemoryRecorder(partitions=16)
    recorder.append("m", [write("m", 1), write("m/seat:0", 1)])
    assert [len(recorder.read_all(partition, 0, 10)) for partition in range(16)] == [0] * 10 + [2] + [0] * 5


def test_all_recorders_keep_the_protocol_and_may_be_closed_twice(
    sqlite: SqliteRecorder, postgres_store: PostgresRecorder
) -> None:
    recorders: tuple[Recorder, ...] = (sqlite, postgres_store, MemoryRecorder())
    assert [recorder.partitions for recorder in recorders] == [1, PARTITIONS, 1]
    for recorder in recorders * 2:
        recorder.close()

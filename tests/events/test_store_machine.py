"""A state machine: whatever is asked of a store on SQLite or PostgreSQL, it answers what the one in memory answers."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from events.memory import MemoryRecorder
from events.postgres import PostgresRecorder
from events.sqlite import SqliteRecorder
from events.store import Append, Command, Decision, Recorder, StoreError, Write
from tests.events.streams import sealed

MATCHES = st.sampled_from(["m", "m-", "n"])
COMMANDS = st.none() | st.builds(Command, id=st.sampled_from("abc"), digest=st.sampled_from("de"))
OPEN = st.tuples(st.integers(0, 3), st.sampled_from(["", "1", "2"]), st.sampled_from(["player:1", "player:12", "bot:"]))


class Stores(RuleBasedStateMachine):
    """The same is done to a store and to one in memory."""

    def __init__(self, opens: Callable[[], Recorder]) -> None:
        """`opens` the store, empty at first, and again after it was closed."""
        super().__init__()
        self.opens = opens
        self.store = opens()
        self.memory = MemoryRecorder(self.store.partitions)

    def teardown(self) -> None:
        self.store.close()

    def same(self, ask: Callable[[Recorder], Any]) -> None:
        """Both answer, or refuse, in the same way."""
        assert _answer(ask, self.store) == _answer(ask, self.memory)

    @rule(
        match=MATCHES,
        counts=st.lists(st.tuples(st.sampled_from(["", "/seat:0", "/seat:1"]), st.integers(0, 3)), max_size=3),
        off=st.sampled_from([0, 0, 0, 1]),
        command=COMMANDS,
        asked=st.none() | st.lists(OPEN, max_size=3, unique_by=lambda one: one[0]),
    )
    def append(
        self,
        match: str,
        counts: list[tuple[str, int]],
        off: int,
        command: Command | None,
        asked: list[tuple[int, str, str]] | None,
    ) -> None:
        """Streams doubled, versions off, commands repeated: all of it may be asked for."""
        writes = []
        for private, count in counts:
            head = self.memory.head(match + private)
            events = sealed(match + private, count, head)
            writes.append(Write(match + private, head.version + off, events[off:]))
        decisions = asked and tuple(Decision(match, seat, 1, due, who) for seat, due, who in asked)
        chosen = None if asked is None else decisions or ()
        self.same(lambda recorder: recorder.append(match, writes, command=command, decisions=chosen))

    @rule(lot=st.lists(st.tuples(MATCHES, st.integers(0, 2), st.sampled_from([0, 0, 1]), COMMANDS), max_size=4))
    def append_all(self, lot: list[tuple[str, int, int, Command | None]]) -> None:
        """All of them at once; a match may come again, then where it stood before the first."""
        asked = []
        for match, count, off, command in lot:
            head = self.memory.head(match)
            events = sealed(match, count, head)
            asked.append(Append(match, (Write(match, head.version + off, events[off:]),), command))
        self.same(lambda recorder: list(map(repr, recorder.append_all(asked))))

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = self.opens()

    @rule(match=MATCHES, after=st.integers(0, 5), limit=st.none() | st.integers(0, 3))
    def read(self, match: str, after: int, limit: int | None) -> None:
        self.same(lambda recorder: recorder.read(match, after, limit))
        self.same(lambda recorder: list(recorder.facts(match, after)))
        self.same(lambda recorder: recorder.briefs(match, after))
        partitions = range(self.store.partitions)
        self.same(lambda recorder: [recorder.read_all(partition, after, limit or 1) for partition in partitions])
        self.same(lambda recorder: recorder.head(f"{match}/seat:0"))

    @rule(match=st.none() | MATCHES, who=st.sampled_from(["", "player:1", "bot"]))
    def find(self, match: str | None, who: str) -> None:
        self.same(lambda recorder: recorder.decisions(who, match))
        self.same(lambda recorder: recorder.matches())
        self.same(lambda recorder: recorder.private_ends(match or "m"))
        self.same(lambda recorder: recorder.latest())
        self.same(lambda recorder: [recorder.command(match or "m", id) for id in "abc"])

    @invariant()
    def streams_have_no_gaps(self) -> None:
        for match in self.store.matches():
            for stream in (match, *self.store.private_streams(match)):
                versions = [event.version for event in self.store.read(stream)]
                assert versions == list(range(1, len(versions) + 1))


def _answer(ask: Callable[[Recorder], Any], recorder: Recorder) -> object:
    try:
        return ask(recorder)
    except (StoreError, ValueError) as error:
        return type(error), str(error)


def run(opens: Callable[[], Recorder], wipes: Callable[[], object], examples: int = 25) -> None:
    def empty() -> Stores:
        wipes()
        return Stores(opens)

    run_state_machine_as_test(
        empty,  # type: ignore[arg-type]  # it takes what makes one, too
        settings=settings(max_examples=examples, stateful_step_count=25),
    )


def test_a_store_on_sqlite_answers_as_the_one_in_memory(tmp_path: Path) -> None:
    numbers = itertools.count()
    folder = tmp_path

    def wipe() -> None:
        nonlocal folder
        folder = tmp_path / str(next(numbers))
        folder.mkdir()

    run(lambda: SqliteRecorder(folder / "store.db"), wipe)


def test_a_store_on_postgres_answers_as_the_one_in_memory(postgres_url: str) -> None:
    PostgresRecorder(postgres_url).close()

    def wipe() -> None:
        with psycopg.connect(postgres_url) as connection:
            connection.execute("TRUNCATE events, commands, decisions, positions, proofs")

    # each takes five times as long as one in a file
    run(lambda: PostgresRecorder(postgres_url), wipe, examples=10)

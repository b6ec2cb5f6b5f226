"""The store in memory: the reference for the tests of the other stores, and the store of simulations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import RLock

from events.chain import Head, Stored, head_of
from events.queries import spans_of
from events.store import (
    KEEP_PROOF,
    Append,
    Appended,
    Command,
    CommandReused,
    Decision,
    Fact,
    Recorder,
    Result,
    StaleVersion,
    match_of,
    partition_of,
    seat_order,
)


class MemoryRecorder(Recorder):
    """A `Recorder` whose content ends with it. Any thread may use it."""

    def __init__(self, partitions: int = 1) -> None:
        self.partitions = partitions
        self._streams: dict[str, list[Stored]] = {}
        self._logs: list[list[Stored]] = [[] for _ in range(partitions)]
        self._commands: dict[tuple[str, str], tuple[Command, Appended]] = {}
        self._decisions: dict[str, tuple[Decision, ...]] = {}
        self._proofs: dict[str, bytes] = {}
        self._lock = RLock()

    def _commit_all(self, appends: Sequence[Append]) -> list[Result]:
        """See `Recorder.append_all`. There are no tables: beside an append only a proof may be kept."""
        with self._lock:
            return [self._result(append) for append in appends]

    def _result(self, append: Append) -> Result:
        if append.command and (before := self.command(append.match, append.command.id)):
            return before[1] if before[0].digest == append.command.digest else CommandReused(append.command.id)
        for write in append.writes:
            if (current := len(self._streams.get(write.stream, ()))) != write.expected:
                return StaleVersion(write.stream, current)
        for statement in append.beside:
            assert statement.sql == KEEP_PROOF
            self._proofs[append.match] = statement.named["proof"]
        return self._store(append)

    def _store(self, append: Append) -> Appended:
        log = self._logs[partition_of(append.match, self.partitions)]
        for write in append.writes:
            if write.events:
                self._streams.setdefault(write.stream, []).extend(write.events)
                log.extend(write.events)
        if append.decisions is not None:
            self._decisions[append.match] = tuple(sorted(append.decisions, key=lambda decision: decision.seat))
        spans = spans_of(append.writes)
        if append.command:
            self._commands[append.match, append.command.id] = (append.command, Appended(spans, repeated=True))
        return Appended(spans)

    def command(self, match: str, id: str) -> tuple[Command, Appended] | None:
        with self._lock:
            return self._commands.get((match, id))

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> tuple[Stored, ...]:
        with self._lock:
            return tuple(self._streams.get(stream, ())[after:][:limit])

    def facts(self, stream: str, after: int = 0) -> Iterable[Fact]:
        return [(event.type, event.schema, event.public, event.secret) for event in self.read(stream, after)]

    def head(self, stream: str) -> Head:
        events = self.read(stream)
        return head_of(events) if events else Head()

    def read_all(self, partition: int, after: int, limit: int) -> tuple[tuple[int, Stored], ...]:
        with self._lock:
            return tuple(enumerate(self._logs[partition][after : after + limit], after + 1))

    def matches(self, limit: int | None = None) -> tuple[str, ...]:
        with self._lock:
            ids = sorted(stream for stream in self._streams if "/" not in stream)
        return tuple(ids[:limit])

    def private_ends(self, match: str) -> tuple[Stored, ...]:
        with self._lock:
            streams = [stream for stream in self._streams if match_of(stream) == match and stream != match]
            return tuple(self._streams[stream][-1] for stream in sorted(streams, key=seat_order))

    def proof(self, match: str) -> bytes | None:
        with self._lock:
            return self._proofs.get(match)

    def latest(self) -> str:
        with self._lock:
            own = (events[-1].at for stream, events in self._streams.items() if match_of(stream) not in self._proofs)
            return max(own, default="")

    def decisions(self, who_prefix: str = "", match: str | None = None) -> tuple[Decision, ...]:
        with self._lock:
            return tuple(
                decision
                for _, open_ones in sorted(self._decisions.items())
                for decision in open_ones
                if decision.who.startswith(who_prefix) and match in {None, decision.match}
            )

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

"""A follower that writes down every event it sees, and the process that runs it: `python -m ... URL`."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable
from threading import Event

import structlog

from events.chain import Stored
from events.store import Statement, StoreError, match_of, partition_of
from service.followers import claims as watching
from service.followers.claims import claims_of
from service.followers.follower import Follower
from service.store import open_effects

SEEN = "CREATE TABLE seen (partition bigint, stream text, version bigint, number bigint)"
IN_ORDER = "CREATE INDEX seen_in_order ON seen (partition, number)"
"""No row is unique: what is seen twice stands there twice."""

SEE = (
    "INSERT INTO seen (partition, stream, version, number) VALUES (:partition, :stream, :version,"
    " (SELECT coalesce(max(number), 0) + 1 FROM seen WHERE partition = :partition))"
)
WRONG = Statement("INSERT INTO no_such_table VALUES (1)", {})


class Seeing:
    """See `Handler`. What an event says may be that it can't be taken."""

    name = "seeing"

    def __init__(self, partitions: int) -> None:
        self.partitions = partitions
        self.is_cured = False
        self.is_away = False

    def effect(self, event: Stored) -> Iterable[Statement]:
        if b"quiet" in event.public:
            return ()
        partition = partition_of(match_of(event.stream), self.partitions)
        seen = {"partition": partition, "stream": event.stream, "version": event.version}
        told = [Statement(SEE, seen)]
        if not self.is_cured and b"poison" in event.public:
            raise ValueError("it is poisonous")
        if not self.is_cured and b"fails" in event.public:
            told.append(WRONG)
        if self.is_away and b"away" in event.public:
            raise StoreError("it can't be asked")
        return told


class Soon(Event):
    """Wakes whoever waits before long."""

    def wait(self, timeout: float | None = None) -> bool:
        return super().wait(0.05)


def main(url: str) -> None:
    # so that a test need not wait as long as an operator
    watching.HANGS = 3.0
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    store = open_effects(url)
    Follower(Seeing(store.partitions), store, claims_of(url, Seeing.name)).run(Soon(), stop)
    store.close()


if __name__ == "__main__":
    main(sys.argv[1])

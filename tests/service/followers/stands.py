"""Stores of both kinds with the tables that followers need, and processes that follow them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from events import stores
from events.chain import head_of
from events.postgres.asking import as_psycopg
from events.sqlite import SqliteRecorder
from events.store import Write
from service.followers.claims import Claims, claims_of
from service.followers.follower import Follower
from service.store import open_effects, schema
from tests.events.streams import sealed
from tests.service.followers.seeing import IN_ORDER, SEEN, Seeing
from tests.service.run.uprun import TREE


class Stand:
    """A store that is written to and followed."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.recorder = stores.open_to_write(url)
        schema.prepare(self.recorder, url)
        self.store = open_effects(url)
        for sql in (SEEN, IN_ORDER):
            self.rows(sql)
        self._followers: list[Follower] = []

    def rows(self, sql: str, *parameters: object) -> list[Any]:
        """What the statement finds, or does."""
        asked = sql if isinstance(self.recorder, SqliteRecorder) else as_psycopg(sql)

        def ask(connection: Any) -> list[Any]:
            cursor = connection.execute(asked, parameters)
            return list(cursor.fetchall()) if cursor.description else []

        return self.recorder.transact(ask)

    def say(self, match: str, *texts: str, after: int = 0) -> None:
        """Append an event a text to the match; `after`: where it stands."""
        before = self.recorder.read(match)
        head = head_of(before) if before else None
        for text in texts:
            events = sealed(match, 1, head, text)
            self.recorder.append(match, [Write(match, head.version if head else 0, events)])
            head = head_of(events)

    def events(self, partition: int) -> list[tuple[str, int]]:
        """Stream and version of the partition's events, in their order."""
        return [(event.stream, event.version) for _, event in self.recorder.read_all(partition, 0, 1_000_000)]

    def seen(self, partition: int) -> list[tuple[str, int]]:
        """The same as the follower saw them."""
        sql = "SELECT stream, version FROM seen WHERE partition = ? ORDER BY number, stream, version"
        return [tuple(row) for row in self.rows(sql, partition)]

    def position(self, partition: int) -> int:
        return self.recorder.position(Seeing.name, partition)

    def behind(self) -> int:
        """How many events were not seen yet."""
        ((events, seen),) = self.rows("SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM seen)")
        return int(events - seen)

    def is_caught_up(self) -> bool:
        return self.behind() <= 0

    def follower(self, shares: Claims | None = None) -> tuple[Follower, Seeing]:
        """One in this process."""
        handler = Seeing(self.recorder.partitions)
        found = Follower(handler, self.store, shares or claims_of(self.url, Seeing.name))
        self._followers.append(found)
        return found, handler

    def close(self) -> None:
        for follower in self._followers:
            follower.leave()
        self.store.close()
        self.recorder.close()


def look_until_done(follower: Follower) -> None:
    while follower.look():
        pass


def start(url: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.service.followers.seeing", url],
        cwd=TREE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def processes(url: str, number: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """So many processes that follow the store; those in the list in the end are ended."""
    running = [start(url) for _ in range(number)]
    try:
        yield running
    finally:
        for process in running:
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
            process.wait()

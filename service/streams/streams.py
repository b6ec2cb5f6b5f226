"""The cache that all streams of a process share: what was just read for one stream serves the others."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Lock
from typing import Protocol

from events.store import Recorder, match_of
from service.matches import Recent, Views
from service.store import Entry, Lobby
from service.wakeups import Bell, Players

PAGES = 256
"""The most pages that are kept."""

ROOM = 1 << 24
"""The most bytes of all pages that are kept."""

LARGEST = 1 << 20
"""The most bytes of a page that is kept: a page of scenes is large, and many may watch a table."""

HEADS, ENTRIES = 4096, 1024

TURNS = 8


class Stream(Protocol):
    """A stream to one client."""

    bell: Bell
    """The bell that rings when there may be something to send."""

    def news(self) -> bytes:
        """Return what is to be sent now, which may be nothing; then read `is_over` and `has_more`."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether nothing will follow."""
        ...

    @property
    def has_more(self) -> bool:
        """Whether there is more to be sent at once."""
        ...

    def check(self) -> None:
        """Check the asker's token again. Raises Unauthorized if it is no longer valid."""
        ...

    def stop(self, why: str) -> bytes:
        """Return the last item: why the stream ends, and from where to go on."""
        ...


class Streams:
    """The objects and caches that all streams of a process share. Any thread may use it."""

    def __init__(self, recorder: Recorder, found: Lobby, views: Views, players: Players) -> None:
        self.recorder = recorder
        self.views = views
        self.players = players
        self.bells = players.bells
        self._lobby = found
        self._heads: Recent[str, tuple[int, int]] = Recent(HEADS)
        """By stream, the number of its calls before its version was read, and that version."""
        self._entries: Recent[tuple[str, int], Entry] = Recent(ENTRIES)
        self._pages: Recent[tuple[object, ...], tuple[bytes, int, bool]] = Recent(ROOM, _weigh)
        self._turns = tuple(Lock() for _ in range(TURNS))

    def version(self, stream: str) -> int:
        """Return the version of a stream for which a bell hangs. Of many streams that one call woke, the first reads it
        from the store.
        """
        if (known := self._head(stream)) is not None:
            return known
        with self._turn(stream):
            if (known := self._head(stream)) is not None:
                return known
            calls, version = self.bells.calls(stream), self.recorder.head(stream).version
            self._heads.put(stream, (calls, version))
            return version

    def _head(self, stream: str) -> int | None:
        known = self._heads.get(stream)
        return known[1] if known is not None and known[0] == self.bells.calls(stream) else None

    def _turn(self, stream: str) -> AbstractContextManager[object]:
        """Return the lock to hold while reading for all streams of a match: the others wait, and use what was read."""
        return self._turns[hash(match_of(stream)) % TURNS]

    def entry(self, match_id: str, version: int) -> Entry | None:
        """Return the match's entry in the lobby, read when the log had at least that version."""
        if (entry := self._entries.get((match_id, version))) is not None:
            return entry
        with self._turn(match_id):
            entry = self._entries.get((match_id, version))
            if entry is None and (entry := self._lobby.find(match_id)) is not None and entry.status != "open":
                # an entry before the start is not kept: a seat may be kept for somebody without an event
                self._entries.put((match_id, version), entry)
            return entry

    def page(
        self, stream: str, key: tuple[object, ...], make: Callable[[], tuple[bytes, int, bool]]
    ) -> tuple[bytes, int, bool]:
        """Return a page of the stream, the version up to which it goes, and whether there is more.

        It is made once for all streams with the same key.
        """
        if (page := self._pages.get(key)) is not None:
            return page
        with self._turn(stream):
            if (page := self._pages.get(key)) is not None:
                return page
            page = make()
            if len(page[0]) <= LARGEST:
                self._pages.put(key, page)
            return page


def _weigh(page: tuple[bytes, int, bool]) -> int:
    """Return the bytes that the page counts for: at least so many that no more than PAGES fit."""
    return max(len(page[0]), ROOM // PAGES)

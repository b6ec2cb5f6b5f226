"""What all streams of a process share: what was just read for one of them serves the others."""

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
"""How many pages are kept."""

ROOM = 1 << 24
"""Bytes of all of them, at most."""

LARGEST = 1 << 20
"""Bytes of a page that is kept: one of scenes is large, and many look on at a table."""

HEADS, ENTRIES = 4096, 1024

TURNS = 8


class Stream(Protocol):
    """Something that is told as it happens."""

    bell: Bell
    """It rings when there may be something to tell."""

    def news(self) -> bytes:
        """What is to be told now, which may be nothing; see `is_over` and `has_more` then."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether nothing will follow."""
        ...

    @property
    def has_more(self) -> bool:
        """Whether there is more to be told at once."""
        ...

    def check(self) -> None:
        """Raises Unauthorized when the asker's token holds no longer."""
        ...

    def stop(self, why: str) -> bytes:
        """The last words: why nothing follows, and from where to go on."""
        ...


class Streams:
    """What they share."""

    def __init__(self, recorder: Recorder, found: Lobby, views: Views, players: Players) -> None:
        self.recorder = recorder
        self.views = views
        self.players = players
        self.bells = players.bells
        self._lobby = found
        self._heads: Recent[str, tuple[int, int]] = Recent(HEADS)
        """By stream, how often it was called before its version was read; and that one."""
        self._entries: Recent[tuple[str, int], Entry] = Recent(ENTRIES)
        self._pages: Recent[tuple[object, ...], tuple[bytes, int, bool]] = Recent(ROOM, _weigh)
        self._turns = tuple(Lock() for _ in range(TURNS))

    def version(self, stream: str) -> int:
        """Where a stream ends for which a bell hangs: of many who were woken by one call the first reads it."""
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
        """To be held while something is read for all streams of a match: the others wait for it, and find it then."""
        return self._turns[hash(match_of(stream)) % TURNS]

    def entry(self, match_id: str, version: int) -> Entry | None:
        """Who sits in the match, not earlier than that version of its log."""
        if (found := self._entries.get((match_id, version))) is not None:
            return found
        with self._turn(match_id):
            found = self._entries.get((match_id, version))
            if found is None and (found := self._lobby.find(match_id)) is not None and found.status != "open":
                # before the start seats may be kept for somebody without an event
                self._entries.put((match_id, version), found)
            return found

    def page(
        self, stream: str, key: tuple[object, ...], make: Callable[[], tuple[bytes, int, bool]]
    ) -> tuple[bytes, int, bool]:
        """A page of the stream, up to which version it goes, and whether there is more: made once for all who are told
        the same.
        """
        if (found := self._pages.get(key)) is not None:
            return found
        with self._turn(stream):
            if (found := self._pages.get(key)) is not None:
                return found
            found = make()
            if len(found[0]) <= LARGEST:
                self._pages.put(key, found)
            return found


def _weigh(page: tuple[bytes, int, bool]) -> int:
    """Return the bytes that the page counts for: at least so many that no more than PAGES fit."""
    return max(len(page[0]), ROOM // PAGES)

"""The stream of a match's log, or of a seat's private log, as it grows: each event as the asker may read it.

When a private log grows, only the stream of that log sends something. So no byte and no moment of a match's stream
shows who was asked under seal, and when they answered. What was just read for one stream of a process serves the
others.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

import msgspec

from domain.game import Lang
from events.store import Store, match_of
from replays.log import private_stream
from service.accounts import Asker
from service.matches import Besides, Known, Marks, Recent, Views, check_open_to, viewpoint
from service.problems import unknown_match
from service.store import PUBLIC, Entry, Lobby
from service.wakeups import Players, table_name

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"

RETRY = 2000
"""Milliseconds after which a browser connects again when its stream was cut off."""


class Form(msgspec.Struct, frozen=True):
    """A form of streams; here that of NDJSON."""

    kind: str
    """The media type."""
    begin: bytes
    """The bytes that are sent at once, so that the client gets the answer's head."""
    beat: bytes
    """The bytes that say only that the stream is alive."""

    def tell(self, data: bytes, id: str) -> bytes:
        """Return the bytes of an item. `id` says from where to go on after it; in NDJSON the item itself says that."""
        return data + b"\n"

    def mark(self, data: bytes) -> bytes:
        """Return the bytes of an item after which a stream does not go on from another place than before."""
        return data + b"\n"

    def end(self, why: str, id: str, **more: Any) -> bytes:
        """Return the bytes of the last item, which says why the stream ends."""
        return self.tell(msgspec.json.encode({"end": {"why": why, **more}}), id)


class _Events(Form, frozen=True):
    """Server-Sent Events."""

    def tell(self, data: bytes, id: str) -> bytes:
        return b"id: %s\ndata: %s\n\n" % (id.encode("ascii"), data)

    def mark(self, data: bytes) -> bytes:
        """See `Form.mark`. The event's type differs from all others, so that it is no event of the log."""
        return b"event: beside\ndata: %s\n\n" % data

    def end(self, why: str, id: str, **more: Any) -> bytes:
        """See `Form.end`. The event's type differs from all others, so that a browser can stop connecting again."""
        return b"event: end\n" + super().end(why, id, **more)


FORMS: dict[str, Form] = {
    NDJSON: Form(NDJSON, b"\n", b"\n"),
    SSE: _Events(SSE, b"retry: %d\n\n" % RETRY, b":\n\n"),
}
"""The forms by their media types."""


PAGES = 256
"""The most pages that are kept."""

ROOM = 1 << 24
"""The most bytes of all pages that are kept."""

LARGEST = 1 << 20
"""The most bytes of a page that is kept: a page of scenes is large, and many may watch a table."""

HEADS, ENTRIES = 4096, 1024

TURNS = 8

Page = tuple[bytes, int, bool]
"""What is sent of a stream, the version up to which it goes, and whether there is more."""

K = TypeVar("K")
V = TypeVar("V")


class Streams:
    """The objects and caches that all streams of a process share. Any thread may use it."""

    def __init__(self, recorder: Store, found: Lobby, views: Views, players: Players) -> None:
        self.recorder = recorder
        self.views = views
        self.players = players
        self.bells = players.bells
        self._lobby = found
        self._heads: Recent[tuple[str, int], int] = Recent(HEADS)
        """By stream and the last call of its bell before it was read, the version."""
        self._entries: Recent[tuple[str, int, int], Entry] = Recent(ENTRIES)
        """By match, its version, and the last call of its bell before it was read."""
        self._pages: Recent[tuple[object, ...], Page] = Recent(ROOM, _weigh)
        self._turns = tuple(Lock() for _ in range(TURNS))
        self.besides = Besides(recorder, found)
        self._known: Recent[tuple[str, int], Known] = Recent(ENTRIES)
        """By match and the last call of its bell before it was read, what no event tells of it."""

    def version(self, stream: str) -> int:
        """Return the version of a stream for which a bell hangs, which is read once after each of the bell's calls."""
        key = stream, self.bells.call(stream)
        return self._once(stream, self._heads, key, lambda: self.now(stream))

    def now(self, stream: str) -> int:
        """Return the version of a stream, which is read at this moment."""
        return self.recorder.head(stream).version

    def _once(
        self,
        stream: str,
        kept: Recent[K, V],
        key: K,
        read: Callable[[], V],
        may_keep: Callable[[V], bool] = lambda _: True,
    ) -> V:
        """Return what is kept, else what `read` returns. Of all streams of a match only one reads; the others wait."""
        if (value := kept.get(key)) is not None:
            return value
        with self._turns[hash(match_of(stream)) % TURNS]:
            if (value := kept.get(key)) is None:
                value = read()
                if may_keep(value):
                    kept.put(key, value)
            return value

    def entry(self, match_id: str) -> Entry:
        """Return the match's entry in the lobby, which is read at this moment. Raises Unknown."""
        if (entry := self._lobby.find(match_id)) is None:
            raise unknown_match(match_id)
        return entry

    def entry_after(self, match_id: str, version: int, call: int) -> Entry:
        """Return the match's entry in the lobby, read after that call of its bell, and when the log had that version.

        Raises:  Unknown.
        """

        def may_keep(entry: Entry) -> bool:
            # before the start a seat may be kept for somebody without an event; after the end somebody may be erased
            return entry.status == "playing"

        return self._once(match_id, self._entries, (match_id, version, call), lambda: self.entry(match_id), may_keep)

    def beside(self, match_id: str, call: int) -> Known:
        """Return what is in no event of a match, read once after that call of its bell. Raises Unknown."""

        def read() -> Known:
            if (known := self.besides.known(match_id)) is None:
                raise unknown_match(match_id)
            return known

        return self._once(match_id, self._known, (match_id, call), read)

    def page(
        self, stream: str, key: tuple[object, ...], make: Callable[[], Page], is_for_all: Callable[[], bool]
    ) -> Page:
        """Return a page of the stream, which is made once for all streams with the same key.

        Shape:   `is_for_all` says, once it is made, whether it has the key's content.
        """
        return self._once(stream, self._pages, key, make, lambda page: is_for_all() and len(page[0]) <= LARGEST)


def _weigh(page: Page) -> int:
    """Return the bytes that the page counts for: at least so many that no more than PAGES fit."""
    return max(len(page[0]), ROOM // PAGES)


PAGE = 50
"""The most events that are sent at a time."""

END = "-end"
"""It follows the version in the id of the last item, when the match is over."""

ASKED = 3.0
"""Seconds after which the asker's token is checked again, before anything is sent."""


class Watching(msgspec.Struct, frozen=True):
    """The wishes of a client for the stream of a match."""

    match: str
    seat: int | None
    """The seat that the client named; None for the asker's own seat."""
    after: int
    """The version that the client knows already."""
    form: Form
    lang: Lang | None
    """The language of the events' texts; None for no texts."""
    private: int | None = None
    """The seat whose private log is streamed; None for the match's log."""
    drawn: Lang | None = None
    """The language of the scene after each event; None for no scenes."""
    beside: bool = False
    """Whether to tell also that what no event tells has changed."""


class MatchStream:
    """The stream of one match for one client."""

    def __init__(
        self,
        streams: Streams,
        wanted: Watching,
        who: Asker,
        asker: Callable[[], Asker],
        over: Callable[[], object],
    ) -> None:
        """Hang the stream's bell.

        Shape:   `who` asks; `asker` returns the same, or raises Unauthorized if their token is no longer valid; `over`
                 is called when the stream has ended.
        Raises:  TooMany.
        """
        self._streams = streams
        self._wanted = wanted
        self._asker = asker
        self._who = who
        self._asked_at = monotonic()
        self._after = wanted.after
        self._known = 0, 0
        self._heard = -1
        """The last call of the match's bell before it was looked whether the asker may still know of the match."""
        self._is_public = True
        self._call = -1
        """The last call of the match's bell before it was looked beside the log."""
        self._marks: Marks | None = None
        self._stream = wanted.match if wanted.private is None else private_stream(wanted.match, wanted.private)
        self.is_over = self.has_more = False
        """Whether nothing will follow, and whether there is more to be sent at once."""
        table = (table_name(wanted.match),) if wanted.beside else ()
        self.bell = streams.bells.hang(*dict.fromkeys((wanted.match, self._stream, *table)), over=over)

    def check(self) -> None:
        """Check again whether the asker may go on: their token may be revoked, the link by which they came renewed.

        Raises:  Unauthorized, Unknown.
        """
        self._check_token()
        if not self._is_public:
            # calls of the bell that other processes make may be lost
            check_open_to(self._streams.entry(self._wanted.match), self._who)

    def _check_token(self) -> None:
        self._who, self._asked_at = self._asker(), monotonic()

    def news(self) -> bytes:
        """Return what is to be sent now, if anything; then read `is_over`, `has_more`. Raises Problems, StoreError."""
        sent = self._grown()
        if self._wanted.beside and not (self.is_over or self.has_more):
            sent += self._beside()
        return sent

    def _grown(self) -> bytes:
        """Return what has come to the log since."""
        wanted = self._wanted
        call = self._streams.bells.call(wanted.match)
        version = self._streams.version(wanted.match)
        grown = version, version if wanted.private is None else self._streams.version(self._stream)
        is_grown = grown != self._known or self.has_more
        # what is not public may be closed to the asker without an event: a link is renewed, an invitation withdrawn
        if not is_grown and (self._is_public or call == self._heard):
            return b""
        self._check_now_and_then()
        entry = self._streams.entry_after(wanted.match, version, call)
        check_open_to(entry, self._who)
        self._heard, self._is_public = call, entry.visibility == PUBLIC
        if not is_grown:
            return b""
        own = viewpoint(entry, self._who, wanted.seat, any_when_over=wanted.private is not None)
        if entry.is_over:
            # it may have ended since the heads were read
            version = self._streams.now(wanted.match)
            grown = version, version if wanted.private is None else self._streams.now(self._stream)
        sent, self._after, self.has_more = self._told(entry, own, grown)
        self._known = grown
        if entry.is_over and not self.has_more:
            self.is_over = True
            sent += wanted.form.end("over", f"{self._after}{END}", status=entry.status, after=self._after)
        return sent

    def _beside(self) -> bytes:
        """Return that something has changed beside the log since."""
        wanted, bells = self._wanted, self._streams.bells
        # calls are counted over all names
        call = max(map(bells.call, (wanted.match, table_name(wanted.match))))
        if call == self._call:
            return b""
        self._call = call
        self._check_now_and_then()
        known = self._streams.beside(wanted.match, call)
        check_open_to(known.entry, self._who)
        if (marks := known.told(self._who)) == self._marks:
            return b""
        self._marks = marks
        return wanted.form.mark(msgspec.json.encode(marks))

    def _check_now_and_then(self) -> None:
        if monotonic() - self._asked_at > ASKED:
            self._check_token()

    def stop(self, why: str) -> bytes:
        """Return the last item: why the stream ends, and from where to go on."""
        return self._wanted.form.end(why, str(self._after), after=self._after)

    def _told(self, entry: Entry, own: int | None, grown: tuple[int, int]) -> Page:
        wanted, after = self._wanted, self._after
        if grown[1] <= after:
            return b"", after, False
        key = (self._stream, own, after, grown, entry.status, entry.chairs, wanted.lang, wanted.drawn, wanted.form.kind)
        seat = own

        def make() -> Page:
            nonlocal seat
            views, is_private = self._streams.views, wanted.private is not None
            look = views.look(wanted.match, self._who, wanted.seat, any_when_over=is_private)
            seat = look.seat
            page = views.events(look, after, PAGE, wanted.lang, private=is_private, drawn=wanted.drawn)
            events = page.events
            items = [wanted.form.tell(msgspec.json.encode(event), str(event.version)) for event in events]
            return b"".join(items), events[-1].version if events else after, page.next is not None

        # who has come to a seat since the entry was read is told what others may not know
        return self._streams.page(self._stream, key, make, lambda: seat == own)

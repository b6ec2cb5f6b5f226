"""The stream of a match's log, or of a seat's private log, as it grows: each event as the asker may read it.

When a private log grows, only the stream of that log sends something. So no byte and no moment of a match's stream
shows who was asked under seal, and when they answered.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import msgspec

from domain.game import Lang
from replays.log import private_stream
from service.accounts import Asker
from service.matches import check_open_to, viewpoint
from service.problems import unknown_match
from service.store import Entry
from service.streams.forms import Form
from service.streams.streams import Streams

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
        Raises:  TooManyWait.
        """
        self._streams = streams
        self._wanted = wanted
        self._asker = asker
        self._who = who
        self._asked_at = monotonic()
        self._after = wanted.after
        self._known = 0, 0
        self._stream = wanted.match if wanted.private is None else private_stream(wanted.match, wanted.private)
        self.is_over = self.has_more = False
        self.bell = streams.bells.hang(*dict.fromkeys((wanted.match, self._stream)), over=over)

    def check(self) -> None:
        """See `Stream.check`."""
        self._who, self._asked_at = self._asker(), monotonic()

    def news(self) -> bytes:
        """See `Stream.news`. Raises Problems if the asker may not see the match, and StoreError."""
        wanted = self._wanted
        version = self._streams.version(wanted.match)
        grown = version, version if wanted.private is None else self._streams.version(self._stream)
        if grown == self._known and not self.has_more:
            return b""
        if monotonic() - self._asked_at > ASKED:
            self.check()
        entry = self._streams.entry(wanted.match, version)
        if entry is None:
            raise unknown_match(wanted.match)
        check_open_to(entry, self._who)
        own = viewpoint(entry, self._who, wanted.seat, any_when_over=wanted.private is not None)
        sent, self._after, self.has_more = self._told(entry, own, grown)
        self._known = grown
        if entry.is_over and not self.has_more:
            self.is_over = True
            sent += wanted.form.end("over", f"{self._after}{END}", status=entry.status, after=self._after)
        return sent

    def stop(self, why: str) -> bytes:
        """See `Stream.stop`."""
        return self._wanted.form.end(why, str(self._after), after=self._after)

    def _told(self, entry: Entry, own: int | None, grown: tuple[int, int]) -> tuple[bytes, int, bool]:
        wanted, after = self._wanted, self._after
        if grown[1] <= after:
            return b"", after, False
        key = (self._stream, own, after, grown, entry.status, wanted.lang, wanted.drawn, wanted.form.kind)

        def make() -> tuple[bytes, int, bool]:
            views, is_private = self._streams.views, wanted.private is not None
            look = views.look(wanted.match, self._who, wanted.seat, any_when_over=is_private)
            page = views.events(look, after, PAGE, wanted.lang, private=is_private, drawn=wanted.drawn)
            events = page.events
            items = [wanted.form.tell(msgspec.json.encode(event), str(event.version)) for event in events]
            return b"".join(items), events[-1].version if events else after, page.next is not None

        return self._streams.page(self._stream, key, make)

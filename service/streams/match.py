"""A match's log as it grows, or a seat's private one: each event as the asker may read it.

Nothing is written when only a private log grew, but for the stream of that log: who was asked under seal, and when they
answered, shows in no byte and at no moment.
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
"""Most events that are written in one go."""

END = "-end"
"""After the version, in the id of the last that is told of a match that is over."""

ASKED = 3.0
"""Seconds for which it is not asked again whether the asker's token still holds."""


class Watching(msgspec.Struct, frozen=True):
    """What of a match is to be told."""

    match: str
    seat: int | None
    """As it was named; None: the asker's own."""
    after: int
    """The version that is known already."""
    form: Form
    lang: Lang | None
    """Of the events' texts; None: without texts."""
    private: int | None = None
    """The seat whose private log it is; None: the match's."""
    drawn: Lang | None = None
    """Of the scenes after each event; None: without scenes."""


class MatchStream:
    """One of them."""

    def __init__(
        self,
        streams: Streams,
        wanted: Watching,
        who: Asker,
        asker: Callable[[], Asker],
        over: Callable[[], object],
    ) -> None:
        """`who` asks; `asker`: the same, if their token still holds; `over`: called when it has ended.

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
        """Raises Unauthorized when the asker's token holds no longer."""
        self._who, self._asked_at = self._asker(), monotonic()

    def news(self) -> bytes:
        """See `Stream.news`. Raises what looking at the match does."""
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
        told, self._after, self.has_more = self._told(entry, own, grown)
        self._known = grown
        if entry.is_over and not self.has_more:
            self.is_over = True
            told += wanted.form.end("over", f"{self._after}{END}", status=entry.status, after=self._after)
        return told

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
            told = [wanted.form.tell(msgspec.json.encode(one), str(one.version)) for one in events]
            return b"".join(told), events[-1].version if events else after, page.next is not None

        return self._streams.page(self._stream, key, make)

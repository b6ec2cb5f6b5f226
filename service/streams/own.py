"""The stream of all that happens in a player's matches."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import msgspec

from service.accounts import Asker
from service.streams.forms import Form
from service.streams.match import ASKED
from service.streams.player import Item, PlayerLog
from service.streams.streams import Streams


class PlayerStream:
    """The stream of one player for one client."""

    def __init__(
        self,
        streams: Streams,
        log: PlayerLog,
        begun: list[Item],
        form: Form,
        asker: Callable[[], Asker],
        over: Callable[[], object],
    ) -> None:
        """Hang the stream's bell.

        Shape:   `begun` is sent first; `asker` returns who asks, or raises Unauthorized if their token is no longer
                 valid; `over` is called when the stream has ended.
        Raises:  TooManyWait.
        """
        self._streams = streams
        self._log = log
        self._form = form
        self._asker = asker
        self._asked_at = monotonic()
        self._begun = begun
        self._calls = -1
        self.is_over = False
        self.bell = streams.players.hang(log.asker.player, over)

    @property
    def has_more(self) -> bool:
        """See `Stream.has_more`."""
        return self._log.has_more

    def check(self) -> None:
        """See `Stream.check`."""
        self._log.asker, self._asked_at = self._asker(), monotonic()

    def news(self) -> bytes:
        """See `Stream.news`. Raises Unauthorized, StoreError."""
        about, calls = self.bell.about(), self._streams.bells.calls(self.bell.names[0])
        if calls == self._calls and not about and not self.has_more:
            return b""
        self._calls = calls
        if monotonic() - self._asked_at > ASKED:
            self.check()
        begun, self._begun = self._begun, []
        return b"".join([self._tell(item) for item in (*begun, *self._log.look(about))])

    def stop(self, why: str) -> bytes:
        """See `Stream.stop`."""
        cursor = self._log.cursor
        return self._form.end(why, cursor, after=cursor)

    def _tell(self, item: Item) -> bytes:
        return self._form.tell(msgspec.json.encode(item), item.cursor)

"""Streams as answers: the connection's own greenlet writes events as they happen; there is no queue.

A client that reads too slowly delays only its own stream. After a time it is cut off, and can continue from the last
event that it has read. Signs of life have their own schedule, whatever is written between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING

import msgspec
import structlog
from flask import Response, request

from service.accounts import Asker
from service.problems import Problem
from service.streams import FORMS, Form, Stream
from service.web.middleware import token_said
from service.web.packed import CODING, Packing
from service.web.reply import VARY, asker, service
from service.web.waiting import CALLER, until_revoked

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    from service.web.door import Caller

FLOW = "foldtable.flow"
"""The key in a request's environment for the stream that is its answer."""

EVERY = 14.0
"""The seconds between two signs of life."""

PACE = 0.1
"""The least seconds between two writes; events that happen meanwhile are written together."""

JSON = "application/json"

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": VARY}
"""These headers keep proxies from storing or delaying a stream."""

logger = structlog.get_logger(__name__)


def form_wanted() -> Form | None:
    """Return the form in which the request wants a stream; None if it wants a page."""
    wanted = request.accept_mimetypes.best_match((JSON, *FORMS), JSON)
    return FORMS.get(wanted)


def asker_of_request() -> Callable[[], Asker]:
    """Return a function that returns the asker, and raises Unauthorized once the token is revoked or has expired."""
    token, link, accounts = token_said() or None, asker().link, service().accounts
    return lambda: msgspec.structs.replace(accounts.asker(token), link=link)


def flow(form: Form, make: Callable[[], Stream], *, is_large: bool = False) -> Response:
    """Return an answer that is the stream. `is_large`: compress it if the client can read that."""
    packing = Packing() if is_large and request.accept_encodings.quality(CODING) else None
    answer = Response(iter(()), 200, HEADERS, content_type=form.kind)
    if is_large:
        answer.headers["Vary"] = f"{VARY}, Accept-Encoding"
    if packing is not None:
        answer.headers["Content-Encoding"] = CODING
    if request.method != "HEAD":
        bells = service().bells
        stream = make()
        token = until_revoked(stream.bell)
        before = bells.calls(token)
        request.environ[FLOW] = Flow(
            stream, form, lambda: bells.is_closed, lambda: bells.calls(token) != before, packing
        )
    return answer


class Flow:
    """A stream as WSGI writes it, one piece after the other."""

    def __init__(
        self,
        stream: Stream,
        form: Form,
        is_closing: Callable[[], bool],
        is_revoked: Callable[[], bool],
        packing: Packing | None = None,
    ) -> None:
        self.environ: WSGIEnvironment = {}
        """The request's environment, which is emptied when the stream begins."""
        self.caller: Caller | None = None
        """The connection, which notices when the client closes it."""
        self._stream = stream
        self._form = form
        self._is_closing = is_closing
        self._is_revoked = is_revoked
        self._packing = packing

    def __iter__(self) -> Iterator[bytes]:
        """Yield the pieces. Raises Gone if the client has closed the connection."""
        pieces, packing = self._pieces(), self._packing
        if packing is None:
            yield from pieces
            return
        yield packing.begin(next(pieces))
        for piece in pieces:
            yield packing.tell(piece)
        yield packing.end()

    def _pieces(self) -> Iterator[bytes]:
        stream, beat = self._stream, monotonic() + EVERY
        if self.caller is not None:
            self.caller.narrow()
        yield self._form.begin
        self.environ.clear()
        is_beating, next_one = False, 0.0
        while True:
            if (early := next_one - monotonic()) > 0:
                sleep(early)
            stream.bell.silence()
            # read only after the bell is silent: events from here on ring it again
            data, is_last = self._news(is_beating)
            if data:
                yield data
            if is_last:
                return
            if stream.has_more:
                continue
            if data:
                next_one = monotonic() + PACE
            if is_beating := self._is_quiet(beat):
                yield self._form.beat
                beat += EVERY

    def close(self) -> None:
        """Give back the stream's place."""
        self._stream.bell.take_down()

    def _is_quiet(self, beat: float) -> bool:
        """Wait until there may be news, or a sign of life is due. Returns whether it is due."""
        left = beat - monotonic()
        if left > 0:
            if self.caller is None:
                self._stream.bell.wait(left)
            else:
                self.caller.wait(self._stream.bell, left)
        return monotonic() >= beat

    def _news(self, is_beating: bool) -> tuple[bytes, bool]:
        """Return the data to write now, and whether it is the last. `is_beating`: check again whether the asker may."""
        stream = self._stream
        try:
            if is_beating or self._is_revoked():
                stream.check()
            data = stream.news()
        except Problem as problem:
            return stream.stop(problem.code), True
        except Exception as error:
            # log the kind but not the message, which may contain what some seat must not know
            logger.exception("a stream can't go on", kind=type(error).__name__, exc_info=False)
            return stream.stop("internal"), True
        if stream.is_over:
            return data, True
        if self._is_closing():
            return data + stream.stop("stopping"), True
        return data, False


class Flowing:
    """Middleware for streams: while a stream flows, nothing of the app's request is kept."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Return the app's body, or the stream in its place."""
        try:
            body = self._app(environ, start_response)
        except BaseException:
            if (flow := environ.pop(FLOW, None)) is not None:
                flow.close()
            raise
        if (flow := environ.pop(FLOW, None)) is None:
            return body
        with suppress(AttributeError):
            body.close()  # type: ignore[attr-defined]  # optional in WSGI
        stream: Flow = flow
        stream.caller, stream.environ = environ.get(CALLER), environ
        return stream

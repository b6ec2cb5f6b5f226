"""Streams as answers: what is told is written as it happens, by the connection's own greenlet and out of no queue.

Whoever reads too slowly holds up their own stream alone, until their patience is over: then they are cut off, and go on
from the last that they have read. Signs of life keep to a schedule of their own, whatever is told between them.
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
"""In a request's environment: the stream that is its answer."""

EVERY = 14.0
"""Seconds between two signs of life."""

PACE = 0.1
"""Seconds between two times that something is told: what happens meanwhile is told in one go."""

JSON = "application/json"

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": VARY}
"""No proxy keeps it, or keeps it back."""

logger = structlog.get_logger(__name__)


def form_wanted() -> Form | None:
    """In which form a stream is wanted; None: a page is."""
    wanted = request.accept_mimetypes.best_match((JSON, *FORMS), JSON)
    return FORMS.get(wanted)


def asker_of_request() -> Callable[[], Asker]:
    """Who asks, as often as one wants to know. It raises Unauthorized when the token holds no longer."""
    token, link, accounts = token_said() or None, asker().link, service().accounts
    return lambda: msgspec.structs.replace(accounts.asker(token), link=link)


def flow(form: Form, make: Callable[[], Stream], *, is_large: bool = False) -> Response:
    """The answer that is the stream; a large one is packed for who can unpack it."""
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
    """What is written, one piece after the other."""

    def __init__(
        self,
        stream: Stream,
        form: Form,
        is_closing: Callable[[], bool],
        is_revoked: Callable[[], bool],
        packing: Packing | None = None,
    ) -> None:
        self.environ: WSGIEnvironment = {}
        """The request's: nothing of it is kept while the stream flows."""
        self.caller: Caller | None = None
        """The connection, which notices when the other side hangs up."""
        self._stream = stream
        self._form = form
        self._is_closing = is_closing
        self._is_revoked = is_revoked
        self._packing = packing

    def __iter__(self) -> Iterator[bytes]:
        """The pieces. Raises Gone when nobody is there any more."""
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
            # after the bell: what is written from here on rings it
            told, is_last = self._news(is_beating)
            if told:
                yield told
            if is_last:
                return
            if stream.has_more:
                continue
            if told:
                next_one = monotonic() + PACE
            if is_beating := self._is_quiet(beat):
                yield self._form.beat
                beat += EVERY

    def close(self) -> None:
        """Let go of the place."""
        self._stream.bell.take_down()

    def _is_quiet(self, beat: float) -> bool:
        """Wait until there is something to look at, or a sign of life is due: whether it is."""
        left = beat - monotonic()
        if left > 0:
            if self.caller is None:
                self._stream.bell.wait(left)
            else:
                self.caller.wait(self._stream.bell, left)
        return monotonic() >= beat

    def _news(self, is_beating: bool) -> tuple[bytes, bool]:
        """What is to be told now, and whether it is the last. `is_beating`: who asks may have lost the right to."""
        stream = self._stream
        try:
            if is_beating or self._is_revoked():
                stream.check()
            told = stream.news()
        except Problem as problem:
            return stream.stop(problem.code), True
        except Exception as error:
            # what, but not the words of it: they may hold what some seat must not know
            logger.exception("a stream can't go on", kind=type(error).__name__, exc_info=False)
            return stream.stop("internal"), True
        if stream.is_over:
            return told, True
        if self._is_closing():
            return told + stream.stop("stopping"), True
        return told, False


class Flowing:
    """Around the app: where the answer is a stream, nothing of the app is held while it flows."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """The answer."""
        try:
            body = self._app(environ, start_response)
        except BaseException:
            if (flow := environ.pop(FLOW, None)) is not None:
                flow.close()
            raise
        if (flow := environ.pop(FLOW, None)) is None:
            return body
        with suppress(AttributeError):
            body.close()  # type: ignore[attr-defined]  # WSGI's, where there is one
        found: Flow = flow
        found.caller, found.environ = environ.get(CALLER), environ
        return found

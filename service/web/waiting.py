"""Requests that wait for news, and streams, whose answers have no end until their match has one.

A waiting request is answered by the app again when there may be news (`middleware`). A stream is written by its
connection's own greenlet as events happen; there is no queue. A client that reads too slowly delays only its own
stream. After a time it is cut off, and can continue from the last event that it has read. Signs of life have their own
schedule, whatever is written between them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from time import monotonic, sleep
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec
import structlog
from flask import Response, request

from domain.game import Lang
from replays.log import private_stream
from service.accounts import Asker
from service.limits import WAITS
from service.matches import Look, answers
from service.problems import Problem
from service.signing import digest
from service.streams import FORMS, Form, Stream
from service.wakeups import Bell, Bells, token_name
from service.web.askers import asking, token_said
from service.web.middleware import FLOW, WAITING
from service.web.reply import VARY, asker, noted, reply, service, tagged

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

    from service.web.door import Caller


T = TypeVar("T")

EVERY = 14.0
"""The seconds between two signs of life."""

PACE = 0.1
"""The least seconds between two writes; events that happen meanwhile are written together."""

JSON = "application/json"

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""These headers keep proxies from storing or delaying a stream."""

logger = structlog.get_logger(__name__)


class Waiting:
    """What a request waits for, and until when."""

    def __init__(self, bell: Bell, before: str, end: float) -> None:
        self.bell = bell
        self.before = before
        """The ETag at the beginning."""
        self.end = end
        """The end of its time, by the monotonic clock."""
        self.goes_on = False
        """Whether there was no news yet."""

    @property
    def is_late(self) -> bool:
        """Whether its time is up."""
        return monotonic() >= self.end


def patiently(see: Callable[[], T], seconds: int, news: News[T], show: Callable[[T], object]) -> Response:
    """Return the answer that shows what `see` returns, with its tag: at once, or once that is news or the time is up.

    Raises:  TooMany.
    """
    seen = _waited_for(see, seconds, news) if seconds else see()
    if seen is None:
        return Response(status=202)  # never sent: the app is asked again
    return tagged(news.tag(seen), lambda: reply(show(seen)))


def _waited_for(see: Callable[[], T], seconds: int, news: News[T]) -> T | None:
    """Return what `see` returns, once that is news or the time is up; None if the request goes on waiting."""
    bells = service().bells
    waiting: Waiting | None = request.environ.get(WAITING)
    if waiting is None:
        seen = see()
        before = news.tag(seen)
        if bells.is_closed or _is_news(news, seen, before):
            return seen
        bell = news.hang(seen, service().limits.enter(WAITS, asking()))
        until_revoked(bell)
        waiting = request.environ[WAITING] = Waiting(bell, before, monotonic() + seconds)
    waiting.bell.silence()
    # read only after the bell is silent: events from here on ring it again
    seen = see()
    is_over = bells.is_closed or noted().get("is_cookie_stale") or waiting.is_late
    waiting.goes_on = not (is_over or _is_news(news, seen, waiting.before))
    return None if waiting.goes_on else seen


def until_revoked(bell: Bell) -> str:
    """Have the bell ring also when the request's token is revoked. Returns the name that rings it; "" for strangers."""
    name = token_name(digest(token)) if (token := token_said()) else ""
    if name:
        service().bells.hang_also(bell, name)
    return name


def _is_news(news: News[T], seen: T, before: str) -> bool:
    known = request.if_none_match
    tag = news.tag(seen)
    if known and not news.is_for_turn:
        return not known.contains_weak(tag)
    return news.is_enough(seen) or (tag != before and not news.is_for_turn)


class News(msgspec.Struct, Generic[T], frozen=True):
    """Decides what is news to a waiting request."""

    tag: Callable[[T], str]
    """Returns a tag that changes whenever the answer does."""
    is_enough: Callable[[T], bool]
    """Returns whether the request need not wait."""
    hang: Callable[[T, Callable[[], object]], Bell]
    """Returns a bell that rings when there may be news; the second argument is called when it is taken down."""
    is_for_turn: bool = False
    """Whether only `is_enough` counts as news."""


def of_match(spoken: Lang, *, is_for_turn: bool) -> News[Look]:
    """Return what counts as news of a match: it has changed or, with `is_for_turn`, it is the asker's turn."""

    def hang(look: Look, over: Callable[[], object]) -> Bell:
        own = () if look.seat is None else (private_stream(look.log.id, look.seat),)
        return service().bells.hang(look.log.id, *own, over=over)

    return News(
        tag=lambda look: look.etag(spoken),
        is_enough=lambda look: bool(look.decision or look.entry.is_over),
        hang=hang,
        is_for_turn=is_for_turn,
    )


def of_turns(player: str) -> News[answers.Turns]:
    """Return what counts as news of a player's turns: that there is one, or that they have changed."""
    return News(
        tag=lambda turns: digest(msgspec.json.encode([turns, player]))[:32],
        is_enough=lambda turns: bool(turns.turns),
        hang=lambda turns, over: service().players.hang(player, over),
    )


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
        request.environ[FLOW] = Flow(stream, form, bells, until_revoked(stream.bell), packing)
    return answer


class Flow:
    """A stream as WSGI writes it, one piece after the other."""

    def __init__(self, stream: Stream, form: Form, bells: Bells, token: str, packing: Packing | None) -> None:
        """`token`: the name that is called when the asker's token is revoked; "" for strangers."""
        self.environ: WSGIEnvironment = {}
        """The request's environment, which is emptied when the stream begins."""
        self.caller: Caller | None = None
        """The connection, which notices when the client closes it."""
        self._stream = stream
        self._form = form
        self._bells = bells
        self._token = token
        self._call = bells.call(token)
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
            if is_beating or self._bells.call(self._token) != self._call:
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
        if self._bells.is_closed:
            return data + stream.stop("stopping"), True
        return data, False


# Compressed streams

CODING = "deflate"

BASE = 65521


class Part(msgspec.Struct, frozen=True):
    """A compressed part of a stream."""

    data: bytes
    low: int
    """The lower half of its Adler checksum: 1 plus the sum of its bytes."""
    high: int
    """The upper half: the sum of the lower half after each byte."""
    length: int
    """The uncompressed length in bytes."""


@lru_cache(64)  # equal bytes are mostly the same object, so they are found fast
def pack(plain: bytes) -> Part:
    """Return the bytes compressed, independently of what comes before them."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = packer.compress(plain) + packer.flush(zlib.Z_FULL_FLUSH)
    total = zlib.adler32(plain)
    return Part(data=data, low=total & 0xFFFF, high=total >> 16, length=len(plain))


class Packing:
    """A compressed stream, with the checksum so far. Data that goes to many streams is compressed once for all.

    The coding is `deflate` (RFC 9110, the zlib format of RFC 1950). Each part is compressed by itself and ends on a
    whole byte, so that parts can follow one another in any stream. The Adler checksum at the end is computed from
    theirs.
    """

    def __init__(self) -> None:
        self._low, self._high = 1, 0

    def begin(self, plain: bytes) -> bytes:
        """Return the header (deflate, a window of 32 KiB, no dictionary), and these first bytes compressed."""
        return b"\x78\x9c" + self.tell(plain)

    def tell(self, plain: bytes) -> bytes:
        """Return the next bytes compressed; a client can read them at once."""
        part = pack(plain)
        self._high = (self._high + part.high + part.length * (self._low - 1)) % BASE
        self._low = (self._low + part.low - 1) % BASE
        return part.data

    def end(self) -> bytes:
        """Return the end of the stream: an empty last block, and the checksum."""
        return b"\x03\x00" + (self._high << 16 | self._low).to_bytes(4, "big")

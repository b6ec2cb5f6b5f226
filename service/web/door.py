"""A connection to the web process: it holds a greenlet and no thread, from its first byte to its hanging up.

A request is answered once it is whole. Whoever sends slowly, does not listen or does not hang up has a deadline.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from email.utils import formatdate
from functools import lru_cache, partial
from http import HTTPStatus
from io import BytesIO
from time import monotonic, time
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
from gevent import get_hub, sleep
from gevent.pywsgi import WSGIHandler

from service.wakeups import Bell
from service.web import guarding, watching
from service.web.errors import KIND, body_of
from service.web.headers import Headers
from service.web.intake import HEAD, LINE, Heard, Intake
from service.web.middleware import BODY
from service.web.reply import preferred
from service.web.waiting import CALLER, Gone
from service.wording import say

if TYPE_CHECKING:
    from service.web.loop import Loop

CHUNK = 1 << 16
"""Bytes that are heard at a time."""

IDLE = 30.0
"""Seconds until the next request begins."""

LINGER = 2.0
"""Seconds that the other side has to hang up after its last answer, so that the answer reaches it."""

NARROW = 1 << 14
"""Bytes of a stream that the system keeps for who reads slowly."""

LEAST = 0.001
"""Seconds that are waited at least for more of a request."""

GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"
ORIGIN = re.compile(r"^https?://[^/?#]*", re.IGNORECASE)
"""What may stand before the path that is asked for (RFC 9112, 3.2.2)."""

_READ = 1
"""To the event loop: something can be read."""

logger = structlog.get_logger(__name__)


@lru_cache(maxsize=4)
def _date(second: int) -> bytes:
    return formatdate(second, usegmt=True).encode("ascii")


class Caller(WSGIHandler):  # type: ignore[misc]  # gevent has no types
    """Whoever is at the other end of a connection, one request after the other."""

    def __init__(self, sock: Any, address: Any, server: Loop) -> None:
        super().__init__(sock, address, server, rfile=BytesIO())
        self.headers: Any = None
        self._intake = Intake(BODY)
        self._held = 0
        self.is_idle = True
        self.environ: Any = None
        self.provided_date: Any = None

    def handle(self) -> None:
        """Until one side hangs up."""
        self.server.callers.add(self)
        try:
            while self._hear() and self._answer():
                # else whoever asks on at once is answered again and again, while all others wait
                sleep(0)
            self._leave()
        except (OSError, Gone):
            pass
        finally:
            self.server.callers.discard(self)
            self._hold(0)
            self.socket.close()
            self.rfile, self.headers = BytesIO(), None

    # In

    def _hear(self) -> bool:
        """Whether a whole request is there; one that can't be answered is refused."""
        heard = self._intake.add(self.rfile.read())
        is_begun, end = len(self._intake) > 0, monotonic() + self.server.patience
        while heard is Heard.PART:
            if self._intake.is_awaiting_go:
                self._intake.is_awaiting_go = False
                self.socket.sendall(GO_ON)
            self.is_idle = not is_begun
            if self.is_idle and self.server.is_ending:
                return False
            # 0 would not wait at all, and end in another error than that the time is up
            self.socket.settimeout(max(LEAST, end - monotonic()) if is_begun else IDLE)
            try:
                data = self.socket.recv(CHUNK)
            except TimeoutError:
                return is_begun and self._refuse(408, "request-timeout", seconds=self.server.patience)
            if not data:
                return False
            if not is_begun:
                is_begun, end = True, monotonic() + self.server.patience
            heard = self._intake.add(data)
            if self._hold(len(self._intake)):
                return self._refuse(503, "busy")
        self.is_idle = False
        if heard is Heard.LONG_LINE:
            return self._refuse(414, "long-url", most=LINE)
        if heard is Heard.LONG_HEAD:
            return self._refuse(431, "long-head", most=HEAD)
        if heard is Heard.LONG_BODY:
            return self._refuse(413, "too-large", most=BODY)
        if heard is Heard.BROKEN:
            return self._refuse(400, "bad-request")
        return True

    def _hold(self, size: int) -> bool:
        """Count what was heard of requests that are not whole; whether that is too much of all connections together."""
        self.server.held += size - self._held
        self._held = size
        return bool(self.server.held > self.server.most_held)

    # Out

    def _answer(self) -> bool:
        """Answer the request; whether another may follow."""
        self._hold(0)
        self.rfile = BytesIO(self._intake.take())
        self.socket.settimeout(self.server.patience)
        answered = self.handle_one_request()
        self.environ = self.wsgi_input = self.application = None
        if isinstance(answered, tuple):
            return self._refuse(400, "bad-request")
        return answered is True and not self.server.is_ending

    def MessageClass(self, rfile: BytesIO, *_: Any) -> Headers:  # gevent's name
        """The headers of the request. Raises ValueError."""
        return Headers.read(rfile)

    def _headers(self) -> Iterator[tuple[str, str]]:
        headers: Headers = self.headers
        return headers.for_environ()

    def _write_with_headers(self, data: bytes) -> None:
        """The head and, if it is all and small, the body, in one go."""
        self.headers_sent = True
        self.finalize_headers()
        lines = [b"HTTP/1.1 %s" % self.status, *(b"%s: %s" % header for header in self.response_headers), b"\r\n"]
        head = b"\r\n".join(lines)
        if self.response_use_chunked or len(data) > CHUNK:
            self._sendall(head)
            self._write(data)
        else:
            self._sendall(head + data)

    def finalize_headers(self) -> None:
        """See `WSGIHandler.finalize_headers`; the date is written once a second."""
        if self.provided_date is None:
            self.provided_date = _date(int(time()))
            self.response_headers.append((b"Date", self.provided_date))
        super().finalize_headers()

    def _sendall(self, data: bytes) -> None:
        """Most answers fit into what the system takes at once."""
        try:
            sent = self.socket.send(data, timeout=0.0)
        except OSError:
            sent = 0  # what is amiss, or full, is met again at once
        self.response_length += sent
        if sent < len(data):
            super()._sendall(data[sent:])

    def get_environ(self) -> Any:
        """See `WSGIHandler.get_environ`; who waits can tell by it whether the other side is still there."""
        # as whoever takes us for a proxy asks; the host is none of our business
        self.path: str = ORIGIN.sub("", self.path, count=1) or "/"
        environ = super().get_environ()
        environ[CALLER] = self
        if self.content_length is not None:
            # it is all there, and in no chunks: nobody need wait for it. What follows is another request's
            begin = self.rfile.tell()
            environ["wsgi.input"] = BytesIO(self.rfile.getvalue()[begin : begin + self.content_length])
        return environ

    def _connection_upgrade_requested(self) -> bool:
        return False  # whoever asks for another protocol is answered by this one

    def log_request(self) -> None:
        """Nothing: the service logs what it has to say."""

    def log_error(self, msg: str, *args: Any) -> None:
        """Nothing: what a stranger says does not go into the log."""

    def handle_error(self, kind: Any, error: Any, trace: Any) -> None:
        """What no part of the app has caught; it catches all but a connection that is gone."""
        self.close_connection = True
        if issubclass(kind, OSError | Gone):
            return
        where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in extract_tb(trace)]
        logger.error("unforeseen", kind=kind.__name__, where=where)
        if not self.headers_sent:
            self._refuse(500, "internal")

    def _refuse(self, status: int, code: str, **fields: Any) -> bool:
        """Say no; in English as long as it was not heard in which language it was asked. Nothing follows: False."""
        more = {"fields": fields} if fields else {}
        lang = preferred(self._intake.languages)
        body = msgspec.json.encode(body_of(status, code, lang, detail=say(code, lang, fields), **more))
        said = [("Content-Type", KIND), ("Content-Length", str(len(body))), (watching.HEADER, watching.refused(status))]
        guarding.add(said, str(status), has_token=False)
        lines = "".join(f"{name}: {value}\r\n" for name, value in (*said, ("Connection", "close")))
        head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{lines}\r\n"
        self.socket.settimeout(LINGER)
        self.socket.sendall(head.encode() + body)
        return False

    def _leave(self) -> None:
        """Hang up as soon as the other side has read what it was told."""
        self.socket.shutdown(socket.SHUT_WR)
        end, drained = monotonic() + LINGER, 0
        while drained <= CHUNK and (left := end - monotonic()) > 0:
            self.socket.settimeout(left)
            if not (data := self.socket.recv(CHUNK)):
                return
            drained += len(data)

    # Waiting

    def narrow(self) -> None:
        """What follows is a stream: little of it is kept for whoever does not read."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, NARROW)

    def wait(self, bell: Bell, seconds: float) -> None:
        """Until the bell rings, or for so long. Raises Gone when the other side has hung up."""
        watcher = get_hub().loop.io(self.socket.fileno(), _READ)
        self.headers = None
        watcher.start(partial(self._look, bell, watcher))
        try:
            bell.wait(seconds)
            is_quiet = watcher.active
        finally:
            watcher.stop()
            watcher.close()
        # of who has said nothing it is known already
        if not is_quiet and self._is_gone():
            raise Gone

    def _look(self, bell: Bell, watcher: Any) -> None:
        # on the loop itself: whatever else is said while waiting is heard afterwards
        watcher.stop()
        if self._is_gone():
            bell.ring()

    def _is_gone(self) -> bool:
        self.socket.settimeout(0.0)
        try:
            return not self.socket.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            return True
        finally:
            self.socket.settimeout(self.server.patience)

    def hang_up(self) -> None:
        """The process ends: whoever asks nothing just now need not wait for it."""
        if self.is_idle:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RD)

"""A connection to the web process: it holds a greenlet and no thread, from its first byte to its hanging up.

A request is answered once it is whole. Whoever sends slowly, does not listen or does not hang up has a deadline.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Hashable
from contextlib import suppress
from email.utils import formatdate
from functools import lru_cache, partial
from http import HTTPStatus
from io import BytesIO
from time import monotonic, time
from traceback import extract_tb
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote_to_bytes

import msgspec
import structlog
from gevent import get_hub, sleep
from gevent.pywsgi import WSGIHandler

from service.wakeups import Bell
from service.web import guarding, watching
from service.web.errors import KIND, body_of
from service.web.intake import HEAD, LINE, Asked, Heard, Intake
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

FORWARDED = "x-forwarded-for"
"""The field by which a proxy says for whom it asks."""

UNSAFE = re.compile(r"[^\t -~\x80-\xff]")
"""What can't stand in the value of a header."""

_READ = 1
"""To the event loop: something can be read."""

logger = structlog.get_logger(__name__)


def _in_percents(found: re.Match[str]) -> str:
    return quote(found[0], errors="replace")


@lru_cache(maxsize=4)
def _date(second: int) -> bytes:
    return formatdate(second, usegmt=True).encode("ascii")


class Sent(BytesIO):
    """The body of a request, all of which is there."""

    def _discard(self) -> None:
        """What the app has not read is nobody's; gevent asks for it to be read up."""


class Caller(WSGIHandler):  # type: ignore[misc]  # gevent has no types
    """Whoever is at the other end of a connection, one request after the other."""

    def __init__(self, sock: Any, address: Any, server: Loop) -> None:
        super().__init__(sock, address, server, rfile=BytesIO())
        self._intake = Intake(BODY)
        self._peer = str(address[0]) if isinstance(address, tuple) else ""
        known = server.addresses.holder(self._peer)
        self._is_proxy = not known
        self._holder: Hashable = known or self
        """Who is counted for it; a proxy that has not said for whom it asks is counted for each connection apart."""
        self.is_idle = True
        self.is_cut = False
        """Whether somebody else needs its place."""
        self._is_telling = False
        """Whether it waits until the other side has read some of its answer."""
        self.environ: Any = None
        self.wsgi_input: Any = None
        self.provided_date: Any = None

    def handle(self) -> None:
        """Until one side hangs up."""
        self.server.enter(self)
        try:
            while self._hear() and self._answer():
                # else whoever asks on at once is answered again and again, while all others wait
                sleep(0)
            self._leave()
        except (OSError, Gone):
            pass
        finally:
            self.server.callers.discard(self)
            self.server.held.let_go(self)
            self.socket.close()

    def cut(self) -> None:
        """Hang up soon: somebody else needs the place."""
        self.is_cut = True
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR if self._is_telling else socket.SHUT_RD)

    # In

    def _hear(self) -> bool:
        """Whether a whole request is there; one that can't be answered is refused."""
        if self._is_proxy:
            self._holder = self
        heard = self._add(b"")
        is_begun, end = len(self._intake) > 0, monotonic() + self.server.patience
        while heard is Heard.PART:
            self.is_idle = not is_begun
            if self.is_idle and self.server.is_ending:
                return False
            try:
                data = self._recv(end - monotonic() if is_begun else IDLE)
            except TimeoutError:
                return is_begun and self._refuse(408, "request-timeout", seconds=self.server.patience)
            if not is_begun:
                is_begun, end = bool(data), monotonic() + self.server.patience
            if data and not self.is_cut:
                heard = self._add(data)
            if self.is_cut:
                return is_begun and self._refuse(503, "busy")
            if not data:
                return False
        self.is_idle = False
        return self._is_taken(heard)

    def _is_taken(self, heard: Heard) -> bool:
        """Whether the request is answered; it is refused if not."""
        match heard:
            case Heard.LONG_LINE:
                return self._refuse(414, "long-url", most=LINE)
            case Heard.LONG_HEAD:
                return self._refuse(431, "long-head", most=HEAD)
            case Heard.LONG_BODY:
                return self._refuse(413, "too-large", most=BODY)
            case Heard.BROKEN:
                return self._refuse(400, "bad-request")
            case _:
                return True

    def _add(self, data: bytes) -> Heard:
        """Hear more of a request: how much of it is there."""
        before, heard = self._intake.head, self._intake.add(data)
        if (head := self._intake.head) is not None and before is None:
            if self._is_proxy:
                self._holder = self.server.addresses.holder(self._peer, head.fields.get(FORWARDED)) or self
            if head.is_awaiting_go and heard is Heard.PART:
                self.socket.sendall(GO_ON)
        self.server.hold(self._holder, self, len(self._intake))
        return heard

    def _recv(self, seconds: float) -> bytes:
        """What is heard next, within so many seconds. Raises OSError."""
        # 0 would not wait at all, and end in another error than that the time is up
        self.socket.settimeout(max(LEAST, seconds))
        self.server.quiet.hold(self._holder, self)
        try:
            data: bytes = self.socket.recv(CHUNK)
            return data
        except OSError:
            if not self.is_cut:
                raise
            return b""  # gevent ends the wait of a socket that is shut down by an error
        finally:
            self.server.quiet.let_go(self)

    # Out

    def _answer(self) -> bool:
        """Answer the request; whether another may follow."""
        asked = self._intake.take()
        # what was heard of the next ones is held meanwhile
        self.server.hold(self._holder, self, len(self._intake))
        self.socket.settimeout(self.server.patience)
        self.request_version, self.close_connection = asked.head.version, asked.head.is_last
        self.wsgi_input = Sent(asked.body)
        self.environ, self.application = self._environ(asked), self.server.application
        del asked
        self.handle_one_response()
        self.environ = self.wsgi_input = self.application = None
        return not (self.close_connection or self.is_cut or self.server.is_ending)

    def _environ(self, asked: Asked) -> Any:
        """The WSGI environment of the request; who waits can tell by it whether the other side is still there."""
        environ, head = self.server.get_environ(), asked.head
        path, _, query = head.target.partition("?")
        environ.update(head.for_environ())
        environ.update(
            {
                "REQUEST_METHOD": head.method,
                "SCRIPT_NAME": "",
                "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
                "QUERY_STRING": query,
                "SERVER_PROTOCOL": head.version,
                "wsgi.input": self.wsgi_input,
                "wsgi.input_terminated": True,
                CALLER: self,
            }
        )
        if isinstance(self.client_address, tuple):
            environ["REMOTE_ADDR"], environ["REMOTE_PORT"] = map(str, self.client_address[:2])
        if "content-type" in head.fields:
            environ["CONTENT_TYPE"] = head.fields["content-type"]
        if head.body != 0 or "content-length" in head.fields:
            environ["CONTENT_LENGTH"] = str(len(asked.body))
        return environ

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

    def start_response(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        """See WSGI; what can't stand in a header is written as in an address, so that no value fails or splits."""
        told = [(name, UNSAFE.sub(_in_percents, value)) for name, value in headers]
        return super().start_response(status, told, exc_info)

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
        if sent == len(data):
            return
        self._is_telling = True
        self.server.quiet.hold(self._holder, self)
        try:
            super()._sendall(data[sent:])
        finally:
            self.server.quiet.let_go(self)
            self._is_telling = False

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
        head = self._intake.head
        lang = preferred(head.fields.get("accept-language", "") if head is not None else "")
        body = msgspec.json.encode(body_of(status, code, lang, detail=say(code, lang, fields), **more))
        said = [("Content-Type", KIND), ("Content-Length", str(len(body))), (watching.HEADER, watching.refused(status))]
        guarding.add(said, str(status), has_token=False)
        lines = "".join(f"{name}: {value}\r\n" for name, value in (*said, ("Connection", "close")))
        first = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
        # whoever needs the place does not wait for it
        self.socket.settimeout(0.0 if self.is_cut else LINGER)
        self.socket.sendall(f"{first}{lines}\r\n".encode() + body)
        return False

    def _leave(self) -> None:
        """Hang up as soon as the other side has read what it was told."""
        self.socket.shutdown(socket.SHUT_WR)
        end, drained = monotonic() + LINGER, 0
        while drained <= CHUNK and not self.is_cut and (left := end - monotonic()) > 0:
            if not (data := self._recv(left)):
                return
            drained += len(data)

    # Waiting

    def narrow(self) -> None:
        """What follows is a stream: little of it is kept for whoever does not read."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, NARROW)

    def wait(self, bell: Bell, seconds: float) -> None:
        """Until the bell rings, or for so long. Raises Gone when the other side has hung up."""
        watcher = get_hub().loop.io(self.socket.fileno(), _READ)
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
        if self.is_cut:
            return True
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

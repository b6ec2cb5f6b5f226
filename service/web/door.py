"""The web process's event loop and its connections. A connection has one greenlet and no thread, until it is closed.

A request is answered once it is complete. A client that sends slowly, does not read or does not close has a deadline.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Hashable
from contextlib import suppress
from http import HTTPStatus
from io import BytesIO
from time import monotonic
from typing import Any
from urllib.parse import quote

import msgspec
from gevent import get_hub, sleep
from gevent.pool import Pool
from gevent.pywsgi import WSGIHandler, WSGIServer

from service.limits import Addresses, Holders
from service.wakeups import Bell
from service.web import middleware
from service.web.errors import KIND, body_of, log_unforeseen
from service.web.head import BODY, HEAD, LINE, Heard, Intake
from service.web.middleware import CALLER, Gone
from service.web.reply import preferred
from service.wording import say

CHUNK = 1 << 16
"""The most bytes that are read at once."""

IDLE = 30.0
"""The seconds within which the next request must begin."""

LINGER = 2.0
"""The seconds that the client has to close the connection after its last answer, so that the answer reaches it."""

NARROW = 1 << 14
"""The bytes of a stream that the system buffers for a client that reads slowly."""

HELD = 1 << 26
"""The most bytes of incomplete requests, of all connections together."""

PART = 16
"""When there is no room left, one part in so many is made free."""

REFUSALS: dict[Heard, tuple[int, str, int | None]] = {
    Heard.LONG_LINE: (414, "long-url", LINE),
    Heard.LONG_HEAD: (431, "long-head", HEAD),
    Heard.LONG_BODY: (413, "too-large", BODY),
    Heard.BROKEN: (400, "bad-request", None),
}
"""The status, code and limit with which a request is refused."""

UNSAFE = re.compile(r"[^\t -~\x80-\xff]")
"""The characters that are not allowed in the value of a header."""


class Sent(BytesIO):
    """The complete body of a request."""

    def _discard(self) -> None:
        """Do nothing. gevent calls this to read what the app has not read."""


class Caller(WSGIHandler):  # type: ignore[misc]  # gevent has no types
    """A client's connection, which answers one request after the other."""

    def __init__(self, sock: Any, address: Any, server: Loop) -> None:
        super().__init__(sock, address, server, rfile=BytesIO())
        self._intake = Intake(BODY)
        self._peer = str(address[0]) if isinstance(address, tuple) else ""
        self._is_proxy = not (known := server.addresses.holder(self._peer))
        self._holder: Hashable = known or self
        """By whom the connection is counted; if a proxy does not name its client, the connection counts by itself."""
        self.is_idle = True
        self.is_cut = False
        """Whether it must close, because another connection needs its place."""
        self._is_telling = False
        """Whether it waits for the client to read some of its answer."""
        self.environ: Any = None
        self.wsgi_input: Any = None

    def handle(self) -> None:
        """Answer requests until one side closes the connection."""
        self.server.enter(self)
        try:
            while self._hear() and self._answer():
                # others get their turn, even if this client has sent its next request already
                sleep(0)
            self._leave()
        except (OSError, Gone):
            pass
        finally:
            self.server.callers.discard(self)
            self.server.held.let_go(self)
            self.socket.close()

    def cut(self) -> None:
        """Close the connection soon, because another one needs its place."""
        self.is_cut = True
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR if self._is_telling else socket.SHUT_RD)

    # In

    def _hear(self) -> bool:
        """Read the next request. Returns whether it is complete and can be answered; if it can't be, refuses it."""
        if self._is_proxy:
            self._holder = self
        is_begun, end = len(self._intake) > 0, monotonic() + self.server.patience
        heard = self._add(b"") if is_begun else Heard.PART
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
        return heard is Heard.WHOLE or self._refuse(*REFUSALS[heard])

    def _add(self, data: bytes) -> Heard:
        """Add more bytes to the request. Returns how complete it is."""
        before, heard = self._intake.head, self._intake.add(data)
        if (head := self._intake.head) is not None and before is None:
            if self._is_proxy:
                client = head.fields.get("x-forwarded-for")
                self._holder = self.server.addresses.holder(self._peer, client) or self
            if head.is_awaiting_go and heard is Heard.PART:
                self.socket.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        if heard is Heard.PART:
            self.server.hold(self._holder, self, len(self._intake))
        return heard

    def _recv(self, seconds: float) -> bytes:
        """Return the next bytes, which must come within this time. Raises OSError, TimeoutError among them."""
        # 0 would not wait at all, and raise another error than TimeoutError
        self.socket.settimeout(max(0.001, seconds))
        self.server.quiet.hold(self._holder, self)
        try:
            data: bytes = self.socket.recv(CHUNK)
            return data
        except OSError:
            if not self.is_cut:
                raise
            return b""  # if the socket is shut down while gevent waits for it, gevent raises an error
        finally:
            self.server.quiet.let_go(self)

    # Out

    def _answer(self) -> bool:
        """Answer the request. Returns whether another one may follow."""
        asked = self._intake.take()
        # the bytes of the next requests stay counted meanwhile
        if (left := len(self._intake)) or self.server.held.total:
            self.server.hold(self._holder, self, left)
        self.socket.settimeout(self.server.patience)
        self.request_version, self.close_connection = asked.head.version, asked.head.is_last
        self.wsgi_input, self.application = Sent(asked.body), self.server.application
        more = {"wsgi.input": self.wsgi_input, "wsgi.input_terminated": True, CALLER: self}
        # `CALLER` notices when the client is gone
        self.environ = {**self.server.get_environ(), **asked.environ(), **more}
        if isinstance(self.client_address, tuple):
            self.environ["REMOTE_ADDR"], self.environ["REMOTE_PORT"] = map(str, self.client_address[:2])
        del asked
        self.handle_one_response()
        self.environ = self.wsgi_input = self.application = None
        return not (self.close_connection or self.is_cut or self.server.is_ending)

    def _write_with_headers(self, data: bytes) -> None:
        """Send the head, together with the body if that is complete and small."""
        self.headers_sent = True
        self.finalize_headers()
        lines = [b"HTTP/1.1 %s" % self.status, *(b"%s: %s" % header for header in self.response_headers), b"\r\n"]
        head = b"\r\n".join(lines)
        if self.environ["REQUEST_METHOD"] == "HEAD":
            self.response_use_chunked = False  # after the head of a stream no chunk follows, not even the last one
        if self.response_use_chunked or len(data) > CHUNK:
            self._sendall(head)
            self._write(data)
        else:
            self._sendall(head + data)

    def start_response(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        """Begin the answer, as WSGI says; characters that a header can't have are percent-encoded."""
        safe = [(name, UNSAFE.sub(lambda match: quote(match[0], errors="replace"), value)) for name, value in headers]
        return super().start_response(status, safe, exc_info)

    def _sendall(self, data: bytes) -> None:
        """Send without waiting, which is enough for most answers; wait only for the rest."""
        try:
            sent = self.socket.send(data, timeout=0.0)
        except OSError:
            sent = 0  # an error, or a full buffer, shows again below
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
        """Log nothing: the service has log lines of its own."""

    def handle_error(self, kind: Any, error: Any, trace: Any) -> None:
        """Log an error that the app has not caught, and answer 500; do nothing if the connection is gone."""
        self.close_connection = True
        if issubclass(kind, OSError | Gone):
            return
        log_unforeseen(error)
        if not self.headers_sent:
            self._refuse(500, "internal")

    def _refuse(self, status: int, code: str, most: int | None = None, **fields: Any) -> bool:
        """Answer with a problem, in English if the field with the language is not there yet. Returns False."""
        fields |= {} if most is None else {"most": most}
        lang = preferred(self._intake.languages())
        body = msgspec.json.encode(
            body_of(status, code, lang, detail=say(code, lang, fields), fields=fields or msgspec.UNSET)
        )
        headers = [("Content-Type", KIND), ("Content-Length", str(len(body))), ("Connection", "close")]
        headers.append((middleware.REQUEST_ID, middleware.refused(status)))
        middleware.add(headers, str(status), has_token=False)
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
        first = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
        # if another connection needs the place, it does not wait for this one
        self.socket.settimeout(0.0 if self.is_cut else LINGER)
        self.socket.sendall(f"{first}{lines}\r\n".encode() + body)
        return False

    def _leave(self) -> None:
        """Close the connection once the client has read the answer and closed its side, or LINGER is over."""
        self.socket.shutdown(socket.SHUT_WR)
        end, drained = monotonic() + LINGER, 0
        while drained <= CHUNK and not self.is_cut and (left := end - monotonic()) > 0:
            if not (data := self._recv(left)):
                return
            drained += len(data)

    # Waiting

    def narrow(self) -> None:
        """Prepare for a stream: buffer only little for a client that does not read."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, NARROW)

    def wait(self, bell: Bell, seconds: float) -> None:
        """Wait until the bell rings, or the seconds are over. Raises Gone if the client has closed the connection."""
        watcher = get_hub().loop.io(self.socket.fileno(), 1)  # 1: it can be read

        def look() -> None:
            # runs on the event loop; further requests that come while waiting are read afterwards
            watcher.stop()
            if self._is_gone():
                bell.ring()

        watcher.start(look)
        try:
            bell.wait(seconds)
            is_quiet = watcher.active
        finally:
            watcher.stop()
            watcher.close()
        # if the socket had nothing to read, the client is still there
        if not is_quiet and self._is_gone():
            raise Gone

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


class Loop(WSGIServer):  # type: ignore[misc]  # gevent has no types
    """Accepts connections and answers their requests.

    When there is no room for another connection, or for more bytes of incomplete requests, the address that has most
    of them loses its oldest one: a connection that waits for its client to send or to read.
    """

    most_held = HELD

    def __init__(
        self, listener: socket.socket, app: Any, addresses: Addresses, *, connections: int, patience: float
    ) -> None:
        """Serve the app on the listener, which other processes may share.

        `connections`: the most at once; `patience`: the seconds within which a request must come, or an answer be read.
        """
        super().__init__(
            listener,
            app,
            spawn=Pool(connections),
            log=None,
            error_log=None,
            handler_class=Caller,
            environ={"wsgi.multiprocess": True},
        )
        self.patience = patience
        self.addresses = addresses
        self.callers: set[Caller] = set()
        self._most = connections - connections // PART
        self.quiet: Holders[Caller] = Holders()
        """The connections that wait for their client."""
        self.held: Holders[Caller] = Holders()
        """The bytes of incomplete requests."""
        self.is_ending = False

    def enter(self, caller: Caller) -> None:
        """Add a connection. Cuts others if there are too many."""
        self.callers.add(caller)
        if (over := len(self.callers) - self._most) > 0:
            for other in self.quiet.relieve(self.quiet.total - over):
                other.cut()

    def hold(self, holder: Hashable, caller: Caller, size: int) -> None:
        """Note how many bytes of incomplete requests the connection has. Cuts connections if there are too many."""
        self.held.hold(holder, caller, size)
        if self.held.total > self.most_held:
            for other in self.held.relieve(self.most_held - self.most_held // PART):
                other.cut()

    def end(self, seconds: float) -> None:
        """Accept no more connections, close idle ones, and give the others so many seconds to finish their requests."""
        self.is_ending = True
        self.stop_accepting()
        for caller in tuple(self.callers):
            if caller.is_idle:
                with suppress(OSError):
                    caller.socket.shutdown(socket.SHUT_RD)
        self.stop(timeout=seconds)

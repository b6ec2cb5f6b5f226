"""Takes requests in on one loop and hands them to threads once they are whole; who waits is put aside as well.

So a thread works on nothing but requests that can be answered: whoever sends slowly, or waits for a match, or has
hung up is a connection with a deadline, and holds up nobody. It is gunicorn's threaded worker, with its own ways in
and out of the threads.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from heapq import heappop, heappush
from http import HTTPStatus
from itertools import count
from selectors import EVENT_READ
from threading import local
from time import monotonic
from typing import Any

import msgspec
from gunicorn.workers.gthread import TConn, ThreadWorker
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from service.web.errors import KIND, body_of
from service.web.intake import HEAD, Heard, Intake
from service.web.middleware import BODY
from service.web.reply import LANGS
from service.web.waiting import KEY, PARKS, Parked, Waiting
from service.wording import say

CHUNK = 1 << 16
"""Bytes that are heard at a time."""

HELD = 1 << 26
"""Bytes of requests that are not whole yet, of all connections together."""

LINGER = 2.0
"""Seconds that the other side has to hang up after its last answer, so that the answer reaches it."""

GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"

PARKED = object()
"""What a thread makes of a request that waits."""

PASSING = {errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED, errno.EMFILE, errno.ENFILE}
"""Errors of taking a connection in that the next one need not have."""


class Timed(socket.socket):
    """A socket on which nothing blocks for longer than a slow reader is waited for."""

    patience = 10.0

    def setblocking(self, flag: bool, /) -> None:
        """Whether to block, for a while."""
        self.settimeout(self.patience if flag else 0.0)


class Caller(TConn):
    """A connection: what was heard on it, and what its request waits for."""

    def __init__(self, cfg: Any, sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(cfg, sock, client, server)
        self.intake = Intake(BODY)
        self.is_idle = True
        self.ticket = -1
        """Of its deadline; others of the same connection are past."""
        self.request: Any = None
        self.waiting: Waiting | None = None
        self.held = 0
        """Bytes that are counted for it."""
        self.drained = 0
        self.hear: Callable[[Caller, socket.socket], None] | None = None
        """What is done when something comes in."""


class Reception(ThreadWorker):
    """The worker process. Its loop runs on the main thread, and so does all that follows, unless it says otherwise."""

    patience = 10.0
    """Seconds within which a request must be whole."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._tickets = count()
        self._deadlines: list[tuple[float, int, Caller, Callable[[Caller], None]]] = []
        self._callers: set[Caller] = set()
        self._held = 0
        self._here = local()

    # In

    def accept(self, listener: socket.socket) -> None:
        """A new connection; nothing was heard on it yet."""
        try:
            accepted, address = listener.accept()
        except OSError as error:
            if error.errno in PASSING:
                return
            raise
        self.nr_conns += 1
        sock = Timed(fileno=accepted.detach())
        sock.patience = self.patience
        self._listen(Caller(self.cfg, sock, address, listener.getsockname()))

    def _listen(self, caller: Caller) -> None:
        """Until the next request begins."""
        caller.is_idle = True
        seconds = float(self.cfg.keepalive) if self.alive else LINGER
        self._put_aside(caller, self._hear, seconds, self._drop)

    def _hear(self, caller: Caller, sock: socket.socket) -> None:
        try:
            data = sock.recv(CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if data:
            self._take_in(caller, data)
        else:
            self._drop(caller)

    def _take_in(self, caller: Caller, data: bytes) -> None:
        """Hand the request to a thread if it is whole, or wait for more of it."""
        heard = caller.intake.add(data)
        self._hold(caller, len(caller.intake))
        if heard is Heard.WHOLE:
            self._take_back(caller)
            self.enqueue_req(caller)
        elif heard is Heard.LONG_HEAD:
            self._refuse(caller, 431, "long-head", most=HEAD)
        elif heard is Heard.LONG_BODY:
            self._refuse(caller, 413, "too-large", most=BODY)
        elif self._held > HELD:
            self._refuse(caller, 503, "busy")
        else:
            self._hear_out(caller)

    def _hear_out(self, caller: Caller) -> None:
        """Wait for the rest of a request that has begun."""
        if caller.is_idle:
            caller.is_idle = False
            self._put_aside(caller, self._hear, self.patience, self._cut_off)
        if caller.intake.is_awaiting_go:
            caller.intake.is_awaiting_go = False
            with suppress(OSError):
                caller.sock.send(GO_ON)

    def _hold(self, caller: Caller, size: int) -> None:
        self._held += size - caller.held
        caller.held = size

    # On a thread

    def load_wsgi(self) -> None:
        """Have each request know whether it waits already."""
        super().load_wsgi()
        app = self.wsgi

        def serve(environ: Any, start_response: Any) -> Any:
            environ[PARKS] = True
            if (waiting := self._here.caller.waiting) is not None:
                environ[KEY] = waiting
            return app(environ, start_response)

        self.wsgi = serve

    def handle(self, conn: Any) -> Any:
        """Answer the request; on a thread of the pool."""
        self._here.caller = conn
        try:
            if conn.waiting is not None:
                return self._handle_again(conn)
            conn.data_ready = True
            conn.init()
            conn.parser.unreader.unread(conn.intake.take())
            return super().handle(conn)
        except Parked as parked:
            conn.waiting = parked.waiting
            return PARKED

    def _handle_again(self, conn: Any) -> Any:
        try:
            conn.sock.setblocking(True)
            is_kept = self.handle_request(conn.request, conn)
            return bool(is_kept and conn.parser.finish_body(deadline=monotonic() + LINGER))
        except (OSError, StopIteration):
            return False
        except Exception as error:
            self.handle_error(conn.request, conn.sock, conn.client, error)
            return False

    def handle_request(self, req: Any, conn: Any) -> Any:
        """See `handle`."""
        conn.request = req
        try:
            return super().handle_request(req, conn)
        except TimeoutError:
            # whoever does not take an answer gets none
            raise StopIteration from None

    # Out

    def enqueue_req(self, conn: Any) -> None:
        """Have a thread answer it."""
        self._hold(conn, 0)
        super().enqueue_req(conn)

    def finish_request(self, conn: Any, fs: Future[Any]) -> None:
        """A thread is done with it: it waits, or goes on with the next request, or has had its last answer."""
        failed = fs.cancelled() or fs.exception() is not None
        result = False if failed else fs.result()
        if result is PARKED:
            self._wait(conn)
            return
        conn.waiting = conn.request = None
        if not result:
            self._leave(conn)
            return
        conn.sock.setblocking(False)
        more = conn.parser.unreader.take_buffered()
        self._listen(conn)
        if more:
            self._take_in(conn, more)

    def _wait(self, caller: Caller) -> None:
        assert caller.waiting is not None
        caller.sock.setblocking(False)
        self._put_aside(caller, self._hear_waiting, caller.waiting.end - monotonic(), self._wake)
        ticket = caller.ticket
        caller.waiting.bell.then(lambda: self.method_queue.defer(self._ring, caller, ticket))

    def _ring(self, caller: Caller, ticket: int) -> None:
        if caller.ticket == ticket:
            self._wake(caller)

    def _wake(self, caller: Caller) -> None:
        """Ask its request again."""
        self._take_back(caller)
        self.enqueue_req(caller)

    def _hear_waiting(self, caller: Caller, sock: socket.socket) -> None:
        """Who hangs up waits no longer; whatever else is said while waiting is heard afterwards."""
        try:
            is_there = bool(sock.recv(1, socket.MSG_PEEK))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            is_there = False
        if is_there:
            self.poller.unregister(sock)
        else:
            self._drop(caller)

    def _cut_off(self, caller: Caller) -> None:
        """Refuse a caller whose request was not whole in time (408)."""
        self._refuse(caller, 408, "request-timeout", seconds=self.patience)

    def _refuse(self, caller: Caller, status: int, code: str, **fields: Any) -> None:
        """Say no; in English as long as it was not heard in which language it was asked."""
        more = {"fields": fields} if fields else {}
        lang = parse_accept_header(caller.intake.languages, LanguageAccept).best_match(LANGS) or LANGS[0]
        body = msgspec.json.encode(body_of(status, code, lang, detail=say(code, lang, fields), **more))
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: {KIND}\r\nContent-Length: {len(body)}\r\n"
        )
        with suppress(OSError):
            caller.sock.send(f"{head}Connection: close\r\n\r\n".encode() + body)
        self._leave(caller)

    def _leave(self, caller: Caller) -> None:
        """Hang up as soon as the other side has read what it was told."""
        try:
            caller.sock.setblocking(False)
            caller.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._drop(caller)
        else:
            self._put_aside(caller, self._hear_leaving, LINGER, self._drop)

    def _hear_leaving(self, caller: Caller, sock: socket.socket) -> None:
        try:
            heard = len(sock.recv(CHUNK))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            heard = 0
        caller.drained += heard
        if not heard or caller.drained > CHUNK:
            self._drop(caller)

    def _drop(self, caller: Caller) -> None:
        self._take_back(caller)
        self._callers.discard(caller)
        self._hold(caller, 0)
        if caller.waiting is not None:
            caller.waiting.bell.take_down()
        self.nr_conns -= 1
        caller.close()

    # Deadlines

    def _put_aside(
        self,
        caller: Caller,
        hear: Callable[[Caller, socket.socket], None],
        seconds: float,
        then: Callable[[Caller], None],
    ) -> None:
        """No thread has it: what comes in on it is heard, and after that time something else is done."""
        self._take_back(caller)
        self._callers.add(caller)
        caller.hear = hear
        caller.ticket = next(self._tickets)
        heappush(self._deadlines, (monotonic() + seconds, caller.ticket, caller, then))
        self.poller.register(caller.sock, EVENT_READ, partial(hear, caller))

    def _take_back(self, caller: Caller) -> None:
        caller.ticket = -1
        with suppress(KeyError, ValueError):
            self.poller.unregister(caller.sock)

    def murder_pending(self) -> None:
        """Do what is due."""
        now = monotonic()
        while self._deadlines and self._deadlines[0][0] <= now:
            _, ticket, caller, then = heappop(self._deadlines)
            if caller.ticket == ticket:
                then(caller)

    def wait_for_and_dispatch_events(self, timeout: float | None) -> None:
        """Until something comes in or is due."""
        if self._deadlines:
            due = max(0.0, self._deadlines[0][0] - monotonic())
            timeout = due if timeout is None else min(timeout, due)
        super().wait_for_and_dispatch_events(timeout)

    # The end

    def handle_exit(self, sig: int, frame: Any) -> None:
        """SIGTERM."""
        super().handle_exit(sig, frame)
        # not here: a signal may come while the loop is changing what this changes
        self.method_queue.defer(self.close_up)

    def close_up(self) -> None:
        """Who waits is answered, and who has begun to send may go on for a moment."""
        for caller in tuple(self._callers):
            if caller.ticket >= 0 and caller.hear == self._hear:
                self._put_aside(caller, self._hear, LINGER, self._drop)

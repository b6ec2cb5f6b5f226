"""Where a process is asked for its metrics, and whether it lives: an address of its own, never the service's."""

from __future__ import annotations

import errno
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from re import compile as pattern
from time import monotonic

import structlog
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from service.telemetry import metrics

ADDRESS = pattern(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<host>[^\s:\[\]]+)):(?P<first>\d{1,5})(?:-(?P<last>\d{1,5}))?")

PATIENCE = 5.0
"""Seconds within which somebody who asks must have asked."""

MOST = 1 << 13
"""Bytes of a request, at most."""

ASKERS = 20
"""Who asks at once, at most; one more has the first hung up on."""

PASSING = {errno.ECONNABORTED, errno.EINTR, errno.EMFILE, errno.ENFILE, errno.EAGAIN}
"""Errors of taking a connection in that the next one need not have."""

PAUSE = 0.1
"""Seconds until the next one is tried."""

logger = structlog.get_logger(__name__)


def addresses(said: str) -> tuple[tuple[str, int], ...]:
    """Hosts and ports that `HOST:PORT` or `HOST:PORT-PORT` names, in order; none for "". Raises ValueError."""
    if not said:
        return ()
    found = ADDRESS.fullmatch(said)
    if found is None:
        raise ValueError(f"{said!r} is no address: say HOST:PORT, or HOST:PORT-PORT for several processes")
    first, last = int(found["first"]), int(found["last"] or found["first"])
    if not first <= last <= 65535 or (last > first and not first):
        raise ValueError(f"{said!r} names no ports")
    return tuple((found["six"] or found["host"], port) for port in range(first, last + 1))


class Exposed:
    """A process that answers for its metrics, until it is closed.

    It waits in nothing but `accept` and `recv`, which let others go on where one thread does everything.
    """

    def __init__(self, host: str, port: int) -> None:
        """Raises OSError when the address can't be had."""
        self._listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._listener.bind((host, port))
            self._listener.listen()
        except OSError:
            self._listener.close()
            raise
        self.host, self.port = self._listener.getsockname()[:2]
        self._is_closed = False
        self._askers: dict[socket.socket, None] = {}
        self._thread = threading.Thread(target=self._serve, name="metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Answer no more."""
        self._is_closed = True
        # somebody who asks, so that it is noticed
        with suppress(OSError), socket.create_connection((_reached(self.host), self.port), timeout=PATIENCE):
            pass
        self._thread.join(PATIENCE)
        self._listener.close()

    def _serve(self) -> None:
        while not self._is_closed:
            try:
                asker, _ = self._listener.accept()
            except OSError as error:
                if error.errno not in PASSING:
                    break
                time.sleep(PAUSE)
                continue
            if self._is_closed:
                asker.close()
                break
            self._askers[asker] = None
            if len(self._askers) > ASKERS:
                with suppress(OSError):
                    next(iter(self._askers)).shutdown(socket.SHUT_RDWR)
            threading.Thread(target=self._answer, args=(asker,), name="metrics-answer", daemon=True).start()

    def _answer(self, asker: socket.socket) -> None:
        try:
            _answer(asker)
        finally:
            self._askers.pop(asker, None)


def _reached(host: str) -> str:
    """Where we reach what listens there ourselves."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def _answer(asker: socket.socket) -> None:
    """One request, and one answer to it. Whoever is slow or hangs up is none of ours to tell of."""
    with asker, suppress(OSError):
        end = monotonic() + PATIENCE
        heard = b""
        while b"\r\n\r\n" not in heard and len(heard) < MOST:
            asker.settimeout(max(0.001, end - monotonic()))
            if not (data := asker.recv(MOST)):
                return
            heard += data
        status, kind, body = _told(heard)
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        asker.settimeout(PATIENCE)
        asker.sendall(head.encode() + (b"" if heard.startswith(b"HEAD ") else body))


def _told(heard: bytes) -> tuple[str, str, bytes]:
    """Status, kind and body of the answer."""
    method, _, rest = heard.partition(b" ")
    path = rest.partition(b" ")[0].partition(b"?")[0]
    if method not in {b"GET", b"HEAD"}:
        return "405 Method Not Allowed", "text/plain", b"GET\n"
    if path == b"/metrics":
        return "200 OK", CONTENT_TYPE_LATEST, metrics.exposition()
    if path == b"/healthz":
        return "200 OK", "application/json", b'{"status":"ok"}'
    return "404 Not Found", "text/plain", b"/metrics, /healthz\n"


def expose(process: str, said: str) -> Exposed | None:
    """Answer at the first of these addresses that is free, if any is named. Without one the process does its work all
    the same, and says so.

    Raises:  ValueError for what is no address.
    """
    metrics.part(process)
    error: OSError | None = None
    for host, port in addresses(said):
        try:
            found = Exposed(host, port)
        except OSError as failure:
            error = failure
        else:
            logger.info("metrics", host=found.host, port=found.port)
            return found
    if error is not None:
        logger.error("metrics can't be asked for", address=said, error=error.strerror)
    return None


class Watch:
    """What is seen of a service from outside, as long as it is there."""

    def __init__(self, process: str, said: str, waiting: Callable[[], int], is_over: Callable[[str], bool]) -> None:
        """`said`: see `addresses`. `is_over`: of a match; it may raise, and is asked again then."""
        self._is_over = is_over
        metrics.waiters(waiting)
        metrics.before_reading(self._release)
        self._exposed = expose(process, said)

    def close(self) -> None:
        """Nothing more is seen of it."""
        if self._exposed is not None:
            self._exposed.close()
        metrics.forget(self._release)
        metrics.waiters(lambda: 0)

    def _release(self) -> None:
        try:
            metrics.refusals.release(self._is_over)
        except Exception as error:
            # what can be counted is told all the same
            logger.warning("it can't be seen which matches are over", kind=type(error).__name__)


@contextmanager
def exposed(process: str, said: str) -> Iterator[Exposed | None]:
    """As `expose`, while the block runs."""
    found = expose(process, said)
    try:
        yield found
    finally:
        if found is not None:
            found.close()

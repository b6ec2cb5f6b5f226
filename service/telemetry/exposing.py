"""Where a process is asked for its metrics, and whether it lives: an address of its own, never the service's."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from re import compile as pattern
from socketserver import TCPServer
from threading import Thread
from time import sleep
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler

import structlog
from prometheus_client.exposition import ThreadingWSGIServer, make_wsgi_app

from service.telemetry import metrics

ADDRESS = pattern(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<host>[^\s:\[\]]+)):(?P<first>\d{1,5})(?:-(?P<last>\d{1,5}))?")

PATIENCE = 5.0
"""Seconds that somebody who asks may be silent."""

ASKERS = 20
"""Who asks at once, at most; one more has the first hung up on."""

PAUSE = 0.1
"""Seconds after a connection that could not be taken in, as where there are too many files."""

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


class Request(WSGIRequestHandler):
    """Reads one request. Whoever is slow is hung up on, and whoever asks nonsense is none of ours to tell of."""

    timeout = PATIENCE

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class Exposed(ThreadingWSGIServer):
    """A process that answers for its metrics, until it is closed."""

    def __init__(self, host: str, port: int) -> None:
        """Raises OSError when the address can't be had."""
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._askers: dict[Any, None] = {}
        super().__init__((host, port), Request)
        self.set_app(_answer)
        self.host, self.port = self.socket.getsockname()[:2]
        self._thread = Thread(target=self.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    def server_bind(self) -> None:
        """Listen, without the look at the name server that `HTTPServer` begins with: it may be away for long."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()

    def get_request(self) -> tuple[Any, Any]:
        """Take a connection in. Raises OSError, after a pause: the server asks again at once."""
        try:
            return super().get_request()
        except OSError:
            sleep(PAUSE)
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own; one asker more than ASKERS has the first one hung up on."""
        self._askers[request] = None
        if len(self._askers) > ASKERS:
            with suppress(OSError):
                next(iter(self._askers)).shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Hang up."""
        self._askers.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of who hangs up."""

    def close(self) -> None:
        """Answer no more."""
        self.shutdown()
        self._thread.join(PATIENCE)
        self.server_close()


_metrics = make_wsgi_app(metrics.REGISTRY)


def _answer(environ: dict[str, Any], start_response: Callable[[str, list[tuple[str, str]]], Any]) -> Iterable[bytes]:
    """One request, and one answer to it."""
    if is_head := environ["REQUEST_METHOD"] == "HEAD":
        environ["REQUEST_METHOD"] = "GET"
    match environ["REQUEST_METHOD"], environ["PATH_INFO"]:
        case _, "/metrics":
            answer: Iterable[bytes] = _metrics(environ, start_response)
        case "GET", "/healthz":
            start_response("200 OK", [("Content-Type", "application/json")])
            answer = [b'{"status":"ok"}']
        case "GET", _:
            start_response("404 Not Found", [("Content-Type", "text/plain")])
            answer = [b"/metrics, /healthz\n"]
        case _:
            start_response("405 Method Not Allowed", [("Content-Type", "text/plain"), ("Allow", "GET, HEAD")])
            answer = [b"GET\n"]
    return [] if is_head else answer


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

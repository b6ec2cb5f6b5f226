"""Where a process is asked for its metrics, and whether it lives: an address of its own, never the service's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from re import compile as pattern
from socket import AF_INET, AF_INET6
from socketserver import ThreadingMixIn
from threading import Thread
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

import structlog
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from service.telemetry import metrics

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

ADDRESS = pattern(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<host>[^\s:\[\]]+)):(?P<first>\d{1,5})(?:-(?P<last>\d{1,5}))?")

PATIENCE = 5.0
"""Seconds within which somebody who asks must have asked."""

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


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    # a name is not looked up
    block_on_close = False

    def server_bind(self) -> None:
        """Without asking for the host's name, which may take seconds."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        host, port = self.server_address[:2]
        self.server_name, self.server_port = str(host), port
        self.setup_environ()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever hangs up is none of ours to tell of."""


class _Six(_Server):
    address_family = AF_INET6


class _Handler(WSGIRequestHandler):
    timeout = PATIENCE

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: who asks is known."""


def _answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    path = environ.get("PATH_INFO", "")
    if path == "/metrics":
        status, kind, body = "200 OK", CONTENT_TYPE_LATEST, metrics.exposition()
    elif path == "/healthz":
        status, kind, body = "200 OK", "application/json", b'{"status":"ok"}'
    else:
        status, kind, body = "404 Not Found", "text/plain", b"/metrics, /healthz\n"
    start_response(status, [("Content-Type", kind), ("Content-Length", str(len(body)))])
    return [body]


class Exposed:
    """A process that answers for its metrics, until it is closed."""

    def __init__(self, host: str, port: int) -> None:
        """Raises OSError when the address can't be had."""
        kind = _Six if ":" in host else _Server
        assert kind.address_family in {AF_INET, AF_INET6}
        self._server = kind((host, port), _Handler)
        self._server.set_app(_answer)
        self.host, self.port = self._server.server_address[:2]
        self._thread = Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


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

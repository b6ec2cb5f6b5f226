"""The address at which a process answers for its metrics and its health: a separate one, never the service's."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from re import compile as pattern
from socketserver import TCPServer
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler

import structlog
from prometheus_client.exposition import ThreadingWSGIServer, make_wsgi_app

from service.telemetry import metrics

ADDRESS = pattern(r"(?:\[(?P<six>[0-9a-fA-F:.]+)\]|(?P<host>[^\s:\[\]]+)):(?P<first>\d{1,5})(?:-(?P<last>\d{1,5}))?")

PATIENCE = 5.0
"""Seconds that a client may be silent."""

ASKERS = 20
"""The most connections at once; when one more comes, the first is closed."""

PAUSE = 0.1
"""Seconds to wait after a connection could not be accepted, for instance because too many files are open."""

logger = structlog.get_logger(__name__)


def addresses(said: str) -> tuple[tuple[str, int], ...]:
    """Return the hosts and ports of `HOST:PORT` or `HOST:PORT-PORT`, in order; none for "". Raises ValueError."""
    if not said:
        return ()
    parts = ADDRESS.fullmatch(said)
    if parts is None:
        raise ValueError(f"{said!r} is no address: write HOST:PORT, or HOST:PORT-PORT for several processes")
    first, last = int(parts["first"]), int(parts["last"] or parts["first"])
    if not first <= last <= 65535 or (last > first and not first):
        raise ValueError(f"{said!r} names no ports")
    return tuple((parts["six"] or parts["host"], port) for port in range(first, last + 1))


class Request(WSGIRequestHandler):
    """One request. The connection of a slow client is closed; requests that can't be read are not logged."""

    timeout = PATIENCE

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class Exposed(ThreadingWSGIServer):
    """The server that answers for a process's metrics, until it is closed."""

    def __init__(self, host: str, port: int) -> None:
        """Start to answer in a thread. Raises OSError if the address can't be used."""
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._askers: dict[Any, None] = {}
        super().__init__((host, port), Request)
        self.set_app(_answer)
        # not `from threading import Thread`: gevent replaces it later, and threads of before never seem to end there
        self._thread = threading.Thread(target=self.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    def server_bind(self) -> None:
        """Listen, without asking the name server as `HTTPServer` does: it may not answer for a long time."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()

    def get_request(self) -> tuple[Any, Any]:
        """Accept a connection. Raises OSError, after a pause, since the server tries again at once."""
        try:
            return super().get_request()
        except OSError:
            time.sleep(PAUSE)
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a separate thread; if there are more than ASKERS connections, close the first."""
        self._askers[request] = None
        for first in list(self._askers)[:-ASKERS]:
            # its thread ends some time later, and another connection may come before: that must not close it once more
            self._askers.pop(first, None)
            with suppress(OSError):
                first.shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close the connection."""
        self._askers.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log nothing: a client may hang up."""

    def close(self) -> None:
        """Stop answering."""
        self.shutdown()
        self._thread.join(PATIENCE)
        self.server_close()


_metrics = make_wsgi_app(metrics.REGISTRY)


def _answer(environ: dict[str, Any], start_response: Callable[[str, list[tuple[str, str]]], Any]) -> Iterable[bytes]:
    """Answer one request, as WSGI demands."""
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


@contextmanager
def exposed(process: str, said: str) -> Iterator[Exposed | None]:
    """Answer for metrics while the block runs, at the first free address that `said` names. Raises ValueError.

    If none of them can be used, that is logged, and the process does its work without metrics.
    """
    metrics.part(process)
    server: Exposed | None = None
    error: OSError | None = None
    for host, port in addresses(said):
        try:
            server = Exposed(host, port)
            break
        except OSError as failure:
            error = failure
    if server is not None:
        logger.info("metrics", host=server.server_name, port=server.server_port)
    elif error is not None:
        logger.error("metrics can't be served at this address", address=said, error=error.strerror)
    try:
        yield server
    finally:
        if server is not None:
            server.close()


@contextmanager
def exposed_by_web(said: str, waiting: Callable[[], int], is_over: Callable[[str], bool]) -> Iterator[None]:
    """Answer for the metrics of a web process while the block runs. Raises ValueError as `exposed` does.

    Shape:   `waiting` returns how many requests wait; `is_over`: see `metrics.Registry`.
    """
    metrics.waiters(waiting)
    metrics.REGISTRY.is_over = is_over
    try:
        with exposed("web", said):
            yield
    finally:
        metrics.REGISTRY.is_over = None
        metrics.waiters(lambda: 0)

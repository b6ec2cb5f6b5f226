"""The app on loopback for a browser, in threads of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from werkzeug.serving import WSGIRequestHandler, make_server

from tests.service.house import House


class Quiet(WSGIRequestHandler):
    """Answers, and says nothing of it."""

    protocol_version = "HTTP/1.1"

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nobody reads it."""


@contextmanager
def on_loopback(house: House) -> Iterator[str]:
    """An address where the house answers, for as long as it is wanted."""
    server = make_server("127.0.0.1", 0, house.app, threaded=True, request_handler=Quiet)
    server.daemon_threads = True  # type: ignore[attr-defined]  # of the mixin
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""The app on loopback for a browser, in threads of this process."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from threading import Condition, Thread
from time import monotonic
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server

from tests.service.house import House


class Quiet(WSGIRequestHandler):
    """Answers, and says nothing of it."""

    protocol_version = "HTTP/1.1"

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nobody reads it."""


PATIENCE = 30.0
"""Seconds for which requests may go on when the address is wanted no more."""


class Counted:
    """An app, and how many answers of its are under way."""

    def __init__(self, app: Any) -> None:
        self._app, self._count, self._news = app, 0, Condition()

    def __call__(self, environ: Any, start: Any) -> Any:
        self._add(1)
        try:
            parts = self._app(environ, start)
        except BaseException:
            self._add(-1)
            raise
        return self._told(parts)

    def _told(self, parts: Any) -> Iterator[bytes]:
        # not counted down when it is closed: the server forgets to where the browser has hung up with an error
        try:
            yield from parts
        finally:
            with closing(parts) if hasattr(parts, "close") else nullcontext():
                self._add(-1)

    def _add(self, more: int) -> None:
        with self._news:
            self._count += more
            self._news.notify_all()

    def wait(self) -> None:
        """Until there is none."""
        end = monotonic() + PATIENCE
        while not self._is_done():
            assert monotonic() < end, f"{self._count} requests go on without end"
            # what the server forgot to close, where the browser hung up, ends when it is collected
            gc.collect()

    def _is_done(self) -> bool:
        with self._news:
            return self._news.wait_for(lambda: not self._count, 0.5)


@contextmanager
def on_loopback(house: House) -> Iterator[str]:
    """An address where the house answers, for as long as it is wanted; nobody waits in the house afterwards."""
    app = Counted(house.app)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    server.daemon_threads = True  # type: ignore[attr-defined]  # of the mixin
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        # a store that is closed while it is read takes the process along
        house.service.bells.close()
        app.wait()

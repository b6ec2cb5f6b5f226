"""A receiver of webhooks that behaves as the path says, and tells what it has heard."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

STATUS = {"/ok": 200, "/none": 204, "/fails": 500, "/gone": 410, "/busy": 503, "/moved": 301, "/see": 307}


class Answering(BaseHTTPRequestHandler):
    server: Running

    def do_POST(self) -> None:
        with suppress(OSError):  # whoever asked may have hung up
            self._answer()

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        path = self.path.partition("?")[0]
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.requests.append({"path": self.path, "headers": headers, "body": body})
        if path == "/silent":
            Event().wait(60)
        if path == "/slow":
            Event().wait(0.5)
            self._head(200)
        if path in STATUS:
            self._head(STATUS[path])
        if path == "/huge":
            self._head(200, "Content-Length: 10000000000")
            while True:
                self.wfile.write(b"x" * 65536)
        if path == "/long-head":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while True:
                self.wfile.write(b"X-More: " + b"x" * 4096 + b"\r\n")
        if path == "/drips":
            for char in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 1000:
                self.wfile.write(bytes([char]))
                Event().wait(0.05)
        if path == "/no-http":
            self.wfile.write(b"220 mail.example ESMTP\r\n\r\n")
        if path == "/soon":
            self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n")
        self.close_connection = True

    def _head(self, status: int, *more: str) -> None:
        lines = [f"HTTP/1.1 {status} So", *more]
        if status in {301, 307}:
            lines.append(f"Location: {self.server.url()}")
        if status == 503:
            lines.append("Retry-After: 4000")
        self.wfile.write("\r\n".join([*lines, "", ""]).encode())

    def log_message(self, *_: Any) -> None:
        """Nothing."""


class Running(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *tls: str) -> None:
        """`tls`: the files of its certificate and key."""
        super().__init__(("127.0.0.1", 0), Answering)
        self.requests: list[dict[str, Any]] = []
        self.port = int(self.server_address[1])
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self.socket = context.wrap_socket(self.socket, server_side=True)

    def url(self, path: str = "/ok") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def heard(self, path: str = "") -> list[dict[str, Any]]:
        """What it was sent, at that path or at any."""
        return [one for one in self.requests if not path or one["path"] == path]


@contextmanager
def receiver(*tls: str) -> Iterator[Running]:
    with Running(*tls) as running:
        Thread(target=running.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield running
        finally:
            running.shutdown()

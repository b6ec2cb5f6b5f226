"""A receiver of webhooks, a process of its own that behaves as the path says: `python -m … [CERT KEY]`.

It says on which port it listens, and what it has heard at `GET /heard`.
"""

from __future__ import annotations

import json
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event
from time import monotonic
from typing import Any

import httpx2

from tests.service.run.uprun import TREE

HEARD: list[dict[str, Any]] = []
AT_ONCE = [0, 0]
"""How many are being answered, and the most that were."""

STATUS = {"/ok": 200, "/none": 204, "/fails": 500, "/gone": 410, "/busy": 503, "/moved": 301, "/see": 307}


class Receiver(BaseHTTPRequestHandler):
    """Answers as the path says."""

    server: Any

    def do_GET(self) -> None:
        told = json.dumps({"heard": HEARD, "most": AT_ONCE[1]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def do_POST(self) -> None:
        AT_ONCE[0] += 1
        AT_ONCE[1] = max(AT_ONCE)
        try:
            self._answer()
        except OSError:
            pass  # whoever asked has hung up
        finally:
            AT_ONCE[0] -= 1

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        path = self.path.partition("?")[0]
        headers = {name.lower(): value for name, value in self.headers.items()}
        HEARD.append({"path": self.path, "headers": headers, "body": body, "at": monotonic()})
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
            lines.append(f"Location: http://127.0.0.1:{self.server.server_address[1]}/ok")
        if status == 503:
            lines.append("Retry-After: 4000")
        self.wfile.write("\r\n".join([*lines, "", ""]).encode())

    def log_message(self, *_: Any) -> None:
        """Nothing."""


def main(*tls: str) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.daemon_threads = True
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()


class Running:
    """One that runs."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    def url(self, path: str = "/ok", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def _told(self) -> dict[str, Any]:
        return dict(httpx2.get(self.url("/heard"), trust_env=False, timeout=20).json())

    def heard(self, path: str = "") -> list[dict[str, Any]]:
        """What it was sent, at that path or at any."""
        return [one for one in self._told()["heard"] if not path or one["path"] == path]

    @property
    def most(self) -> int:
        """How many requests it had at once."""
        return int(self._told()["most"])


@contextmanager
def receiver(*tls: str) -> Iterator[Running]:
    """Run one until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.service.webhooks.receivers", *tls],
        cwd=TREE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield Running(process, int(process.stdout.readline()))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


if __name__ == "__main__":
    main(*sys.argv[1:])

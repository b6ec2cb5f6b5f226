"""Draws pictures for another process, one after the other, until that one closes the connection.

It is a process of its own, since drawing takes up to a second and blocks everything else in a process.

    python replays/table/drawing.py <number of a socket>
"""

from __future__ import annotations

import socket
import sys
from contextlib import suppress

IDLE = 120.0
"""Seconds without a request after which the process ends, since it holds fonts in memory."""

SIZE = 4
"""The number of bytes that hold the length of a message."""


def receive(line: socket.socket) -> bytes | None:
    """Return the next message; None when the other side has closed the connection. Raises OSError."""
    head = _exactly(line, SIZE)
    return None if head is None else _exactly(line, int.from_bytes(head))


def _exactly(line: socket.socket, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        piece = line.recv(size - len(data))
        if not piece:
            return None
        data += piece
    return bytes(data)


def send(line: socket.socket, data: bytes) -> None:
    """Send a message with its length. Raises OSError."""
    line.sendall(len(data).to_bytes(SIZE) + data)


def main(line: socket.socket) -> None:
    """Answer each SVG with its PNG; with an empty message if it can't be drawn."""
    import resvg_py

    line.settimeout(IDLE)
    while (svg := receive(line)) is not None:
        try:
            drawn = bytes(resvg_py.svg_to_bytes(svg_string=svg.decode()))
        except ValueError:
            drawn = b""
        send(line, drawn)


if __name__ == "__main__":
    # OSError: no request for a long time, or the other process is gone
    with socket.socket(fileno=int(sys.argv[-1])) as other, suppress(OSError):
        main(other)

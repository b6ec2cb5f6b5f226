"""Draws pictures for another process, one after the other, until that one hangs up: drawing holds up all that a process
does, and takes up to a second.

python replays/table/drawing.py <number of a socket>
"""

from __future__ import annotations

import socket
import sys
from contextlib import suppress

IDLE = 120.0
"""Seconds without a picture after which it ends: it holds fonts in memory."""

SIZE = 4
"""Bytes that say how long what follows is."""


def receive(line: socket.socket) -> bytes | None:
    """What was sent, None when the other side has hung up. Raises OSError."""
    head = _exactly(line, SIZE)
    return None if head is None else _exactly(line, int.from_bytes(head))


def _exactly(line: socket.socket, size: int) -> bytes | None:
    found = bytearray()
    while len(found) < size:
        piece = line.recv(size - len(found))
        if not piece:
            return None
        found += piece
    return bytes(found)


def send(line: socket.socket, data: bytes) -> None:
    """Send it with its length. Raises OSError."""
    line.sendall(len(data).to_bytes(SIZE) + data)


def main(line: socket.socket) -> None:
    """Answer each SVG with its PNG; with nothing where it can't be drawn."""
    import resvg_py

    line.settimeout(IDLE)
    while (svg := receive(line)) is not None:
        try:
            drawn = bytes(resvg_py.svg_to_bytes(svg_string=svg.decode()))
        except ValueError:
            drawn = b""
        send(line, drawn)


if __name__ == "__main__":
    # nobody has asked for long, or whoever did is gone
    with socket.socket(fileno=int(sys.argv[-1])) as other, suppress(OSError):
        main(other)

"""Requests that two readers could take for different ones, and requests that only look like such (`oddities.toml`).

What follows a refused one is never run.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

GET = "GET /odd HTTP/1.1\r\nHost: here\r\n"
POST = "POST /odd HTTP/1.1\r\nHost: here\r\n"
CHUNKED = f"{POST}Transfer-Encoding: chunked\r\n\r\n"
END = "\r\n\r\n"

ODDITIES: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def sent(text: str) -> bytes:
    """What goes over the wire, for a text of the file."""
    for name, beginning in (("{get}", GET), ("{post}", POST), ("{chunked}", CHUNKED)):
        text = text.replace(name, beginning)
    return text.encode("latin-1")


LONG = {
    "a line that is too long": (f"GET /{'a' * 8000} HTTP/1.1\r\nHost: here{END}", 414),
    "a version of many digits": (f"GET /odd HTTP/{'1' * 90}.1\r\nHost: here{END}", 400),
    "a NUL after very many blanks": (f"{GET}X:{' ' * 60_000}\0{END}", 400),
    "more fields than are read": (GET + "\r\n".join(f"X-{number}: 1" for number in range(100)) + END, 400),
    "a field that is too long": (f"{GET}X: {'a' * 70_000}{END}", 431),
    "an extension that is too long": (f"{CHUNKED}5;a={'b' * 300}\r\nhello\r\n0{END}", 400),
    "a field after the body that is too long": (f"{CHUNKED}0\r\nX: {'a' * 70_000}{END}", 431),
}
SHORT = {name: (text, int(status)) for status, rows in ODDITIES["refused"].items() for name, text in rows.items()}

REFUSED = {name: (sent(text), status) for name, (text, status) in (SHORT | LONG).items()}
"""What is sent, and the status of the one answer. The connection is closed then."""

TAKEN = {name: (sent(text), sent(body)) for name, (text, body) in ODDITIES["taken"].items()}
"""What is sent, and the body that is read. Another request may follow on the connection."""

LAST = {name: sent(text) for name, text in ODDITIES["last"].items()}
"""What is sent and answered; nothing more is heard on the connection."""

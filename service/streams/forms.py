"""How what a stream tells is written: as lines of JSON, or as Server-Sent Events."""

from __future__ import annotations

from typing import Any

import msgspec

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"

RETRY = 2000
"""Milliseconds after which a browser comes back when its stream was cut off."""


class Form(msgspec.Struct, frozen=True):
    """One of them."""

    kind: str
    """Its media type."""
    begin: bytes
    """What is written at once, so that the head of the answer is on its way."""
    beat: bytes
    """What says only that the stream is alive."""

    def tell(self, data: bytes, id: str) -> bytes:
        """Something that is told; `id`: from where to go on after it. A line of NDJSON says it by itself."""
        return data + b"\n"

    def end(self, why: str, id: str, **more: Any) -> bytes:
        """The last that is told, and why."""
        return self.tell(msgspec.json.encode({"end": {"why": why, **more}}), id)


class _Events(Form, frozen=True):
    """Server-Sent Events."""

    def tell(self, data: bytes, id: str) -> bytes:
        """See `Form.tell`."""
        return b"id: %s\ndata: %s\n\n" % (id.encode("ascii"), data)

    def end(self, why: str, id: str, **more: Any) -> bytes:
        """See `Form.end`; it is of another type than all that is told, so that a browser can stop coming back."""
        return b"event: end\n" + super().end(why, id, **more)


FORMS: dict[str, Form] = {
    NDJSON: Form(NDJSON, b"\n", b"\n"),
    SSE: _Events(SSE, b"retry: %d\n\n" % RETRY, b":\n\n"),
}
"""By their media types."""

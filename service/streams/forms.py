"""The two forms of a stream: lines of JSON, or Server-Sent Events."""

from __future__ import annotations

from typing import Any

import msgspec

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"

RETRY = 2000
"""Milliseconds after which a browser connects again when its stream was cut off."""


class Form(msgspec.Struct, frozen=True):
    """A form of streams; here that of NDJSON."""

    kind: str
    """The media type."""
    begin: bytes
    """The bytes that are sent at once, so that the client gets the answer's head."""
    beat: bytes
    """The bytes that say only that the stream is alive."""

    def tell(self, data: bytes, id: str) -> bytes:
        """Return the bytes of an item. `id` says from where to go on after it; in NDJSON the item itself says that."""
        return data + b"\n"

    def end(self, why: str, id: str, **more: Any) -> bytes:
        """Return the bytes of the last item, which says why the stream ends."""
        return self.tell(msgspec.json.encode({"end": {"why": why, **more}}), id)


class _Events(Form, frozen=True):
    """Server-Sent Events."""

    def tell(self, data: bytes, id: str) -> bytes:
        """See `Form.tell`."""
        return b"id: %s\ndata: %s\n\n" % (id.encode("ascii"), data)

    def end(self, why: str, id: str, **more: Any) -> bytes:
        """See `Form.end`. The event's type differs from all others, so that a browser can stop connecting again."""
        return b"event: end\n" + super().end(why, id, **more)


FORMS: dict[str, Form] = {
    NDJSON: Form(NDJSON, b"\n", b"\n"),
    SSE: _Events(SSE, b"retry: %d\n\n" % RETRY, b":\n\n"),
}
"""The forms by their media types."""

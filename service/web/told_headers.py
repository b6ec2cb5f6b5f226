"""The headers that answers have beside what all have (Content-Type, Vary, X-Request-ID), for the OpenAPI document."""

from __future__ import annotations

from typing import Any

Headers = dict[str, dict[str, Any]]


def _text(description: str) -> dict[str, Any]:
    return {"schema": {"type": "string"}, "description": description}


ETAG: Headers = {"ETag": _text("For If-None-Match.")}
FILE: Headers = {"Content-Disposition": _text("What the file is called.")}
PACKED: Headers = {"Content-Encoding": _text("`gzip`, for who accepts that.")}
DEFLATED: Headers = {"Content-Encoding": _text("`deflate`, of a stream with scenes, for who accepts that.")}
LINK: Headers = {"Link": _text("Where the next page is, if there is one.")}
ELSEWHERE: Headers = {"Content-Location": _text("Where it is by its hash, whatever it was asked for by.")}
LOCATION: Headers = {"Location": _text("Where it is.")}
NOT_KEPT: Headers = {"Cache-Control": _text("That it is not to be kept.")}
FLOWING: Headers = {"X-Accel-Buffering": _text("Of a stream: that no proxy is to hold it back.")}
COUNTED: Headers = {
    "RateLimit-Policy": _text("How often it may be asked for, where you are counted."),
    "RateLimit": _text("How often it may still be asked for, where you are counted."),
}
AGAIN: Headers = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."}}

"""The headers of requests and answers, each told once."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def _said(name: str, description: str, **schema: Any) -> Schema:
    return {"in": "header", "name": name, "description": description, "schema": {"type": "string", **schema}}


PARAMETERS: dict[str, Schema] = {
    "AcceptLanguage": _said(
        "Accept-Language",
        "In which language texts are told, also those of problems: `en` or `ja`. `?lang=` goes before it.",
        examples=["ja"],
    ),
    "RequestId": _said(
        "X-Request-ID",
        "An id of your own for the request: its answer and the service's log lines tell it. Any other text is passed"
        " over, and the service draws one.",
        examples=["evening-17"],
    ),
    "IdempotencyKey": _said(
        "Idempotency-Key",
        "A key of your own for what you want done: sent again with it, the request is done once, and answered again."
        " With another body it is refused.",
        pattern="^[!-~]{1,255}$",
        examples=["5b1c9f4e-open-1"],
    ),
    "CsrfToken": _said("X-CSRF-Token", "With a cookie: what `GET /api/sessions` tells. A bearer token needs none."),
    "IfNoneMatch": _said(
        "If-None-Match",
        "The ETag of what you know: where nothing has changed since, the answer is 304 and has no body.",
    ),
    "LastEventId": _said(
        "Last-Event-ID", "Where a stream that was read before ended: it goes on after that, with nothing lost."
    ),
    "Lang": {
        "in": "query",
        "name": "lang",
        "description": "In which language texts are told, those of problems too; Accept-Language where it is not said.",
        "schema": {"type": "string", "enum": ["en", "ja"]},
    },
}
"""What a request may say beside its body, by the names in the document."""


def _told(description: str, **schema: Any) -> Schema:
    return {"description": description, "schema": {"type": "string", **schema}}


ANSWERED: dict[str, Schema] = {
    "Accept-Encoding": _told("How bodies may be sent (RFC 9110, 12.5.3): as they are."),
    "Allow": _told("The methods that the path has."),
    "Cache-Control": _told("Whether the answer may be kept, and by whom."),
    "Content-Disposition": _told("What the file is called."),
    "Content-Encoding": _told("How the body is packed, where the client takes it so: `gzip`."),
    "Content-Location": _told("Where it is by its hash, whatever it was asked for by.", format="uri-reference"),
    "Content-Security-Policy": _told("What a browser may load for the answer: nothing, but for what a page needs."),
    "ETag": _told("What the answer is: sent as If-None-Match it spares what you know."),
    "Link": _told('Where the next page is, if there is one, as `rel="next"` (RFC 8288).'),
    "Location": _told("Where what was made is.", format="uri-reference"),
    "RateLimit": _told("How often it may still be asked for. Only where requests are counted."),
    "RateLimit-Policy": _told("How often it may be asked for. Only where requests are counted."),
    "Referrer-Policy": _told("`no-referrer`: a browser does not tell other sites where a link was followed."),
    "Retry-After": {
        "description": "How many seconds to wait until it is asked for again.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "Set-Cookie": _told("The session's cookie, or that one is forgotten which is nobody's."),
    "Vary": _told("On which headers of the request the answer depends."),
    "WWW-Authenticate": _told("How one says who one is."),
    "X-Content-Type-Options": _told("`nosniff`: the body is what Content-Type says."),
    "X-Accel-Buffering": _told("Of a stream: that no proxy is to hold it back."),
    "X-Request-ID": _told(
        "The request's id: tell it when you ask the operator what went wrong.", pattern="^[A-Za-z0-9._:-]{1,64}$"
    ),
}
"""What an answer may have beside its body."""

OF_ALL = (
    "Cache-Control",
    "Content-Security-Policy",
    "RateLimit",
    "RateLimit-Policy",
    "Referrer-Policy",
    "Set-Cookie",
    "Vary",
    "X-Content-Type-Options",
    "X-Request-ID",
)
"""Headers that any answer may have. The document names them once, and not with each answer."""

EVERYWHERE = "x-headers-of-all-answers"
"""The member of the document that names them."""

OF_PROBLEMS = {401: ("WWW-Authenticate",), 415: ("Accept-Encoding",), 429: ("Retry-After",), 503: ("Retry-After",)}
"""By status."""


def told_headers(*names: str) -> Schema:
    """Return references to these headers, by name, but for those that any answer may have."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in sorted({*names} - {*OF_ALL})}


def everywhere() -> Schema:
    """Return references to the headers that any answer may have, by name."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in OF_ALL}

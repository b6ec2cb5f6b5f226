"""The headers of requests and answers, each described once."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def _said(name: str, description: str, **schema: Any) -> Schema:
    return {"in": "header", "name": name, "description": description, "schema": {"type": "string", **schema}}


PARAMETERS: dict[str, Schema] = {
    "AcceptLanguage": _said(
        "Accept-Language",
        "The language of texts, also those of problems: `en` or `ja`. `?lang=` replaces it.",
        examples=["ja"],
    ),
    "RequestId": _said(
        "X-Request-ID",
        "An id of your own for the request, which its answer and the service's log lines contain. One that is not valid"
        " is ignored, and the service makes a random one.",
        examples=["evening-17"],
    ),
    "IdempotencyKey": _said(
        "Idempotency-Key",
        "A key of your own for the request. If you send the request again with the same key, it is not done again, but"
        " answered again. With another body it is refused.",
        pattern="^[!-~]{1,255}$",
        examples=["5b1c9f4e-open-1"],
    ),
    "CsrfToken": _said(
        "X-CSRF-Token", "Only with a cookie: the value from `GET /api/sessions`. A bearer token needs none."
    ),
    "IfNoneMatch": _said(
        "If-None-Match",
        "The ETag of the answer that you have: if nothing has changed since then, the answer is 304 and has no body.",
    ),
    "LastEventId": _said(
        "Last-Event-ID", "The last id that you have read in a stream: it continues after that, and nothing is lost."
    ),
    "Lang": {
        "in": "query",
        "name": "lang",
        "description": "The language of texts, also those of problems; by default that of Accept-Language.",
        "schema": {"type": "string", "enum": ["en", "ja"]},
    },
}
"""The parameters that many requests may have, by their names in the document."""


def _told(description: str, **schema: Any) -> Schema:
    return {"description": description, "schema": {"type": "string", **schema}}


ANSWERED: dict[str, Schema] = {
    "Accept-Encoding": _told("The encodings of bodies (RFC 9110, 12.5.3): `identity`, so they can't be compressed."),
    "Allow": _told("The methods that the path has."),
    "Cache-Control": _told("Whether the answer may be stored, and by whom."),
    "Content-Disposition": _told("The name of the file."),
    "Content-Encoding": _told("How the body is compressed, if the client accepts that: `gzip`."),
    "Content-Location": _told("The path with the hash, however it was requested.", format="uri-reference"),
    "Content-Security-Policy": _told("What a browser may load for the answer: only what a page needs."),
    "ETag": _told("A tag of the answer: send it as If-None-Match, and get the answer only if it has changed."),
    "Link": _told('The next page, if there is one, as `rel="next"` (RFC 8288).'),
    "Location": _told("The path of what was made.", format="uri-reference"),
    "RateLimit": _told("How often the operation may still be called. Only if the request is counted."),
    "RateLimit-Policy": _told("How often the operation may be called. Only if the request is counted."),
    "Referrer-Policy": _told("`no-referrer`: a browser does not tell other sites where a link was followed."),
    "Retry-After": {
        "description": "The seconds after which the request may be sent again.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "Set-Cookie": _told("The session's cookie, or the end of a cookie that is not valid any more."),
    "Vary": _told("The headers of the request on which the answer depends."),
    "WWW-Authenticate": _told("How to send a token."),
    "X-Content-Type-Options": _told("`nosniff`: the body has the type that Content-Type says."),
    "X-Accel-Buffering": _told("For a stream: no proxy may delay it."),
    "X-Request-ID": _told(
        "The request's id: give it to the operator when you ask what went wrong.", pattern="^[A-Za-z0-9._:-]{1,64}$"
    ),
}
"""The headers of answers."""

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
"""The headers that any answer may have. The document lists them once, and not with each answer."""

EVERYWHERE = "x-headers-of-all-answers"
"""The member of the document that lists them."""

OF_PROBLEMS = {401: ("WWW-Authenticate",), 415: ("Accept-Encoding",), 429: ("Retry-After",), 503: ("Retry-After",)}
"""The headers of problems, by status."""


def told_headers(*names: str) -> Schema:
    """Return references to these headers, by name, without those that any answer may have."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in sorted({*names} - {*OF_ALL})}


def everywhere() -> Schema:
    """Return references to the headers that any answer may have, by name."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in OF_ALL}

"""What webhooks are sent, as the document tells it: a request of ours for each kind, with its headers and its body."""

from __future__ import annotations

from typing import Any

from service.webhooks import ID, MESSAGES, SIGNATURE, TIMESTAMP

Schema = dict[str, Any]

TAG = "webhooks"

ABOUT = (
    "A POST to the `url` of each webhook of yours that asked for this kind, signed by the habits of Standard Webhooks."
    " It may come more than once, with the same `webhook-id`. What is not taken is sent again, for days."
)

HEADERS = {
    ID: "Which delivery it is: the same each time it is sent.",
    TIMESTAMP: "When it was sent, in seconds since 1970. Refuse one that is minutes away.",
    SIGNATURE: "`v1,` and the base64 of HMAC-SHA256 over `webhook-id`.`webhook-timestamp`.body by the webhook's secret,"
    " for each secret that counts, with spaces between.",
}


MADE_BY = "createWebhook"
"""The operation that names the URL."""

URL = "{$request.body#/url}"


def told() -> Schema:
    """Return the requests that the service makes, by the kind of what is told.

    They stand as callbacks of the operation that makes a webhook: OpenAPI's own `webhooks` are a list of requests to
    nowhere, of which openapi-generator makes code that can't be compiled.
    """
    return {kind: {URL: {"post": _post(one.message.__name__, one.about)}} for kind, one in MESSAGES.items()}


def _post(name: str, about: str) -> Schema:
    return {
        "tags": [TAG],
        "operationId": f"tell{name.removeprefix('Webhook')}",
        "summary": about,
        "description": f"{about}\n\n{ABOUT}",
        "security": [],
        "parameters": [
            {"in": "header", "name": header, "required": True, "description": said, "schema": {"type": "string"}}
            for header, said in HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}},
        },
        "responses": {
            "2XX": {"description": "It was taken. Answer within 10 seconds; nothing else of the answer is read."},
            "410": {"description": "Nothing more is wanted: the webhook is disabled at once."},
            "default": {"description": "It was not taken, and is sent again; `Retry-After` is heeded."},
        },
    }

"""The requests that webhooks get, for the document: one for each kind, with its headers and body."""

from __future__ import annotations

from typing import Any

from service.webhooks import ID, MESSAGES, SIGNATURE, TIMESTAMP

Schema = dict[str, Any]

TAG = "webhooks"

ABOUT = (
    "A POST to the `url` of each of your webhooks with this kind, signed as Standard Webhooks says. It may come more"
    " than once, with the same `webhook-id`. Until it is accepted, it is sent again, for days."
)

HEADERS = {
    ID: "The id of the delivery, the same each time it is sent.",
    TIMESTAMP: "When it was sent, in seconds since 1970. Refuse a request that is minutes off.",
    SIGNATURE: "`v1,` and the base64 of HMAC-SHA256 over `webhook-id`.`webhook-timestamp`.body with the webhook's"
    " secret. There is one for each valid secret, with spaces between them.",
}


MADE_BY = "createWebhook"
"""The operation that names the URL."""

URL = "{$request.body#/url}"


def told() -> Schema:
    """Return the requests that the service sends, by kind.

    They are callbacks of the operation that makes a webhook: OpenAPI's own `webhooks` are a list of requests to
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
            "2XX": {"description": "Accepted. Answer within 10 seconds; only the status is read."},
            "410": {"description": "No more requests are wanted: the webhook is disabled at once."},
            "default": {"description": "Not accepted: it is sent again, after `Retry-After` if the answer has it."},
        },
    }

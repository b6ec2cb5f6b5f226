"""How streams are told of in the OpenAPI document: their lines are what pages hold."""

from __future__ import annotations

from typing import Any

import msgspec

from service.streams import FORMS

END = {
    "type": "object",
    "required": ["end"],
    "properties": {
        "end": {
            "type": "object",
            "description": "The last line of a stream.",
            "required": ["why"],
            "properties": {
                "why": {
                    "type": "string",
                    "description": "`over`: the match is; `stopping`: the server stops, come back; else the code of the"
                    " problem that a request would be answered now.",
                },
                "status": {"type": "string", "description": "With `over`: `finished` or `aborted`."},
                "after": {"description": "From where to go on."},
            },
        }
    },
}


def forms_of(line: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the schemas of a stream whose lines are such structs, by the media types of its forms."""
    told = {"$ref": f"#/components/schemas/{line.__name__}"}
    lines = {"description": "One of these a line.", "oneOf": [told, END]}
    texts = {"type": "string", "description": "Server-Sent Events, each with one such line as its data."}
    return dict(zip(FORMS, (lines, texts), strict=True))

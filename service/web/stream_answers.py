"""The schemas of streams: a line of a stream is like an entry of a page."""

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
                    "description": "`over`: the match is over; `stopping`: the server stops, so connect again; else the"
                    " code of the problem that a request would get now.",
                },
                "status": {"type": "string", "description": "With `over`: `finished` or `aborted`."},
                "after": {"description": "The `after` or cursor from which to continue."},
            },
        }
    },
}


def forms_of(line: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the schemas of a stream whose lines are such structs, by the media types of its forms."""
    entry = {"$ref": f"#/components/schemas/{line.__name__}"}
    lines = {"description": "One line of the stream.", "oneOf": [entry, END]}
    texts = {"type": "string", "description": "Server-Sent Events; the data of each is one such line."}
    return dict(zip(FORMS, (lines, texts), strict=True))

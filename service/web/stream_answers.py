"""How streams are told of in the OpenAPI document: their lines are what pages hold."""

from __future__ import annotations

from typing import Any

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


def of_player() -> dict[int, Any]:
    """The other forms of what a player is told."""
    return _of({"$ref": "#/components/schemas/Item"})


def of_match() -> dict[int, Any]:
    """The other forms of a match's events."""
    return _of({"$ref": "#/components/schemas/Event"})


def _of(line: dict[str, Any]) -> dict[int, Any]:
    """The forms of a stream whose lines are such."""
    lines = {"description": "One of these a line.", "oneOf": [line, END]}
    texts = {"type": "string", "description": "Server-Sent Events, each with one such line as its data."}
    return {200: {"content": dict(zip(FORMS, ({"schema": lines}, {"schema": texts}), strict=True))}}

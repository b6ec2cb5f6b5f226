"""What streams tell, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.streams import FORMS
from service.web import account_answers, answers, inputs

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


class Item(answers.Shape):
    """Something that a player is told: which of the members are there is said by `kind`."""

    kind = inputs.one_of(
        *("now", "event", "turn", "invitations"),
        required=True,
        metadata={
            "description": "`now`: how things stand where it begins, with `turns` and `invitations`; `event`: one of a"
            " match, or of your seat's private log; `turn`: a decision is open to you; `invitations`: all that stand."
        },
    )
    cursor = answers.text(metadata={"description": "From where to go on after it."})
    match = fields.String()
    game = fields.String()
    seat = fields.Integer(metadata={"description": "Yours."})
    event = fields.Nested(answers.Event)
    decision = fields.Integer()
    due = fields.String(allow_none=True, metadata={"format": "date-time"})
    turns = fields.List(fields.Nested(answers.Turn))
    invitations = fields.List(fields.Nested(account_answers.Invitation))


class MyEvents(answers.Shape):
    """A page of what a player is told."""

    items = answers.listed(Item)
    next = answers.text(metadata={"description": "The cursor to go on from, now or later."})
    more = fields.Boolean(required=True, metadata={"description": "Whether there is more already."})


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

"""The shapes of what no answer in JSON has: the lines of an export, and what webhooks are sent."""

from __future__ import annotations

from marshmallow import Schema, fields

from service.store import notices
from service.web.answers import Key, Shape, listed, text, whole
from service.web.inputs import STATUSES, one_of
from service.web.lobby_answers import Points


class ExportPack(Shape):
    """The printed numbers that a match is played with, themselves."""

    name = text()
    hash = text(metadata={"description": "SHA-256 of the text's bytes, hexadecimal."})
    text_ = text(data_key="text", metadata={"description": "The pack's file, in TOML."})


class ExportHeader(Shape):
    """The first line of an export: what the file is, and by which keys its receipts are."""

    format = text(metadata={"description": "`foldtable-export-2`."})
    match = text()
    game = text()
    rules = whole(metadata={"description": "The version of the game's rules."})
    pack = fields.Nested(ExportPack, required=True)
    viewer = fields.Raw(
        required=True,
        allow_none=True,
        metadata={
            "type": ["integer", "string"],
            "description": "Whose knowledge it is: a seat's, by its number; null: what anybody may read; `all` of a"
            " match that is over.",
        },
    )
    status = one_of(*STATUSES, required=True)
    version = whole(metadata={"description": "Of the last event of the match's own stream."})
    keys = listed(Key)


class AboutMatch(Shape):
    """What a webhook is told of a match of yours."""

    match = text()
    game = text()
    seat = whole(metadata={"description": "Yours, or the one that is kept for you."})
    url = text(metadata={"format": "uri", "description": "Where the match is looked at, with your token."})


class AboutDecision(AboutMatch):
    """And of what you are asked there."""

    decision = whole()
    due = fields.String(
        required=True,
        allow_none=True,
        metadata={"format": "date-time", "description": "By when it is to be answered; null where no clock runs."},
    )


class AboutEnd(AboutMatch):
    """And of how it ended."""

    status = one_of("finished", "aborted", required=True)
    result = fields.Nested(
        Points, required=True, allow_none=True, metadata={"description": "Null where it was broken off."}
    )


class AboutNothing(Shape):
    """Nothing."""


def _message(kind: str, about: type[Shape]) -> dict[str, fields.Field[object]]:
    when = {"format": "date-time", "description": "When it was noted: the same each time it is sent."}
    return {
        "type": one_of(kind, required=True, metadata={"description": "What it tells of."}),
        "timestamp": text(metadata=when),
        "data": fields.Nested(about, required=True, metadata={"description": "What it tells."}),
    }


KINDS: dict[str, tuple[str, type[Shape], str]] = {
    notices.TURN: ("WebhookTurn", AboutDecision, "It is your turn, also under seal, where nobody else hears of it."),
    notices.REMINDER: ("WebhookReminder", AboutDecision, "Your answer is due before long."),
    notices.STARTED: ("WebhookMatchStarted", AboutMatch, "A match in which you sit has started."),
    notices.FINISHED: ("WebhookMatchFinished", AboutEnd, "A match in which you sit is over."),
    notices.INVITATION: ("WebhookInvitation", AboutMatch, "A seat is kept for you."),
    notices.PING: ("WebhookPing", AboutNothing, "You wanted to see whether it arrives."),
}
"""What webhooks are told of: by its kind the name of its shape, what it holds, and a sentence."""

SHAPES: dict[str, type[Schema]] = {
    "ExportHeader": ExportHeader,
    **{name: Shape.from_dict(_message(kind, about), name=name) for kind, (name, about, _) in KINDS.items()},
}
"""By their names in the document, beside what they hold."""

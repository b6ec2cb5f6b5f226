"""The shapes of what is sent about mail."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from service.store import mailing
from service.web.inputs import one_of, whole
from service.web.reply import LANGS


class Truth(fields.Boolean):
    """True or false in JSON, and nothing that is taken for it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class MailWanted(Schema):
    """What is wanted by mail; what is not said stays as it is."""

    on = Truth(
        metadata={"description": "Whether anything is sent. True also tries an address anew that bounced."},
    )
    lang = one_of(*LANGS)
    turns = one_of(
        *(mailing.EACH, mailing.DIGEST, mailing.NONE),
        metadata={"description": "A mail for each turn, one a day for all matches, or none."},
    )
    news = Truth(
        metadata={"description": "Whether invitations, beginnings and ends of matches are told."},
    )
    hour = whole(0, 23, metadata={"description": "Of the day, when the digest is sent."})
    zone = fields.String(
        validate=validate.Length(1, 64),
        metadata={"description": "The time zone in which hours and deadlines are told, by its name (Europe/Berlin)."},
    )

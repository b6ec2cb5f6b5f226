"""The schema of requests about mail."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from service.store import mailing
from service.web.inputs import one_of, whole
from service.web.reply import LANGS


class Truth(fields.Boolean):
    """A field that is true or false in JSON, and nothing else."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class MailWanted(Schema):
    """The mails that a player wants; fields that are left out stay unchanged."""

    on = Truth(
        metadata={"description": "Whether to send mails. True also tries an address again that has bounced."},
    )
    lang = one_of(*LANGS)
    turns = one_of(
        *(mailing.EACH, mailing.DIGEST, mailing.NONE),
        metadata={"description": "`each`: a mail for each turn; `digest`: one a day for all matches; or `none`."},
    )
    news = Truth(
        metadata={"description": "Whether to send mails about invitations, and starts and ends of matches."},
    )
    hour = whole(0, 23, metadata={"description": "The hour of the day at which the digest is sent."})
    zone = fields.String(
        validate=validate.Length(1, 64),
        metadata={"description": "The time zone of hours and deadlines, by its name (Europe/Berlin)."},
    )

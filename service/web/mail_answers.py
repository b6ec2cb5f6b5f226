"""The shapes of answers about mail, for the OpenAPI document."""

from __future__ import annotations

from marshmallow import fields

from service.store import mailing
from service.web.answers import Shape, text, whole
from service.web.inputs import one_of
from service.web.reply import LANGS


class Mail(Shape):
    """What a player wants by mail."""

    address = text(metadata={"description": "The confirmed one."})
    on = fields.Boolean(required=True, metadata={"description": "Whether anything is sent."})
    stopped = one_of(
        mailing.UNSUBSCRIBED,
        mailing.BOUNCED,
        required=True,
        allow_none=True,
        metadata={"description": "Why nothing is: you wanted none, or the address refused what was sent."},
    )
    lang = one_of(*LANGS, required=True)
    turns = one_of(mailing.EACH, mailing.DIGEST, mailing.NONE, required=True)
    news = fields.Boolean(required=True, metadata={"description": "Whether what happens to matches is told."})
    hour = whole(metadata={"description": "Of the day, when the digest is sent."})
    zone = text(metadata={"description": "The time zone in which hours and deadlines are told."})

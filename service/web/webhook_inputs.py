"""What is sent about webhooks."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from service.store import notices
from service.web.inputs import name, one_of

LONGEST = 2048


def _url(**more: object) -> fields.String:
    return fields.String(
        validate=validate.Length(1, LONGEST),
        metadata={
            "description": "`https://HOST/PATH`, where everybody can reach it: an address that is private, or of the"
            " service's own machine, is refused when it is sent to."
        },
        **more,  # type: ignore[arg-type]  # required, load_default
    )


def _kinds(**more: object) -> fields.List[str]:
    return fields.List(
        one_of(*notices.KINDS),
        validate=validate.Length(1, len(notices.KINDS)),
        metadata={
            "description": "`turn`: you are asked; `match.started`, `match.finished`: a match in which you sit has"
            " started, or is over; `invitation`: a seat is kept for you; `reminder`: your answer is due before long."
        },
        **more,  # type: ignore[arg-type]  # required, load_default
    )


class WebhookWanted(Schema):
    """A webhook to make; it is told your turns unless it asks for something else."""

    url = _url(required=True)
    name = name(load_default="webhook")
    kinds = _kinds(load_default=(notices.TURN,))


class WebhookChange(Schema):
    """What is to be another; whatever is left out stays."""

    url = _url(load_default=None)
    name = name(load_default=None)
    kinds = _kinds(load_default=None)
    enabled = fields.Boolean(
        load_default=None,
        metadata={"description": "False: it is told nothing. True: it is told things, as if it had never failed."},
    )


class FeedWanted(Schema):
    """A feed to make, or to give a new address."""

    kinds = _kinds(load_default=(notices.TURN, notices.INVITATION, notices.STARTED, notices.FINISHED))

"""The bodies of requests about webhooks and feeds."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from service.store import notices
from service.web.inputs import name, one_of

LONGEST = 2048


def _url(**more: object) -> fields.String:
    return fields.String(
        validate=validate.Length(1, LONGEST),
        metadata={
            "description": "`https://HOST/PATH`, a public address. A delivery to a private address, or to the service's"
            " own machine, is refused."
        },
        **more,  # type: ignore[arg-type]  # required, load_default
    )


def _kinds(**more: object) -> fields.List[str]:
    return fields.List(
        one_of(*notices.KINDS),
        validate=validate.Length(1, len(notices.KINDS)),
        metadata={
            "description": "`turn`: it is your turn; `match.started`, `match.finished`: a match in which you sit has"
            " started or is over; `invitation`: a seat is kept for you; `reminder`: your move is due soon."
        },
        **more,  # type: ignore[arg-type]  # required, load_default
    )


class WebhookWanted(Schema):
    """A webhook to make. It gets your turns, unless you choose other kinds."""

    url = _url(required=True)
    name = name(load_default="webhook")
    kinds = _kinds(load_default=(notices.TURN,))


class WebhookChange(Schema):
    """The changes of a webhook; what is left out stays as it is."""

    url = _url(load_default=None)
    name = name(load_default=None)
    kinds = _kinds(load_default=None)
    enabled = fields.Boolean(
        load_default=None,
        metadata={
            "description": "False: nothing is sent to it. True: it gets deliveries again, as if it had never failed."
        },
    )


class FeedWanted(Schema):
    """A feed to make, or to give a new address to."""

    kinds = _kinds(load_default=(notices.TURN, notices.INVITATION, notices.STARTED, notices.FINISHED))

"""What webhooks are sent: of each kind a struct, which is encoded as the body of the request."""

from __future__ import annotations

from typing import Annotated, cast

import msgspec

from service.matches import rows
from service.shapes import Moment, formatted, one_of
from service.store import notices


class AboutMatch(msgspec.Struct, frozen=True):
    """What a webhook is told of a match of yours."""

    match: str
    game: str
    seat: int
    """Yours, or the one that is kept for you."""
    url: Annotated[str, formatted("uri")]
    """Where the match is looked at, with your token."""


class AboutDecision(AboutMatch, frozen=True):
    """And of what you are asked there."""

    decision: int
    due: Moment | None
    """By when it is to be answered; null where no clock runs."""


class AboutEnd(AboutMatch, frozen=True):
    """And of how it ended."""

    status: Annotated[str, one_of("finished", "aborted")]
    result: rows.Points | None
    """Null where it was broken off."""


class AboutNothing(msgspec.Struct, frozen=True):
    """Nothing."""


class Message(msgspec.Struct, frozen=True):
    """What a webhook is sent."""

    type: str
    """What it tells of."""
    timestamp: Moment
    """When it was noted: the same each time it is sent."""
    data: AboutNothing | AboutMatch
    """What it tells."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of message."""

    message: type[Message]
    about: str
    """What is told by it, in a sentence."""


def _kind(kind: str, name: str, data: type[msgspec.Struct], about: str) -> Kind:
    fields = [("type", Annotated[str, one_of(kind)]), ("timestamp", Moment), ("data", data)]
    made = msgspec.defstruct(name, fields, bases=(Message,), frozen=True, namespace={"__doc__": about})
    return Kind(cast(type[Message], made), about)


MESSAGES = {
    notices.TURN: _kind(
        notices.TURN, "WebhookTurn", AboutDecision, "It is your turn, also under seal, where nobody else hears of it."
    ),
    notices.REMINDER: _kind(notices.REMINDER, "WebhookReminder", AboutDecision, "Your answer is due before long."),
    notices.STARTED: _kind(notices.STARTED, "WebhookMatchStarted", AboutMatch, "A match in which you sit has started."),
    notices.FINISHED: _kind(notices.FINISHED, "WebhookMatchFinished", AboutEnd, "A match in which you sit is over."),
    notices.INVITATION: _kind(notices.INVITATION, "WebhookInvitation", AboutMatch, "A seat is kept for you."),
    notices.PING: _kind(notices.PING, "WebhookPing", AboutNothing, "You wanted to see whether it arrives."),
}
"""By the kind of what is told."""

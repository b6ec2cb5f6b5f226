"""The messages to webhooks: for each kind a struct, which is encoded as the body of the request."""

from __future__ import annotations

from typing import Annotated, cast

import msgspec

from service.matches import rows
from service.shapes import Moment, formatted, one_of
from service.store import notices


class AboutMatch(msgspec.Struct, frozen=True):
    """The data about a match of yours."""

    match: str
    game: str
    seat: int
    """Your seat, or the seat that is kept for you."""
    url: Annotated[str, formatted("uri")]
    """The address at which you read the match, with your token."""


class AboutDecision(AboutMatch, frozen=True):
    """The data about a match of yours and a decision that you are asked."""

    decision: int
    due: Moment | None
    """When the answer is due; null if no clock runs."""


class AboutEnd(AboutMatch, frozen=True):
    """The data about a match of yours and its end."""

    status: Annotated[str, one_of("finished", "aborted")]
    result: rows.Points | None
    """The result; null if the match was aborted."""


class AboutNothing(msgspec.Struct, frozen=True):
    """No data."""


class Message(msgspec.Struct, frozen=True):
    """A message to a webhook."""

    type: str
    """The kind of the message."""
    timestamp: Moment
    """When it happened, by the match's log: the same each time the message is sent."""
    data: AboutNothing | AboutMatch
    """The data of the message, by its kind."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of message."""

    message: type[Message]
    about: str
    """A sentence that says what such a message tells."""


def _kind(kind: str, name: str, data: type[msgspec.Struct], about: str) -> Kind:
    fields = [("type", Annotated[str, one_of(kind)]), ("timestamp", Moment), ("data", data)]
    made = msgspec.defstruct(name, fields, bases=(Message,), frozen=True, namespace={"__doc__": about})
    return Kind(cast(type[Message], made), about)


MESSAGES = {
    notices.TURN: _kind(
        notices.TURN, "WebhookTurn", AboutDecision, "It is your turn, also under seal, where nobody else learns it."
    ),
    notices.REMINDER: _kind(notices.REMINDER, "WebhookReminder", AboutDecision, "Your answer is due before long."),
    notices.STARTED: _kind(notices.STARTED, "WebhookMatchStarted", AboutMatch, "A match in which you sit has started."),
    notices.FINISHED: _kind(notices.FINISHED, "WebhookMatchFinished", AboutEnd, "A match in which you sit is over."),
    notices.INVITATION: _kind(notices.INVITATION, "WebhookInvitation", AboutMatch, "A seat is kept for you."),
    notices.PING: _kind(notices.PING, "WebhookPing", AboutNothing, "You asked for this message, as a test."),
}
"""The kinds of messages by their names."""

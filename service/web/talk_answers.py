"""The answers about messages at tables."""

from __future__ import annotations

from msgspec import Struct

from service.shapes import Moment
from service.store import people, talk


class Message(Struct, frozen=True):
    """A message from a seat."""

    number: int
    """The message's number in its match, which never changes."""
    seat: int
    player: people.Who | None
    """The player; null if the account was erased."""
    text: str | None
    """Lines of plain text; null if the message was erased."""
    at: Moment

    @classmethod
    def of(cls, kept: talk.Message) -> Message:
        """Return the stored message with its player as others see them."""
        player = people.who(kept.player, kept.player_name, kept.player_kind)
        return cls(kept.number, kept.seat, player, kept.text, kept.at)


class Page(Struct, frozen=True):
    """Messages, the oldest first; with `since` also those that were erased since then."""

    messages: list[Message]
    """The messages."""
    since: int
    """The `since` of the next request for new messages."""
    before: int | None
    """The `before` of a request for earlier messages; null if there are none."""
    more: bool
    """Whether there are more new messages already."""


class Reports(Struct, frozen=True):
    """A page of reports, the oldest first."""

    reports: tuple[talk.Report, ...]
    """The messages that players have reported."""
    next: str | None


class Mutes(Struct, frozen=True):
    """The players whom you have muted."""

    mutes: tuple[talk.Muted, ...]
    """The players, in the order in which you muted them."""

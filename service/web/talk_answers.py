"""What is answered about what is said at tables: each a struct."""

from __future__ import annotations

from msgspec import Struct

from service.shapes import Moment
from service.store import people, talk


class Message(Struct, frozen=True):
    """Something that was said from a seat."""

    number: int
    """In its match; it stays."""
    seat: int
    player: people.Who | None
    """Null: their account is gone."""
    text: str | None
    """Lines of plain text; null: it was erased."""
    at: Moment

    @classmethod
    def of(cls, said: talk.Message) -> Message:
        """Return the message with its player as others see them."""
        player = people.who(said.player, said.player_name, said.player_kind)
        return cls(said.number, said.seat, player, said.text, said.at)


class Page(Struct, frozen=True):
    """Messages in the order in which they are to be read; with `since` also those that were erased since."""

    messages: list[Message]
    """What was said."""
    since: int
    """Ask with this `since` for what comes next."""
    before: int | None
    """Ask with this `before` for earlier ones; null: none."""
    more: bool
    """Whether there is more since then already."""


class Reports(Struct, frozen=True):
    """The oldest first."""

    reports: tuple[talk.Report, ...]
    """What players want looked at."""
    next: str | None


class Mutes(Struct, frozen=True):
    """In the order in which you muted them."""

    mutes: tuple[talk.Muted, ...]
    """Whom you hear nothing of."""

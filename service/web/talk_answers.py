"""What is answered about what is said at tables: each a struct."""

from __future__ import annotations

from msgspec import Struct

from service.matches import rows
from service.shapes import Moment
from service.store import talk


class Message(Struct, frozen=True):
    """Something that was said from a seat."""

    number: int
    """In its match; it stays."""
    seat: int
    player: rows.Who | None
    """Null: their account is gone."""
    text: str | None
    """Lines of plain text; null: it was erased."""
    at: Moment

    @classmethod
    def of(cls, said: talk.Message) -> Message:
        """Return the message with its player as others see them."""
        player = rows.who(said.player, said.player_name, said.player_kind)
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


class Report(Struct, frozen=True, kw_only=True):
    """A message that somebody wants the operator to look at, as it was then."""

    at: Moment
    match: str
    number: int
    """The message's number in its match."""
    seat: int
    by: rows.Who
    author: rows.Who | None
    """Who said it; null: their account is gone."""
    text: str | None
    """It in words, in the language that was asked for."""
    reason: str
    """Why, in the words of who reports it."""

    @classmethod
    def of(cls, said: talk.Report) -> Report:
        """Return the report with both players as others see them."""
        return cls(
            at=said.at,
            match=said.match,
            number=said.number,
            seat=said.seat,
            by=rows.somebody(said.reporter, said.reporter_name, said.reporter_kind),
            author=rows.who(said.author, said.author_name, said.author_kind),
            text=said.text,
            reason=said.reason,
        )


class Reports(Struct, frozen=True):
    """The oldest first."""

    reports: list[Report]
    """What players want looked at."""
    next: str | None


class Muted(Struct, frozen=True):
    """Somebody of whom you hear nothing."""

    player: rows.Who
    at: Moment

    @classmethod
    def of(cls, found: talk.Muted) -> Muted:
        """Return who is muted as others see them."""
        return cls(rows.somebody(found.player, found.name, found.kind), found.at)


class Mutes(Struct, frozen=True):
    """In the order in which you muted them."""

    mutes: list[Muted]
    """Whom you hear nothing of."""

"""What is answered about lists of matches, and about the ways into them: each a struct."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from service.matches import rows
from service.shapes import Moment, formatted
from service.store import offers, people


class Lobby(Struct, frozen=True):
    """A page of matches, the newest first."""

    matches: list[rows.MatchSummary]
    next: str | None


class Offer(Struct, frozen=True, kw_only=True):
    """A seat whose player wants to pass it on to another player, or to leave it to a bot: one of `to` and `bot` is
    null.
    """

    match: str
    game: str
    seat: int
    by: people.Who
    to: people.Who | None
    """The player; null where it is offered to a bot."""
    bot: str | None
    """The bot, by its name; null where it is offered to a player."""
    accepted: bool
    """By whom it is offered to; bots always do."""
    agreed: tuple[int, ...]
    at: Moment

    @classmethod
    def of(cls, found: offers.Offer) -> Offer:
        """Return the offer with both players as others see them."""
        return cls(
            match=found.match,
            game=found.game,
            seat=found.seat,
            by=people.somebody(found.by, found.by_name, found.by_kind),
            to=None if found.bot else people.who(found.player, found.player_name, found.player_kind),
            bot=found.bot or None,
            accepted=found.accepted,
            agreed=found.consenting,
            at=found.at,
        )


class Offers(Struct, frozen=True):
    """What is offered."""

    offers: list[Offer]
    """The seats that are offered."""


class Link(Struct, frozen=True):
    """By what a match is found that is not in the lobby."""

    token: str
    """Say it as `link` in the query of what you ask about the match."""
    url: Annotated[str, formatted("uri")]
    """The whole address."""

"""The answers about lists of matches, offers and links."""

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
    """A seat that its player offers to another player (`to`) or to a bot (`bot`); the other one is null."""

    match: str
    game: str
    seat: int
    by: people.Who
    to: people.Who | None
    """The player; null if it is offered to a bot."""
    bot: str | None
    """The bot, by its name; null if it is offered to a player."""
    accepted: bool
    """Whether the player to whom it is offered has accepted; bots always do."""
    agreed: tuple[int, ...]
    at: Moment

    @classmethod
    def of(cls, offer: offers.Offer) -> Offer:
        """Return the offer with both players as others see them."""
        return cls(
            match=offer.match,
            game=offer.game,
            seat=offer.seat,
            by=people.somebody(offer.by, offer.by_name, offer.by_kind),
            to=None if offer.bot else people.who(offer.player, offer.player_name, offer.player_kind),
            bot=offer.bot or None,
            accepted=offer.accepted,
            agreed=offer.consenting,
            at=offer.at,
        )


class Offers(Struct, frozen=True):
    """Seats that are offered."""

    offers: list[Offer]
    """The offers."""


class Link(Struct, frozen=True):
    """The link to a match that the lobby does not list."""

    token: str
    """The token of the link: send it as `link` in the query of requests about the match."""
    url: Annotated[str, formatted("uri")]
    """The complete URL."""

"""What is answered about players: each a struct."""

from __future__ import annotations

from msgspec import Struct

from service.matches import profiles
from service.shapes import Moment
from service.store import people
from service.web.statistics_answers import OwnResults


class Profile(people.Who, frozen=True):
    """A player, and what they have reached."""

    owner: people.Who | None
    """Who has made the bot account; null: nobody."""
    since: Moment
    """Since when there is the account."""
    games: list[OwnResults]
    against: list[profiles.Rival]
    """Against whom, and how often."""


class Matches(Struct, frozen=True):
    """A page of them."""

    matches: list[profiles.Played]
    next: str | None

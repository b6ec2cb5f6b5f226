"""The answers about players."""

from __future__ import annotations

from msgspec import Struct

from service.matches import rows
from service.shapes import Moment
from service.store import people
from service.web.statistics_answers import OwnResults


class Profile(people.Who, frozen=True):
    """A player, with their results and opponents."""

    owner: people.Who | None
    """The account that made this bot account; null for other accounts."""
    since: Moment
    """When the account was made."""
    games: list[OwnResults]
    against: list[rows.Rival]
    """The player's opponents, those met most often first."""


class Matches(Struct, frozen=True):
    """A page of the player's matches."""

    matches: list[rows.Played]
    next: str | None

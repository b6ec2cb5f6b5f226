"""The public profile of a player: who they are, their results, and whom they played against."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict

from service.accounts import Accounts
from service.matches.lobby import Lobby, format_cursor, parse_cursor
from service.matches.rows import MatchSummary, Result, summary
from service.store import NEWEST, History, Past, Player, Who, people

RIVALS = 20
"""The most rivals in a profile."""


class Rival(Struct, frozen=True):
    """An opponent of a player: another player, or a bot of the service."""

    player: Who | None
    bot: str | None
    matches: int
    """The number of matches against them, among the newest 200."""


class Played(MatchSummary, frozen=True, kw_only=True):
    """A finished match of a player."""

    seat: int
    """The player's seat."""
    place: int
    """The player's place, from 1; several players may share one."""
    result: Result
    """The result."""


class Profiles:
    """Finds the profiles of players. Raises Unknown for a player who does not exist or was erased."""

    def __init__(self, accounts: Accounts, lobby: Lobby, history: History) -> None:
        self._accounts = accounts
        self._lobby = lobby
        self._history = history

    def player(self, player_id: str) -> Player:
        """Return the player."""
        return self._accounts.find(player_id)

    def owner(self, player: Player) -> Who | None:
        """Return the account that made a bot account; None for others."""
        if player.owner is None:
            return None
        owner = self._accounts.find(player.owner)
        return people.who(owner.id, owner.name, owner.kind)

    def rivals(self, player: Player) -> list[Rival]:
        """Return whom the player's newest matches were against, those met most often first."""
        return [
            Rival(people.who(rival.player, rival.name, rival.kind), rival.bot, rival.matches)
            for rival in self._history.rivals(player.id, RIVALS)
        ]

    def page(self, player: Player, limit: int, cursor: str | None) -> tuple[list[Played], str | None]:
        """Return the player's matches, newest first, and the cursor to older ones. Raises Malformed."""
        pasts = self._history.page(player.id, limit + 1, NEWEST if cursor is None else parse_cursor(cursor))
        page = pasts[:limit]
        more = format_cursor(page[-1].created, page[-1].match) if len(pasts) > limit else None
        return [row for past in page if (row := self._row(past)) is not None], more

    def _row(self, past: Past) -> Played | None:
        entry = self._lobby.find(past.match)
        if entry is None:
            return None
        return Played(**asdict(summary(entry)), seat=past.seat, place=entry.chairs[past.seat].place or 0)

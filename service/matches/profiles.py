"""What everybody may look at of a player: who they are, what they have reached, and against whom."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import asdict

from service.accounts import Accounts
from service.matches.lobby import Lobby, format_cursor, parse_cursor
from service.matches.rows import MatchSummary, Result, summary
from service.store import NEWEST, History, Past, Player, Who, people

RIVALS = 20
"""Against whom somebody has played, at most."""


class Rival(Struct, frozen=True):
    """Whom somebody has met in matches: a player, or a bot of the house."""

    player: Who | None
    bot: str | None
    matches: int
    """In how many of the newest 200."""


class Played(MatchSummary, frozen=True, kw_only=True):
    """A finished match of a player's."""

    seat: int
    """Theirs."""
    place: int
    """Theirs, 1 is the first; several may share it."""
    result: Result
    """How it ended."""


class Profiles:
    """Looks at players. Raises Unknown for one who is not there, or no longer."""

    def __init__(self, accounts: Accounts, found: Lobby, history: History) -> None:
        self._accounts = accounts
        self._lobby = found
        self._history = history

    def player(self, player_id: str) -> Player:
        """The player."""
        return self._accounts.find(player_id)

    def owner(self, player: Player) -> Who | None:
        """Who has made a bot account; None: nobody."""
        if player.owner is None:
            return None
        owner = self._accounts.find(player.owner)
        return people.who(owner.id, owner.name, owner.kind)

    def rivals(self, player: Player) -> list[Rival]:
        """Against whom the player's newest matches were, whom they met most often first."""
        return [
            Rival(people.who(one.player, one.name, one.kind), one.bot, one.matches)
            for one in self._history.rivals(player.id, RIVALS)
        ]

    def page(self, player: Player, limit: int, cursor: str | None) -> tuple[list[Played], str | None]:
        """The player's matches, the newest first, and the cursor to older ones. Raises Malformed."""
        found = self._history.page(player.id, limit + 1, NEWEST if cursor is None else parse_cursor(cursor))
        page = found[:limit]
        more = format_cursor(page[-1].created, page[-1].match) if len(found) > limit else None
        return [row for one in page if (row := self._row(one)) is not None], more

    def _row(self, one: Past) -> Played | None:
        entry = self._lobby.find(one.match)
        if entry is None:
            return None
        return Played(**asdict(summary(entry)), seat=one.seat, place=entry.chairs[one.seat].place or 0)

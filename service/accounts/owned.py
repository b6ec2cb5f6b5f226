"""Bot accounts that a person has made: they are marked as bots, and show whose they are."""

from __future__ import annotations

from events.store import MissingValue
from service.accounts.access import ACCOUNT, Asker
from service.accounts.players import GRANTED, Accounts, SignUpWanted
from service.problems import Conflict, Forbidden, Unknown
from service.store import Once, People, Player, people


class OwnedBots:
    """The use cases. They raise Problems, and the store's errors."""

    MOST = 20
    """Bot accounts that a person may have."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._people = People(accounts.recorder)

    def made(self, asker: Asker) -> tuple[Player, ...]:
        """The asker's bots, the oldest first."""
        self._accounts.own(asker, ACCOUNT)
        return self._people.owned(asker.player)

    def make(self, asker: Asker, name: str, asked: Once | None) -> tuple[Player, str]:
        """A bot account and its first token. Raises Conflict where the asker has as many as may be."""
        owner = self._accounts.player(asker)
        self._accounts.own(asker, ACCOUNT)
        if owner.kind == people.BOT:
            raise Forbidden("not-for-bots")
        wanted = SignUpWanted(name=name, kind=people.BOT, owner=owner.id)
        try:
            return self._accounts.sign_up(wanted, asked, people.demand_room(owner.id, self.MOST))
        except MissingValue:
            raise Conflict("too-many-bots", most=self.MOST) from None

    def of(self, asker: Asker, bot: str) -> Asker:
        """The bot, as if it asked for itself. Raises Unknown where it is none of the asker's."""
        if bot not in {one.id for one in self.made(asker)}:
            raise Unknown("unknown-player", player=bot)
        return Asker(bot, frozenset(GRANTED))

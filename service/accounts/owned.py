"""Bot accounts that a person has made. They are marked as bots, and show their owner."""

from __future__ import annotations

from events.store import MissingValue
from service.accounts.players import GRANTED, Accounts, SignUpWanted
from service.deeds import ACCOUNT, Asker, Deed
from service.limits import SETTINGS, TOKENS
from service.problems import Conflict, Forbidden, Unknown
from service.store import Once, People, Player, Token, people


class OwnedBots:
    """The use cases. They raise Problems, and the store's errors."""

    MOST = 20
    """The most bot accounts that a person may have."""

    def __init__(self, accounts: Accounts) -> None:
        self.front = accounts.front
        self._accounts = accounts
        self._people = People(accounts.recorder)

    def made(self, asker: Asker) -> tuple[Player, ...]:
        """Return the asker's bot accounts, the oldest first."""
        self._accounts.own(asker, ACCOUNT)
        return self._people.owned(asker.player)

    @Deed("createMyBot", (ACCOUNT,), limits=(TOKENS,), is_players=True)
    def make(self, asker: Asker, name: str, *, once: Once | None = None) -> tuple[Player, str]:
        """Make a bot account. Returns it and its first token. Raises Forbidden for bots; Conflict for one too many."""
        owner = self._accounts.player(asker)
        if owner.kind == people.BOT:
            raise Forbidden("not-for-bots")
        wanted = SignUpWanted(name=name, kind=people.BOT, owner=owner.id)
        try:
            return self._accounts.sign_up(wanted, once, people.demand_room(owner.id, self.MOST))
        except MissingValue:
            raise Conflict("too-many-bots", most=self.MOST) from None

    @Deed("createBotToken", (ACCOUNT,), limits=(TOKENS,), is_players=True)
    def issue(
        self,
        asker: Asker,
        bot: str,
        name: str,
        scopes: tuple[str, ...] | None = None,
        expires: str | None = None,
        *,
        once: Once | None = None,
    ) -> tuple[Token, str]:
        """Make one more token for a bot account. Raises Unknown; what `Accounts.issue` raises."""
        return self._accounts.issue(self.of(asker, bot), name, scopes, expires, once=once)

    @Deed("revokeBotToken", (ACCOUNT,), limits=(SETTINGS,), is_players=True)
    def revoke(self, asker: Asker, bot: str, token_id: str) -> None:
        """Revoke a token of a bot account. Raises Unknown."""
        self._accounts.revoke(self.of(asker, bot), token_id)

    def of(self, asker: Asker, bot: str) -> Asker:
        """Return the bot account as an asker. Raises Unknown if it is not the asker's."""
        if bot not in {each.id for each in self.made(asker)}:
            raise Unknown("unknown-player", player=bot)
        return Asker(bot, frozenset(GRANTED))

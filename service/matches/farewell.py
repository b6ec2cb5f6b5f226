"""Somebody goes for good: the person is erased, and the matches stay, with a seat that is nobody's in particular."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from domain.game import Refusal
from domain.matches import Status
from replays.log import OtherRules
from service.accounts import GRANTED, Accounts, OwnedBots, Sessions
from service.deeds import ACCOUNT, Asker, Deed
from service.limits import LOGINS, SETTINGS
from service.matches.ending import Ending
from service.matches.invitations import Invitations
from service.matches.lobby import Lobby, seat_of
from service.matches.seats import Seats
from service.problems import Malformed, Problem
from service.store import Entry, Once, Statement, Wanted, erasing

PAGE = 100
"""Matches that are looked at in one go."""

RUNNING = (Status.OPEN, Status.PLAYING)


class Farewell:
    """The use case. It raises Problems and the store's errors, and may be asked for again if it was cut off."""

    def __init__(
        self,
        accounts: Accounts,
        sessions: Sessions,
        found: Lobby,
        seats: Seats,
        invitations: Invitations,
        ending: Ending,
        resign: Callable[[Asker, str], object],
    ) -> None:
        self.front = accounts.front
        self._accounts = accounts
        self._sessions = sessions
        self._lobby = found
        self._seats = seats
        self._invitations = invitations
        self._ending = ending
        self._resign = resign

    @Deed("eraseMe", (ACCOUNT,), by_said=(LOGINS,), is_players=True)
    def say(self, asker: Asker, confirmed: str, password: str | None) -> None:
        """Erase the account that asks, and the bot accounts that it has made.

        Raises:  Malformed unless its id is repeated; Forbidden where it has a password, and this is not it.
        """
        # who tries passwords is counted by whose they are
        self.front.count_named(asker, LOGINS, asker.player)
        player = self._accounts.player(asker)
        if confirmed != player.id:
            raise Malformed("not-confirmed", player=player.id)
        self._sessions.check(self._accounts.proofs.of_player(player.id), password)
        self.erase(player.id)

    @Deed("eraseMyBot", (ACCOUNT,), limits=(SETTINGS,), is_players=True, is_silent=True)
    def erase_bot(self, asker: Asker, bot: str, *, once: Once | None = None) -> None:
        """Erase a bot account that the asker has made. Raises Unknown."""
        OwnedBots(self._accounts).of(asker, bot)
        self.erase(bot, self.front.remember(once, bot))

    def erase(self, player: str, beside: Sequence[Statement] = ()) -> None:
        """Erase that account, and the bot accounts that it has made."""
        me = Asker(player, frozenset(GRANTED))
        for bot in OwnedBots(self._accounts).made(me):
            self.erase(bot.id)
        self._leave(me)
        self._accounts.forget([*erasing.of_player(player, self._accounts.recorder.partitions), *beside])
        # what was begun meanwhile: nobody asks for them any longer
        self._leave(me)

    def _leave(self, me: Asker) -> None:
        for entry in self._theirs(me):
            try:
                self._part(entry, me)
            except (Problem, Refusal, OtherRules):
                # it has moved on meanwhile, or is broken off already: there is nothing to be left
                continue

    def _theirs(self, me: Asker) -> Iterator[Entry]:
        """The matches of theirs that are not over."""
        for status in RUNNING:
            page, cursor = self._lobby.listed(me, Wanted(mine=True, status=status, limit=PAGE), None)
            yield from page
            while cursor is not None:
                page, cursor = self._lobby.listed(me, Wanted(mine=True, status=status, limit=PAGE), cursor)
                yield from page

    def _part(self, entry: Entry, me: Asker) -> None:
        others = any(chair.player not in {None, me.player} for chair in entry.chairs)
        is_seated = seat_of(entry, me) is not None
        if entry.status == Status.OPEN and entry.creator == me.player and not others:
            self._ending.abort(me, entry.id)
        elif entry.status == Status.OPEN and is_seated:
            self._seats.leave(me, entry.id)
        elif entry.status == Status.OPEN and any(chair.reserved == me.player for chair in entry.chairs):
            self._invitations.decline(me, entry.id)
        elif entry.status == Status.PLAYING and is_seated:
            try:
                self._resign(me, entry.id)
            except (Problem, Refusal):
                # under seal nobody goes: whoever plays on need not ask them, to break it off; else the clock plays
                self._ending.abort(me, entry.id)

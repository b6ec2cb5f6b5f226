"""Erasing an account: the person's data is deleted; the matches stay, with an erased player on the seat."""

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
"""The number of matches that are read at once."""

RUNNING = (Status.OPEN, Status.PLAYING)


class Farewell:
    """The use cases. They raise Problems and the store's errors, and can be repeated if they were interrupted."""

    def __init__(
        self,
        accounts: Accounts,
        sessions: Sessions,
        lobby: Lobby,
        seats: Seats,
        invitations: Invitations,
        ending: Ending,
        resign: Callable[[Asker, str], object],
    ) -> None:
        self.front = accounts.front
        self._accounts = accounts
        self._sessions = sessions
        self._lobby = lobby
        self._seats = seats
        self._invitations = invitations
        self._ending = ending
        self._resign = resign

    @Deed("eraseMe", (ACCOUNT,), by_said=(LOGINS,), is_players=True)
    def say(self, asker: Asker, confirmed: str, password: str | None) -> None:
        """Erase the asker's account, and the bot accounts that it has made.

        Raises:  Malformed if `confirmed` is not the account's id; Forbidden if it has another password.
        """
        # guesses of a password are counted for the account whose password it is
        self.front.count_named(asker, LOGINS, asker.player)
        player = self._accounts.player(asker)
        if confirmed != player.id:
            raise Malformed("not-confirmed", player=player.id)
        self._sessions.check(self._accounts.proofs.of_player(player.id), password)
        self.erase(player.id)

    @Deed("eraseMyBot", (ACCOUNT,), limits=(SETTINGS,), is_players=True, is_silent=True)
    def erase_bot(self, asker: Asker, bot: str, *, once: Once | None = None) -> None:
        """Erase a bot account. Raises Unknown if the asker has not made it."""
        OwnedBots(self._accounts).of(asker, bot)
        self.erase(bot, self.front.remember(once, bot))

    def erase(self, player: str, beside: Sequence[Statement] = ()) -> None:
        """Erase the account and the bot accounts that it has made, in a transaction with `beside`."""
        me = Asker(player, frozenset(GRANTED))
        for bot in OwnedBots(self._accounts).made(me):
            self.erase(bot.id)
        self._leave(me)
        self._accounts.forget([*erasing.of_player(player, self._accounts.recorder.partitions), *beside])
        # leave what it joined meanwhile; from now on it can't make requests
        self._leave(me)

    def _leave(self, me: Asker) -> None:
        for entry in self._theirs(me):
            try:
                self._part(entry, me)
            except (Problem, Refusal, OtherRules):
                # the match has changed meanwhile, and there is nothing to leave any more
                continue

    def _theirs(self, me: Asker) -> Iterator[Entry]:
        """Yield the account's matches that are not over."""
        for status in RUNNING:
            wanted = Wanted(mine=True, status=status, limit=PAGE)
            page, cursor = self._lobby.listed(me, wanted, None)
            yield from page
            while cursor is not None:
                page, cursor = self._lobby.listed(me, wanted, cursor)
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
                # Nobody can give up a seat under seal. So agree to break the match off; until the others agree too, the
                # clock plays the seat.
                self._ending.abort(me, entry.id)

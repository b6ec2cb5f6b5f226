"""Breaking off a match, and erasing an account, which leaves its matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from domain import play
from domain.game import Refusal
from domain.matches import Match, Status
from events.store import BrokenConstraint
from replays.log import OtherRules
from service.accounts import GRANTED, Accounts, OwnedBots, Sessions
from service.deeds import ACCOUNT, ADMIN, CREATE, PLAY, Asker, Deed, Front
from service.limits import DEEDS, LOGINS, SETTINGS
from service.matches.change import Changes
from service.matches.seats import Seats
from service.matches.states import Lobby, Outcome, Position, own_seat, seat_of
from service.problems import Forbidden, Malformed, Problem, left_out
from service.store import Chair, Entry, Once, Statement, Wanted, listing, lobby, people, proposals

PAGE = 100
"""The number of matches that are read at once."""

TRIES = 8
"""The most tries to erase an account, if somebody else stores something beside it at that moment."""


class Ending:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors.

    They don't need the game's rules, so a match whose rules are not available can be broken off too.
    """

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self.front = changes.front

    @Deed("agreeToAbort", (PLAY, CREATE, ADMIN), limits=(DEEDS,))
    def abort(self, asker: Asker, match_id: str, *, once: Once | None = None) -> int | None:
        """Agree to break the match off. Returns its last version; None if others must agree first."""

        def act(position: Position) -> Outcome | None:
            position.check_running()
            if (reason := reason_of(position.entry, position.truth, asker)) is None:
                return None
            seat, entries = seat_of(position.entry, asker), play.abort(position.truth, reason)
            if reason == "operator" or seat is None or position.truth.status == Status.OPEN:
                return position.told(entries)
            return position.told(entries, lobby.demand_agreement(match_id, seat))

        def wish(position: Position) -> list[Statement]:
            seat = own_seat(position.entry, asker)
            about = position.entry, position.truth.version, proposals.ABORT
            return [lobby.agree(match_id, seat), *proposals.propose_to_others(*about, seat, self.front.now())]

        return self._changes.agree(asker, match_id, act, wish, once)

    @Deed("withdrawAbort", (PLAY,), limits=(DEEDS,))
    def take_back(self, asker: Asker, match_id: str, *, once: Once | None = None) -> None:
        """Withdraw the asker's agreement."""

        def decide(position: Position) -> Outcome:
            position.check_running()
            return Outcome(beside=(lobby.disagree(match_id, own_seat(position.entry, asker)),))

        self._changes.change_once(asker, match_id, decide, once)

    def settle(self, match_id: str) -> None:
        """Break the match off if all who still play themselves have agreed, since another one has just left."""

        def decide(position: Position) -> Outcome | None:
            if position.truth.status != Status.PLAYING or not all_agree(position.entry, lambda chair: chair.agreed):
                return None
            return position.told(play.abort(position.truth, "agreement"), lobby.demand_agreement(match_id, NO_SEAT))

        self._changes.change(match_id, decide)


NO_SEAT = -1
"""It stands for no seat where all but one must agree: then all must."""


def all_agree(entry: Entry, agrees: Callable[[Chair], bool]) -> bool:
    """Return whether all players who still play themselves agree, and there are such players."""
    asked = [chair for chair in entry.chairs if chair.is_asked_itself]
    return bool(asked) and all(map(agrees, asked))


def reason_of(entry: Entry, state: Match[Any], asker: Asker) -> Literal["agreement", "operator"] | None:
    """Return why the match ends if the asker wants it to; None if others must agree first.

    Raises:  Unauthorized; Forbidden if the asker may not break it off; Refusal if they have resigned.
    """
    if asker.may(ADMIN):
        return "operator"
    if state.status == Status.OPEN:
        if asker.player != entry.creator:
            raise Forbidden("not-creator")
        return "agreement"
    asker.need(PLAY)
    seat = own_seat(entry, asker)
    if entry.chairs[seat].resigned:
        raise Refusal("", "resigned", seat=seat)
    # bots always agree, and so does a player who has handed the seat to a bot or given it up
    waits = any(chair.is_asked_itself and not chair.agreed for chair in entry.chairs if chair.seat != seat)
    return None if waits else "agreement"


@dataclass
class Farewell:
    """The use cases. They raise Problems and the store's errors, and can be repeated if they were interrupted."""

    front: Front
    accounts: Accounts
    sessions: Sessions
    lobby: Lobby
    seats: Seats
    ending: Ending
    resign: Callable[[Asker, str], object]

    @Deed("eraseMe", (ACCOUNT,), by_said=(LOGINS,), is_players=True)
    def say(self, asker: Asker, confirmed: str, password: str | None) -> None:
        """Erase the asker's account, and the bot accounts that it has made.

        Raises:  Malformed if `confirmed` is not the account's id; Forbidden if it has another password.
        """
        # guesses of a password are counted for the account whose password it is
        self.front.count_named(asker, LOGINS, asker.player)
        player = self.accounts.player(asker)
        if confirmed != player.id:
            raise Malformed("not-confirmed", player=player.id)
        account = self.accounts.credentials(player.id)
        self.sessions.check(account, password)
        # before anything is left
        with self.accounts.refusing(asker, Forbidden("password-wrong")):
            self.front.write(None, people.demand_password(account))
        self._erase(player.id)

    @Deed("eraseMyBot", (ACCOUNT,), limits=(SETTINGS,), is_players=True, is_silent=True)
    def erase_bot(self, asker: Asker, bot: str, *, once: Once | None = None) -> None:
        """Erase a bot account. Raises Unknown if the asker has not made it."""
        OwnedBots(self.accounts).of(asker, bot)
        self._erase_bot(bot, self.front.remember(once, bot))

    def _erase_bot(self, bot: str, beside: Sequence[Statement] = ()) -> None:
        # it does nothing more meanwhile; whose bot it is can erase it again
        self.accounts.forget([people.end_all_tokens(bot)])
        self._erase(bot, beside)

    def _erase(self, player: str, beside: Sequence[Statement] = ()) -> None:
        """Erase the account and the bot accounts that it has made, in a transaction with `beside`.

        Nobody can go on with it once the account is erased, so its transaction fails if there is anything left to do.
        """
        me, partitions = Asker(player, frozenset(GRANTED)), self.accounts.recorder.partitions
        for left in reversed(range(TRIES)):
            for bot in OwnedBots(self.accounts).made(me):
                self._erase_bot(bot.id)
            demands = [people.demand_no_bots(player), *listing.demand_known(player, self._leave(me), partitions)]
            try:
                self.accounts.forget([*people.erase(player, partitions), *demands, *beside])
                break
            except BrokenConstraint:
                # it has made or joined something meanwhile, or somebody has talked at a table at which it had talked
                if not left:
                    raise
        # it may have sat down again in a match that it had opened, and left to others
        self._leave(me)

    def _leave(self, me: Asker) -> list[str]:
        """Leave the account's matches that are not over. Returns them, since some can't be left."""
        known = []
        for entry in self._theirs(me):
            known.append(entry.id)
            # it may have changed meanwhile, so that there is nothing to leave any more
            with left_out():
                self._part(entry, me)
        return known

    def _theirs(self, me: Asker) -> Iterator[Entry]:
        for status in (Status.OPEN, Status.PLAYING):
            cursor: str | None = None
            while True:
                page, cursor = self.lobby.listed(me, Wanted(mine=True, status=status, limit=PAGE), cursor)
                yield from page
                if cursor is None:
                    break

    def _part(self, entry: Entry, me: Asker) -> None:
        others = any(chair.player not in {None, me.player} for chair in entry.chairs)
        is_seated = seat_of(entry, me) is not None
        if entry.status == Status.OPEN and entry.creator == me.player and not others:
            self.ending.abort(me, entry.id)
        elif entry.status == Status.OPEN and is_seated:
            self.seats.leave(me, entry.id)
        elif entry.status == Status.OPEN and any(chair.reserved == me.player for chair in entry.chairs):
            self.seats.decline(me, entry.id)
        elif entry.status == Status.PLAYING and is_seated:
            try:
                self.resign(me, entry.id)
            except (Problem, Refusal, OtherRules):
                # Nobody can give up a seat under seal, or without the match's rules. So agree to break the match off;
                # until the others agree too, the clock plays the seat.
                self.ending.abort(me, entry.id)

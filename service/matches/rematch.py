"""Rematches: a match that is over, once more, with the same players and bots on other seats."""

from __future__ import annotations

import secrets
from typing import Any

from domain import clocks, matches, play
from domain.matches import Match
from domain.play import Told
from replays.log import TRUTH, Log
from service.accounts import Accounts
from service.deeds import CREATE, PLAY, Asker, Deed
from service.limits import INVITATIONS, OPENINGS
from service.matches.lobby import Lobby, seat_of
from service.matches.opening import Opener, Place
from service.matches.states import States
from service.problems import Conflict, Forbidden, Unknown
from service.store import Entry, Once, Terms, Timetable


class Rematches:
    """The use case. It raises Problems, the domain's Refusals and the store's errors."""

    def __init__(self, opener: Opener, states: States, lobby: Lobby, accounts: Accounts, times: Timetable) -> None:
        self.front = opener.front
        self._opener = opener
        self._states = states
        self._lobby = lobby
        self._accounts = accounts
        self._times = times

    # counted as one invitation, since its players have just played together
    @Deed("openRematch", (PLAY, CREATE), limits=(OPENINGS, INVITATIONS))
    def open(self, asker: Asker, match_id: str, *, once: Once | None = None) -> tuple[str, bool]:
        """Open the match's rematch, or find the open one. Returns its id, and whether this request opened it.

        Raises:  Forbidden if the asker neither sat there nor opened the match; Conflict if it is not over.
        """
        entry = self._checked(match_id, asker)
        if entry.rematch is not None:
            return entry.rematch, self.front.answer(once) is not None
        log = self._states.log(match_id)
        log.need_own_rules()
        entries, state = opening_of(log, self._states.folded(log, TRUTH))
        try:
            opened = self._opener.again(
                log, entries, state, entry, self._places(entry), asker, once, self._terms(match_id)
            )
        except Exception:
            # of two requests at once the store lets one pass, and the other one fails in whatever way
            if (there := self._checked(match_id, asker).rematch) is None:
                raise
            return there, False
        return opened, True

    def _checked(self, match_id: str, asker: Asker) -> Entry:
        entry = self._lobby.entry(match_id, asker)
        if seat_of(entry, asker) is None and asker.player != entry.creator:
            raise Forbidden("not-seated")
        if not entry.is_over:
            raise Conflict("not-over")
        return entry

    def _terms(self, match_id: str) -> Terms | None:
        """Return the terms that the log does not hold, without outages; None if the match has no clock."""
        terms = self._times.terms(match_id)
        return None if terms is None else Terms(terms.preset, terms.bot, terms.resignation)

    def _places(self, entry: Entry) -> tuple[Place, ...]:
        """Return the seats: everybody moves one seat forward, and the first one moves to the last seat."""
        chairs = (*entry.chairs[1:], *entry.chairs[:1])
        return tuple(Place(bot=chair.bot, player=self._who(chair.player)) for chair in chairs)

    def _who(self, player: str | None) -> str | None:
        try:
            if player is not None:
                self._accounts.find(player)
        except Unknown:
            return None  # the account was erased: anybody may take the seat
        return player


def opening_of(log: Log, before: Match[Any]) -> tuple[tuple[Told, ...], Match[Any]]:
    """Return the first events and the state of a match with the same game, pack, options and clock.

    Like every new match it is opened by the newest version of the rules.
    """
    game = log.catalogue.game(log.game.slug)
    opened, state = play.open_match(
        game,
        log.pack.pack,
        pack_name=log.pack.name,
        pack_hash=log.pack.hash,
        seats=len(before.taken),
        options=before.opened.options,
        secret=secrets.token_hex(32),
    )
    if before.clocks.terms is None:
        return (opened,), state
    timed = clocks.set_clock(state, before.clocks.terms)
    return (opened, *timed), matches.fold(game, state, [each.event for each in timed])

"""Seats that are kept for a player: whom to, by whom, and that they needn't be taken."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.game import Refusal
from domain.match import Status
from events.sqlite import SqliteRecorder
from events.store import Write
from service.accounts.players import CREATE, PLAY, READ, Accounts, Asker
from service.matches import lobby
from service.matches.change import decided
from service.matches.lobby import Entry, Register, Statement
from service.matches.states import Tables
from service.problems import Conflict, Forbidden, Malformed, unknown_seat
from service.store.idempotency import Once, Requests

MOST = 50
"""Invitations to others that a player may have standing."""

STANDING = """
SELECT count(*) FROM seats JOIN matches ON matches.id = seats.match
WHERE matches.status = 'open' AND matches.creator = ? AND seats.reserved <> matches.creator AND seats.player IS NULL
"""

MINE = """
SELECT matches.id, matches.game, seats.seat, matches.creator, players.name, matches.visibility, matches.created
FROM seats JOIN matches ON matches.id = seats.match LEFT JOIN players ON players.id = matches.creator
WHERE seats.reserved = ? AND seats.player IS NULL AND matches.status = 'open'
    AND (matches.created, matches.id) < (?, ?)
ORDER BY matches.created DESC, matches.id DESC LIMIT ?
"""

AFTER_ALL = ["~", ""]
"""Before this place in the list everything is."""


class Invitation(msgspec.Struct, frozen=True):
    """A seat that is kept for whoever asks."""

    match: str
    game: str
    seat: int
    by: dict[str, Any] | None
    """Who opened the match; None: it was adopted."""
    visibility: str
    created: str


class Invitations:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors."""

    def __init__(
        self, recorder: SqliteRecorder, tables: Tables, found: Register, accounts: Accounts, asked: Requests
    ) -> None:
        self._recorder = recorder
        self._tables = tables
        self._register = found
        self._accounts = accounts
        self._requests = asked

    def page(self, asker: Asker, limit: int, cursor: str | None) -> tuple[tuple[Invitation, ...], str | None]:
        """The seats that wait for the asker, in the newest match first, and the cursor to more."""
        asker.need(READ, PLAY)
        place = AFTER_ALL if cursor is None else lobby.parse_cursor(cursor)
        rows = self._recorder.reader().execute(MINE, (asker.player, *place, limit + 1)).fetchall()
        found = tuple(
            Invitation(match, game, seat, None if by is None else {"id": by, "name": name}, *rest)
            for match, game, seat, by, name, *rest in rows[:limit]
        )
        more = lobby.format_cursor(found[-1].created, found[-1].match) if len(rows) > limit else None
        return found, more

    def decline(self, match_id: str, asker: Asker) -> None:
        """Have no seat kept for oneself any longer; nor is one in this match again. Raises Conflict, Unknown."""
        asker.need(PLAY)
        with self._tables.deciding(match_id):
            decided(lambda: self._decline(match_id, asker))

    def _decline(self, match_id: str, asker: Asker) -> None:
        version, entry = self._looked(match_id, asker)
        if (seat := entry.seat_of(asker)) is not None:
            raise Conflict("already-seated", seat=seat)
        kept = [chair.seat for chair in entry.chairs if chair.reserved == asker.player]
        if not kept:
            raise Conflict("not-invited")
        beside = [lobby.reserve(match_id, seat, None) for seat in kept]
        if entry.status == Status.OPEN:
            beside.append(lobby.decline(match_id, asker.player))
        self._write(match_id, version, beside)

    def give(self, match_id: str, asker: Asker, seat: int, player: str | None, once: Once | None) -> None:
        """Keep a free seat for the player instead of whomever it was kept for; None: for nobody.

        Raises:  Forbidden when the asker has not opened the match; Conflict, Malformed, Unknown, Refusal.
        """
        asker.need(CREATE)
        self._register.entry(match_id, asker)
        with self._tables.deciding(match_id):
            self._requests.do(once, lambda: decided(lambda: self._give(match_id, asker, seat, player, once)))

    def _give(self, match_id: str, asker: Asker, seat: int, player: str | None, once: Once | None) -> str:
        version, entry = self._looked(match_id, asker)
        if asker.player != entry.creator:
            raise Forbidden("not-creator")
        if entry.status != Status.OPEN:
            raise Refusal("", "not-open")
        if not 0 <= seat < len(entry.chairs):
            raise unknown_seat(seat, len(entry.chairs))
        if not entry.chairs[seat].is_free:
            raise Refusal("", "seat-taken", seat=seat)
        if player is not None and player != entry.chairs[seat].reserved:
            self._check(entry, asker, player)
        beside = [lobby.reserve(match_id, seat, player), *self._requests.remember(once, match_id)]
        self._write(match_id, version, beside)
        return match_id

    def check_room(self, asker: Asker, more: int) -> None:
        """Raises Conflict when the asker would have more invitations standing than may be."""
        (standing,) = self._recorder.reader().execute(STANDING, (asker.player,)).fetchone()
        if more and standing + more > MOST:
            raise Conflict("too-many-invitations", standing=standing, most=MOST)

    def _check(self, entry: Entry, asker: Asker, player: str) -> None:
        self._accounts.need(player)
        if any(player in {chair.player, chair.reserved} for chair in entry.chairs):
            raise Malformed("player-twice")
        sql = "SELECT 1 FROM declined WHERE match = ? AND player = ?"
        if self._recorder.reader().execute(sql, (entry.id, player)).fetchone():
            raise Conflict("has-declined")
        self.check_room(asker, int(player != asker.player))

    def _looked(self, match_id: str, asker: Asker) -> tuple[int, Entry]:
        """The match in the register, after the version of its log: if somebody sits down since, that is stale."""
        version = self._recorder.head(match_id).version
        return version, self._register.entry(match_id, asker)

    def _write(self, match_id: str, version: int, beside: list[Statement]) -> None:
        # without events, but an append: it demands that the match is still so, and wakes whoever waits
        self._recorder.append(match_id, [Write(match_id, version)], beside=beside)

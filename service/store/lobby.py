"""The service's own tables about matches: who opened a match, who sits where, is awaited or takes over, who agrees.

Statements that change them are made here and executed by the append that writes the same into the log, so that both
agree. What they mean for an asker is decided in `service.matches`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec

from domain.happenings import ClockSet
from events.store import Row, Statement
from service.shapes import Moment, one_of
from service.store.people import Who, somebody, who
from service.store.statements import THE_MATCH, THE_SEAT, Queries, insert, read_sql, statement, statements

PUBLIC, LINK, PRIVATE = "public", "link", "private"
"""Who may know of a match: everybody; who has its link; or only who sits in it, opened it or is asked to join."""

Visibility = Annotated[str, one_of(PUBLIC, LINK, PRIVATE)]

RULES = "rules:default"
"""How decisions name who answers for a seat that was given up and for which no bot plays."""


class Chair(msgspec.Struct, frozen=True, array_like=True, cache_hash=True):
    """A seat in the lobby: a player's, a bot's, reserved for a player, or nobody's.

    The names of seats are cached by these values, since they are needed for each text.
    """

    seat: int
    player: str | None = None
    bot: str | None = None
    reserved: str | None = None
    player_name: str | None = None
    reserved_name: str | None = None
    player_kind: str | None = None
    reserved_kind: str | None = None
    agreed: bool = False
    """Whether the player agrees to break the match off."""
    stand_in: str | None = None
    """The bot that plays for the player."""
    resigned: bool = False
    """Whether the player has given the seat up for good."""
    pausing: bool = False
    """Whether the player wishes the match paused, or resumed if it is paused."""
    points: int | None = None
    """The seat's points if the match was played to its end; `place`: its place, the first is 1."""
    place: int | None = None
    has_quit: bool = False
    """Whether it was given up for good; known, like the fields below, when the match is over."""
    by_clock: int = 0
    """The number of moves that the clock made for it."""
    handed: str = ""
    """The reasons for which others came to play for it, with spaces between."""

    @property
    def is_free(self) -> bool:
        """Whether nobody sits there; it may be reserved."""
        return self.player is None and self.bot is None

    @property
    def who(self) -> str:
        """Who answers for it, as decisions name it."""
        if (bot := self.played_by) is not None:
            return f"bot:{bot}"
        return RULES if self.resigned else f"player:{self.player}"

    @property
    def played_by(self) -> str | None:
        """The bot that plays it, also in a player's place; None if a player does, or nobody."""
        return self.bot if self.bot is not None else self.stand_in

    @property
    def is_asked_itself(self) -> bool:
        """Whether its player answers decisions and agreements."""
        return self.player is not None and self.stand_in is None and not self.resigned


ENDS = "end"
"""What a resignation does that ends the match: no bot plays on, nor do the rules."""


class Entry(msgspec.Struct, frozen=True):
    """A match in the lobby."""

    id: str
    game: str
    status: str
    visibility: str
    creator: str | None
    created: str
    chairs: tuple[Chair, ...] = ()
    clock: ClockSet | None = None
    link: int | None = None
    """The number of the link by which the match is found; earlier links are void. None for a match without a link."""
    origin: str | None = None
    """The match whose rematch it is."""
    rematch: str | None = None
    """Its own rematch."""
    ended: str | None = None
    """When it ended; None if it has not."""
    how: str | None = None
    """How it ended: `played`, or why it was broken off."""
    moves: int | None = None
    """The number of moves; None if it is not known yet."""
    moved: str | None = None
    """When the last move was made."""
    talk: str | None = None
    """Who may read the talk at the table; None for those who sit there."""
    resignation: str | None = None
    """What a resignation does, as `Terms` has it; None if no terms were kept."""

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, so that everything of it is open to everybody."""
        return self.status in {"finished", "aborted"}

    @property
    def conceded(self) -> int | None:
        """The seat that ended the match by resigning; None if none did."""
        return next((chair.seat for chair in self.chairs if chair.resigned and self.resignation == ENDS), None)

    def is_among_bots(self, seat: int) -> bool:
        """Return whether no person plays another seat, or may take it back from the bot that stands in."""
        return all(chair.bot is not None or chair.resigned for chair in self.chairs if chair.seat != seat)

    def played_by(self, chair: Chair) -> str:
        """Return whose result the seat's is: the player's also if they resigned, whoever played on."""
        return f"player:{chair.player}" if chair.resigned else chair.who


class Invitation(msgspec.Struct, frozen=True):
    """A seat that is reserved for the asker."""

    match: str
    game: str
    seat: int
    by: Who | None
    """Who opened the match; null if that is nobody any more."""
    visibility: Visibility
    created: Moment


class Heir(msgspec.Struct, frozen=True):
    """Who is to play a seat: a player or a bot; the other field is ""."""

    player: str = ""
    bot: str = ""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that its player offers to another player (`to`) or to a bot (`bot`); the other one is null."""

    match: str
    game: str
    seat: int
    by: Who
    """The seat's player, who offers it."""
    to: Who | None
    """The player; null if it is offered to a bot."""
    bot: str | None
    """The bot, by its name; null if it is offered to a player."""
    accepted: bool
    """Whether the player to whom it is offered has accepted; bots always do."""
    agreed: tuple[int, ...]
    at: Moment

    @property
    def heir(self) -> Heir:
        """Who is to get the seat."""
        return Heir(player=self.to.id if self.to else "", bot=self.bot or "")


SQL = read_sql("lobby")
WIDTH = SQL["columns"].count(",") + 1


class Lobby(Queries):
    """Reads these tables."""

    def find(self, match_id: str) -> Entry | None:
        """Return the match with its seats; None if there is none."""
        return next(iter(read_entries(self._in_match(SQL["find"], match_id))), None)

    def is_empty(self) -> bool:
        """Return whether the lobby has no match yet, so that those in the log are to be entered at the start."""
        return not self._store.find_everywhere(SQL["any"])

    def sittings(self, match_id: str) -> dict[str, int]:
        """Return by player how often they have sat down in an open match."""
        return dict(self._in_match(SQL["sittings"], match_id))

    def declined(self, match_id: str) -> tuple[str, ...]:
        """Return the players who want no seat reserved for them in the match, which has not started."""
        return tuple(player for (player,) in self._in_match(SQL["declined"], match_id))

    def last_move(self, match_id: str, version: int) -> str | None:
        """Return when the last move up to that version was made; None if there was none."""
        rows = self._in_match(SQL["last_move"], match_id, version=version)
        return next((at for moves, at in rows if moves), None)

    def kept(self, player: str, limit: int, after: tuple[str, str]) -> tuple[Invitation, ...]:
        """Return the seats that are reserved for the player, newest match first."""
        named = {"me": player, "moment": after[0], "after": after[1]}
        return self._first(limit, _invitation, "created match", SQL["kept"], named, is_last=True)

    def offers_of(self, match_id: str) -> tuple[Offer, ...]:
        """Return the offers of a match, ordered by seat."""
        rows = self._in_match(SQL["offers_of"], match_id)
        agreed = self._in_match(SQL["consents"], match_id) if rows else []
        return tuple([_offer_of(row, agreed) for row in rows])

    def offers_to(self, player: str, limit: int) -> tuple[Offer, ...]:
        """Return the offers to the player, oldest first, without who agrees."""
        return self._first(limit, _offer_of, "at match seat", SQL["offers_to"], {"player": player})

    def offers_before(self, player: str, limit: int) -> tuple[Offer, ...]:
        """Return the offers to which the player is asked to agree, oldest first, without who else agrees."""
        return self._first(limit, _offer_of, "at match seat", SQL["offers_before"], {"player": player})


def _invitation(row: Row) -> Invitation:
    return Invitation(row[0], row[1], row[2], who(*row[3:6]), row[6], row[7])


def _offer_of(row: Row, agreed: Sequence[tuple[int, int]] = ()) -> Offer:
    """Return the offer of a row. `agreed`: which other seats agree to it, and to other offers."""
    match, game, seat, *people, bot, accepted, at = row
    return Offer(
        match=match,
        game=game,
        seat=seat,
        by=somebody(*people[:3]),
        to=None if bot else somebody(*people[3:]),
        bot=bot or None,
        accepted=bool(accepted),
        agreed=tuple(other for offered, other in agreed if offered == seat),
        at=at,
    )


def read_entries(rows: Iterable[Any]) -> tuple[Entry, ...]:
    """Return the matches of rows as `in_match` selects them, one for each seat."""
    by_match: dict[str, list[Any]] = {}
    for row in rows:
        by_match.setdefault(row[0], []).append(row)
    return tuple(read_entry(rows) for rows in by_match.values())


def read_entry(rows: list[Any]) -> Entry:
    """Return the match of its rows."""
    id, game, status, visibility, creator, created, *terms = rows[0][:10]
    clock = None if terms[0] is None else ClockSet(*terms)
    chairs = tuple([_chair(row[WIDTH:]) for row in rows])
    return Entry(id, game, status, visibility, creator, created, chairs, clock, *rows[0][10:WIDTH])


def _chair(row: Any) -> Chair:
    """Return the seat of a row, as `reading` does, but faster, since every move reads all seats."""
    agreed, stand_in, resigned, pausing, points, place, has_quit, *rest = row[8:]
    flags = bool(agreed), stand_in, bool(resigned), bool(pausing)
    values: tuple[Any, ...] = (*row[:8], *flags, points, place, bool(has_quit), *rest)
    return Chair(*values)


_enter = insert(
    "matches",
    "partition id game status visibility creator created link origin size talk allowance claims bank defaults",
    allowance=None,
    claims=None,
    bank=None,
    defaults=None,
)
_enter_seat = insert("seats", "partition match seat player bot reserved created status")


def enter(entry: Entry) -> list[Statement]:
    """Return the statements that enter a new match."""
    seats = [_enter_seat(chair, match=entry.id, created=entry.created, status=entry.status) for chair in entry.chairs]
    known = (entry,) if entry.clock is None else (entry, entry.clock)
    return [_enter(*known, size=len(seats)), *seats]


def adopt(entry: Entry) -> list[Statement]:
    """Return the statements that enter a match which other processes may enter too; the first one stays."""
    return [
        msgspec.structs.replace(statement, sql=f"{statement.sql} ON CONFLICT DO NOTHING") for statement in enter(entry)
    ]


MATCH = "UPDATE matches SET {} WHERE partition = :partition AND id = :match"
set_clock = statement(
    "match allowance claims bank defaults",
    MATCH.format("allowance = :allowance, claims = :claims, bank = :bank, defaults = :defaults"),
)
"""Sets the match's clock."""
renew_link = statement("match before", f"{MATCH.format('link = :before + 1')} AND link = :before")
"""Renews the match's link; it changes no row if that was done meanwhile."""
follow = insert("rematches", "partition match next")
"""Enters the match's rematch. It fails, and its transaction with it, if there is one."""
turn = statements(
    "match status", MATCH.format("status = :status"), f"UPDATE seats SET status = :status WHERE {THE_MATCH}"
)
"""Set the status of the match and of its seats, by which a player's are found."""
start = statements("match", f"DELETE FROM sittings WHERE {THE_MATCH}", f"DELETE FROM declined WHERE {THE_MATCH}")
"""Delete what is needed before the start only: who declined or sat down before."""

sit = statement("match seat player", f"UPDATE seats SET player = :player WHERE {THE_SEAT}")
"""Seats the player; None frees the seat."""
note_sitting = insert(
    "sittings",
    "partition match player times",
    "ON CONFLICT (partition, match, player) DO UPDATE SET times = sittings.times + 1",
    times=1,
)
"""Counts that the player has sat down."""
reserve = statement("match seat player", f"UPDATE seats SET reserved = :player WHERE {THE_SEAT}")
"""Reserves the seat for the player; None for nobody."""
decline = insert("declined", "partition match player", "ON CONFLICT DO NOTHING")
"""Notes that the player wants no seat reserved for them in this match."""
stand_in = statement(
    "match seat bot resigned",
    f"UPDATE seats SET stand_in = :bot, resigned = :resigned WHERE {THE_SEAT}",
    resigned=False,
)
"""Has the bot play the seat, or (None) no bot. `resigned`: its player is gone."""

agree = insert("agreements", "partition match seat", "ON CONFLICT DO NOTHING")
"""Notes that the seat agrees to break the match off."""
demand_agreement = statement("match seat", SQL["demand_agreement"])
"""Fails, and its transaction with it, unless every other player at the table agrees."""
disagree = statement("match seat", f"DELETE FROM agreements WHERE {THE_SEAT}")
"""Withdraws the seat's agreement to break the match off."""
settle = statement("match", f"DELETE FROM agreements WHERE {THE_MATCH}")
"""Deletes all agreements of a match that is over."""

withdraw_offer = statements(
    "match seat", f"DELETE FROM consents WHERE {THE_SEAT}", f"DELETE FROM offers WHERE {THE_SEAT}"
)
"""Withdraw the seat's offer."""
decline_offer = statements("match seat player", SQL["decline_consents"], SQL["decline_offer"])
"""Withdraw the seat's offer to that player."""
clear_offers = statements("match", f"DELETE FROM consents WHERE {THE_MATCH}", f"DELETE FROM offers WHERE {THE_MATCH}")
"""Withdraw all offers of the match."""
accept_offer = statement(
    "match seat player", f"UPDATE offers SET accepted = 1 WHERE {THE_SEAT} AND player = :player AND bot = ''"
)
"""The player accepts the seat, if it is offered to them."""
dissent = statement("match seat consenting", f"DELETE FROM consents WHERE {THE_SEAT} AND consenting = :consenting")
"""Another seat withdraws its agreement."""
_offer_seat = insert("offers", "partition match seat player bot accepted at")
# the agreement is to that player or bot, since the seat may be offered to another one meanwhile
consent = statement(
    "match seat player bot consenting",
    "INSERT INTO consents (partition, match, seat, consenting) SELECT partition, match, seat, :consenting FROM offers"
    f" WHERE {THE_SEAT} AND player = :player AND bot = :bot ON CONFLICT DO NOTHING",
)
"""Another seat agrees to the player or bot, if the seat is offered to them."""
_demand_offer = statement("match seat player bot consents", SQL["demand_offer"])


def offer_seat(match_id: str, seat: int, heir: Heir, at: str) -> list[Statement]:
    """Return the statements that offer the seat to the player or bot, in place of an earlier offer. Bots accept."""
    return [*withdraw_offer(match_id, seat), _offer_seat(match_id, seat, heir, bool(heir.bot), at)]


def demand_offer(offer: Offer) -> Statement:
    """Return the statement that fails, with its transaction, unless the offer is accepted and agreed to as here."""
    return _demand_offer(offer.match, offer.seat, offer.heir, len(offer.agreed))

"""Seats whose players want to pass them on during play: to whom, who agrees, and whether the new player accepts."""

from __future__ import annotations

import msgspec

from events.store import Statement
from service.store.statements import THE_MATCH, THE_SEAT, Queries, insert, reading, statement, statements

COLUMNS = """
SELECT offers.match, matches.game, offers.seat, seats.player, sitting.name, sitting.kind,
    offers.player, wanted.name, wanted.kind, offers.bot, offers.accepted, offers.at
FROM offers JOIN matches ON matches.partition = offers.partition AND matches.id = offers.match
JOIN seats ON seats.partition = offers.partition AND seats.match = offers.match AND seats.seat = offers.seat
LEFT JOIN players AS sitting ON sitting.id = seats.player
LEFT JOIN players AS wanted ON wanted.id = offers.player
WHERE offers.partition = :partition
"""
FIND = f"{COLUMNS} AND offers.match = :match ORDER BY offers.seat"
FIND_MINE = f"{COLUMNS} AND offers.player = :player ORDER BY offers.at, offers.match, offers.seat LIMIT :limit"
FIND_ASKED = f"""{COLUMNS} AND offers.match IN (
    SELECT mine.match FROM seats AS mine WHERE mine.partition = :partition AND mine.player = :player
        AND mine.status = 'playing') AND EXISTS (
    SELECT 1 FROM seats AS own WHERE own.partition = offers.partition AND own.match = offers.match
        AND own.player = :player AND own.stand_in IS NULL AND own.resigned = 0
        AND own.seat <> offers.seat AND NOT EXISTS (
        SELECT 1 FROM consents WHERE consents.partition = offers.partition AND consents.match = offers.match
            AND consents.seat = offers.seat AND consents.consenting = own.seat))
ORDER BY offers.at, offers.match, offers.seat LIMIT :limit"""
CONSENTS = f"SELECT seat, consenting FROM consents WHERE {THE_MATCH} ORDER BY seat, consenting"


class Heir(msgspec.Struct, frozen=True):
    """Who is to play a seat: a player or a bot; the other field is ""."""

    player: str = ""
    bot: str = ""


class Offer(msgspec.Struct, frozen=True):
    """A seat that its player wants to pass on, or to leave to a bot."""

    match: str
    game: str
    seat: int
    by: str
    by_name: str | None
    by_kind: str | None
    player: str
    player_name: str | None
    player_kind: str | None
    bot: str
    accepted: bool
    at: str
    consenting: tuple[int, ...] = ()
    """The other seats that agree."""

    @property
    def heir(self) -> Heir:
        """Who is to get the seat."""
        return Heir(player=self.player, bot=self.bot)


_offer_of = reading(Offer)


class Offers(Queries):
    """Reads these tables."""

    def of(self, match_id: str) -> tuple[Offer, ...]:
        """Return the offers of a match, ordered by seat."""
        rows = self._in_match(FIND, match_id)
        agreed = self._in_match(CONSENTS, match_id) if rows else []
        return tuple([_offer_of((*row, tuple(other for seat, other in agreed if seat == row[2]))) for row in rows])

    def to(self, player: str, limit: int) -> tuple[Offer, ...]:
        """Return the offers to the player, oldest first, without who agrees."""
        return self._first(limit, _offer_of, "at match seat", FIND_MINE, {"player": player})

    def before(self, player: str, limit: int) -> tuple[Offer, ...]:
        """Return the offers to which the player is asked to agree, oldest first, without who else agrees."""
        return self._first(limit, _offer_of, "at match seat", FIND_ASKED, {"player": player})


drop = statements("match seat", f"DELETE FROM consents WHERE {THE_SEAT}", f"DELETE FROM offers WHERE {THE_SEAT}")
"""Withdraw the seat's offer."""
clear = statements("match", f"DELETE FROM consents WHERE {THE_MATCH}", f"DELETE FROM offers WHERE {THE_MATCH}")
"""Withdraw all offers of the match."""
accept = statement(
    "match seat player", f"UPDATE offers SET accepted = 1 WHERE {THE_SEAT} AND player = :player AND bot = ''"
)
"""The player accepts the seat, if it is offered to them."""
dissent = statement("match seat consenting", f"DELETE FROM consents WHERE {THE_SEAT} AND consenting = :consenting")
"""Another seat withdraws its agreement."""
_offer = insert("offers", "partition match seat player bot accepted at")
# the agreement is to that player or bot, since the seat may be offered to another one meanwhile
consent = statement(
    "match seat player bot consenting",
    "INSERT INTO consents (partition, match, seat, consenting) SELECT partition, match, seat, :consenting FROM offers"
    f" WHERE {THE_SEAT} AND player = :player AND bot = :bot ON CONFLICT DO NOTHING",
)
"""Another seat agrees to the player or bot, if the seat is offered to them."""
_demand = statement(
    "match seat player bot consents",
    """
INSERT INTO offers (partition, match, seat, player, accepted, at)
SELECT matches.partition, matches.id, NULL, '', 0, '' FROM matches
WHERE matches.partition = :partition AND matches.id = :match AND NOT EXISTS (
    SELECT 1 FROM offers AS made WHERE made.partition = :partition AND made.match = :match AND made.seat = :seat
        AND made.player = :player AND made.bot = :bot AND made.accepted = 1 AND :consents = (
        SELECT count(*) FROM consents WHERE consents.partition = :partition AND consents.match = :match
            AND consents.seat = :seat))
""",
)


def offer(match_id: str, seat: int, heir: Heir, at: str) -> list[Statement]:
    """Return the statements that offer the seat to the player or bot, in place of an earlier offer. Bots accept."""
    return [*drop(match_id, seat), _offer(match_id, seat, heir.player, heir.bot, bool(heir.bot), at)]


def demand(match_id: str, offer: Offer) -> Statement:
    """Return the statement that fails, with its transaction, unless the offer is accepted and agreed to as here."""
    return _demand(match_id, offer.seat, offer.player, offer.bot, len(offer.consenting))

"""Seats whose players want to pass them on during play: to whom, who agrees, and whether the new player accepts."""

from __future__ import annotations

import msgspec

from events.store import Reader, Row, Statement

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
CONSENTS = (
    "SELECT seat, consenting FROM consents WHERE partition = :partition AND match = :match ORDER BY seat, consenting"
)
OFFER = """
INSERT INTO offers (partition, match, seat, player, bot, accepted, at)
VALUES (:partition, :match, :seat, :player, :bot, :accepted, :at)
ON CONFLICT (partition, match, seat)
DO UPDATE SET player = excluded.player, bot = excluded.bot, accepted = excluded.accepted, at = excluded.at
"""
ACCEPT = (
    "UPDATE offers SET accepted = 1"
    " WHERE partition = :partition AND match = :match AND seat = :seat AND player = :player AND bot = ''"
)
# the agreement is to that player or bot, since the seat may be offered to another one meanwhile
CONSENT = """
INSERT INTO consents (partition, match, seat, consenting) SELECT partition, match, seat, :consenting FROM offers
WHERE partition = :partition AND match = :match AND seat = :seat AND player = :player AND bot = :bot
ON CONFLICT DO NOTHING
"""
DISSENT = (
    "DELETE FROM consents WHERE partition = :partition AND match = :match AND seat = :seat AND consenting = :consenting"
)
DROP = tuple(
    f"DELETE FROM {table} WHERE partition = :partition AND match = :match AND seat = :seat"
    for table in ("consents", "offers")
)
CLEAR = tuple(
    f"DELETE FROM {table} WHERE partition = :partition AND match = :match" for table in ("consents", "offers")
)
DEMAND = """
INSERT INTO offers (partition, match, seat, player, accepted, at)
SELECT matches.partition, matches.id, NULL, '', 0, '' FROM matches
WHERE matches.partition = :partition AND matches.id = :match AND NOT EXISTS (
    SELECT 1 FROM offers AS made WHERE made.partition = :partition AND made.match = :match AND made.seat = :seat
        AND made.player = :player AND made.bot = :bot AND made.accepted = 1 AND :consents = (
        SELECT count(*) FROM consents WHERE consents.partition = :partition AND consents.match = :match
            AND consents.seat = :seat))
"""
FORGET_CONSENTS = """
DELETE FROM consents WHERE partition = :partition AND EXISTS (
    SELECT 1 FROM offers WHERE offers.partition = :partition AND offers.match = consents.match
        AND offers.seat = consents.seat AND offers.player = :player)
"""
FORGET_OFFERS = "DELETE FROM offers WHERE partition = :partition AND player = :player"


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


class Offers:
    """Reads these tables."""

    def __init__(self, store: Reader) -> None:
        self._store = store

    def of(self, match_id: str) -> tuple[Offer, ...]:
        """Return the offers of a match, ordered by seat."""
        rows = self._store.find(Statement(FIND, {"match": match_id}, match_id))
        if not rows:
            return ()
        consents = self._store.find(Statement(CONSENTS, {"match": match_id}, match_id))
        return tuple(
            [
                msgspec.structs.replace(
                    offer, consenting=tuple(seat for whose, seat in consents if whose == offer.seat)
                )
                for offer in map(_offer, rows)
            ]
        )

    def to(self, player: str, limit: int) -> tuple[Offer, ...]:
        """Return the offers to the player, oldest first, without who agrees."""
        rows = self._store.find_everywhere(FIND_MINE, player=player, limit=limit)
        return tuple(sorted(map(_offer, rows), key=lambda offer: (offer.at, offer.match, offer.seat))[:limit])

    def before(self, player: str, limit: int) -> tuple[Offer, ...]:
        """Return the offers to which the player is asked to agree, oldest first, without who else agrees."""
        rows = self._store.find_everywhere(FIND_ASKED, player=player, limit=limit)
        return tuple(sorted(map(_offer, rows), key=lambda offer: (offer.at, offer.match, offer.seat))[:limit])


def _offer(row: Row) -> Offer:
    fields = dict(zip(Offer.__struct_fields__, row, strict=False))
    return Offer(**{**fields, "accepted": bool(fields["accepted"])})


def _told(sql: str, match_id: str, **named: object) -> Statement:
    return Statement(sql, {"match": match_id, **named}, match_id)


def offer(match_id: str, seat: int, heir: Heir, at: str) -> list[Statement]:
    """Return the statements that offer the seat to the player or bot, in place of an earlier offer. Bots accept."""
    named = {"player": heir.player, "bot": heir.bot, "accepted": int(bool(heir.bot))}
    return [*drop(match_id, seat), _told(OFFER, match_id, seat=seat, at=at, **named)]


def drop(match_id: str, seat: int) -> list[Statement]:
    """Return the statements that withdraw the seat's offer."""
    return [_told(sql, match_id, seat=seat) for sql in DROP]


def accept(match_id: str, seat: int, player: str) -> Statement:
    """Return the statement with which the player accepts the seat, if it is offered to them."""
    return _told(ACCEPT, match_id, seat=seat, player=player)


def consent(match_id: str, seat: int, heir: Heir, consenting: int) -> Statement:
    """Return the statement with which another seat agrees to the player or bot, if the seat is offered to them."""
    return _told(CONSENT, match_id, seat=seat, player=heir.player, bot=heir.bot, consenting=consenting)


def dissent(match_id: str, seat: int, consenting: int) -> Statement:
    """Return the statement with which another seat withdraws its agreement."""
    return _told(DISSENT, match_id, seat=seat, consenting=consenting)


def demand(match_id: str, offer_found: Offer) -> Statement:
    """Return the statement that fails unless the offer is as it was found: accepted, and with these agreements.

    Its transaction fails with it.
    """
    consents = len(offer_found.consenting)
    return _told(
        DEMAND, match_id, seat=offer_found.seat, player=offer_found.player, bot=offer_found.bot, consents=consents
    )


def clear(match_id: str) -> list[Statement]:
    """Return the statements that withdraw all offers of the match."""
    return [_told(sql, match_id) for sql in CLEAR]


def erase_of(player: str, partitions: int) -> list[Statement]:
    """Return the statements that withdraw all offers to the player, in a store with that number of partitions."""
    return [
        Statement(sql, {"player": player, "partition": partition})
        for partition in range(partitions)
        for sql in (FORGET_CONSENTS, FORGET_OFFERS)
    ]

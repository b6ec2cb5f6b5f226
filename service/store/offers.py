"""Seats whose players want to pass them on during play: to whom, who agrees, and whether the new player accepts."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from events.store import Row, Statement
from service.shapes import Moment
from service.store.people import Who, somebody
from service.store.statements import THE_MATCH, THE_SEAT, Queries, insert, read_sql, statement, statements

SQL = read_sql("offers")


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


class Offers(Queries):
    """Reads these tables."""

    def of(self, match_id: str) -> tuple[Offer, ...]:
        """Return the offers of a match, ordered by seat."""
        rows = self._in_match(SQL["find"], match_id)
        agreed = self._in_match(SQL["consents"], match_id) if rows else []
        return tuple([_offer_of(row, agreed) for row in rows])

    def to(self, player: str, limit: int) -> tuple[Offer, ...]:
        """Return the offers to the player, oldest first, without who agrees."""
        return self._first(limit, _offer_of, "at match seat", SQL["find_mine"], {"player": player})

    def before(self, player: str, limit: int) -> tuple[Offer, ...]:
        """Return the offers to which the player is asked to agree, oldest first, without who else agrees."""
        return self._first(limit, _offer_of, "at match seat", SQL["find_asked"], {"player": player})


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
_demand = statement("match seat player bot consents", SQL["demand"])


def offer(match_id: str, seat: int, heir: Heir, at: str) -> list[Statement]:
    """Return the statements that offer the seat to the player or bot, in place of an earlier offer. Bots accept."""
    return [*drop(match_id, seat), _offer(match_id, seat, heir, bool(heir.bot), at)]


def demand(match_id: str, offer: Offer) -> Statement:
    """Return the statement that fails, with its transaction, unless the offer is accepted and agreed to as here."""
    return _demand(match_id, offer.seat, offer.heir, len(offer.agreed))

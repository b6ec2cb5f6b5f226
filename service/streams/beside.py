"""What no event tells of a match: who agrees to what, for whom seats are kept or offered, and that something was said.

Streams of a match tell, if that is wanted, that it has changed, and not what it is: the API and the page have it. They
tell it to those who may ask for it. Nothing here depends on what is answered under seal.
"""

from __future__ import annotations

from msgspec import Struct

from events.store import Reader
from service.deeds import Asker
from service.matches import seat_of
from service.signing import digest
from service.store import Entry, Lobby, talk


class Marks(Struct, frozen=True):
    """Marks that differ as soon as something of a match has changed that no event tells."""

    beside: str
    """The mark of who agrees to what, of seats that are kept or offered, and of the rematch."""
    talk: int | None
    """The number of the last change of the messages at the table; null for who does not sit there."""


class Known(Struct, frozen=True):
    """The match as its lobby knows it, with what its stream may say to those who sit there, and to others."""

    entry: Entry
    of_seats: Marks
    of_others: Marks

    def told(self, asker: Asker) -> Marks:
        """Return what the asker may be told."""
        return self.of_others if seat_of(self.entry, asker) is None else self.of_seats


class Besides:
    """Reads it."""

    def __init__(self, store: Reader, found: Lobby) -> None:
        self._spoken = talk.Spoken(store)
        self._lobby = found

    def known(self, match_id: str) -> Known | None:
        """Return what is known of the match now; None if there is none."""
        if (entry := self._lobby.find(match_id)) is None:
            return None
        seats = [(one.reserved, one.agreed, one.pausing, one.player_kind) for one in entry.chairs]
        public = f"{entry.rematch or ''} {seats}"
        offered = [(one.seat, one.heir, one.accepted, one.agreed) for one in self._lobby.offers_of(match_id)]
        return Known(
            entry,
            Marks(_mark(f"{public} {offered}"), self._spoken.last(match_id)),
            Marks(_mark(public), None),
        )

    def told(self, match_id: str, asker: Asker) -> Marks | None:
        """Return what the asker may be told now; None if there is no such match."""
        known = self.known(match_id)
        return None if known is None else known.told(asker)


def _mark(text: str) -> str:
    return digest(text)[:16]

"""The lobby as an asker sees it: which matches they may know of, and from which seat they look."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence

import msgspec

from service.accounts import ADMIN, BOT, PLAY, READ, Asker
from service.problems import Malformed, not_your_seat, unknown_match, unknown_seat
from service.store import PUBLIC, Entry, Wanted, listing, lobby


def seat_of(entry: Entry, asker: Asker) -> int | None:
    """Return the asker's seat; None if they have none."""
    if not asker.player:
        return None
    return next((chair.seat for chair in entry.chairs if chair.player == asker.player), None)


def is_open_to(entry: Entry, asker: Asker) -> bool:
    """Return whether the asker may know of the match."""
    if entry.visibility == PUBLIC or (entry.link is not None and asker.link == (entry.id, entry.link)):
        return True
    if not asker.player:
        return False
    if asker.may(ADMIN):
        return True
    if asker.may(BOT):
        return any(chair.played_by is not None for chair in entry.chairs)
    theirs = {entry.creator, *(chair.player for chair in entry.chairs), *(chair.reserved for chair in entry.chairs)}
    return asker.player in theirs


def check_open_to(entry: Entry, asker: Asker) -> None:
    """Check that the asker may know of the match. Raises Unknown, as if there were none."""
    if not is_open_to(entry, asker):
        raise unknown_match(entry.id)


def viewpoint(entry: Entry, asker: Asker, wanted: int | None, *, any_when_over: bool = False) -> int | None:
    """Return the seat from which the asker looks or plays, None for none; `wanted` is the one that they named.

    Raises:  Unknown if there is no such seat; Forbidden if it is neither theirs nor that of a bot that they play.
    """
    if asker.player:
        asker.need(READ, PLAY, BOT)
    own = seat_of(entry, asker)
    if wanted is None or wanted == own:
        return own
    if not 0 <= wanted < len(entry.chairs):
        raise unknown_seat(wanted, len(entry.chairs))
    if asker.may(BOT) and entry.chairs[wanted].played_by is not None:
        return wanted
    if any_when_over and entry.is_over:
        return wanted
    raise not_your_seat(wanted)


class Lobby(lobby.Lobby):
    """Finds matches for an asker."""

    def entry(self, match_id: str, asker: Asker) -> Entry:
        """Return the match. Raises Unknown, also if the asker may not know of it."""
        entry = self.find(match_id)
        if entry is None:
            raise unknown_match(match_id)
        check_open_to(entry, asker)
        return entry

    def listed(self, asker: Asker, wanted: Wanted, cursor: str | None) -> tuple[tuple[Entry, ...], str | None]:
        """Return the newest matches that the asker may know of, and the cursor to older ones. Raises Malformed."""
        after = None if cursor is None else parse_cursor(cursor)
        wanted = msgspec.structs.replace(wanted, after=after)
        entries = listing.page(self._store, self._store.partitions, asker.player, wanted)
        page = entries[: wanted.limit]
        more = format_cursor(page[-1][0], page[-1][1].id) if len(entries) > wanted.limit else None
        return tuple(entry for _, entry in page), more

    def found(self, match_ids: Sequence[str]) -> dict[str, Entry]:
        """Return these matches by id, with their number of moves."""
        return listing.entries(self._store, self._store.partitions, match_ids)

    def last_move(self, match_id: str, version: int) -> str | None:
        """Return when the last move up to that version was made; None if there was none."""
        return listing.last_move(self._store, match_id, version)


def format_cursor(*key: str) -> str:
    """Return a place in a list as a text that is opaque to clients."""
    return urlsafe_b64encode("\n".join(key).encode()).decode().rstrip("=")


def parse_cursor(cursor: str) -> tuple[str, str]:
    """Return the place of a cursor. Raises Malformed for any other text."""
    try:
        key = urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4)).decode().split("\n")
    except ValueError:
        key = []
    if len(key) != 2:
        raise Malformed("malformed-cursor")
    return key[0], key[1]

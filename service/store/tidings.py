"""What is to be told by mail of a match to whoever sits on a seat of it: noted from the log, worded when it is sent.

Of a kind there is one a seat, the newest: it stays when it was told (its due moment is "" then), so that the same
decision is not told twice. It lies with the match, for itself: nothing that is shared tells of it.
"""

from __future__ import annotations

import msgspec

from events.store import Row, Statement, Tables

TURN, REMINDER, STARTED, FINISHED, INVITED = "turn", "reminder", "started", "finished", "invited"
ASKED, WARNED = "asked", "warned"
"""That the player was asked back, or warned of a stranger, about a decision: noted as told, so that it is once."""

DIGEST = "digest"
"""Stands for the moment of one that waits for the player's next digest."""

COLUMNS = "match, kind, seat, player, since, at, due, tries"
NOTE = (
    "INSERT INTO tidings (partition, match, kind, seat, player, since, at, due, tries)"
    " VALUES (:partition, :match, :kind, :seat, :player, :since, :at, :due, 0)"
    " ON CONFLICT (partition, match, kind, seat) DO UPDATE SET player = excluded.player, since = excluded.since,"
    " at = excluded.at, due = excluded.due, tries = 0"
    " WHERE tidings.since < excluded.since OR tidings.player <> excluded.player"
)
TELL = (
    "INSERT INTO tidings (partition, match, kind, seat, player, since, at, due, tries)"
    " VALUES (:partition, :match, :kind, :seat, :player, :since, :at, '', 0)"
    " ON CONFLICT (partition, match, kind, seat) DO UPDATE SET player = excluded.player, since = excluded.since,"
    " at = excluded.at, due = '', tries = 0"
    " WHERE tidings.since <= excluded.since OR tidings.player <> excluded.player"
)
INVITE = (
    "INSERT INTO tidings (partition, match, kind, seat, player, since, at, due, tries)"
    " SELECT :partition, :match, 'invited', :seat, player, 0, :at,"
    " CASE turns WHEN 'digest' THEN 'digest' ELSE :at END, 0 FROM mailing"
    " WHERE player = :player AND news = 1 AND stopped = ''"
    " ON CONFLICT (partition, match, kind, seat) DO UPDATE SET player = excluded.player, at = excluded.at,"
    " due = excluded.due, tries = 0 WHERE tidings.player <> excluded.player"
)
REMIND = (
    "INSERT INTO tidings (partition, match, kind, seat, player, since, at, due, tries)"
    " SELECT :partition, :match, 'reminder', :seat, player, :since, :at, :at, 0 FROM mailing"
    " WHERE player = :player AND turns <> 'none' AND stopped = ''"
    " ON CONFLICT (partition, match, kind, seat) DO UPDATE SET player = excluded.player, since = excluded.since,"
    " at = excluded.at, due = excluded.due, tries = 0 WHERE tidings.since < excluded.since"
    " OR tidings.player <> excluded.player"
)
TIDINGS_DUE = (
    f"SELECT {COLUMNS} FROM tidings WHERE partition = :partition AND due <> '' AND due <= :now ORDER BY due LIMIT :most"
)
TIDINGS_FOR_DIGEST = (
    f"SELECT {COLUMNS} FROM tidings WHERE partition = :partition AND due = 'digest' AND player = :player"
)
OF_TIDING = "partition = :partition AND match = :match AND kind = :kind AND seat = :seat AND due = :due"
TAKE_TIDING = f"UPDATE tidings SET due = :until, tries = tries + 1 WHERE {OF_TIDING}"
SETTLE_TIDING = f"UPDATE tidings SET due = :until WHERE {OF_TIDING}"
CLEAR_TIDINGS = "DELETE FROM tidings WHERE partition = :partition AND match = :match AND kind IN ('turn', 'reminder')"


class Tiding(msgspec.Struct, frozen=True):
    """Something that is to be told."""

    match: str
    kind: str
    seat: int
    player: str
    since: int
    """The decision, or the version of the log, that it tells of."""
    at: str
    due: str
    """When it is told; of one that is being told, when another process may take it; "": it was."""
    tries: int = 0


def _of(one: Tiding, **more: object) -> dict[str, object]:
    return {"match": one.match, "kind": one.kind, "seat": one.seat, "due": one.due, **more}


def note(one: Tiding) -> Statement:
    """It is to be told, unless it was, or something newer of its kind."""
    return Statement(NOTE, {**msgspec.to_builtins(one)}, one.match)


def tell(one: Tiding) -> Statement:
    """It was told by another mail, and is not to be told again."""
    named = {name: getattr(one, name) for name in ("match", "kind", "seat", "player", "since", "at")}
    return Statement(TELL, named, one.match)


def invite(match: str, seat: int, player: str, at: str) -> Statement:
    """A seat is kept for the player, who is told if they want to be; once, however often it is taken back and given."""
    return Statement(INVITE, {"match": match, "seat": seat, "player": player, "at": at}, match)


def remind(match: str, seat: int, player: str, decision: int, at: str) -> Statement:
    """Most of the time for a decision is used up: the player is reminded if they want to be, once a decision."""
    named = {"match": match, "seat": seat, "player": player, "since": decision, "at": at}
    return Statement(REMIND, named, match)


def _read(rows: list[Row]) -> tuple[Tiding, ...]:
    return tuple(Tiding(*row) for row in rows)


def due_tidings(store: Tables, now: str, most: int) -> tuple[Tiding, ...]:
    """What is to be told now, so many of a partition at most: the longest due first, a match's beginning before all."""
    found = _read(store.find_everywhere(TIDINGS_DUE, now=now, most=most))
    return tuple(sorted(found, key=lambda one: (one.due, one.kind != STARTED)))


def for_digest(store: Tables, player: str) -> tuple[Tiding, ...]:
    """What waits for the player's digest."""
    return _read(store.find_everywhere(TIDINGS_FOR_DIGEST, player=player))


def take_tiding(one: Tiding, until: str) -> Statement:
    """One process has it in hand until that moment: one row, none if another one was faster."""
    return Statement(TAKE_TIDING, _of(one, until=until), one.match)


def settle_tiding(one: Tiding, until: str = "") -> Statement:
    """It was told; or it is tried again at that moment."""
    return Statement(SETTLE_TIDING, _of(one, until=until), one.match)


def clear_tidings(match: str) -> Statement:
    """The match is over: nobody is asked any more."""
    return Statement(CLEAR_TIDINGS, {"match": match}, match)

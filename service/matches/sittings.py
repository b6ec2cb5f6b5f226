"""How often the seats of a match are taken before it starts: each time is an event, and the log is not theirs."""

from __future__ import annotations

from events.sqlite import SqliteRecorder
from service.accounts.players import Asker
from service.matches.lobby import Entry, Statement
from service.problems import Conflict

A_PLAYER = 5
"""How often one player sits down in a match."""

A_SEAT = 10
"""How often, a seat of the match, players sit down; from then on whoever opened it and those invited alone."""


def check(recorder: SqliteRecorder, entry: Entry, asker: Asker) -> None:
    """Raises Conflict when the asker has sat down too often, or too many others have."""
    sql = "SELECT player, times FROM sittings WHERE match = ?"
    times: dict[str, int] = dict(recorder.reader().execute(sql, (entry.id,)).fetchall())
    if times.get(asker.player, 0) >= A_PLAYER:
        raise Conflict("seated-too-often", times=A_PLAYER)
    is_expected = asker.player == entry.creator or any(chair.reserved == asker.player for chair in entry.chairs)
    if not is_expected and sum(times.values()) >= A_SEAT * len(entry.chairs):
        raise Conflict("seats-taken-too-often")


def note(match_id: str, player: str) -> Statement:
    """The player sits down once more."""
    sql = "INSERT INTO sittings VALUES (?, ?, 1) ON CONFLICT (match, player) DO UPDATE SET times = times + 1"
    return (sql, (match_id, player))
